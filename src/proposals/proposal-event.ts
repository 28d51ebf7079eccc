import { dateTime, type EventObjects, example, maybe } from "@trellis/kernel/event-objects.js";
import { addressText, amountText, signatureText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const { account, at, settings, signature, wallet } = example;

const proposalObject = Type.Object(
  {
    proposalAddress: addressText(),
    status: Type.Enum(["Active", "Approved", "Executed", "Rejected", "Cancelled"]),
    statusTimestamp: Type.Number(),
    approved: Type.Array(addressText()),
    rejected: Type.Array(addressText()),
    cancelled: Type.Array(addressText()),
    consensusAccount: addressText(),
    consensusAccountType: Type.Literal("Settings"),
    blockTime: maybe(dateTime),
    lastModifiedSignature: maybe(signatureText()),
    mainAccountAddress: addressText(),
    settingsAddress: addressText(),
    transactionIndex: Type.Number(),
    stale: Type.Boolean(),
    closed: Type.Boolean(),
    reclaimedLamports: maybe(amountText()),
    createdAt: maybe(dateTime),
    creator: maybe(addressText()),
    kind: Type.Enum(["transaction", "settings", "batch", "unknown"]),
  },
  { $id: "ProposalSnapshot" },
);

const proposal = (status: Static<typeof proposalObject>["status"]): Static<typeof proposalObject> => ({
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

/** What events about proposals carry. */
export const proposalEvents = {
  "proposal.created": { schema: proposalObject, example: proposal("Active") },
  "proposal.voted": { schema: proposalObject, example: proposal("Active") },
  "proposal.approved": { schema: proposalObject, example: proposal("Approved") },
  "proposal.rejected": { schema: proposalObject, example: proposal("Rejected") },
  "proposal.cancelled": { schema: proposalObject, example: proposal("Cancelled") },
  "proposal.executed": { schema: proposalObject, example: proposal("Executed") },
} as const satisfies EventObjects;
