import { createDecipheriv, createECDH } from "node:crypto";
import { deriveKeySchedule } from "@trellis/kernel/crypto/hpke.js";
import { beginWalletExport } from "../../src/wallet-exports/begin-wallet-export.js";
import { cancelWalletExport } from "../../src/wallet-exports/cancel-wallet-export.js";
import { getWalletExport } from "../../src/wallet-exports/get-wallet-export.js";
import { requestWalletExport } from "../../src/wallet-exports/request-wallet-export.js";
import type { WireWalletExport } from "../../src/wallet-exports/wallet-export.js";
import { bySession } from "./passkeys.js";
import type { CallParts, HeldAccount, TestNetwork } from "./test-network.js";

/** What beginning an export answers. */
export interface BegunExport {
  readonly otp_id: string;
  readonly signer: string;
  readonly payload: string;
  readonly passkey_required: boolean;
  readonly delay_seconds: number;
}

/** Somebody's own P-256 key, and what it opens. */
export function createRecipient() {
  const ecdh = createECDH("prime256v1");
  const point = ecdh.generateKeys();
  const spki = Buffer.concat([Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex"), point]);
  const open = (wallet: string, sealed: { readonly encapsulated_key: string; readonly ciphertext: string }): Buffer => {
    const encapsulated = Buffer.from(sealed.encapsulated_key, "base64");
    const info = Buffer.from(`trellis/wallet-export/1/${wallet}`);
    const { key, baseNonce } = deriveKeySchedule(ecdh.computeSecret(encapsulated), encapsulated, point, info);
    const bytes = Buffer.from(sealed.ciphertext, "base64");
    const decipher = createDecipheriv("chacha20-poly1305", key, baseNonce, { authTagLength: 16 });
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
  };
  return { spki: spki.toString("base64"), open };
}

export type Recipient = ReturnType<typeof createRecipient>;

/** The document of a payload that was handed out. */
export const documentIn = (payload: string): object => JSON.parse(Buffer.from(payload, "base64").toString("utf8"));

/** What cancels an export. */
export const cancellation = (signer: string, exportId: string) => ({
  version: 1,
  method: "cancelWalletExport",
  environment: "sandbox",
  wallet: signer,
  params: { export_id: exportId },
});

/** The calls of an export, by somebody's e-mail account. */
export function exportsOf(test: TestNetwork, holder: HeldAccount) {
  const { address, email } = holder;
  const begin = (recipient: Recipient, parts: CallParts = {}) => {
    // So that its mail is the newest.
    test.needs.realClock.advance(1);
    return test.call<BegunExport>(beginWalletExport, {
      params: { address },
      body: { recipient_public_key: recipient.spki },
      ...parts,
    });
  };
  /** With the code of the mail, by the session's key unless something else is sent. */
  const request = async (begun: BegunExport, recipient: Recipient, more: object = {}, parts: CallParts = {}) =>
    test.call<WireWalletExport>(requestWalletExport, {
      params: { address },
      body: {
        otp_id: begun.otp_id,
        otp_code: await test.latestCode(email),
        recipient_public_key: recipient.spki,
        authorization: bySession(holder, documentIn(begun.payload)),
        ...more,
      },
      ...parts,
    });
  return {
    begin,
    request,
    order: async (recipient: Recipient) => request(await begin(recipient), recipient),
    get: (id: string, parts: CallParts = {}) =>
      test.call<WireWalletExport>(getWalletExport, { params: { address, export_id: id }, ...parts }),
    cancel: (id: string, authorization: object, parts: CallParts = {}) =>
      test.call<WireWalletExport>(cancelWalletExport, {
        params: { address, export_id: id },
        body: { authorization },
        ...parts,
      }),
  };
}
