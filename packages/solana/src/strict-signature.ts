import { Buffer } from "node:buffer";
import type { Address } from "@solana/kit";
import { verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { addressBytes } from "@trellis/program-client";

/**
 * Every encoding of a point whose order divides 8, sign bit left out. With such a key, or such a first half, a signature
 * "verifies" that no signer made, or over messages it was not made for; the chain refuses both (RFC 8032 section 5.1.7 leaves
 * the choice to the verifier).
 */
const smallOrder: ReadonlySet<string> = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

/**
 * Whether the chain will accept `signature` (64 bytes) as the one of `address` over `message`: as strict as a node, so
 * that no bytes are stored for sending that every node refuses.
 */
export function isChainSignature(address: Address, message: Uint8Array, signature: Uint8Array): boolean {
  const key = addressBytes(address);
  if (isSmallOrder(key) || isSmallOrder(signature.subarray(0, 32))) return false;
  return verifyEd25519(key, message, signature);
}

function isSmallOrder(point: Uint8Array): boolean {
  const bytes = Uint8Array.from(point);
  bytes[31] = (bytes[31] ?? 0) & 0x7f;
  return smallOrder.has(Buffer.from(bytes).toString("hex"));
}
