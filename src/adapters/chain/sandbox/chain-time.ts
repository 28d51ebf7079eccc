import { createHmac } from "node:crypto";
import type { Blockhash } from "@solana/kit";
import type { Clock } from "../../../ports/clock.js";
import { blockhashOf } from "./address-bytes.js";
import { type Block, slotsPerEpoch } from "./vm.js";

/** How long a slot lasts, milliseconds. */
export const slotMs = 400n;
/** A transaction may land while its blockhash is at most this many slots old. */
export const validitySlots = 150n;
const slotHashCount = 512n;

/** Slots, blocks and blockhashes as functions of environment time and the chain's seed: nothing is stored per slot. */
export interface ChainTime {
  slot(): bigint;
  blockhash(): { blockhash: Blockhash; lastValidBlockHeight: bigint; slot: bigint };
  /** The slot of a blockhash that is still within the validity window. */
  slotOfValid(blockhash: string): bigint | undefined;
  /** Unix seconds at which a slot starts. */
  timeOf(slot: bigint): bigint;
  /** The current block, for the VM. */
  block(): Block;
}

/**
 * Makes the chain's calendar. `genesisAtMs` is the environment time at which slot 0 starts. The blockhash of a slot is
 * HMAC-SHA256 of "blockhash" and the slot (8 bytes, big endian) under the seed: nobody without the seed can foresee it.
 */
export function createChainTime(clock: Clock, genesisAtMs: bigint, seed: Uint8Array): ChainTime {
  const hashes = new Map<bigint, Blockhash>();
  const slots = new Map<string, bigint>();
  let newest = -1n;

  const slot = (): bigint => (BigInt(clock.now()) - genesisAtMs) / slotMs;

  const oldestKept = (current: bigint): bigint => (current > slotHashCount ? current - slotHashCount : 0n);

  const follow = (current: bigint): void => {
    if (current <= newest) return;
    const oldest = oldestKept(current);
    for (const [known, hash] of hashes) {
      if (known >= oldest) break;
      hashes.delete(known);
      slots.delete(hash);
    }
    for (let next = newest + 1n > oldest ? newest + 1n : oldest; next <= current; next += 1n) {
      const hash = hashOf(next, seed);
      hashes.set(next, hash);
      slots.set(hash, next);
    }
    newest = current;
  };

  const hashAt = (wanted: bigint): Blockhash => {
    follow(wanted);
    const hash = hashes.get(wanted);
    if (hash === undefined) throw new Error("a slot was asked for that is no longer kept");
    return hash;
  };

  const timeOf = (wanted: bigint): bigint => (genesisAtMs + wanted * slotMs) / 1000n;

  return {
    slot,
    timeOf,
    blockhash: () => {
      const current = slot();
      return { blockhash: hashAt(current), lastValidBlockHeight: current + validitySlots, slot: current };
    },
    slotOfValid: (blockhash) => {
      const current = slot();
      follow(current);
      const found = slots.get(blockhash);
      return found !== undefined && current - found <= validitySlots ? found : undefined;
    },
    block: () => {
      const current = slot();
      follow(current);
      const slotHashes: Block["slotHashes"] = [];
      for (let earlier = current - 1n; earlier >= oldestKept(current); earlier -= 1n) {
        slotHashes.push({ slot: earlier, hash: hashAt(earlier) });
      }
      const epoch = current / slotsPerEpoch;
      return {
        slot: current,
        unixTimestamp: timeOf(current),
        epoch,
        epochStartTimestamp: timeOf(epoch * slotsPerEpoch),
        slotHashes,
      };
    },
  };
}

function hashOf(slot: bigint, seed: Uint8Array): Blockhash {
  const position = Buffer.alloc(8);
  position.writeBigUInt64BE(slot);
  return blockhashOf(createHmac("sha256", seed).update("blockhash").update(position).digest());
}
