import { base58 } from "@scure/base";
import type { Address, Signature } from "@solana/kit";
import { invalidParams, RpcError, rpcErrorCode } from "../rpc-error.js";
import type { NodeParts } from "./method.js";

/** A parameter object, parsed no further. */
export type Config = Readonly<Record<string, unknown>>;

/** An optional object parameter. Throws RpcError -32602 for anything else, also in the functions below. */
export function configParam(value: unknown, name = "config"): Config {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw invalidParams(`${name} must be an object`);
  return value as Config;
}

/** A base58 address of 32 bytes. */
export function addressParam(value: unknown, name = "address"): Address {
  return base58Param(value, 32, name) as Address;
}

/** A base58 transaction signature of 64 bytes. */
export function signatureParam(value: unknown, name = "signature"): Signature {
  return base58Param(value, 64, name) as Signature;
}

/** Base58 text of a number of bytes. */
export function base58Param(value: unknown, length: number, name: string): string {
  const text = stringParam(value, name);
  // Longer than any encoding of that many bytes: not worth the quadratic decoding.
  if (text.length > length * 2) throw invalidParams(`${name} is not base58 of ${length} bytes`);
  if (base58BytesParam(text, name).length !== length) throw invalidParams(`${name} is not base58 of ${length} bytes`);
  return text;
}

/** Base58 text of any number of bytes. */
export function base58BytesParam(text: string, name: string): Uint8Array {
  try {
    return base58.decode(text);
  } catch {
    throw invalidParams(`${name} is not base58`);
  }
}

/** Canonical base64 with padding. */
export function base64BytesParam(text: string, name: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw invalidParams(`${name} is not base64`);
  return new Uint8Array(bytes);
}

/** A string. */
export function stringParam(value: unknown, name: string): string {
  if (typeof value !== "string") throw invalidParams(`${name} must be a string`);
  return value;
}

/** A boolean, or its default where absent. */
export function booleanParam(value: unknown, name: string, absent: boolean): boolean {
  if (value === undefined || value === null) return absent;
  if (typeof value !== "boolean") throw invalidParams(`${name} must be a boolean`);
  return value;
}

/** An integer from 0 to `max`; it is a number in process and a bigint over HTTP. */
export function integerParam(value: unknown, name: string, max = 2n ** 64n - 1n): bigint {
  const whole = typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
  if (!whole) throw invalidParams(`${name} must be an integer`);
  const integer = BigInt(value);
  if (integer < 0n || integer > max) throw invalidParams(`${name} must be from 0 to ${max}`);
  return integer;
}

/** An array of at most `max` elements. */
export function arrayParam(value: unknown, name: string, max: number): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidParams(`${name} must be an array`);
  if (value.length > max) throw invalidParams(`too many ${name}: at most ${max}`);
  return value;
}

const commitments = ["processed", "confirmed", "finalized", "recent", "single", "singleGossip", "root", "max"];

/** One of several words, or the default where absent. */
export function choiceParam<Word extends string>(
  value: unknown,
  name: string,
  words: readonly Word[],
): Word | undefined {
  if (value === undefined || value === null) return undefined;
  const found = words.find((word) => word === value);
  if (found === undefined) throw invalidParams(`${name} must be one of ${words.join(", ")}`);
  return found;
}

/**
 * Checks the settings that most methods share. There is one commitment level here; a slot that the chain has not reached
 * is refused with -32016.
 */
export function checkFreshness(node: NodeParts, config: Config): void {
  choiceParam(config.commitment, "commitment", commitments);
  choiceParam(config.preflightCommitment, "preflightCommitment", commitments);
  if (config.minContextSlot === undefined || config.minContextSlot === null) return;
  const wanted = integerParam(config.minContextSlot, "minContextSlot");
  const slot = node.time.slot();
  if (slot >= wanted) return;
  throw new RpcError(rpcErrorCode.minContextSlotNotReached, "Minimum context slot has not been reached", {
    contextSlot: Number(slot),
  });
}

/** The same for methods that read blocks, and know no commitment below `confirmed`. */
export function checkConfirmed(config: Config): void {
  choiceParam(config.commitment, "commitment", commitments);
  if (config.commitment !== "processed" && config.commitment !== "recent") return;
  throw invalidParams("Method does not support commitment below `confirmed`");
}

/** The newest transaction version the caller reads; undefined where it knows of none but legacy. */
export function maxVersionParam(config: Config): bigint | undefined {
  const value = config.maxSupportedTransactionVersion;
  if (value === undefined || value === null || value === "legacy") return undefined;
  return integerParam(value, "maxSupportedTransactionVersion", 255n);
}
