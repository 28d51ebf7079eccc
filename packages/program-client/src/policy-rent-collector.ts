import type { Address } from "@solana/kit";
import { addressOfBytes, isKey } from "./program-address.js";

const INTERNAL_FUND_TRANSFER = 0;
const SPENDING_LIMIT = 1;
const CUSTOM_PERIOD = 4;
const keyBytes = 32;
/** An instant of this many seconds lies five hundred years ahead. */
const instantMost = 1n << 34n;

/**
 * The address to which the rent of a policy goes when it is removed: the last field of its account, behind what the policy
 * allows, its start and its end. `kindAt` is where its kind stands. Of the kinds whose layout is known it is read from the
 * front; of the others from the end, where every byte around it has to fit. Undefined where it cannot be determined.
 */
export function policyRentCollector(bytes: Uint8Array, kindAt: number): Address | undefined {
  const end = endOfState(bytes, kindAt);
  if (end !== undefined) {
    const collectorAt = endOfExpiration(bytes, end + 8);
    return collectorAt === undefined ? undefined : keyAt(bytes, collectorAt);
  }
  return isUnknownLayout(bytes[kindAt]) ? fromTheEnd(bytes, kindAt + 1) : undefined;
}

const isUnknownLayout = (kind: number | undefined): boolean =>
  kind !== undefined && kind !== INTERNAL_FUND_TRANSFER && kind !== SPENDING_LIMIT;

/** Where what the policy allows ends; undefined for kinds whose layout is not known, and for bytes that do not fit. */
function endOfState(bytes: Uint8Array, kindAt: number): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = kindAt + 1;
  const list = (): void => {
    at += 4 + keyBytes * view.getUint32(at, true);
  };
  try {
    if (bytes[kindAt] === INTERNAL_FUND_TRANSFER) {
      // Two masks of the account's own vaults, then the tokens.
      at += 2 * keyBytes;
      list();
      return at;
    }
    if (bytes[kindAt] !== SPENDING_LIMIT) return undefined;
    // The vault, then who may be paid.
    at += 1;
    list();
    // The mint and the start of the limit; its end; its period.
    at += keyBytes + 8;
    at += view.getUint8(at) === 1 ? 9 : 1;
    at += view.getUint8(at) === CUSTOM_PERIOD ? 9 : 1;
    // Accumulates, per period, per use, exact, what is left, last reset.
    return at + 1 + 8 + 8 + 1 + 8 + 8;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Where the end of the policy's life, which begins at `at`, ends itself. */
function endOfExpiration(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] === 0) return at + 1;
  if (bytes[at] !== 1) return undefined;
  if (bytes[at + 1] === 0) return at + 2 + 8;
  return bytes[at + 1] === 1 ? at + 2 + 32 : undefined;
}

/** Behind the last field an account is zero, and a key may end in a zero of its own. */
const zerosOfAKey = 3;

/** The only address that fits. Where two do, none is chosen. */
function fromTheEnd(bytes: Uint8Array, from: number): Address | undefined {
  let last = bytes.length;
  while (last > from && bytes[last - 1] === 0) last -= 1;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Set<Address>();
  for (let end = last; end <= Math.min(last + zerosOfAKey, bytes.length); end += 1) {
    for (const length of [1, 10, 34]) {
      const startAt = end - keyBytes - length - 8;
      if (startAt < from || endOfExpiration(bytes, startAt + 8) !== end - keyBytes) continue;
      const start = view.getBigInt64(startAt, true);
      const collector = keyAt(bytes, end - keyBytes);
      const isInstant = start >= 0n && start < instantMost;
      // No one can find a key that begins with eight zeros: those would be bytes in front of it.
      const isWhole = view.getBigUint64(end - keyBytes, true) !== 0n;
      if (isInstant && isWhole && collector !== undefined && isKey(collector)) found.add(collector);
    }
  }
  const [only, second] = found;
  return second === undefined ? only : undefined;
}

function keyAt(bytes: Uint8Array, at: number): Address | undefined {
  const key = bytes.slice(at, at + keyBytes);
  return key.length === keyBytes && key.some((byte) => byte !== 0) ? addressOfBytes(key) : undefined;
}
