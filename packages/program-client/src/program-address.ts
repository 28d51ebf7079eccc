/**
 * Program derived addresses, computed synchronously.
 *
 * A request derives dozens of them, and the platform's promise-based hash makes each take half a millisecond.
 */
import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import type { Address } from "@solana/kit";
import { remembered } from "@trellis/kernel/remembered.js";
import { sha256 } from "./sha256.js";

/** An address no private key belongs to, with the number that pushed it off the curve. */
export type ProgramDerivedAddress = { readonly address: Address; readonly bump: number };

const MARKER = new TextEncoder().encode("ProgramDerivedAddress");

/**
 * Derives the address of `seeds` (at most 15, each at most 32 bytes) under `programAddress`: the first bump from 255
 * downwards whose hash is not a point of Ed25519. Throws a `RangeError` for seeds the runtime would refuse.
 */
export function findProgramDerivedAddress(
  programAddress: Address,
  seeds: readonly Uint8Array[],
): ProgramDerivedAddress {
  if (seeds.length > 15) throw new RangeError("more than 15 seeds");
  let length = 0;
  for (const seed of seeds) {
    if (seed.length > 32) throw new RangeError("a seed is longer than 32 bytes");
    length += seed.length;
  }
  const preimage = new Uint8Array(length + 1 + 32 + MARKER.length);
  let at = 0;
  for (const seed of seeds) {
    preimage.set(seed, at);
    at += seed.length;
  }
  preimage.set(addressBytes(programAddress), at + 1);
  preimage.set(MARKER, at + 33);
  for (let bump = 255; bump >= 0; bump--) {
    preimage[at] = bump;
    const hash = sha256(preimage);
    if (!isCurvePoint(hash)) return { address: base58.encode(hash) as Address, bump };
  }
  throw new RangeError("no bump leads off the curve");
}

/** The 32 bytes of an address, the caller's own. Throws when the text is not base58 of exactly 32 bytes. */
export function addressBytes(address: Address): Uint8Array {
  return new Uint8Array(decodeAddress(address));
}

/** The address of 32 bytes. */
export function addressOfBytes(bytes: Uint8Array): Address {
  if (bytes.length !== 32) throw new RangeError("an address has 32 bytes");
  return encodeAddress(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}

/** Base58 takes longer than all else that is done with most addresses, and the same ones occur again and again. */
const addressesAtHand = 10_000;

const decodeAddress = remembered(
  addressesAtHand,
  (address: Address) => address,
  (address) => {
    const bytes = base58.decode(address);
    if (bytes.length !== 32) throw new RangeError(`not a 32-byte address: ${address}`);
    return bytes;
  },
);

const encodeAddress = remembered(
  addressesAtHand,
  (latin1: string) => latin1,
  (latin1) => base58.encode(Buffer.from(latin1, "latin1")) as Address,
);

/** Whether a private key can exist for `address`: true for a wallet's key, false for a derived address. Computed once, as signers occur again and again. */
export const isOnCurve = remembered(
  addressesAtHand,
  (address: Address) => address,
  (address) => isCurvePoint(addressBytes(address)),
);

/**
 * Whether `address` can be the public key of a signer: a point of the curve in its one encoding, and none of the
 * eight points of small order, among them the zero key, whose signatures prove nothing and are refused by the chain.
 */
export function isKey(address: Address): boolean {
  const bytes = addressBytes(address);
  const y = yOf(bytes);
  return y < P && isCurvePoint(bytes) && !smallOrderYs.has(y);
}

const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const LOW_255_BITS = 2n ** 255n - 1n;

/** Whether 32 bytes decompress to a point of Ed25519 (RFC 8032, 5.1.3, without its refusal of non-canonical encodings). */
function isCurvePoint(bytes: Uint8Array): boolean {
  const y = yOf(bytes);
  const yy = (y * y) % P;
  // x² = (y²-1)/(dy²+1) has a root exactly when the product of the two is a square, and dy²+1 is never 0.
  const product = ((yy + P - 1n) * (D * yy + 1n)) % P;
  return product === 0n || jacobi(product) === 1;
}

/** The number that 32 bytes hold, without the bit that distinguishes two points with the same y. */
function yOf(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 32);
  const high = (view.getBigUint64(24, true) << 64n) | view.getBigUint64(16, true);
  const low = (view.getBigUint64(8, true) << 64n) | view.getBigUint64(0, true);
  return ((high << 128n) | low) & LOW_255_BITS;
}

/** Of the points of order 8; the other four points with P minus it. */
const ORDER_EIGHT_Y = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** Of the points of order 1, 2, 4 and 8. */
const smallOrderYs: ReadonlySet<bigint> = new Set([1n, P - 1n, 0n, ORDER_EIGHT_Y, P - ORDER_EIGHT_Y]);

// Numbers below are ten limbs of 26 bits, least significant first: sums and differences stay within 32-bit integers.
const LIMBS = 10;
const LIMB_BITS = 26;
const LIMB_MASK = (1 << LIMB_BITS) - 1;
const P_LIMBS = limbsOf(P);

function limbsOf(value: bigint): Int32Array {
  const limbs = new Int32Array(LIMBS);
  // Two limbs at a time: 52 bits fit a number exactly, and big integers are the slow part.
  let rest = value;
  for (let i = 0; i < LIMBS; i += 2) {
    const pair = Number(BigInt.asUintN(2 * LIMB_BITS, rest));
    limbs[i] = pair & LIMB_MASK;
    limbs[i + 1] = Math.floor(pair / 2 ** LIMB_BITS);
    rest >>= BigInt(2 * LIMB_BITS);
  }
  return limbs;
}

/** The Jacobi symbol (value / P) by the binary algorithm; ten times faster than raising to (P-1)/2. */
function jacobi(value: bigint): number {
  let a: Int32Array = limbsOf(value);
  let n: Int32Array = Int32Array.from(P_LIMBS);
  let length = LIMBS;
  let sign = 1;
  for (;;) {
    const zeros = shiftOutZeros(a, length);
    if (zeros < 0) return length >= 1 && isOne(n, length) ? sign : 0;
    const nLow = (n[0] ?? 0) & 7;
    if ((zeros & 1) === 1 && (nLow === 3 || nLow === 5)) sign = -sign;
    if (isLess(a, n, length)) {
      const swapped = a;
      a = n;
      n = swapped;
      if (((a[0] ?? 0) & 3) === 3 && ((n[0] ?? 0) & 3) === 3) sign = -sign;
    }
    subtract(a, n, length);
    while (length > 1 && a[length - 1] === 0 && n[length - 1] === 0) length--;
  }
}

/** Divides by the greatest power of two it holds and returns the exponent; -1 for zero. */
function shiftOutZeros(a: Int32Array, length: number): number {
  let total = 0;
  let words = 0;
  while (words < length && a[words] === 0) words++;
  if (words === length) return -1;
  if (words > 0) {
    a.copyWithin(0, words, length);
    a.fill(0, length - words, length);
    total = words * LIMB_BITS;
  }
  const lowest = a[0] ?? 0;
  const bits = 31 - Math.clz32(lowest & -lowest);
  if (bits > 0) {
    const lift = LIMB_BITS - bits;
    const last = length - 1;
    let current = lowest;
    for (let i = 0; i < last; i++) {
      const next = a[i + 1] ?? 0;
      a[i] = (current >> bits) | ((next << lift) & LIMB_MASK);
      current = next;
    }
    a[last] = current >> bits;
  }
  return total + bits;
}

function isLess(a: Int32Array, b: Int32Array, length: number): boolean {
  for (let i = length - 1; i >= 0; i--) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function isOne(a: Int32Array, length: number): boolean {
  for (let i = 1; i < length; i++) if (a[i] !== 0) return false;
  return a[0] === 1;
}

function subtract(a: Int32Array, b: Int32Array, length: number): void {
  let borrow = 0;
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0) + borrow;
    a[i] = difference & LIMB_MASK;
    borrow = difference >> LIMB_BITS;
  }
}
