/** The P-256 keys that a signature can be of: an assertion does not name its passkey's key. Of public values alone, in no constant time. */
import { Buffer } from "node:buffer";
import { sha256 } from "./sha256.js";

const p = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** In Jacobian coordinates; z is 0 for the point at infinity. */
type Point = { readonly x: bigint; readonly y: bigint; readonly z: bigint };

const base: Point = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  z: 1n,
};
const infinity: Point = { x: 1n, y: 1n, z: 0n };

/**
 * The keys whose signature over `message` these 64 bytes of r and s can be, compressed, 33 bytes each: two as a rule, one of which is
 * the signer's. Whether the other one has an owner cannot be known. None where there is no such signature.
 */
export function recoverPasskeyKeys(message: Uint8Array, signature: Uint8Array): readonly Uint8Array[] {
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)].map(numberOf) as [bigint, bigint];
  if (signature.length !== 64 || r === 0n || r >= n || s === 0n || s >= n) return [];
  const squared = mod(r ** 3n - 3n * r + b, p);
  const y = power(squared, (p + 1n) / 4n, p);
  if (mod(y * y, p) !== squared) return [];
  const inverse = power(r, n - 2n, n);
  const ofBase = multiply(base, mod(-numberOf(sha256(message)) * inverse, n));
  const ofNonce = multiply({ x: r, y, z: 1n }, mod(s * inverse, n));
  return [ofNonce, { ...ofNonce, y: mod(-ofNonce.y, p) }]
    .map((point) => add(ofBase, point))
    .flatMap((key) => (key.z === 0n ? [] : [compress(key)]));
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex") || "0"}`);

const mod = (value: bigint, modulus: bigint): bigint => {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
};

function power(value: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = mod(value, modulus);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function double({ x, y, z }: Point): Point {
  if (z === 0n) return infinity;
  const z2 = mod(z * z, p);
  const y2 = mod(y * y, p);
  const x4 = mod(4n * x * y2, p);
  const slope = mod(3n * (x - z2) * (x + z2), p);
  const sumX = mod(slope * slope - 2n * x4, p);
  return { x: sumX, y: mod(slope * (x4 - sumX) - 8n * y2 * y2, p), z: mod(2n * y * z, p) };
}

function add(one: Point, other: Point): Point {
  if (one.z === 0n) return other;
  if (other.z === 0n) return one;
  const [z1, z2] = [mod(one.z * one.z, p), mod(other.z * other.z, p)];
  const [x1, x2] = [mod(one.x * z2, p), mod(other.x * z1, p)];
  const [y1, y2] = [mod(one.y * z2 * other.z, p), mod(other.y * z1 * one.z, p)];
  const [h, slope] = [mod(x2 - x1, p), mod(y2 - y1, p)];
  if (h === 0n) return slope === 0n ? double(one) : infinity;
  const h2 = mod(h * h, p);
  const h3 = mod(h2 * h, p);
  const x = mod(slope * slope - h3 - 2n * x1 * h2, p);
  return { x, y: mod(slope * (x1 * h2 - x) - y1 * h3, p), z: mod(h * one.z * other.z, p) };
}

function multiply(point: Point, factor: bigint): Point {
  let sum = infinity;
  for (const bit of factor.toString(2)) {
    sum = double(sum);
    if (bit === "1") sum = add(sum, point);
  }
  return sum;
}

function compress({ x, y, z }: Point): Uint8Array {
  const inverse = power(z, p - 2n, p);
  const squared = mod(inverse * inverse, p);
  const affineY = mod(y * squared * inverse, p);
  const head = affineY & 1n ? "03" : "02";
  return Uint8Array.from(
    Buffer.from(
      head +
        mod(x * squared, p)
          .toString(16)
          .padStart(64, "0"),
      "hex",
    ),
  );
}
