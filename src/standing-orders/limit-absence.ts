import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import type { StandingOrder } from "./standing-order-store.js";

/** How far the time of a block may be from when it was made, in milliseconds. */
const blockTimesApartMs = 30_000;

type Order = Pick<StandingOrder, "spending_limit_address" | "mandated_at" | "last_paid_at">;

/**
 * Whether what a node shows at `slot` is newer than the last moment at which the order's limit is known to have stood: when
 * it was made, or last drawn on, by the chain's own time. A node that has stopped, or is behind, shows a limit that stands
 * as absent. Throws `chain_unavailable`.
 */
export async function isNewerThanLimit(
  network: Pick<Network, "name" | "rpc">,
  { mandated_at, last_paid_at }: Order,
  slot: bigint,
): Promise<boolean> {
  return isNewerThan(network, Math.max(Number(mandated_at ?? 0n), Number(last_paid_at ?? 0n)), slot);
}

/** Whether the block of `slot` was made after `instant`, Unix milliseconds, by the chain's own time. Throws `chain_unavailable`. */
export async function isNewerThan(
  network: Pick<Network, "name" | "rpc">,
  instant: number,
  slot: bigint,
): Promise<boolean> {
  if (network.name === "sandbox") return true;
  const blockTime = await askChain(network.rpc.getBlockTime(slot));
  return blockTime !== null && Number(blockTime) * 1000 >= instant + blockTimesApartMs;
}

/** Reads once more whether the limit is there; undefined where the answer is too old to say. Throws `chain_unavailable`. */
export async function isLimitRemoved(
  network: Pick<Network, "name" | "rpc">,
  order: Order,
): Promise<boolean | undefined> {
  const { slot, accounts } = await readAccountsAtSlot(network, [order.spending_limit_address as Address]);
  const [limit] = accounts;
  if (limit !== undefined && limit.owner !== SYSTEM_PROGRAM_ADDRESS) return false;
  return (await isNewerThanLimit(network, order, slot)) ? true : undefined;
}
