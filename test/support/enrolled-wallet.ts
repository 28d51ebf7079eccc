import { randomBytes, randomUUID } from "node:crypto";
import type { CustodianClient } from "../../src/adapters/kms/custodian-client.js";
import { createSoftPasskey } from "./authenticator.js";
import { wireStampOf } from "./custody-payloads.js";
import { page, toPayload } from "./passkeys.js";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** A new guarded wallet at a custodian, with its first passkey. `add` adds another one. */
export async function enrolWallet(client: CustodianClient, now: number, origins: readonly string[] = [page.origin]) {
  const { wallet } = await client.ask(
    "ensureWallet",
    {},
    {
      owner: randomUUID(),
      environment: "sandbox",
      kind: "guarded",
      rp: { id: page.rpId, origins: [...origins] },
      nonce: randomBytes(32).toString("hex"),
      now,
    },
  );
  const { wallet_id } = wallet;
  const enrol = async (by?: { readonly passkey: ReturnType<typeof createSoftPasskey>; readonly id: string }) => {
    const begun = await client.ask("beginPasskey", { wallet_id }, { now });
    const passkey = createSoftPasskey();
    const made = passkey.register({ ...page, challenge: Buffer.from(begun.challenge, "base64url") });
    const payload = toPayload({
      version: 1,
      method: "addPasskey",
      environment: "sandbox",
      wallet: wallet.address,
      params: { credential_id: text(passkey.credentialId), public_key: Buffer.from(passkey.point).toString("hex") },
      nonce: begun.challenge,
    });
    const authorization = by && {
      payload,
      stamp: wireStampOf(by.passkey, payload),
      authority: { kind: "passkey" as const, passkey_id: by.id },
    };
    const { passkey: added } = await client.ask(
      "addPasskey",
      { wallet_id },
      {
        ceremony_id: begun.ceremony_id,
        registration: { authenticator_data: made.authenticatorData, client_data_json: made.clientDataJSON },
        now,
        ...(authorization && { authorization }),
      },
    );
    return { passkey, id: added.id };
  };
  const first = await enrol();
  return { wallet, ...first, add: () => enrol(first) };
}
