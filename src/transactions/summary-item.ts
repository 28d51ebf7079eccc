import { addressText, amountText } from "@trellis/kernel/wire-texts.js";
import { SettingsAction } from "@trellis/program-client/settings-change.js";
import Type, { type Static } from "typebox";
import { bufferItems } from "./buffer-summary.js";
import { authorityEffects, TransferEffect } from "./coin-effects.js";

const effectSchemas = [
  TransferEffect,
  Type.Object(
    {
      type: Type.Literal("create_token_account"),
      owner: addressText(),
      mint: addressText(),
      token_account: addressText(),
      payer: addressText(),
    },
    { $id: "TokenAccountEffect" },
  ),
  Type.Object(
    {
      type: Type.Literal("use_spending_limit"),
      spending_limit: addressText(),
      signer: addressText({ description: "Who draws on it." }),
      from: addressText({ description: "The account that pays." }),
      to: addressText({ description: "The owner who is paid." }),
      mint: Type.Union([addressText(), Type.Null()], { description: "Null is SOL." }),
      amount: amountText(),
      from_token_account: Type.Optional(addressText()),
      to_token_account: Type.Optional(addressText()),
    },
    { $id: "SpendingLimitEffect" },
  ),
  Type.Object(
    {
      type: Type.Literal("settings_change"),
      settings: addressText(),
      by: Type.Array(addressText(), { description: "Who answers for it: members, or the admin." }),
      actions: Type.Array(SettingsAction),
    },
    { $id: "SettingsChangeEffect" },
  ),
  ...authorityEffects,
  Type.Object(
    {
      type: Type.Literal("memo"),
      text: Type.String({ description: "The transaction's public memo." }),
      program: addressText(),
      accounts: Type.Array(addressText(), { description: "The signers of the memo, where it has any." }),
      data: Type.String({ description: "Base64 of the text." }),
    },
    { $id: "MemoEffect" },
  ),
  Type.Object(
    {
      type: Type.Literal("instruction"),
      program: addressText(),
      accounts: Type.Array(addressText()),
      data: Type.String({ description: "Base64." }),
    },
    { $id: "InstructionEffect" },
  ),
  Type.Object(
    {
      type: Type.Literal("undecided"),
      program: Type.String(),
      accounts: Type.Array(
        Type.String({ description: "An address, or `<table>[<place>]` where a lookup table has no entry." }),
      ),
      data: Type.String({ description: "Base64." }),
    },
    {
      $id: "UndecidedEffect",
      description: "An instruction that names what is not decided yet; a proposal with one cannot be approved here.",
    },
  ),
] as const;

/** What happens to an account: also what a proposal would do once it is executed. */
export const Effect = Type.Union([...effectSchemas], { $id: "Effect", description: "One effect, read off the bytes." });

export type Effect = Static<typeof Effect>;

const proposalFacts = {
  proposal: addressText({ description: "The proposal's address." }),
  transaction_index: Type.Integer(),
};

const batchFacts = {
  batch_transaction: Type.Optional(
    Type.Integer({ description: "Of a batch: which of its transactions, counted from 1." }),
  ),
};

const contentFacts = {
  effects: Type.Array(Effect, { description: "What it does once it is executed." }),
  actions: Type.Optional(
    Type.Array(SettingsAction, { description: "Of a settings change: the same, action by action." }),
  ),
};

/** One thing a transaction does, for a program to check before it signs (gap 30). */
export const SummaryItem = Type.Union(
  [
    ...effectSchemas,
    Type.Object({ type: Type.Literal("create_proposal"), ...proposalFacts, creator: addressText(), ...contentFacts }),
    Type.Object({
      type: Type.Literal("activate_proposal"),
      ...proposalFacts,
      signer: addressText({ description: "Who turns the draft into an open vote." }),
    }),
    Type.Object({
      type: Type.Literal("vote"),
      ...proposalFacts,
      action: Type.Enum(["approve", "reject", "cancel"]),
      signer: addressText(),
    }),
    Type.Object({
      type: Type.Literal("add_to_batch"),
      ...proposalFacts,
      ...batchFacts,
      creator: addressText(),
      ...contentFacts,
    }),
    ...bufferItems,
    Type.Object({
      type: Type.Literal("execute_proposal"),
      ...proposalFacts,
      ...batchFacts,
      signer: addressText(),
      ...contentFacts,
    }),
  ],
  { $id: "SummaryEntry", description: "One effect of the transaction, read off its bytes." },
);

export type SummaryItem = Static<typeof SummaryItem>;
