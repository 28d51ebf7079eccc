import type { Address } from "@solana/kit";
import type { AccountState } from "./account-state.js";
import { isTokenOwned, readTokenAccount } from "./token-layout.js";

const discriminatorLength = 8;

/** Finds committed accounts by program, by program and first 8 bytes, and token accounts by their owner. */
export interface AccountsIndex {
  /** Files an account under its present state; undefined takes it out. */
  update(address: Address, state: AccountState | undefined): void;
  ownedBy(program: Address): Iterable<Address>;
  /** Accounts of a program whose data starts with these 8 bytes. */
  ownedByStartingWith(program: Address, discriminator: Uint8Array): Iterable<Address>;
  tokenAccountsOf(owner: Address): Iterable<Address>;
}

interface Filing {
  readonly program: Address;
  readonly start: string;
  readonly tokenOwner: Address | undefined;
}

/** An empty index. */
export function createAccountsIndex(): AccountsIndex {
  const filings = new Map<Address, Filing>();
  const programs = new Map<Address, Map<string, Set<Address>>>();
  const tokenOwners = new Map<Address, Set<Address>>();

  const remove = (address: Address): void => {
    const filing = filings.get(address);
    if (filing === undefined) return;
    filings.delete(address);
    const byStart = programs.get(filing.program);
    if (byStart) {
      removeFrom(byStart, filing.start, address);
      if (byStart.size === 0) programs.delete(filing.program);
    }
    if (filing.tokenOwner !== undefined) removeFrom(tokenOwners, filing.tokenOwner, address);
  };

  return {
    update: (address, state) => {
      if (state === undefined) {
        remove(address);
        return;
      }
      const next: Filing = {
        program: state.owner,
        start: startOf(state.data),
        tokenOwner: isTokenOwned(state) ? readTokenAccount(state)?.owner : undefined,
      };
      const last = filings.get(address);
      if (last?.program === next.program && last.start === next.start && last.tokenOwner === next.tokenOwner) return;
      remove(address);
      filings.set(address, next);
      let byStart = programs.get(next.program);
      if (byStart === undefined) {
        byStart = new Map();
        programs.set(next.program, byStart);
      }
      addTo(byStart, next.start, address);
      if (next.tokenOwner !== undefined) addTo(tokenOwners, next.tokenOwner, address);
    },
    *ownedBy(program) {
      for (const addresses of programs.get(program)?.values() ?? []) yield* addresses;
    },
    ownedByStartingWith: (program, discriminator) => programs.get(program)?.get(startOf(discriminator)) ?? [],
    tokenAccountsOf: (owner) => tokenOwners.get(owner) ?? [],
  };
}

function startOf(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, Math.min(discriminatorLength, data.length)).toString("latin1");
}

function addTo<Key>(sets: Map<Key, Set<Address>>, key: Key, address: Address): void {
  const set = sets.get(key);
  if (set) set.add(address);
  else sets.set(key, new Set([address]));
}

function removeFrom<Key>(sets: Map<Key, Set<Address>>, key: Key, address: Address): void {
  const set = sets.get(key);
  set?.delete(address);
  if (set?.size === 0) sets.delete(key);
}
