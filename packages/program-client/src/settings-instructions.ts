/** Instructions that change who may act for an account: by vote, by enough members at once, or by its admin. */
import { type AccountMeta, AccountRole, type Address } from "@solana/kit";
import {
  deriveProposalAddress,
  deriveSpendingLimitAddress,
  deriveTransactionAddress,
  SYSTEM_PROGRAM_ADDRESS,
  ZERO_ADDRESS,
} from "./addresses.js";
import {
  getAddSignerAsAuthorityInstruction,
  getChangeThresholdAsAuthorityInstruction,
  getCloseSettingsTransactionInstruction,
  getCreateSettingsTransactionInstruction,
  getExecuteSettingsTransactionInstruction,
  getExecuteSettingsTransactionSyncInstruction,
  getRemoveSignerAsAuthorityInstruction,
  getSetNewSettingsAuthorityAsAuthorityInstruction,
  getSetTimeLockAsAuthorityInstruction,
} from "./generated/instructions/index.js";
import type { SettingsActionArgs } from "./generated/types/index.js";
import { asSigner, type PlainInstruction, plain } from "./plain-instruction.js";
import type { CloseTransaction } from "./transaction-instructions.js";

/** The policies that actions remove: execution has to carry their accounts, and who gets their rent. */
export function policiesRemoved(actions: readonly SettingsActionArgs[]): Address[] {
  return [...new Set(actions.flatMap((action) => (action.__kind === "PolicyRemove" ? [action.policy] : [])))];
}

/** The spending limits that actions create or remove: execution has to carry their accounts. */
export function spendingLimitsTouched(settings: Address, actions: readonly SettingsActionArgs[]): Address[] {
  return [
    ...new Set(
      actions.flatMap((action) => {
        if (action.__kind === "AddSpendingLimit") return [deriveSpendingLimitAddress(settings, action.seed)];
        return action.__kind === "RemoveSpendingLimit" ? [action.spendingLimit] : [];
      }),
    ),
  ];
}

export type CreateSettingsTransaction = {
  readonly settings: Address;
  /** The settings' `transactionIndex` plus one at the moment it lands. */
  readonly transactionIndex: bigint;
  /** A member who may initiate. */
  readonly creator: Address;
  /** Pays the rent, signs, and gets it back on closing. */
  readonly rentPayer: Address;
  readonly actions: readonly SettingsActionArgs[];
};

/** Builds create_settings_transaction: writes down a settings change for voting (autonomous accounts only). */
export function createSettingsTransactionInstruction(input: CreateSettingsTransaction): PlainInstruction {
  return plain(
    getCreateSettingsTransactionInstruction({
      settings: input.settings,
      transaction: deriveTransactionAddress(input.settings, input.transactionIndex),
      creator: asSigner(input.creator),
      rentPayer: asSigner(input.rentPayer),
      actions: [...input.actions],
      memo: null,
    }),
  );
}

export type ExecuteSettingsTransaction = {
  readonly settings: Address;
  readonly transactionIndex: bigint;
  /** A member who may execute. */
  readonly signer: Address;
  /** Pays when accounts grow or are created; signs. */
  readonly rentPayer: Address;
  /** As stored, see `decodeSettingsTransaction`. */
  readonly actions: readonly SettingsActionArgs[];
  /** Those recorded in the policies that are removed, see `decodePolicy`. */
  readonly policyRentCollectors?: readonly Address[];
};

/** Builds execute_settings_transaction: applies an approved settings change. */
export function executeSettingsTransactionInstruction(input: ExecuteSettingsTransaction): PlainInstruction {
  return plain(
    getExecuteSettingsTransactionInstruction({
      settings: input.settings,
      signer: asSigner(input.signer),
      proposal: deriveProposalAddress(input.settings, input.transactionIndex),
      transaction: deriveTransactionAddress(input.settings, input.transactionIndex),
      rentPayer: asSigner(input.rentPayer),
      systemProgram: SYSTEM_PROGRAM_ADDRESS,
    }),
    touchedAccounts(input),
  );
}

export type ExecuteSettingsTransactionSync = {
  readonly settings: Address;
  /** The members who sign; they must satisfy `checkConsensus`. */
  readonly members: readonly Address[];
  /** Pays when accounts grow or are created; signs. */
  readonly rentPayer: Address;
  readonly actions: readonly SettingsActionArgs[];
  /** Those recorded in the policies that are removed, see `decodePolicy`. */
  readonly policyRentCollectors?: readonly Address[];
  readonly memo?: string | null;
};

/** Builds execute_settings_transaction_sync: changes the settings at once (autonomous accounts only). */
export function executeSettingsTransactionSyncInstruction(input: ExecuteSettingsTransactionSync): PlainInstruction {
  return plain(
    getExecuteSettingsTransactionSyncInstruction({
      consensusAccount: input.settings,
      rentPayer: asSigner(input.rentPayer),
      systemProgram: SYSTEM_PROGRAM_ADDRESS,
      numSigners: input.members.length,
      actions: [...input.actions],
      memo: input.memo ?? null,
      members: input.members.map(asSigner),
    }),
    touchedAccounts(input),
  );
}

/** Behind the others, in any order, each once: what the program makes, removes, or gives the rent of it. */
function touchedAccounts({
  settings,
  actions,
  policyRentCollectors = [],
}: Pick<ExecuteSettingsTransaction, "settings" | "actions" | "policyRentCollectors">): AccountMeta[] {
  const touched = [...spendingLimitsTouched(settings, actions), ...policiesRemoved(actions), ...policyRentCollectors];
  return [...new Set(touched)].map((address) => ({ address, role: AccountRole.WRITABLE }));
}

/** Builds close_settings_transaction: gives back the rent of a finished or stale settings change. It needs no signature. */
export function closeSettingsTransactionInstruction(input: CloseTransaction): PlainInstruction {
  return plain(
    getCloseSettingsTransactionInstruction({
      settings: input.settings,
      proposal: deriveProposalAddress(input.settings, input.transactionIndex),
      transaction: deriveTransactionAddress(input.settings, input.transactionIndex),
      proposalRentCollector: input.proposalRentCollector,
      transactionRentCollector: input.transactionRentCollector,
    }),
  );
}

/** A change an admin makes alone. */
export type AuthorityChange =
  | Extract<SettingsActionArgs, { __kind: "AddSigner" | "RemoveSigner" | "ChangeThreshold" | "SetTimeLock" }>
  /** Null gives the account to its signers, for good. */
  | { readonly __kind: "SetSettingsAuthority"; readonly newSettingsAuthority: Address | null };

export type ChangeAsAuthority = {
  readonly settings: Address;
  /** The admin; signs. */
  readonly settingsAuthority: Address;
  /** Pays when the account grows; signs. */
  readonly rentPayer: Address;
  readonly change: AuthorityChange;
};

/**
 * Builds the instruction by which an admin makes one change. Several may stand in one transaction; each is checked on
 * its own, so every state in between must be valid, and a change of the admin comes last.
 */
export function changeAsAuthorityInstruction(input: ChangeAsAuthority): PlainInstruction {
  const common = {
    settings: input.settings,
    settingsAuthority: asSigner(input.settingsAuthority),
    rentPayer: asSigner(input.rentPayer),
    systemProgram: SYSTEM_PROGRAM_ADDRESS,
    memo: null,
  };
  const { change } = input;
  switch (change.__kind) {
    case "AddSigner":
      return plain(getAddSignerAsAuthorityInstruction({ ...common, newSigner: change.newSigner }));
    case "RemoveSigner":
      return plain(getRemoveSignerAsAuthorityInstruction({ ...common, oldSigner: change.oldSigner }));
    case "ChangeThreshold":
      return plain(getChangeThresholdAsAuthorityInstruction({ ...common, newThreshold: change.newThreshold }));
    case "SetTimeLock":
      return plain(getSetTimeLockAsAuthorityInstruction({ ...common, timeLock: change.newTimeLock }));
    case "SetSettingsAuthority":
      return plain(
        getSetNewSettingsAuthorityAsAuthorityInstruction({
          ...common,
          newSettingsAuthority: change.newSettingsAuthority ?? ZERO_ADDRESS,
        }),
      );
  }
}
