import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_LONG_TERM_STORAGE_SLOT_SKIPPED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED,
} from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "./ask-chain.js";

/** What nodes say of a block that they have no longer. Two of them they say of a slot without a block as well. */
const forgotten = [
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_LONG_TERM_STORAGE_SLOT_SKIPPED,
] as const;

/**
 * The time of a block, Unix seconds; undefined where the node has forgotten the block or does not know its time, which asking
 * again does not change. Throws `chain_unavailable`.
 */
export async function findBlockTime(network: Pick<Network, "rpc">, slot: bigint): Promise<bigint | undefined> {
  const reported = network.rpc.getBlockTime(slot);
  const time = await askChain({
    send: () =>
      reported.send().catch((error: unknown) => {
        if (forgotten.some((code) => isSolanaError(error, code))) return null;
        throw error;
      }),
  });
  return time === null ? undefined : BigInt(time);
}

/**
 * Whether a block was made before `at` (Unix seconds), by its time; where the node has forgotten it, by the time of the oldest
 * block that it has, which is later. Undefined where neither can say. Throws `chain_unavailable`.
 */
export async function isBlockBefore(
  network: Pick<Network, "rpc">,
  slot: bigint,
  at: bigint,
): Promise<boolean | undefined> {
  const time = await findBlockTime(network, slot);
  if (time !== undefined) return time < at;
  const oldest = await askChain(network.rpc.getFirstAvailableBlock());
  if (oldest <= slot) return undefined;
  const oldestTime = await findBlockTime(network, oldest);
  return oldestTime !== undefined && oldestTime < at ? true : undefined;
}
