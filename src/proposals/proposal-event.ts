import { type EventObjects, eventShape, example } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { Proposal } from "./proposal.js";

const { account, at, settings, signature, wallet } = example;

const shape = eventShape(Proposal, { id: "ProposalSnapshot" });

const proposal = (status: Static<typeof shape.schema>["status"]): Static<typeof shape.schema> => ({
  proposalAddress: "3xLk6u4bT4bq1qvYhTzYc3TzUDZ5dC2TqYwQ9tqJkq6o",
  status,
  statusTimestamp: 1_768_478_400,
  approved: status === "Rejected" ? [] : [wallet],
  rejected: status === "Rejected" ? [wallet] : [],
  cancelled: status === "Cancelled" ? [wallet] : [],
  consensusAccount: settings,
  consensusAccountType: "Settings",
  blockTime: at,
  lastModifiedSignature: signature,
  mainAccountAddress: account,
  settingsAddress: settings,
  transactionIndex: 7,
  stale: false,
  closed: false,
  createdAt: at,
  creator: wallet,
  kind: "transaction",
});

/** What events about proposals carry: what the list of proposals has. */
export const proposalEvents = {
  "proposal.created": { ...shape, example: proposal("Active") },
  "proposal.voted": { ...shape, example: proposal("Active") },
  "proposal.approved": { ...shape, example: proposal("Approved") },
  "proposal.rejected": { ...shape, example: proposal("Rejected") },
  "proposal.cancelled": { ...shape, example: proposal("Cancelled") },
  "proposal.executed": { ...shape, example: proposal("Executed") },
} as const satisfies EventObjects;
