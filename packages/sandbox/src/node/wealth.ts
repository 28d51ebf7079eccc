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
const viewMax = 21;

/** Reads all accounts once in a while, however many ask. */
export function createWealth(
  history: Pick<HistoryStore, "sumLamports" | "listLargest">,
  time: Pick<ChainTime, "slot">,
): () => Promise<Wealth> {
  let reported: { readonly wealth: Promise<Wealth>; readonly slot: bigint } | undefined;

  const refresh = async (): Promise<Wealth> => {
    const [total, largest] = await Promise.all([history.sumLamports(), history.listLargest(viewMax)]);
    return { total, largest };
  };

  return () => {
    const slot = time.slot();
    if (reported && slot - reported.slot < goodForSlots) return reported.wealth;
    const wealth = refresh();
    const mine = { wealth, slot };
    reported = mine;
    wealth.catch(() => {
      if (reported === mine) reported = undefined;
    });
    return wealth;
  };
}
