import { createHmac } from "node:crypto";
import type { Blockhash } from "@solana/kit";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { blockhashOf } from "./address-bytes.js";
import { type Block, slotsPerEpoch } from "./vm.js";

/** How long a slot lasts, milliseconds. */
export const slotMs = 400n;
/** A transaction may land while its blockhash is at most this many slots old. */
export const validitySlots = 150n;
const slotHashCount = 512n;
/** Hashes that are remembered before old ones are forgotten. */
const hashesAtHandMax = 4_096;

/** Slots, blocks and blockhashes as functions of environment time and the chain's seed: nothing is stored per slot. */
export interface ChainTime {
  slot(): bigint;
  blockhash(): { blockhash: Blockhash; lastValidBlockHeight: bigint; slot: bigint };
  /** The slot of a blockhash that is still within the validity window. */
  slotOfValid(blockhash: string): bigint | undefined;
  /** The blockhash of a slot that is over. */
  blockhashOf(slot: bigint): Blockhash;
  /** Unix seconds at which a slot starts. */
  timeOf(slot: bigint): bigint;
  /** The current block, for the VM. */
  block(): Block;
  /** The same as it was in a slot of the past, within the latest few minutes. */
  at(slot: bigint): ChainTime;
}

/**
 * Makes the chain's calendar. `genesisAtMs` is the environment time at which slot 0 starts. The blockhash of a slot is
 * HMAC-SHA256 of "blockhash" and the slot (8 bytes, big endian) under the seed: no one without the seed can foresee it.
 */
export function createChainTime(clock: Clock, genesisAtMs: bigint, seed: Uint8Array): ChainTime {
  const hashes = new Map<bigint, Blockhash>();
  const slots = new Map<string, bigint>();

  const present = (): bigint => (BigInt(clock.now()) - genesisAtMs) / slotMs;

  const oldestKept = (current: bigint): bigint => (current > slotHashCount ? current - slotHashCount : 0n);

  const forgetBefore = (oldest: bigint): void => {
    for (const [known, hash] of hashes) {
      if (known >= oldest) continue;
      hashes.delete(known);
      slots.delete(hash);
    }
  };

  /** Computed when it is asked for: a clock that is moved over years passes by most slots unseen. */
  const hashAt = (wanted: bigint): Blockhash => {
    const known = hashes.get(wanted);
    if (known !== undefined) return known;
    if (hashes.size > hashesAtHandMax) forgetBefore(oldestKept(present()));
    const hash = hashOf(wanted, seed);
    hashes.set(wanted, hash);
    slots.set(hash, wanted);
    return hash;
  };

  const timeOf = (wanted: bigint): bigint => (genesisAtMs + wanted * slotMs) / 1000n;

  const seenFrom = (slot: () => bigint): ChainTime => ({
    slot,
    timeOf,
    // Not kept: what is old belongs to no window.
    blockhashOf: (wanted) => hashes.get(wanted) ?? hashOf(wanted, seed),
    blockhash: () => {
      const current = slot();
      return { blockhash: hashAt(current), lastValidBlockHeight: current + validitySlots, slot: current };
    },
    slotOfValid: (blockhash) => {
      const current = slot();
      // One that was given out in this process is at hand; another one may have been given out by a former process.
      if (!slots.has(blockhash)) {
        const oldest = current > validitySlots ? current - validitySlots : 0n;
        for (let each = oldest; each <= current; each += 1n) hashAt(each);
      }
      const found = slots.get(blockhash);
      return found !== undefined && found <= current && current - found <= validitySlots ? found : undefined;
    },
    block: () => {
      const current = slot();
      const epoch = current / slotsPerEpoch;
      return {
        slot: current,
        unixTimestamp: timeOf(current),
        epoch,
        epochStartTimestamp: timeOf(epoch * slotsPerEpoch),
        get slotHashes() {
          const slotHashes: { slot: bigint; hash: Blockhash }[] = [];
          for (let earlier = current - 1n; earlier >= oldestKept(current); earlier -= 1n) {
            slotHashes.push({ slot: earlier, hash: hashAt(earlier) });
          }
          return slotHashes;
        },
      };
    },
    at: (past) => seenFrom(() => past),
  });
  return seenFrom(present);
}

function hashOf(slot: bigint, seed: Uint8Array): Blockhash {
  const position = Buffer.alloc(8);
  position.writeBigUInt64BE(slot);
  return blockhashOf(createHmac("sha256", seed).update("blockhash").update(position).digest());
}
