import type { Address, Instruction } from "@solana/kit";
import { readProgramInstruction, SmartAccountProgramInstruction } from "@trellis/program-client";

/** A payment out of a spending limit, read from its bytes. */
export interface LimitUse {
  readonly settings: Address;
  readonly spendingLimit: Address;
  readonly signer: Address;
  /** The smart account that pays. */
  readonly from: Address;
  /** The owner who is paid. */
  readonly to: Address;
  /** Null is SOL. */
  readonly mint: Address | null;
  readonly amountBaseUnits: bigint;
  readonly tokenAccounts: { readonly from: Address; readonly to: Address } | null;
}

/** Reads a use_spending_limit; undefined for any other instruction. Throws a `ProgramDataError` when it is malformed. */
export function readLimitUse(instruction: Instruction): LimitUse | undefined {
  const parsed = readProgramInstruction(instruction);
  if (parsed?.instructionType !== SmartAccountProgramInstruction.UseSpendingLimit) return undefined;
  const { accounts, data } = parsed;
  const { smartAccountTokenAccount: from, destinationTokenAccount: to } = accounts;
  return {
    settings: accounts.settings.address,
    spendingLimit: accounts.spendingLimit.address,
    signer: accounts.signer.address,
    from: accounts.smartAccount.address,
    to: accounts.destination.address,
    mint: accounts.mint?.address ?? null,
    amountBaseUnits: data.amount,
    tokenAccounts: from && to ? { from: from.address, to: to.address } : null,
  };
}
