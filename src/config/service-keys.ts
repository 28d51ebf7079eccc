import { readFileSync } from "node:fs";
import { base58 } from "@scure/base";
import { type Address, isAddress } from "@solana/kit";
import { ed25519PublicKeyOf } from "@trellis/kernel/crypto/ed25519.js";
import {
  type AwsKmsPlace,
  type KeyStores,
  type ParsedPlace,
  parseAwsKms,
  parseTransit,
  type TransitPlace,
} from "./key-stores.js";

import { type Pkcs11Place, parsePkcs11 } from "./pkcs11-uri.js";

/** A key that signs transactions: its seed (32 bytes, secret), or the place where a key store holds it. */
export type ConfiguredServiceKey = { readonly address: Address } & (
  | { readonly kind: "seed"; readonly seed: Uint8Array }
  | (TransitPlace & {
      /** A rotation of a transit key makes another key: this one signs on. */
      readonly version: number;
    })
  | AwsKmsPlace
  | Pkcs11Place
);

/** The keys of a cluster, and the variables they stand in. */
export interface GivenServiceKeys {
  readonly feePayer: string;
  readonly executor: string;
  readonly formerFeePayer: string;
  readonly formerExecutor: string;
  readonly passkeyPayer: string;
}

/** The keys of a cluster. */
export interface ServiceKeys {
  readonly feePayer: ConfiguredServiceKey;
  /** The key that pays standing orders; null: there are none. */
  readonly executor: ConfiguredServiceKey | null;
  /** Those before them, while they change; null: they do not. */
  readonly formerFeePayer: ConfiguredServiceKey | null;
  readonly formerExecutor: ConfiguredServiceKey | null;
  /** Pays for passkeys and their sessions; null: the fee payer does. */
  readonly passkeyPayer: ConfiguredServiceKey | null;
}

/**
 * Reads the keys of a cluster. The executor is never the fee payer: what is signed with one key must not move what belongs to
 * the other. Of use only when no problem was added.
 */
export function parseServiceKeys(
  prefix: string,
  given: GivenServiceKeys,
  stores: KeyStores,
  problems: string[],
): ServiceKeys {
  const read = (name: string, text: string): ConfiguredServiceKey | null => {
    const key = parseServiceKey(text, stores);
    if (!("problem" in key)) return key;
    problems.push(`${prefix}_${name} ${key.problem}.`);
    return null;
  };
  if (given.feePayer === "") {
    problems.push(`${prefix}_FEE_PAYER is required: the key that pays fees and rent, or the path of its file.`);
  }
  const feePayer = given.feePayer === "" ? null : read("FEE_PAYER", given.feePayer);
  const executor = given.executor === "" ? null : read("EXECUTOR", given.executor);
  if (executor !== null && executor.address === feePayer?.address) {
    problems.push(`${prefix}_EXECUTOR must be another key than the fee payer.`);
  }
  const formerFeePayer = given.formerFeePayer === "" ? null : read("FORMER_FEE_PAYER", given.formerFeePayer);
  const formerExecutor = given.formerExecutor === "" ? null : read("FORMER_EXECUTOR", given.formerExecutor);
  if (formerExecutor !== null && given.executor === "") {
    problems.push(
      `${prefix}_FORMER_EXECUTOR is for the time after ${prefix}_EXECUTOR is another key: name that one, too.`,
    );
  }
  const passkeyPayer = given.passkeyPayer === "" ? null : read("PASSKEY_PAYER", given.passkeyPayer);
  for (const [name, key, others] of [
    ["FORMER_FEE_PAYER", formerFeePayer, [feePayer, executor]],
    ["FORMER_EXECUTOR", formerExecutor, [feePayer, executor, formerFeePayer]],
    ["PASSKEY_PAYER", passkeyPayer, [feePayer, executor, formerFeePayer, formerExecutor]],
  ] as const) {
    if (key !== null && others.some((other) => other?.address === key.address)) {
      problems.push(`${prefix}_${name} must be another key than the others of the cluster.`);
    }
  }
  return { feePayer: feePayer ?? noKey, executor, formerFeePayer, formerExecutor, passkeyPayer };
}

/** Stands where a problem was added. */
const noKey: ConfiguredServiceKey = {
  kind: "seed",
  address: "11111111111111111111111111111111" as Address,
  seed: new Uint8Array(32),
};

/** Reads a secret key, the path of its file, or `<address>=<place>`. */
function parseServiceKey(text: string, stores: KeyStores): ParsedPlace<ConfiguredServiceKey> {
  const [, address, kind, rest = ""] = /^(?:([^=:/]*)=)?(transit|aws-kms|pkcs11):(.+)$/s.exec(text) ?? [];
  if (kind === undefined) return parseSecretKey(text);
  if (address === undefined || !isAddress(address)) {
    return { problem: `must begin with the address of the key: <address>=${kind}:…` };
  }
  if (kind === "aws-kms") {
    const place = parseAwsKms(rest, stores);
    return "problem" in place ? place : { address, ...place };
  }
  if (kind === "pkcs11") {
    const place = parsePkcs11(rest);
    return "problem" in place ? place : { address, ...place };
  }
  const [, url, version] = /^([^#]+)#([1-9]\d{0,8})$/.exec(rest) ?? [];
  if (url === undefined) {
    return { problem: "must name the version of the transit key: …/keys/<name>#<version>" };
  }
  const place = parseTransit(url, stores);
  return "problem" in place ? place : { address, ...place, version: Number(version) };
}

/** The seed in a Solana secret key: 64 bytes, seed and public key, as JSON array or base58, or in a file as either. */
function parseSecretKey(text: string): ParsedPlace<ConfiguredServiceKey> {
  const written = decodeSecretKey(text) ?? decodeSecretKey(readKeyFile(text) ?? "");
  if (written === undefined) {
    return {
      problem:
        "must be a Solana secret key of 64 bytes (JSON array or base58), the path of a readable file of one, or " +
        "<address>=<place> for a key in a key store",
    };
  }
  const seed = written.subarray(0, 32);
  const publicKey = ed25519PublicKeyOf(seed);
  if (!Buffer.from(publicKey).equals(written.subarray(32))) {
    return { problem: "holds a secret key whose public half does not belong to it" };
  }
  return { kind: "seed", address: base58.encode(publicKey) as Address, seed };
}

function decodeSecretKey(text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  const bytes = trimmed.startsWith("[") ? bytesOfJson(trimmed) : bytesOfBase58(trimmed);
  return bytes?.length === 64 ? bytes : undefined;
}

function bytesOfJson(text: string): Uint8Array | undefined {
  // Strict, because what is no list of bytes would be cut down to one.
  return /^\[\s*\d{1,3}(\s*,\s*\d{1,3})*\s*\]$/.test(text)
    ? Uint8Array.from(text.slice(1, -1).split(","), (part) => Number(part.trim()))
    : undefined;
}

function bytesOfBase58(text: string): Uint8Array | undefined {
  return /^[1-9A-HJ-NP-Za-km-z]{80,90}$/.test(text) ? base58.decode(text) : undefined;
}

function readKeyFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Why it cannot be read may repeat the value, which may be a mistyped secret.
    return undefined;
  }
}
