import { Buffer } from "node:buffer";
import { type Address, getBase58Decoder, type Signature } from "@solana/kit";
import { eachOf } from "@trellis/kernel/each-of.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network, UnseenMessage } from "@trellis/kernel/ports/network.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { isChainSignature } from "@trellis/solana/strict-signature.js";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { identifyMessage } from "@trellis/solana/wire-transaction.js";
import type { LoadedAddresses } from "./carries-out.js";
import type { Carrier, ChangedMessage } from "./changed-message.js";
import { toPlain } from "./find-standing.js";
import type { FinalOutcome } from "./submission.js";

/** A transaction of the message that the chain has executed, or of what others have made of it. */
export interface FoundMessage {
  readonly kind: "found";
  /** Whether it is another message that carries the one out that was searched for: then it has landed. */
  readonly carried: boolean;
  /** Base58. */
  readonly signature: string;
  readonly wireTransaction: Uint8Array;
  readonly slot: bigint;
  readonly outcome: Exclude<FinalOutcome, { readonly state: "expired" }>;
}

/** What the chain's history says about a message. */
export type MessageStanding =
  | FoundMessage
  /** It is not there yet, and can still land. */
  | { readonly kind: "alive" }
  /** It has not landed, and never will: a proof. */
  | { readonly kind: "absent" }
  /** There is more to read than one search reads: the next one continues behind `before`. */
  | { readonly kind: "unfinished"; readonly before: Signature }
  /** It can no longer land, and what nodes keep does not prove that it has not. */
  | { readonly kind: "unprovable"; readonly reason: string }
  /** A node that may know did not answer; to be asked again. */
  | { readonly kind: "untold"; readonly reason: unknown };

/** What is searched for. */
interface Sought {
  /** The identity of the message (`identifyMessage`). */
  readonly id: string;
  /** Where others can have changed it: how what they have made of it is known. */
  readonly changed?: ChangedMessage;
}

/** Transactions that are read at the same time. */
const readAtOnce = 8;

/**
 * Searches the history of the account that `unseen` names for a transaction of a message, from any sender. Of a long history
 * each call reads a part, newest first. What others can have changed is searched for as long as a blockhash lives that they
 * took before the message's own ran out. Rejects as the database does, and not as the chain does.
 */
export async function findMessage(network: Network, sought: Sought, unseen: UnseenMessage): Promise<MessageStanding> {
  const longer = sought.changed === undefined ? 0n : limits.blockhashBlocks;
  const listing = await network.listLanded({
    ...unseen,
    lastValidBlockHeight: unseen.lastValidBlockHeight + longer,
  });
  if (listing.kind === "untold") return listing;
  const { isAlive, doubt, next } = listing;
  // While more can appear at the front, the next search begins there again.
  const signatures = listing.signatures.slice(
    0,
    isAlive ? limits.messageReadsWhileAlive : limits.messageReadsInOneSearch,
  );
  const { found, carriers, hidden, fault } = await readUntilFound(network, sought, signatures);
  if (found?.outcome.state === "landed") return found;
  if (fault !== undefined) return { kind: "untold", reason: fault };
  const { carrier, isUndecided } = await chooseCarrier(sought, carriers);
  if (carrier !== undefined) return carrier;
  if (found !== undefined) return found;
  if (isAlive || isUndecided) return { kind: "alive" };
  if (hidden !== undefined) return { kind: "unprovable", reason: `a node lists ${hidden}, and does not show it` };
  const last = signatures.at(-1);
  const before = signatures.length < listing.signatures.length && last !== undefined ? last : next;
  if (before !== null) return { kind: "unfinished", before };
  return doubt === null ? { kind: "absent" } : { kind: "unprovable", reason: doubt };
}

interface Reading {
  found?: FoundMessage;
  /** What carries it out, by other messages. */
  readonly carriers: (Carrier & { readonly found: FoundMessage })[];
  /** One that a node lists and does not return. */
  hidden?: Signature;
  /** Why one could not be read. */
  fault?: TrellisError;
}

async function readUntilFound(network: Network, sought: Sought, signatures: readonly Signature[]): Promise<Reading> {
  const reading: Reading = { carriers: [] };
  await eachOf(signatures, readAtOnce, async (signature) => {
    if (reading.found?.outcome.state === "landed" || reading.fault !== undefined) return;
    try {
      const read = await readLanded(network, signature);
      if (read === undefined) {
        reading.hidden = signature;
        return;
      }
      const id = identityOf(read.wire);
      const isIt = id === sought.id;
      const isCarrier = !isIt && read.error === null && sought.changed?.matches(read) === true;
      if (id === undefined || !(isIt || isCarrier) || !isSigned(read.wire, signature)) return;
      const found = await toFound(network, signature, read, isCarrier);
      if (isIt) reading.found = found;
      else reading.carriers.push({ ...read, signature, id, found });
    } catch (error) {
      if (!(error instanceof TrellisError)) throw error;
      reading.fault = error;
    }
  });
  return reading;
}

/** The first of those that carry it out which belongs to no other. */
async function chooseCarrier(
  { changed }: Sought,
  carriers: Reading["carriers"],
): Promise<{ readonly carrier?: FoundMessage; readonly isUndecided: boolean }> {
  let isUndecided = false;
  for (const carrier of carriers.toSorted((one, other) => Number(one.slot - other.slot))) {
    const owner = await changed?.ownerOf(carrier);
    if (owner === "this") return { carrier: carrier.found, isUndecided };
    if (owner === "undecided") isUndecided = true;
  }
  return { isUndecided };
}

/**
 * The identity of a transaction's message in the chain, and what became of it; undefined where the node does not show it, and
 * without an identity where it is none of ours, or not signed by its signers. Throws `chain_unavailable`.
 */
export async function readMessageOf(
  network: Network,
  signature: Signature,
): Promise<ReadMessageOf | { readonly id: undefined } | undefined> {
  const landed = await readLanded(network, signature);
  if (landed === undefined) return undefined;
  const id = identityOf(landed.wire);
  if (id === undefined || !isSigned(landed.wire, signature)) return { id: undefined };
  return { id, found: await toFound(network, signature, landed, false), loaded: landed.loaded };
}

/** A transaction of the chain, with what it read in lookup tables. */
export interface ReadMessageOf {
  readonly id: string;
  readonly found: FoundMessage;
  readonly loaded: LoadedAddresses;
}

interface Landed {
  readonly wire: Uint8Array;
  readonly loaded: LoadedAddresses;
  readonly slot: bigint;
  readonly blockTime: bigint | null;
  readonly error: unknown;
  readonly logs: readonly string[];
}

/** Undefined where the node does not have it, or not what became of it. Throws `chain_unavailable`. */
async function readLanded(network: Network, signature: Signature): Promise<Landed | undefined> {
  const reported = await askChain(
    network.rpc.getTransaction(signature, {
      commitment: "confirmed",
      encoding: "base64",
      // The present clients' types end with 0; others may send later ones, which are read past.
      maxSupportedTransactionVersion: 1 as 0,
    }),
  );
  if (!reported?.meta) return undefined;
  const wire = new Uint8Array(Buffer.from(reported.transaction[0], "base64"));
  return {
    wire,
    loaded: reported.meta.loadedAddresses ?? { writable: [], readonly: [] },
    slot: reported.slot,
    blockTime: reported.blockTime,
    error: reported.meta.err,
    logs: reported.meta.logMessages ?? [],
  };
}

/** Where the node does not report the time of its block, as of an old one, that follows from the slot. Throws `chain_unavailable`. */
async function toFound(
  network: Network,
  signature: Signature,
  landed: Landed,
  carried: boolean,
): Promise<FoundMessage> {
  const { wire, slot, error, logs } = landed;
  const found = { kind: "found", carried, signature, wireTransaction: wire, slot } as const;
  if (error !== null) {
    return { ...found, outcome: { state: "failed", signature, failure: { error: toPlain(error), logs } } };
  }
  const blockTime = landed.blockTime ?? (await network.blockTimeOf(slot, await askChain(network.rpc.getSlot())));
  return { ...found, outcome: { state: "landed", signature, slot, blockTime: Number(blockTime) } };
}

/** Of the message; undefined where none of ours is in it. */
function identityOf(wire: Uint8Array): string | undefined {
  const read = readTransaction(wire);
  return read && identifyMessage(Uint8Array.from(read.transaction.messageBytes));
}

/** Whether its signers have signed it, the first by this `signature`: what a node shows and they have not has never landed. */
function isSigned(wire: Uint8Array, signature: Signature): boolean {
  const read = readTransaction(wire);
  if (read === undefined) return false;
  const { messageBytes, signatures } = read.transaction;
  const message = Uint8Array.from(messageBytes);
  const [first] = Object.values(signatures);
  if (!first || getBase58Decoder().decode(first) !== signature) return false;
  return Object.entries(signatures).every(
    ([signer, made]) => made !== null && isChainSignature(signer as Address, message, Uint8Array.from(made)),
  );
}
