import { createHmac, type KeyObject } from "node:crypto";
import { base58 } from "@scure/base";
import { TrellisError } from "../../errors.js";
import type { EnvironmentName } from "../../ports/environment.js";
import type { Random } from "../../ports/random.js";

/** Test keys reach the sandbox and devnet, live keys reach mainnet, and no key reaches both (gap 2). */
export type ApiKeyKind = "test" | "live";

/** Characters a key may have in the Authorization header; configured keys need not have the made ones' form. */
const presentableKey = /^[\x21-\x7e]{1,512}$/;
const secretBytes = 32;

/** Which kind of key these environments call for. Throws `invalid_request` for none at all and for a mix (gap 2). */
export function apiKeyKindOf(environments: readonly EnvironmentName[]): ApiKeyKind {
  const live = environments.includes("mainnet");
  if (environments.length === 0 || (live && environments.some((name) => name !== "mainnet"))) {
    throw new TrellisError("invalid_request", {
      field: "environments",
      message: "An API key is for mainnet alone, or for the sandbox and devnet.",
    });
  }
  return live ? "live" : "test";
}

/** Makes a key's value: `sk_test_` or `sk_live_` and 32 random bytes in base58. It is shown once and never stored. */
export function makeApiKey(random: Random, kind: ApiKeyKind): string {
  return `sk_${kind}_${base58.encode(random.bytes(secretBytes))}`;
}

/**
 * What a key is found by: HMAC-SHA256 of its text under the keyring's secret `api-key`. The text has 256 bits of
 * entropy, so a fast hash is enough; the secret keeps a stolen database from confirming guesses of configured keys.
 */
export function hashApiKey(secret: Uint8Array | KeyObject, value: string): Uint8Array {
  return createHmac("sha256", secret).update(value).digest();
}

/** The part of a key that people may see, to tell their keys apart. */
export function visiblePrefixOf(value: string): string {
  const shown = /^sk_(?:test|live)_/.test(value) ? 12 : Math.min(4, value.length >> 2);
  return `${value.slice(0, shown)}…`;
}

/** Whether a text could be a key at all: 1 to 512 visible ASCII characters. Saves a look-up for anything else. */
export function isPresentableApiKey(value: string): boolean {
  return presentableKey.test(value);
}
