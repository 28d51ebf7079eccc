import { addressText, amountText, signatureText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { Effect } from "../transactions/summary-item.js";
import { chainStates, clientStates } from "./proposal-states.js";

const proposalFields = {
  proposalAddress: addressText(),
  status: Type.Union(
    [
      Type.Enum([...clientStates.all], { $id: "ProposalStatus" }),
      Type.Enum([...chainStates.all], { $id: "ProposalChainStatus" }),
    ],
    {
      $id: "ProposalState",
      description: "One of the first; with showOnChainStatus=true one of the others, as the chain has it.",
    },
  ),
  statusTimestamp: Type.Number({ description: "When that status was set: Unix seconds." }),
  approved: Type.Array(addressText()),
  rejected: Type.Array(addressText()),
  cancelled: Type.Array(addressText()),
  consensusAccount: addressText({ description: "The settings, whose signers decide." }),
  consensusAccountType: Type.Literal("Settings"),
  blockTime: Type.Optional(
    Type.String({ format: "date-time", description: "Of the transaction that last changed the proposal." }),
  ),
  lastModifiedSignature: Type.Optional(signatureText({ description: "That transaction." })),
  mainAccountAddress: addressText({ description: "The smart account." }),
  settingsAddress: addressText(),
  transactionIndex: Type.Number(),
  stale: Type.Boolean({
    description: "True: the settings changed since, and it can no longer be approved or rejected.",
  }),
  closed: Type.Boolean({ description: "True: its accounts on the chain are closed; votes and outcome are kept here." }),
  reclaimedLamports: Type.Optional(amountText({ description: "Rent that closing gave back." })),
  createdAt: Type.Optional(Type.String({ format: "date-time" })),
  creator: Type.Optional(addressText()),
  kind: Type.Enum(["transaction", "settings", "batch", "unknown"], { description: "What is voted on." }),
};

const batchFields = {
  size: Type.Integer({ description: "How many transactions it holds." }),
  executed: Type.Integer({ description: "How many of them were executed: the first ones." }),
};

const listedFields = {
  ...proposalFields,
  batch: Type.Optional(
    Type.Object(batchFields, {
      $id: "ProposalBatch",
      description: "Of a batch: transactions that are executed one after the other.",
    }),
  ),
};

/** A proposal as lists show it (interface 2.11). */
export const Proposal = Type.Object(listedFields, { $id: "Proposal" });
export type Proposal = Static<typeof Proposal>;

/** The same in a list across accounts. */
export const AccountProposal = Type.Object(
  { ...listedFields, account: addressText({ description: "The account that it is about." }) },
  { $id: "AccountProposal" },
);
export type AccountProposal = Static<typeof AccountProposal>;

/** Something to know before one agrees; `code` is permanent, the other facts depend on it. */
export const ProposalWarning = Type.Object(
  {
    code: Type.Enum([
      "durable_nonce",
      "stale",
      "no_time_lock",
      "lowers_threshold",
      "removes_signer",
      "old_approvals",
      "grants_spending_limit",
      "changes_time_lock",
      "simulation_failed",
      "blocks_account",
      "never_executable",
      "unpayable_destination",
      "not_whole",
      "grants_delegate",
      "changes_authority",
      "burns_tokens",
      "pays_out_account",
      "unreadable_content",
      "undecided_content",
      "grants_policy",
    ]),
    message: Type.String(),
    signers: Type.Optional(Type.Array(addressText(), { description: "Whom it is about." })),
    caller: Type.Optional(Type.Boolean({ description: "True: a signer of this very request is among them." })),
    mint: Type.Optional(Type.Union([addressText(), Type.Null()], { description: "Null is SOL." })),
    from: Type.Optional(Type.Integer({ description: "As it is now." })),
    to: Type.Optional(Type.Integer({ description: "As it would be." })),
  },
  { $id: "ProposalWarning", description: "Something to know before one agrees." },
);
export type ProposalWarning = Static<typeof ProposalWarning>;

export const BalanceChange = Type.Object(
  {
    address: addressText({ description: "Who holds it: for tokens the owner of the token account." }),
    mint: Type.Union([addressText(), Type.Null()], { description: "Null is SOL." }),
    before: amountText(),
    after: amountText(),
    change: Type.String({ description: "With a minus sign where it is less afterwards." }),
  },
  { $id: "BalanceChange" },
);
export type BalanceChange = Static<typeof BalanceChange>;

/** A proposal with what it would do. */
export const ProposalDetails = Type.Object(
  {
    ...proposalFields,
    batch: Type.Optional(
      Type.Object({
        ...batchFields,
        transactions: Type.Optional(
          Type.Array(Type.Array(Effect), { description: "What each of them does; all together stand in `summary`." }),
        ),
      }),
    ),
    executableAt: Type.Optional(
      Type.String({ format: "date-time", description: "Of an approved one: when its time lock ends." }),
    ),
    executableInSeconds: Type.Optional(
      Type.Integer({ minimum: 0, description: "How long that is from this answer on, by the environment's clock." }),
    ),
    summary: Type.Array(Effect, { description: "What it does once it is executed, read off the stored bytes." }),
    balanceChanges: Type.Optional(
      Type.Array(BalanceChange, {
        description: "Whose balances would change if it were executed now. Absent where that cannot be simulated.",
      }),
    ),
    simulationError: Type.Optional(Type.String({ description: "Why it cannot: it would fail, for example." })),
    warnings: Type.Array(ProposalWarning),
    votesNeeded: Type.Integer({ description: "Approvals that are still missing; 0 unless Active." }),
  },
  { $id: "ProposalDetails" },
);
export type ProposalDetails = Static<typeof ProposalDetails>;

/** The errors of every endpoint that names a proposal. */
export const proposalErrors = [
  "account_not_found",
  "proposal_not_found",
  "proposal_account_mismatch",
  "chain_unavailable",
] as const;
