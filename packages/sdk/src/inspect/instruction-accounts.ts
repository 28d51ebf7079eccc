import type { Address } from "@solana/addresses";
import { smartAccountProgramAddress, systemProgramAddress } from "../program-address.js";

/** Takes accounts one after the other. */
export function takeFrom(accounts: readonly Address[]) {
  let at = 0;
  return {
    next: (): Address => {
      const address = accounts[at];
      if (address === undefined) throw new RangeError("the instruction lacks an account");
      at += 1;
      return address;
    },
    rest: (): readonly Address[] => accounts.slice(at),
    /** Throws a `RangeError` unless all were used. */
    end: (): void => {
      if (at !== accounts.length) throw new RangeError("the instruction has accounts too many");
    },
  };
}

export type Claimed = ReturnType<typeof takeFrom>;

export function takeProgram(accounts: Claimed): void {
  requireSame(accounts.next(), smartAccountProgramAddress, "the program itself");
}

export function takeSystem(accounts: Claimed): void {
  requireSame(accounts.next(), systemProgramAddress, "the system program");
}

/** An optional account is left out by naming the program itself. */
export function takeOptional(accounts: Claimed): Address | null {
  const address = accounts.next();
  return address === smartAccountProgramAddress ? null : address;
}

export function takeOptionalSystem(accounts: Claimed): void {
  const system = takeOptional(accounts);
  if (system !== null) requireSame(system, systemProgramAddress, "the system program");
}

function requireSame(actual: Address, expected: Address, what: string): void {
  if (actual !== expected) throw new RangeError(`the instruction does not name ${what} where it should`);
}
