import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "./ask-chain.js";

/** Most addresses that a node takes in one question for fees. */
const addressesMax = 128;

/**
 * What to bid per compute unit, in micro-lamports: the upper quartile of what recently landed against these accounts,
 * never above the cap (gap 31). Zero where no transaction bids. Throws `chain_unavailable`.
 */
export async function estimateComputePrice(
  network: Pick<Network, "rpc">,
  writable: readonly Address[],
): Promise<bigint> {
  const recent = await askChain(network.rpc.getRecentPrioritizationFees(writable.slice(0, addressesMax)));
  const fees = recent
    .map(({ prioritizationFee }) => BigInt(prioritizationFee))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const quartile = fees[Math.floor(fees.length * 0.75)] ?? 0n;
  return quartile > limits.computePriceCapMicroLamports ? limits.computePriceCapMicroLamports : quartile;
}
