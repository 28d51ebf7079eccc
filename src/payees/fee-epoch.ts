import type { Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import type { ChainAccount } from "@trellis/solana/read-accounts.js";
import { hasFeeOfOldEpoch } from "@trellis/solana/token-extensions.js";

/**
 * The chain's epoch, where one of these mints had a fee that was ended: it says whether that is still charged. Undefined, and
 * not asked for, where none had. Throws `chain_unavailable`.
 */
export async function findFeeEpoch(
  network: Pick<Network, "rpc">,
  mints: readonly (ChainAccount | undefined)[],
): Promise<bigint | undefined> {
  if (!mints.some((mint) => mint !== undefined && hasFeeOfOldEpoch(mint.data))) return undefined;
  const { epoch } = await askChain(network.rpc.getEpochInfo({ commitment: "confirmed" }));
  return epoch;
}
