/** Instructions around spending limits. Members create and remove them by settings actions, an admin by these. */
import type { Address } from "@solana/kit";
import {
  deriveSmartAccountAddress,
  deriveSpendingLimitAddress,
  SYSTEM_PROGRAM_ADDRESS,
  ZERO_ADDRESS,
} from "./addresses.js";
import {
  getAddSpendingLimitAsAuthorityInstruction,
  getRemoveSpendingLimitAsAuthorityInstruction,
  getUseSpendingLimitInstruction,
} from "./generated/instructions/index.js";
import type { Period, SettingsActionArgs } from "./generated/types/index.js";
import { asSigner, type PlainInstruction, plain } from "./plain-instruction.js";
import { NEVER_EXPIRES } from "./spending-limit.js";

/** What a new spending limit allows. */
export type NewSpendingLimit = {
  /** Any 32 bytes: they make the address. */
  readonly seed: Address;
  readonly accountIndex?: number;
  /** Null: SOL. */
  readonly mint: Address | null;
  /** Per period, above 0. */
  readonly amountBaseUnits: bigint;
  readonly period: Period;
  /** Who may use it; need not be signers of the account. */
  readonly signers: readonly Address[];
  /** Owners that may be paid; empty: anybody. */
  readonly destinations: readonly Address[];
  /** Unix seconds; null: never. */
  readonly expiration: bigint | null;
};

const fields = (limit: NewSpendingLimit) => ({
  seed: limit.seed,
  accountIndex: limit.accountIndex ?? 0,
  mint: limit.mint ?? ZERO_ADDRESS,
  amount: limit.amountBaseUnits,
  period: limit.period,
  signers: [...limit.signers],
  destinations: [...limit.destinations],
  expiration: limit.expiration ?? NEVER_EXPIRES,
});

/** The settings action by which members create a spending limit. */
export const addSpendingLimitAction = (limit: NewSpendingLimit): SettingsActionArgs => ({
  __kind: "AddSpendingLimit",
  ...fields(limit),
});

/** Builds add_spending_limit_as_authority. `settingsAuthority` and `rentPayer` sign. */
export function addSpendingLimitAsAuthorityInstruction(input: {
  readonly settings: Address;
  readonly settingsAuthority: Address;
  readonly rentPayer: Address;
  readonly limit: NewSpendingLimit;
}): PlainInstruction {
  return plain(
    getAddSpendingLimitAsAuthorityInstruction({
      settings: input.settings,
      settingsAuthority: asSigner(input.settingsAuthority),
      spendingLimit: deriveSpendingLimitAddress(input.settings, input.limit.seed),
      rentPayer: asSigner(input.rentPayer),
      ...fields(input.limit),
      memo: null,
    }),
  );
}

/** Builds remove_spending_limit_as_authority. `rentCollector` gets the lamports of the limit's account. */
export function removeSpendingLimitAsAuthorityInstruction(input: {
  readonly settings: Address;
  readonly settingsAuthority: Address;
  readonly spendingLimit: Address;
  readonly rentCollector: Address;
}): PlainInstruction {
  return plain(
    getRemoveSpendingLimitAsAuthorityInstruction({
      settings: input.settings,
      settingsAuthority: asSigner(input.settingsAuthority),
      spendingLimit: input.spendingLimit,
      rentCollector: input.rentCollector,
      memo: null,
    }),
  );
}

/** What a payment out of a limit needs to know about its token. */
export type SpendingLimitToken = {
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
  readonly smartAccountTokenAccount: Address;
  readonly destinationTokenAccount: Address;
};

export type UseSpendingLimit = {
  readonly settings: Address;
  readonly spendingLimit: Address;
  /** One of the limit's signers; no vote of the account's signers is needed. */
  readonly signer: Address;
  /** The payee's wallet, not its token account. */
  readonly destination: Address;
  readonly amountBaseUnits: bigint;
  /** Null: SOL. */
  readonly token: SpendingLimitToken | null;
  readonly accountIndex?: number;
};

const SOL_DECIMALS = 9;

/** Builds use_spending_limit. The payee's token account must exist. Only `signer` signs. */
export function useSpendingLimitInstruction(input: UseSpendingLimit): PlainInstruction {
  const { token } = input;
  return plain(
    getUseSpendingLimitInstruction({
      settings: input.settings,
      signer: asSigner(input.signer),
      spendingLimit: input.spendingLimit,
      smartAccount: deriveSmartAccountAddress(input.settings, input.accountIndex),
      destination: input.destination,
      ...(token === null
        ? { systemProgram: SYSTEM_PROGRAM_ADDRESS }
        : {
            mint: token.mint,
            smartAccountTokenAccount: token.smartAccountTokenAccount,
            destinationTokenAccount: token.destinationTokenAccount,
            tokenProgram: token.tokenProgram,
          }),
      amount: input.amountBaseUnits,
      decimals: token?.decimals ?? SOL_DECIMALS,
      memo: null,
    }),
  );
}
