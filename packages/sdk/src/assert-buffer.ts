import { sha256 } from "@noble/hashes/sha2.js";
import type { Address } from "@solana/addresses";
import { assertBufferIsFor, type BufferUse, type HeldAccounts } from "./begun-earlier.js";
import { concatBytes, encodeHex, equalBytes } from "./encoding.js";
import { readBytes } from "./inspect/byte-reader.js";
import type { BufferCall, CloseBufferCall, CreateBufferCall, ExtendBufferCall } from "./inspect/decode-buffer-call.js";
import { type LookupTables, readWrappedMessage, type WrappedMessage } from "./inspect/decode-wrapped-message.js";
import type { CreateTransactionCall, ProposalCall } from "./inspect/proposal-call.js";
import { deriveTransactionBufferAddress } from "./program-address.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

/** Numbers of a creator's buffers that follow from a message: the first bytes of its hash. */
const numbersPerMessage = 4;

/** Whether anything of it goes through a buffer. */
export const usesBuffer = (calls: readonly ProposalCall[]): boolean => calls.some(isBufferCall);

const isBufferCall = (call: ProposalCall | undefined): call is BufferCall =>
  call?.type === "create_buffer" ||
  call?.type === "extend_buffer" ||
  call?.type === "create_transaction_from_buffer" ||
  call?.type === "close_buffer";

/**
 * Makes sure that these calls put one message together in a buffer of one creator's, which follows from that message, and
 * write it down from there: the parts, to the byte, are the message, or its end where the buffer holds the beginning.
 * Gives the calls as if the message had been written down at once; what it says is for the caller to check.
 *
 * `message` is what the service says is put together; it is needed where some of it is on chain already. With `held`, the
 * buffer is not there, made for exactly this message, or used up for it. Throws `TransactionMismatchError`.
 */
export function assembleFromBuffer(
  calls: readonly ProposalCall[],
  message: Uint8Array | undefined,
  lookupTables: LookupTables,
  held?: BufferUse & { readonly accounts: HeldAccounts },
): readonly ProposalCall[] {
  const end = calls.findIndex(({ type }) => type === "create_transaction_from_buffer");
  const used = calls[end];
  if (used?.type !== "create_transaction_from_buffer") throw missing("nothing is written down from the buffer");
  const before = calls.slice(0, end);
  const [given] = before;
  const writes = given?.type === "close_buffer" ? before.slice(1) : before;
  const [begun] = writes;
  const parts = writes.map((call, at): Uint8Array => {
    if (call.type === "create_buffer" ? at === 0 : call.type === "extend_buffer") return partOf(call);
    throw new TransactionMismatchError("unexpected_instruction", "something else is done before the buffer is used", {
      actual: call.type,
    });
  });
  if (given?.type === "close_buffer" && begun?.type !== "create_buffer") {
    throw missing("a buffer is given up, and none is made in its place");
  }
  const written = concatBytes(...parts);
  if (begun?.type !== "create_buffer" && message === undefined) {
    throw missing("the answer does not say what the buffer holds already");
  }
  const whole = message ?? written;
  const from = whole.length - written.length;
  if (from < 0 || !equalBytes(whole.subarray(Math.max(0, from)), written)) {
    throw new TransactionMismatchError("content", "the parts are not those of the message");
  }
  const hash = sha256(whole);
  if (begun?.type === "create_buffer") assertBegun(begun, whole, hash, from);
  for (const call of [...before, used]) assertSameBuffer(call, used);
  const places = [...new Set(hash.subarray(0, numbersPerMessage))].map((number) =>
    deriveTransactionBufferAddress(used.settings, used.creator, number),
  );
  if (!places.includes(used.buffer)) {
    throw new TransactionMismatchError("content", "the buffer does not follow from the message", {
      expected: places.join(" or "),
      actual: used.buffer,
    });
  }
  if (held !== undefined) {
    const isBegun = begun?.type !== "create_buffer";
    assertBufferIsFor(held.accounts, used, { hash, size: whole.length, isBegun }, held);
  }
  const { settings, transaction, creator, rentPayer, accountIndex, ephemeralSigners } = used;
  const stored: CreateTransactionCall = {
    type: "create_transaction",
    settings,
    transaction,
    creator,
    rentPayer,
    accountIndex,
    ephemeralSigners,
    message: readWhole(whole, lookupTables),
  };
  return [stored, ...calls.slice(end + 1)];
}

/** Numbers that a creator's buffers can have. */
const numbers = 256;

/**
 * Makes sure that buffers of this signer are given up and nothing else happens: those that were asked for, all of them and
 * no other, or else any of this signer's under these settings. Gives their addresses. Throws `TransactionMismatchError`.
 */
export function assertBuffersAreClosed(
  calls: readonly ProposalCall[],
  signer: Address,
  asked?: readonly string[],
): readonly Address[] {
  const closed = calls.map((call) => {
    if (call.type !== "close_buffer") {
      throw new TransactionMismatchError("unexpected_instruction", "something else is done than closing buffers", {
        actual: call.type,
      });
    }
    if (call.creator !== signer) {
      throw new TransactionMismatchError("signers", "another address's buffer is closed", {
        expected: signer,
        actual: call.creator,
      });
    }
    return call.buffer;
  });
  const [first] = calls;
  if (first === undefined) throw missing("no buffer is closed");
  const own = new Set<string>(asked ?? []);
  // Derived one after the other, and only until all are found: the first ones of a creator are checked first.
  for (let number = 0; asked === undefined && number < numbers && closed.some((one) => !own.has(one)); number += 1) {
    own.add(deriveTransactionBufferAddress(first.settings, signer, number));
  }
  const stranger = closed.find((address, at) => !own.has(address) || closed.indexOf(address) !== at);
  if (stranger !== undefined) {
    throw new TransactionMismatchError("content", "a buffer is closed that was not asked for", { actual: stranger });
  }
  const left = asked?.find((address) => !closed.some((one) => one === address));
  if (left !== undefined) {
    throw new TransactionMismatchError("content", "a buffer that was asked for is not closed", { expected: left });
  }
  return closed;
}

function partOf(call: ProposalCall): Uint8Array {
  return (call as CreateBufferCall | ExtendBufferCall).part;
}

function assertBegun(begun: CreateBufferCall, whole: Uint8Array, hash: Uint8Array, from: number): void {
  if (from !== 0 || begun.messageSize !== whole.length || !equalBytes(begun.messageHash, hash)) {
    throw new TransactionMismatchError("content", "the buffer is made for another message", {
      expected: `${whole.length} bytes, ${encodeHex(hash)}`,
      actual: `${begun.messageSize} bytes, ${encodeHex(begun.messageHash)}`,
    });
  }
  if (begun.accountIndex !== 0) {
    throw new TransactionMismatchError("vault_index", "another vault acts", {
      expected: 0,
      actual: begun.accountIndex,
    });
  }
}

function assertSameBuffer(call: ProposalCall, used: Pick<CloseBufferCall, "settings" | "buffer" | "creator">): void {
  if (!isBufferCall(call)) return;
  if (call.creator !== used.creator) {
    throw new TransactionMismatchError("signers", "another address writes into the buffer", {
      expected: used.creator,
      actual: call.creator,
    });
  }
  if (call.settings === used.settings && call.buffer === used.buffer) return;
  throw new TransactionMismatchError("content", "several buffers are used", {
    expected: used.buffer,
    actual: call.buffer,
  });
}

function readWhole(whole: Uint8Array, lookupTables: LookupTables): WrappedMessage {
  try {
    const reader = readBytes(whole);
    const message = readWrappedMessage(reader, "sent", lookupTables);
    reader.end();
    return message;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new TransactionMismatchError("unreadable", "the message in the buffer cannot be read", { cause });
  }
}

function missing(message: string): TransactionMismatchError {
  return new TransactionMismatchError("missing_instruction", message);
}
