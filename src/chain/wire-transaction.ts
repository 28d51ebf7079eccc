import { createHash } from "node:crypto";
import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type SignatureBytes,
  type Transaction,
} from "@solana/kit";
import { TrellisError } from "../errors.js";
import { limits } from "../limits.js";

/** Bytes that were proved to be one transaction and nothing else. */
export interface WireTransaction {
  readonly bytes: Uint8Array;
  readonly transaction: Transaction;
  readonly message: CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;
  /** Lower-case hex SHA-256 of the message bytes: the transaction's identity (gap 26). */
  readonly id: string;
  /** Addresses that must sign, the fee payer first. */
  readonly signers: readonly Address[];
}

const transactionCodec = { encoder: getTransactionEncoder(), decoder: getTransactionDecoder() };
const messageCodec = {
  encoder: getCompiledTransactionMessageEncoder(),
  decoder: getCompiledTransactionMessageDecoder(),
};

/**
 * Reads a base64 wire transaction, legacy or v0, strictly: within the packet limit, nothing left over, and identical
 * when encoded again, so that what is inspected here is what the chain will execute.
 * Throws `invalid_transaction`, or `transaction_too_large`.
 */
export function parseWireTransaction(base64: string, field = "transaction"): WireTransaction {
  const refuse = (message: string) => new TrellisError("invalid_transaction", { field, message });
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0)
    throw refuse("The transaction is not standard base64.");
  const bytes = getBase64Encoder().encode(base64) as Uint8Array;
  // The last character may carry bits that decoding drops; one transaction has one spelling.
  if (toBase64(bytes) !== base64) throw refuse("The transaction is not standard base64.");
  if (bytes.length > limits.transactionBytes) throw tooLarge(bytes.length, field);
  try {
    const transaction = transactionCodec.decoder.decode(bytes);
    const message = messageCodec.decoder.decode(transaction.messageBytes);
    const same =
      equalBytes(transactionCodec.encoder.encode(transaction), bytes) &&
      equalBytes(messageCodec.encoder.encode(message), transaction.messageBytes);
    if (same && (message.version === "legacy" || message.version === 0)) {
      return {
        bytes,
        transaction,
        message,
        id: identifyMessage(transaction.messageBytes),
        signers: message.staticAccounts.slice(0, message.header.numSignerAccounts),
      };
    }
  } catch {
    // Whatever a decoder trips over, the answer is the same: these bytes are not a transaction.
  }
  throw refuse("The bytes are not a legacy or v0 transaction.");
}

/** Lower-case hex SHA-256 of a message: the identity of every transaction that carries it. */
export function identifyMessage(messageBytes: ArrayLike<number>): string {
  return createHash("sha256").update(Uint8Array.from(messageBytes)).digest("hex");
}

/** A transaction's wire bytes with these signatures put in; slots that stay empty are written as zeros. */
export function encodeWithSignatures(
  transaction: Transaction,
  signatures: ReadonlyMap<Address, SignatureBytes>,
): Uint8Array {
  const filled = { ...transaction.signatures };
  for (const [address, signature] of signatures) filled[address] = signature;
  return transactionCodec.encoder.encode({ ...transaction, signatures: filled }) as Uint8Array;
}

/** A transaction's base64 wire form, as kit's RPC methods and the wire want it. */
export function toBase64(bytes: Uint8Array): string {
  return getBase64Decoder().decode(bytes);
}

/** The error for a transaction that does not fit a packet (gap 23): size, limit and what to do. */
export function tooLarge(size: number, field?: string): TrellisError {
  return new TrellisError("transaction_too_large", {
    ...(field === undefined ? {} : { field }),
    message: `The transaction takes ${size} bytes; at most ${limits.transactionBytes} fit.`,
    suggestion:
      "Ask for less in one transaction, for example fewer signers, fewer instructions or fewer changes at a time.",
    facts: { size_bytes: size, limit_bytes: limits.transactionBytes },
  });
}

function equalBytes(left: ArrayLike<number>, right: ArrayLike<number>): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i += 1) if (left[i] !== right[i]) return false;
  return true;
}
