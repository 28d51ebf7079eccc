import { limits } from "../kernel/limits.js";
import type { Module } from "../kernel/module.js";
import { closeFinishedProposals } from "./close-proposals.js";
import { chooseWatched, createProposalFollower, wakeChanged } from "./follow-proposals.js";
import { requireRoomForProposal } from "./proposal-room.js";
import { type IndexNeeds, refreshAccountProposals } from "./refresh-proposals.js";

type Needs = IndexNeeds & Parameters<typeof closeFinishedProposals>[0];

export const proposals: Module<Needs> = {
  name: "proposals",
  passes: (needs, network) => [
    {
      name: "follow_proposals",
      everyMs: limits.followProposalsEveryMs,
      run: () => createProposalFollower(needs).tick(network),
      // What the chain has reported is read after the next start.
      stop: () => wakeChanged(needs.db, network),
    },
    { name: "choose_watched", everyMs: limits.watchAnewEveryMs, run: () => chooseWatched(needs.db, network) },
    {
      name: "close_proposals",
      everyMs: limits.closeProposalsEveryMs,
      run: () => closeFinishedProposals(needs, network),
    },
  ],
  requireSubmittable: async ({ db }, network, { settingsAddress, opensSponsoredProposal }) => {
    if (opensSponsoredProposal) await requireRoomForProposal(db, network, settingsAddress);
  },
  afterLanding: [
    {
      name: "read_proposals",
      // A change of the settings makes open proposals stale.
      concerns: ({ changesSettings, changesProposals }) => changesSettings || changesProposals,
      run: (needs, network, { account }) => refreshAccountProposals(needs, network, account.settingsAddress),
    },
  ],
};
