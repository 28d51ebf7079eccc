import type { Signature } from "@solana/kit";
import type { Network, TransactionStatus, UnseenTransaction, Verdict } from "@trellis/kernel/ports/network.js";
import { readSignatureStatuses } from "./signature-statuses.js";

/** What one node says about some transactions. What it did not report is missing. */
export interface NodeWord {
  /** What its finalized chain has reached. */
  readonly finalized?: { readonly slot: bigint; readonly height: bigint };
  /** What all its ledger knows of them, after that. */
  readonly ledger?: { readonly slot: bigint; readonly statuses: readonly (TransactionStatus | undefined)[] };
  /** The first slot of that ledger. */
  readonly ledgerStart?: bigint;
  /** Why something is missing. */
  readonly fault?: unknown;
}

/**
 * Hears a node about up to 256 transactions. The order makes the proof: what its ledger lacks after its finalized chain
 * has passed a block never lands in it; and as a ledger only ever loses its beginning, one that still reaches back to a
 * slot after the read did so at the read. Does not reject, and never leaves out what a node knows because it does not
 * report something else.
 */
export async function hearNode(rpc: Network["rpc"], signatures: readonly Signature[]): Promise<NodeWord> {
  const word: { -readonly [Part in keyof NodeWord]: NodeWord[Part] } = {};
  const note = async (ask: () => Promise<void>): Promise<void> => {
    try {
      await ask();
    } catch (error) {
      word.fault = error;
    }
  };
  await note(async () => {
    const { absoluteSlot, blockHeight } = await rpc.getEpochInfo({ commitment: "finalized" }).send();
    word.finalized = { slot: absoluteSlot, height: blockHeight };
  });
  await note(async () => {
    word.ledger = await readSignatureStatuses(rpc, signatures, "deep");
  });
  if (word.ledger?.statuses.every((status) => status !== undefined)) return word;
  await note(async () => {
    word.ledgerStart = await rpc.getFirstAvailableBlock().send();
  });
  return word;
}

/**
 * The verdict about transaction number `index` of those that the nodes were heard about. Who has seen it has the say.
 * Otherwise it is alive as long as one node's finalized chain has not passed its last block: others may run ahead. Then
 * every node must have checked, in a ledger that reaches back to where it can have landed: one that does not know what
 * was there leaves everything open, because another one may have a gap that no node reports. `now` is environment time, Unix
 * milliseconds.
 */
export function judge(unseen: UnseenTransaction, index: number, words: readonly NodeWord[], now: number): Verdict {
  const seen = words.flatMap(({ ledger }) => ledger?.statuses[index] ?? []);
  const status = seen.find(({ commitment }) => commitment !== "processed") ?? seen[0];
  if (status) return { kind: "seen", status };
  if (words.some(({ finalized }) => finalized && finalized.height <= unseen.lastValidBlockHeight)) {
    return { kind: "alive" };
  }
  if (words.length === 0) return { kind: "untold", reason: new Error("no node answers") };
  for (const { finalized, ledger, fault } of words) {
    if (!finalized || !ledger) return { kind: "untold", reason: fault };
    // Behind one address several machines may stand; the read was answered by one that lags.
    if (ledger.slot < finalized.slot) return { kind: "untold", reason: new Error("a node fell behind its own word") };
  }
  const silent = words.find(({ ledgerStart }) => ledgerStart === undefined);
  if (silent) return { kind: "untold", reason: silent.fault };
  const blind = words.filter((word) => !reachesBack(word, unseen, now));
  if (blind.length === 0) return { kind: "expired" };
  const starts = blind.map(({ ledgerStart }) => ledgerStart).join(" and ");
  return { kind: "unprovable", reason: `a ledger begins at slot ${starts}, and it may have landed before` };
}

/** What says when something can have landed at the earliest. */
export type Recorded = Pick<UnseenTransaction, "recordedAt" | "recordedSlot">;

/** Whether a node's ledger begins before something that was recorded can have landed. `now` is environment time. */
export function reachesBack(
  { ledgerStart, finalized }: Pick<NodeWord, "ledgerStart" | "finalized">,
  recorded: Recorded,
  now: number,
): boolean {
  if (ledgerStart === undefined || finalized === undefined) return false;
  return ledgerStart <= firstSlotOf(recorded, finalized.slot, now);
}

/** A slot before which something cannot have landed, by a finalized `slot` of the present. */
export function firstSlotOf(recorded: Recorded, slot: bigint, now: number): bigint {
  if (recorded.recordedSlot !== null) return recorded.recordedSlot;
  const earliest = earliestSlot(recorded, slot, now);
  return earliest < 0n ? 0n : earliest;
}

/** No chain has made a slot in less, in milliseconds: a quarter of the usual time. */
const shortestSlotMs = 100;
/** Bytes may have been out before they were recorded, as long as a blockhash lives, and clocks differ. */
const slotsBefore = 1_000n;

/** For a row without a slot: one before it was recorded, however fast the chain was since. */
function earliestSlot({ recordedAt }: Recorded, slot: bigint, now: number): bigint {
  return slot - BigInt(Math.ceil(Math.max(0, now - recordedAt) / shortestSlotMs)) - slotsBefore;
}
