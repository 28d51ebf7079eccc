import type { Address } from "@solana/kit";
import type { AccountState } from "./account-state.js";

/** Accounts as they were read out of native memory; what was kept first goes first where there are too many. */
export interface AccountsAtHand {
  get(address: Address): AccountState | undefined;
  keep(address: Address, state: AccountState): void;
  forget(address: Address): void;
  forgetAll(): void;
}

/** Keeps so many accounts with so many bytes of data together. */
export function createAccountsAtHand(most: { readonly accounts: number; readonly bytes: number }): AccountsAtHand {
  const kept = new Map<Address, AccountState>();
  let bytes = 0;
  const forget = (address: Address): void => {
    bytes -= kept.get(address)?.data.length ?? 0;
    kept.delete(address);
  };
  const isTooMuch = (): boolean => kept.size > most.accounts || bytes > most.bytes;
  return {
    get: (address) => kept.get(address),
    keep: (address, state) => {
      forget(address);
      kept.set(address, state);
      bytes += state.data.length;
      // Where a map begins is searched for among all that was taken out of it: only where it has to be.
      if (!isTooMuch()) return;
      for (const oldest of kept.keys()) {
        forget(oldest);
        if (!isTooMuch()) return;
      }
    },
    forget,
    forgetAll: () => {
      kept.clear();
      bytes = 0;
    },
  };
}
