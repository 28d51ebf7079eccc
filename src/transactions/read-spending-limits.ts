import { type Address, isAddress } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  decodeSpendingLimit,
  ProgramDataError,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  type SpendingLimit,
} from "@trellis/program-client";
import { type ChainAccount, type Freshness, readAccount } from "@trellis/solana/read-accounts.js";
import { readAccountsOfAtSlot } from "./read-accounts-of.js";

/** A spending limit and where it stands on the chain. */
export interface StandingLimit extends SpendingLimit {
  readonly address: Address;
}

/**
 * Reads one spending limit as the chain has it; undefined where there is none at this address, or it belongs to other
 * settings. Throws `chain_unavailable`.
 */
export async function findSpendingLimit(
  network: Pick<Network, "rpc">,
  settings: Address,
  address: string,
  freshness: Freshness = {},
): Promise<StandingLimit | undefined> {
  if (!isAddress(address)) return undefined;
  return asLimitOf(settings, await readAccount(network, address, freshness));
}

/** The spending limit in an account that was read; undefined where it is none of these settings. */
export function asLimitOf(settings: Address, account: ChainAccount | undefined): StandingLimit | undefined {
  if (account?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  const limit = attempt(() => decodeSpendingLimit(account.data));
  return limit?.settings === settings ? { address: account.address, ...limit } : undefined;
}

/** All spending limits of an account, wherever they were made, by address. Throws `chain_unavailable`. */
export async function readSpendingLimitsOf(
  network: Pick<Network, "rpc">,
  settings: Address,
  freshness: Freshness = {},
): Promise<readonly StandingLimit[]> {
  return (await readSpendingLimitsAtSlot(network, settings, freshness)).limits;
}

/** The same, with the slot they were read at. Throws `chain_unavailable`. */
export async function readSpendingLimitsAtSlot(
  network: Pick<Network, "rpc">,
  settings: Address,
  freshness: Freshness,
): Promise<{ readonly slot: bigint; readonly limits: readonly StandingLimit[] }> {
  const { slot, accounts } = await readAccountsOfAtSlot(network, "spendingLimit", settings, freshness);
  const limits = accounts
    .flatMap(({ address, data }): StandingLimit[] => {
      const limit = attempt(() => decodeSpendingLimit(data));
      return limit ? [{ address, ...limit }] : [];
    })
    .sort((left, right) => (left.address < right.address ? -1 : 1));
  return { slot, limits };
}

/** What cannot be read is no limit that anybody could use. */
function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}
