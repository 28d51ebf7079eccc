import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import type { FollowerNeeds } from "../following/follower.js";
import { createLimitFollower, markOlderAccounts, refreshLimits } from "./follow-limits.js";

export const spendingLimits: Module<FollowerNeeds> = {
  name: "spending-limits",
  passes: (needs, network) => [
    {
      name: "follow_limits",
      everyMs: limits.followProposalsEveryMs,
      run: () => createLimitFollower(needs).tick(network),
    },
  ],
  sweep: markOlderAccounts,
  afterConfirmation: [
    {
      name: "read_limits",
      concerns: ({ changesSettings }) => changesSettings,
      run: (needs, network, { account, slot }) => refreshLimits(needs, network, account.settingsAddress, slot),
    },
  ],
};
