import type { Signature } from "@solana/kit";
import type { Listing, Network, UnseenMessage } from "@trellis/kernel/ports/network.js";
import { firstSlotOf, type NodeWord, reachesBack } from "./judge-unseen.js";
import { readSignatureStatuses } from "./signature-statuses.js";

/** Signatures in one answer of a node at most. */
const pageSize = 1_000;

/** What one node says about the transactions that name an account. What it did not report is missing. */
export interface ListWord extends Omit<NodeWord, "ledger"> {
  /** Newest first, asked for after `finalized`, and by a machine that had reached it. */
  readonly entries?: readonly ListedEntry[];
}

interface ListedEntry {
  readonly signature: Signature;
  readonly slot: bigint;
}

/**
 * Hears a node about the transactions that name an account. The order makes the proof, as in `hearNode`: what is missing in
 * the list after the finalized chain has passed a block never lands in it. A page that begins behind a signature is asked of
 * a node that knows it: another one would answer with an empty list. Does not reject.
 */
export async function hearList(rpc: Network["rpc"], { address, before }: UnseenMessage): Promise<ListWord> {
  const word: { -readonly [Part in keyof ListWord]: ListWord[Part] } = {};
  try {
    const { absoluteSlot, blockHeight } = await rpc.getEpochInfo({ commitment: "finalized" }).send();
    word.finalized = { slot: absoluteSlot, height: blockHeight };
    if (before !== null) {
      const { statuses } = await readSignatureStatuses(rpc, [before], "deep");
      if (statuses[0] === undefined) throw new Error(`a node does not know ${before}, where its list would continue`);
    }
    word.entries = await rpc
      .getSignaturesForAddress(address, {
        commitment: "confirmed",
        limit: pageSize,
        minContextSlot: absoluteSlot,
        ...(before === null ? {} : { before }),
      })
      .send();
    word.ledgerStart = await rpc.getFirstAvailableBlock().send();
  } catch (error) {
    word.fault = error;
  }
  return word;
}

/**
 * Puts together what the nodes list. One that does not report everything leaves it open, because another one may have a gap
 * that no node reports. `isEarly`: too little time has passed to believe that a chain's height is past anything. `now` is
 * environment time, Unix milliseconds.
 */
export function mergeLists(
  unseen: UnseenMessage,
  words: readonly ListWord[],
  { now, isEarly }: { readonly now: number; readonly isEarly: boolean },
): Listing {
  if (words.length === 0) return { kind: "untold", reason: new Error("no node answers") };
  const whole = words.flatMap(({ finalized, entries, ledgerStart }) =>
    finalized && entries && ledgerStart !== undefined ? [{ finalized, entries, ledgerStart }] : [],
  );
  if (whole.length < words.length) return { kind: "untold", reason: words.find(({ fault }) => fault)?.fault };
  const isAlive = isEarly || whole.some(({ finalized }) => finalized.height <= unseen.lastValidBlockHeight);
  const pages = whole.map(({ finalized, entries }) => {
    const first = firstSlotOf(unseen, finalized.slot, now);
    const end = entries.at(-1);
    // Slots without a block only ever add up: the last valid height is at this slot, or before it.
    const last = unseen.lastValidBlockHeight + (finalized.slot - finalized.height);
    const isWhole = entries.length < pageSize || end === undefined || end.slot < first;
    return { entries: entries.filter(({ slot }) => slot >= first && slot <= last), end: isWhole ? undefined : end };
  });
  // Nothing is listed from below the end of the shortest page: the next pages begin there.
  const ends = pages.flatMap(({ end }) => end ?? []);
  const cut = ends.reduce<ListedEntry | undefined>(
    (found, end) => (found && found.slot >= end.slot ? found : end),
    undefined,
  );
  const listed = pages.flatMap(({ entries }) => entries.filter(({ slot }) => cut === undefined || slot >= cut.slot));
  const signatures = new Set(
    listed.sort((one, other) => Number(other.slot - one.slot)).map(({ signature }) => signature),
  );
  const blind = whole.filter((word) => !reachesBack(word, unseen, now));
  const starts = blind.map(({ ledgerStart }) => ledgerStart).join(" and ");
  return {
    kind: "listed",
    signatures: [...signatures],
    next: cut?.signature ?? null,
    isAlive,
    doubt: blind.length === 0 ? null : `a ledger begins at slot ${starts}, and it may have landed before`,
  };
}
