import type { Address } from "@solana/kit";
import type { ChainTime } from "./chain-time.js";
import type { HistoryStore } from "./history-store.js";

/** All lamports there are, and who has the most. */
export interface Wealth {
  readonly total: bigint;
  readonly largest: readonly { readonly address: Address; readonly lamports: bigint }[];
}

/** How long it is returned again: ten seconds of environment time. A validator returns it for two hours. */
const goodForSlots = 25n;
/** What one answer shows, and the faucet, which some leave out. */
const shownMax = 21;

/** Reads all accounts once in a while, however many ask. */
export function createWealth(
  history: Pick<HistoryStore, "sumLamports" | "listLargest">,
  time: Pick<ChainTime, "slot">,
): () => Promise<Wealth> {
  let told: { readonly wealth: Promise<Wealth>; readonly slot: bigint } | undefined;

  const look = async (): Promise<Wealth> => {
    const [total, largest] = await Promise.all([history.sumLamports(), history.listLargest(shownMax)]);
    return { total, largest };
  };

  return () => {
    const slot = time.slot();
    if (told && slot - told.slot < goodForSlots) return told.wealth;
    const wealth = look();
    const mine = { wealth, slot };
    told = mine;
    wealth.catch(() => {
      if (told === mine) told = undefined;
    });
    return wealth;
  };
}
