import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { createHistoryFollower } from "./follow-histories.js";
import type { HistoryNeeds } from "./refresh-history.js";
import { transactionEvents } from "./transaction-event.js";
import { transferEvents } from "./transfer-event.js";

export const history: Module<HistoryNeeds> = {
  name: "history",
  events: { ...transferEvents, ...transactionEvents },
  passes: (needs, network) => {
    const follower = createHistoryFollower(needs);
    return [{ name: "follow_histories", everyMs: limits.followProposalsEveryMs, run: () => follower.tick(network) }];
  },
};
