import { createHash } from "node:crypto";
import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Submitted } from "@trellis/kernel/module.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  decodeTransactionBuffer,
  decodeWrappedMessage,
  ProgramDataError,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  type TransactionBuffer,
} from "@trellis/program-client";
import type { ProposalContent } from "@trellis/program-client/proposal-content.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { type BufferStep, isBufferCall } from "../transactions/buffer-call.js";
import { readProposalCall } from "../transactions/proposal-call.js";
import { readTablesOf, refuseForbiddenContent } from "../transactions/stored-proposal.js";

/** A buffer as the chain has it, its settings and its creator being those of its address; undefined for anything else. */
export function readBuffer(
  account: { readonly owner: Address; readonly data: Uint8Array } | undefined,
): TransactionBuffer | undefined {
  if (account?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  try {
    return decodeTransactionBuffer(account.data);
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}

/** Lower-case hex SHA-256. */
export const digestOf = (bytes: ArrayLike<number>): string =>
  createHash("sha256").update(Uint8Array.from(bytes)).digest("hex");

/**
 * Requires that buffers are as the transaction needs them, when its turn has arrived: nothing is written twice or left out,
 * and what would be stored for a vote is, to the byte, what was asked for and by the rules of everything stored.
 *
 * Throws `transaction_buffer_conflict`, `forbidden_account`, `invalid_transaction`, `chain_unavailable`.
 */
export async function requireBuffers(
  _needs: unknown,
  network: Network,
  { settingsAddress, instructions, bufferStep, leastSlot }: Submitted,
): Promise<void> {
  const calls = instructions.flatMap((instruction) => readProposalCall(instruction) ?? []).filter(isBufferCall);
  const step: BufferStep | null = bufferStep === null ? null : JSON.parse(bufferStep);
  const addresses = [...new Set(calls.map(({ buffer }) => buffer))];
  if (addresses.length === 0) return;
  const found = await readAccounts(network, addresses, { leastSlot });
  const buffers = new Map(addresses.map((address, i) => [address, stateOf(readBuffer(found[i]))]));
  for (const call of calls) {
    const state = buffers.get(call.buffer);
    if (call.kind === "begin_buffer") {
      if (state !== undefined) throw conflict("It was begun already.");
      buffers.set(call.buffer, {
        digest: Buffer.from(call.finalHash).toString("hex"),
        size: call.finalSize,
        bytes: Uint8Array.from(call.part),
      });
      continue;
    }
    if (state === undefined) throw conflict("It is not there, or not any more.");
    if (call.kind === "fill_buffer") {
      buffers.set(call.buffer, { ...state, bytes: Uint8Array.from([...state.bytes, ...call.part]) });
      continue;
    }
    buffers.set(call.buffer, undefined);
    if (call.kind === "close_buffer") continue;
    requireStep(state, step);
    if (state.bytes.length !== state.size || digestOf(state.bytes) !== state.digest) {
      throw conflict("It does not hold the whole message.");
    }
    const content: ProposalContent = {
      kind: "transaction",
      accountIndex: call.accountIndex,
      ephemeralSignerCount: call.ephemeralSignerCount,
      message: decode(state.bytes),
    };
    const tables = await readTablesOf(network, content, { leastSlot });
    refuseForbiddenContent(content, tables, network.serviceAddresses, settingsAddress);
  }
  for (const state of buffers.values()) if (state !== undefined) requireStep(state, step);
}

interface State {
  readonly digest: string;
  readonly size: number;
  readonly bytes: Uint8Array;
}

const stateOf = (buffer: TransactionBuffer | undefined): State | undefined =>
  buffer && {
    digest: Buffer.from(buffer.finalHash).toString("hex"),
    size: buffer.finalSize,
    bytes: Uint8Array.from(buffer.content),
  };

function requireStep({ digest, bytes, size }: State, step: BufferStep | null): void {
  if (bytes.length > size) throw conflict("It has no room for this part.");
  if (step === null) return;
  if (digest !== step.digest) throw conflict("It is for another message.");
  if (bytes.length !== step.reachedBytes)
    throw conflict("Parts of the message were written meanwhile, or are missing.");
}

function decode(bytes: Uint8Array) {
  try {
    return decodeWrappedMessage(bytes);
  } catch (cause) {
    if (!(cause instanceof ProgramDataError)) throw cause;
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: `What the buffer holds cannot be executed: ${cause.message}.`,
      cause,
    });
  }
}

function conflict(what: string): TrellisError {
  return new TrellisError("transaction_buffer_conflict", {
    message: `The buffer is not as it was when this was prepared. ${what} Prepare the proposal again: what is there is not sent again.`,
  });
}
