import { base58 } from "@scure/base";
import type { Address } from "@solana/kit";
import {
  accountKeysOf,
  findCreatedSmartAccount,
  findTransactionEvents,
  type InnerInstruction,
  SmartAccountProgramInstruction as Instruction,
  identifyProgramInstruction,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import type { ChainTransaction } from "./chain-transaction.js";
import type { Movement } from "./movement-books.js";
import { instructionsOf, ownTokenPlaces } from "./read-movements.js";

/** What a transaction did for an account; where it did several things, the first of these. */
export const transactionKinds = [
  "account_creation",
  "settings_change",
  "spending_limit_payment",
  "payment",
  "custom",
  "proposal_execution",
  "proposal_creation",
  "proposal_vote",
  "proposal_close",
  "deposit",
  "other",
] as const;

export type TransactionKind = (typeof transactionKinds)[number];

const kinds: Partial<Record<Instruction, TransactionKind>> = {
  [Instruction.AddSignerAsAuthority]: "settings_change",
  [Instruction.RemoveSignerAsAuthority]: "settings_change",
  [Instruction.SetTimeLockAsAuthority]: "settings_change",
  [Instruction.ChangeThresholdAsAuthority]: "settings_change",
  [Instruction.SetNewSettingsAuthorityAsAuthority]: "settings_change",
  [Instruction.SetArchivalAuthorityAsAuthority]: "settings_change",
  [Instruction.AddSpendingLimitAsAuthority]: "settings_change",
  [Instruction.RemoveSpendingLimitAsAuthority]: "settings_change",
  [Instruction.ExecuteSettingsTransactionSync]: "settings_change",
  [Instruction.ExecuteSettingsTransaction]: "proposal_execution",
  [Instruction.ExecuteTransaction]: "proposal_execution",
  [Instruction.ExecuteTransactionSync]: "custom",
  [Instruction.ExecuteTransactionSyncV2]: "custom",
  [Instruction.CreateSettingsTransaction]: "proposal_creation",
  [Instruction.CreateTransaction]: "proposal_creation",
  [Instruction.CreateProposal]: "proposal_creation",
  [Instruction.ActivateProposal]: "proposal_creation",
  [Instruction.CreateTransactionBuffer]: "proposal_creation",
  [Instruction.ExtendTransactionBuffer]: "proposal_creation",
  [Instruction.CreateTransactionFromBuffer]: "proposal_creation",
  [Instruction.CreateBatch]: "proposal_creation",
  [Instruction.AddTransactionToBatch]: "proposal_creation",
  [Instruction.ExecuteBatchTransaction]: "proposal_execution",
  [Instruction.ApproveProposal]: "proposal_vote",
  [Instruction.RejectProposal]: "proposal_vote",
  [Instruction.CancelProposal]: "proposal_vote",
  [Instruction.CloseTransaction]: "proposal_close",
  [Instruction.CloseSettingsTransaction]: "proposal_close",
  [Instruction.CloseTransactionBuffer]: "proposal_close",
  [Instruction.CloseBatchTransaction]: "proposal_close",
  [Instruction.CloseBatch]: "proposal_close",
  [Instruction.UseSpendingLimit]: "spending_limit_payment",
};

/**
 * What a transaction did for the account with these settings, by the program's instructions in it, called ones included.
 * Where the members acted at once, it is a payment when something left the account, and `custom` otherwise. Without any of
 * the program's instructions for this account it is a deposit when something was received. Undefined: it has nothing to do
 * with the account, but for naming its settings. A creation names several addresses that its account may get.
 */
export function kindOf(
  transaction: ChainTransaction,
  account: { readonly vault: Address; readonly settings: Address },
  movements: readonly Movement[],
): TransactionKind | undefined {
  const keys = accountKeysOf(transaction);
  const found = new Set(
    instructionsOf(transaction).map((instruction) => kindOfInstruction(keys, account.settings, instruction)),
  );
  if (findCreatedSmartAccount(findTransactionEvents(transaction))?.settingsAddress === account.settings) {
    found.add("account_creation");
  }
  if (found.has("custom") && movements.some(({ direction }) => direction === "outflow")) found.add("payment");
  const first = transactionKinds.find((kind) => found.has(kind));
  if (first !== undefined) return first;
  if (movements.some(({ direction }) => direction === "inflow")) return "deposit";
  const isNamed = keys.includes(account.vault) || ownTokenPlaces(transaction, account.vault).size > 0;
  return isNamed ? "other" : undefined;
}

function kindOfInstruction(
  keys: readonly Address[],
  settings: Address,
  { programIdIndex, accounts, data }: InnerInstruction,
): TransactionKind | undefined {
  const [first] = accounts;
  if (keys[programIdIndex] !== SMART_ACCOUNT_PROGRAM_ADDRESS || first === undefined) return undefined;
  if (keys[first] !== settings) return undefined;
  const instruction = identifyProgramInstruction(base58.decode(data));
  return instruction === undefined ? undefined : kinds[instruction];
}
