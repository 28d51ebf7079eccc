import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { requireBatchPlaces } from "./batch-place.js";
import { closeEndedProposals } from "./close-proposals.js";
import { chooseSubscribed, createProposalFollower, wakeChanged } from "./follow-proposals.js";
import { proposalEvents } from "./proposal-event.js";
import { requireRoomWhereOpened } from "./proposal-room.js";
import { chainStates, clientStates } from "./proposal-states.js";
import { type IndexNeeds, refreshAccountProposals } from "./refresh-proposals.js";
import { requireBuffers } from "./require-buffers.js";

type Needs = IndexNeeds & Parameters<typeof closeEndedProposals>[0];

export const proposals: Module<Needs> = {
  name: "proposals",
  events: proposalEvents,
  passes: (needs, network) => [
    {
      name: "follow_proposals",
      everyMs: limits.followProposalsEveryMs,
      run: () => createProposalFollower(needs).tick(network),
      // What the chain has reported is read after the next start.
      stop: () => wakeChanged(needs.db, network),
    },
    { name: "choose_watched", everyMs: limits.subscribeAnewEveryMs, run: () => chooseSubscribed(needs.db, network) },
    {
      name: "close_proposals",
      everyMs: limits.closeProposalsEveryMs,
      run: () => closeEndedProposals(needs, network),
    },
  ],
  states: [
    { table: "proposal", column: "chain_status", states: chainStates },
    { table: "proposal", column: "status", states: clientStates },
  ],
  submitChecks: [
    { name: "room_for_proposal", when: "at_once", require: requireRoomWhereOpened },
    { name: "buffers", when: "in_turn", require: requireBuffers },
    { name: "batch_places", when: "in_turn", require: requireBatchPlaces },
  ],
  afterConfirmation: [
    {
      name: "read_proposals",
      // A change of the settings makes open proposals stale.
      concerns: ({ changesSettings, changesProposals }) => changesSettings || changesProposals,
      run: (needs, network, { account }) => refreshAccountProposals(needs, network, account.settingsAddress),
    },
  ],
};
