import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import {
  type Address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import canonicalize from "canonicalize";
import { encodePayload, type PayloadDocument } from "../../src/custody/payload.js";
import type { SoftPasskey } from "./authenticator.js";
import { page } from "./passkeys.js";
import { hashOf } from "./test-network.js";

const payer = getAddressDecoder().decode(hashOf("payer"));

/** A transaction that asks for a wallet's signature. */
export function transactionOf(signer: Address, lamports = 1n): { base64: string; messageBytes: Uint8Array } {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(payer, m),
    (m) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash(getAddressDecoder().decode(hashOf("block"))), lastValidBlockHeight: 1n },
        m,
      ),
    (m) =>
      appendTransactionMessageInstruction(
        getTransferSolInstruction({ source: createNoopSigner(signer), destination: payer, amount: lamports }),
        m,
      ),
  );
  const transaction = compileTransaction(message);
  return {
    base64: getBase64EncodedWireTransaction(transaction),
    messageBytes: Uint8Array.from(transaction.messageBytes),
  };
}

/** A payload around it. */
export const payloadOf = (address: Address, now: number, more: Partial<PayloadDocument> = {}): string =>
  encodePayload({
    version: 1,
    method: "signTransaction",
    environment: "sandbox",
    account: payer,
    wallet: address,
    params: { transaction: transactionOf(address).base64, encoding: "base64" },
    nonce: "n",
    expires_at: new Date(now + 60_000).toISOString(),
    ...more,
  });

/** The 65-byte point of a P-256 key. */
export const pointOf = (key: KeyObject): Uint8Array =>
  new Uint8Array(createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-65));

/** A passkey's stamp over a document, as the custodian protocol writes it. */
export function wireStampOf(passkey: SoftPasskey, payload: string, counter = 0, origin = page.origin) {
  const document = JSON.parse(Buffer.from(payload, "base64").toString("utf8"));
  const challenge = createHash("sha256")
    .update(canonicalize(document) ?? "")
    .digest();
  const { authenticatorData, clientDataJson, signature } = passkey.assert({ ...page, challenge, counter, origin });
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  return {
    form: "passkey" as const,
    credential_id: text(passkey.credentialId),
    authenticator_data: text(authenticatorData),
    client_data_json: text(clientDataJson),
    signature: text(signature),
  };
}
