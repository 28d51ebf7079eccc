import { Buffer } from "node:buffer";
import { type CustodianName, CustodyRefusal, type Stamp } from "@trellis/kernel/ports/custodian.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { parsePayload, payloadExpiryMs } from "../../custody/payload.js";
import { verifyStamp } from "../../custody/stamp.js";

/** The bytes to sign: the message of the payload's transaction. Throws CustodyRefusal where another wallet is asked for, or no time is left. */
export function requirePayload(
  payload: string,
  wallet: { readonly address: string; readonly environment: string },
  now: number,
): Uint8Array {
  const document = parsePayload(payload);
  if (document === undefined) throw new CustodyRefusal("invalid_payload", "The payload is not well formed.");
  if (document.wallet !== wallet.address || document.environment !== (wallet.environment as EnvironmentName)) {
    throw new CustodyRefusal("invalid_payload", "The payload was issued for another wallet.");
  }
  const messageBytes = messageOf(document.params.transaction, wallet.address);
  if (payloadExpiryMs(document) <= now) throw new CustodyRefusal("payload_expired", "The payload has expired.");
  return messageBytes;
}

function messageOf(transaction: string, walletAddress: string): Uint8Array {
  const bytes = Buffer.from(transaction, "base64");
  if (bytes.toString("base64") !== transaction) {
    throw new CustodyRefusal("invalid_payload", "The transaction in the payload is not base64.");
  }
  const read = readTransaction(bytes);
  if (read === undefined) {
    throw new CustodyRefusal("invalid_payload", "The payload does not hold a transaction.");
  }
  const {
    transaction: { messageBytes },
    message,
  } = read;
  const signers: readonly string[] = message.staticAccounts.slice(0, message.header.numSignerAccounts);
  if (!signers.includes(walletAddress)) {
    throw new CustodyRefusal("invalid_payload", "The transaction does not ask for this wallet's signature.");
  }
  return messageBytes as unknown as Uint8Array;
}

/** Throws CustodyRefusal for what the key did not sign in the custodian's form. */
export function requireStamp(
  provider: CustodianName,
  payload: string,
  stamp: Stamp,
  publicKey: Uint8Array,
  realNow: number,
): void {
  if (stamp.form !== provider) {
    throw new CustodyRefusal("invalid_signature", `A signature in ${provider} form is needed.`);
  }
  if (!verifyStamp(payload, stamp, publicKey, { realNow }).ok) {
    throw new CustodyRefusal("invalid_signature", "The authorization key did not make this signature.");
  }
}
