import { base58 } from "@scure/base";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";

/** Test keys reach the sandbox and devnet, live keys reach mainnet, and no key reaches both (gap 2). */
export type ApiKeySide = "test" | "live";

/**
 * Whether a key belongs to a server, to the browsers of an application, who cannot keep it secret (gap 123), or to an agent, which is bounded
 * by it (gap 231).
 */
export type ApiKeyKind = "secret" | "publishable" | "agent";

/** Characters a key may have in the Authorization header; configured keys need not have the made ones' form. */
const presentableKey = /^[\x21-\x7e]{1,512}$/;
const secretBytes = 32;

/** Which side these environments are on. Throws `invalid_request` for none at all and for a mix (gap 2). */
export function apiKeySideOf(environments: readonly EnvironmentName[]): ApiKeySide {
  const live = environments.includes("mainnet");
  if (environments.length === 0 || (live && environments.some((name) => name !== "mainnet"))) {
    throw new TrellisError("invalid_request", {
      field: "environments",
      message: "An API key is for mainnet alone, or for the sandbox and devnet.",
    });
  }
  return live ? "live" : "test";
}

/**
 * Makes a key's value: `sk_test_`, `sk_live_`, `pk_test_` or `pk_live_`, and 32 bytes in base58. It is in one response and never
 * stored. `bytes` are random, or the same for every attempt of one operation and not known to any client.
 */
export function makeApiKey(bytes: Uint8Array, kind: ApiKeyKind, side: ApiKeySide): string {
  return `${kind === "publishable" ? "pk" : "sk"}_${side}_${base58.encode(bytes)}`;
}

/** The bytes of a new key. */
export const drawKeyBytes = (random: Random): Uint8Array => random.bytes(secretBytes);

/**
 * What a key is found by: HMAC-SHA256 of its text under the keyring's secret `api-key`. The text has 256 bits of
 * entropy, so a fast hash is enough; the secret keeps a stolen database from confirming guesses of configured keys.
 */
export function hashApiKey(secret: Macs, value: string): Uint8Array {
  return secret.make(value);
}

/** The part of a key that people may see, to distinguish their keys. */
export function visiblePrefixOf(value: string): string {
  const view = /^[sp]k_(?:test|live)_/.test(value) ? 12 : Math.min(4, value.length >> 2);
  return `${value.slice(0, view)}…`;
}

/** Whether a text could be a key at all: 1 to 512 visible ASCII characters. Saves a look-up for anything else. */
export function isPresentableApiKey(value: string): boolean {
  return presentableKey.test(value);
}
