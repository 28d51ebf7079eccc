import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { findPasskeyAt, isOnCurve, type PasskeyAccount } from "@trellis/program-client";
import { type Freshness, readAccounts } from "./read-accounts.js";

/**
 * Those of the addresses that are accounts of passkeys, with what the chain says of them. Addresses that a key may belong to are not
 * asked about. Throws `chain_unavailable`.
 */
export async function readPasskeys(
  network: Pick<Network, "rpc">,
  addresses: readonly Address[],
  freshness: Freshness = {},
): Promise<ReadonlyMap<Address, PasskeyAccount>> {
  const derived = [...new Set(addresses)].filter((address) => !isOnCurve(address));
  const accounts = await readAccounts(network, derived, freshness);
  const found = new Map<Address, PasskeyAccount>();
  for (const [i, address] of derived.entries()) {
    const passkey = findPasskeyAt(address, accounts[i]);
    if (passkey !== undefined) found.set(address, passkey);
  }
  return found;
}

/** The key that signs for a passkey at an instant in Unix seconds; undefined: none does. */
export const sessionKeyAt = ({ session }: PasskeyAccount, unixSeconds: bigint): Address | undefined =>
  session !== null && session.expiresAt > unixSeconds ? session.key : undefined;
