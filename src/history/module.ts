import { limits } from "../kernel/limits.js";
import type { Module } from "../kernel/module.js";
import { createHistoryFollower } from "./follow-histories.js";
import type { HistoryNeeds } from "./refresh-history.js";

export const history: Module<HistoryNeeds> = {
  name: "history",
  passes: (needs, network) => {
    const follower = createHistoryFollower(needs);
    return [{ name: "follow_histories", everyMs: limits.followProposalsEveryMs, run: () => follower.tick(network) }];
  },
};
