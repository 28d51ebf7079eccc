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
  const found = new Map<Address, PasskeyAccount>();
  for (let start = 0; start < derived.length; start += readAtOnce) {
    const asked = derived.slice(start, start + readAtOnce);
    const accounts = await readAccounts(network, asked, freshness);
    for (const [i, address] of asked.entries()) {
      const passkey = findPasskeyAt(address, accounts[i]);
      if (passkey !== undefined) found.set(address, passkey);
    }
  }
  return found;
}

/** As many accounts a node reads in one question. An account that was made elsewhere may have more signers. */
const readAtOnce = 100;

/** The key that signs for a passkey at an instant in Unix seconds; undefined: none does. */
export const sessionKeyAt = ({ session }: PasskeyAccount, unixSeconds: bigint): Address | undefined =>
  session !== null && session.expiresAt > unixSeconds ? session.key : undefined;
