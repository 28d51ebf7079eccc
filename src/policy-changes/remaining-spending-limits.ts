import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Freshness } from "@trellis/solana/read-accounts.js";
import { readSpendingLimitsOf } from "../transactions/read-spending-limits.js";

/**
 * The spending limits of an account that any of `signers` may use: they outlive a signer's removal. By address.
 * Throws `chain_unavailable`.
 */
export async function findSpendingLimitsOf(
  network: Pick<Network, "rpc">,
  settings: Address,
  signers: readonly Address[],
  freshness: Freshness = {},
): Promise<readonly Address[]> {
  if (signers.length === 0) return [];
  const limits = await readSpendingLimitsOf(network, settings, freshness);
  return limits
    .filter((limit) => limit.signers.some((signer) => signers.includes(signer)))
    .map(({ address }) => address);
}
