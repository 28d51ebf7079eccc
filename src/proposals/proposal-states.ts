import type { ProposalTable } from "@trellis/kernel/ports/database.js";
import { defineStates } from "@trellis/kernel/states.js";

/**
 * Where a proposal can stand on chain. `closed`: its accounts are removed; one without an end can be closed once it is stale. Rows
 * repeat what was read, so they may pass over states, and a node that lags may show an earlier one.
 */
export const chainStates = defineStates<NonNullable<ProposalTable["chain_status"]>>({
  draft: ["active", "closed"],
  active: ["rejected", "approved", "closed"],
  rejected: ["closed"],
  // No build of the program writes `executing` any more.
  approved: ["executing", "executed", "cancelled", "closed"],
  executing: ["executed", "closed"],
  executed: ["closed"],
  cancelled: ["closed"],
  closed: [],
});

/** What clients see of that. What was closed without an end is cancelled. */
export const clientStates = defineStates<NonNullable<ProposalTable["status"]>>({
  Active: ["Approved", "Rejected", "Cancelled"],
  Approved: ["Executed", "Cancelled"],
  Executed: [],
  Rejected: [],
  Cancelled: [],
});

type ChainState = NonNullable<ProposalTable["chain_status"]>;

/** Those in which the vote is undecided. */
export const undecidedStates = ["draft", "active"] as const satisfies readonly ChainState[];

/** Those in which it can be executed. */
export const approvedStates = ["approved", "executing"] as const satisfies readonly ChainState[];

/** Those that only the closing can follow. */
export const endedStates = ["executed", "rejected", "cancelled"] as const satisfies readonly ChainState[];
