import { Buffer } from "node:buffer";
import { AccountRole, type Address, type Instruction, type Signature } from "@solana/kit";
import { allOf } from "@trellis/kernel/each-of.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  ProgramDataError,
  readProgramInstruction,
  SmartAccountProgramInstruction,
  type SpendingLimit,
} from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { findKnownSignatures, findSearchedTo, noteSearched } from "./run-store.js";
import type { StandingOrder } from "./standing-order-store.js";

/** A payment of an order that the chain has and the database has not. */
export interface UnknownPayment {
  readonly kind: "found";
  readonly signature: string;
  /** By the block it landed in, Unix milliseconds. */
  readonly paidAt: number;
}

/** That the node shows no such payment. */
export interface NothingUnknown {
  readonly kind: "none";
  /** How many payments that runs know drew on the limit from its last reset on, by the chain's own times. */
  readonly knownSinceReset: number;
}

/** That there is more to search than one search does: the next one continues from there. */
export interface Unfinished {
  readonly kind: "unfinished";
}

/** Signatures in one question, and questions at the most: a limit is used twice in its period. */
const pageSize = 1_000;
const pagesMax = 10;
/** Transactions that one search reads at the most, and at once: anybody can name a limit in transactions of his own. */
const readMax = 200;
const readAtOnce = 8;
/** How far a cluster's blocks may be dated before the moment at which they were made, in milliseconds. */
const datedEarlyMs = 30_000;

/**
 * Searches what the chain did with an order's limit since its due date `dueAt` for the oldest payment of one due date
 * that no run knows: what a database that was put back to an older state has forgotten. It was made for this due date,
 * because due dates are paid one after another. Where the node shows none, reports how many of those it shows are known. Of a
 * long history each call reads a part.
 * Throws `chain_unavailable`, also where a signature that no run knows is reported without its time or its transaction.
 */
export async function findUnknownPayment(
  db: Db,
  network: Network,
  order: StandingOrder,
  { dueAt, drawnOn }: { readonly dueAt: number; readonly drawnOn: Pick<SpendingLimit, "lastReset"> },
): Promise<UnknownPayment | NothingUnknown | Unfinished> {
  const limit = order.spending_limit_address as Address;
  const dueSince = BigInt(Math.floor((dueAt - (network.name === "sandbox" ? 0 : datedEarlyMs)) / 1000));
  const since = dueSince < drawnOn.lastReset ? dueSince : drawnOn.lastReset;
  const candidates: { readonly signature: Signature; readonly at: bigint | undefined }[] = [];
  let before: Signature | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const entries = await askChain(
      network.rpc.getSignaturesForAddress(limit, {
        commitment: "confirmed",
        limit: pageSize,
        ...(before === undefined ? {} : { before }),
      }),
    );
    for (const { signature, err, blockTime } of entries) {
      const at = blockTime === null ? undefined : BigInt(blockTime);
      if (err === null && (at === undefined || at >= since)) candidates.push({ signature, at });
    }
    const last = entries.at(-1);
    if (entries.length < pageSize || last === undefined || (last.blockTime ?? since) < since) break;
    before = last.signature;
  }
  const known = await findKnownSignatures(
    db,
    candidates.map(({ signature }) => signature),
  );
  const oldestFirst = candidates
    .toReversed()
    .filter(({ signature, at }) => !known.has(signature) && (at === undefined || at >= dueSince));
  const searchedTo = await findSearchedTo(db, order.id, dueAt);
  const unread = oldestFirst.slice(oldestFirst.findIndex(({ signature }) => signature === searchedTo) + 1);
  const now = unread.slice(0, readMax);
  for (let first = 0; first < now.length; first += readAtOnce) {
    const some = now.slice(first, first + readAtOnce);
    const drawn = await allOf(some.map(({ signature }) => readDrawn(network, signature, limit)));
    for (const [i, { signature, at }] of some.entries()) {
      if (at === undefined) throw historyLacks("the time", signature);
      if (drawn[i] === BigInt(order.amount)) return { kind: "found", signature, paidAt: Number(at) * 1000 };
    }
  }
  // Once through, the next search begins anew: another node may show more.
  const isThrough = now.length === unread.length;
  const reached = isThrough ? null : (now.at(-1)?.signature ?? null);
  if (reached !== searchedTo) await noteSearched(db, order.id, dueAt, reached);
  if (!isThrough) return { kind: "unfinished" };
  // What is drawn at the very instant of a reset belongs to the new period where it landed with it or with the limit, and to
  // the old one where that was not over yet: the chain does not say.
  const drawn = candidates.filter(
    ({ signature, at }) => known.has(signature) && at !== undefined && at >= drawnOn.lastReset,
  );
  return { kind: "none", knownSinceReset: drawn.length };
}

/** What a transaction drew on a limit, in base units; undefined when it did something else. Throws `chain_unavailable`. */
async function readDrawn(network: Network, signature: Signature, limit: Address): Promise<bigint | undefined> {
  const found = await askChain(
    network.rpc.getTransaction(signature, {
      commitment: "confirmed",
      encoding: "base64",
      maxSupportedTransactionVersion: 0,
    }),
  );
  if (!found) throw historyLacks("the transaction", signature);
  const read = readTransaction(new Uint8Array(Buffer.from(found.transaction[0], "base64")));
  if (!read) return undefined;
  const { staticAccounts, instructions } = read.message;
  // Ours name all their accounts.
  const addressAt = (index: number): Address => staticAccounts[index] ?? ("" as Address);
  for (const { programAddressIndex, accountIndices = [], data } of instructions) {
    const drawn = readUse(
      {
        programAddress: addressAt(programAddressIndex),
        accounts: accountIndices.map((index) => ({ address: addressAt(index), role: AccountRole.READONLY })),
        ...(data === undefined ? {} : { data }),
      },
      limit,
    );
    if (drawn !== undefined) return drawn;
  }
  return undefined;
}

function historyLacks(what: string, signature: Signature): TrellisError {
  return new TrellisError("chain_unavailable", { message: `The chain's node does not show ${what} of ${signature}.` });
}

function readUse(instruction: Instruction, limit: Address): bigint | undefined {
  try {
    const parsed = readProgramInstruction(instruction);
    if (parsed?.instructionType !== SmartAccountProgramInstruction.UseSpendingLimit) return undefined;
    return parsed.accounts.spendingLimit.address === limit ? parsed.data.amount : undefined;
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}
