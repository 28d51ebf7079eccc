import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Address, SignatureBytes, Transaction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { type PlainMessage, readTransaction, writeTransaction } from "./transaction-bytes.js";

/** Bytes that were proved to be one transaction and nothing else. */
export interface WireTransaction {
  readonly bytes: Uint8Array;
  readonly transaction: Transaction;
  readonly message: PlainMessage;
  /** Lower-case hex SHA-256 of the message bytes: the transaction's identity (gap 26). */
  readonly id: string;
  /** Addresses that must sign, the fee payer first. */
  readonly signers: readonly Address[];
}

/**
 * Reads a base64 wire transaction, legacy or v0, strictly: within the packet limit, nothing left over, and in
 * its one canonical encoding, so that what is inspected here is what the chain will execute.
 * Throws `invalid_transaction`, or `transaction_too_large`.
 */
export function parseWireTransaction(base64: string, field = "transaction"): WireTransaction {
  const refuse = (message: string) => new TrellisError("invalid_transaction", { field, message });
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0)
    throw refuse("The transaction is not standard base64.");
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  // The last character may carry bits that decoding drops; one transaction has one spelling.
  if (toBase64(bytes) !== base64) throw refuse("The transaction is not standard base64.");
  if (bytes.length > limits.transactionBytes) throw tooLarge(bytes.length, field);
  const read = readTransaction(bytes);
  if (!read) throw refuse("The bytes are not a legacy or v0 transaction.");
  const { transaction, message } = read;
  return {
    bytes,
    transaction,
    message,
    id: identifyMessage(transaction.messageBytes as unknown as Uint8Array),
    signers: message.staticAccounts.slice(0, message.header.numSignerAccounts),
  };
}

/** Lower-case hex SHA-256 of a message: the identity of every transaction that carries it. */
export function identifyMessage(messageBytes: Uint8Array): string {
  return createHash("sha256").update(messageBytes).digest("hex");
}

/** A transaction's wire bytes with these signatures put in; slots that stay empty are written as zeros. */
export function encodeWithSignatures(
  transaction: Transaction,
  signatures: ReadonlyMap<Address, SignatureBytes>,
): Uint8Array {
  const slots = Object.entries(transaction.signatures).map(
    ([address, present]) => signatures.get(address as Address) ?? present,
  );
  return writeTransaction(
    slots as readonly (ArrayLike<number> | null)[],
    transaction.messageBytes as ArrayLike<number>,
  );
}

/** A transaction's base64 wire form, as kit's RPC methods and the wire want it. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
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
