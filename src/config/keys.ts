import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import { type KeyStores, parseSealingPlace, type SealingPlace } from "./key-stores.js";

export interface MasterKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** A master key that a key store sealed, and opens at the start. */
export interface SealedMasterKey {
  readonly id: string;
  readonly place: SealingPlace;
  readonly ciphertext: string;
}

export type ConfiguredMasterKey = MasterKey | SealedMasterKey;

export function parseMasterKeys(
  text: string,
  stores: KeyStores,
  problems: string[],
): readonly ConfiguredMasterKey[] | null {
  const parse = (part: string) => parseMasterKey(part, stores, problems);
  return parseKeyList("TRELLIS_MASTER_KEY", text, problems, parse);
}

/** The same for a custodian of its own process, whose keys are written out. */
export function parsePlainMasterKeys(variable: string, text: string, problems: string[]): readonly MasterKey[] | null {
  return parseKeyList(variable, text, problems, (part) => parsePlainMasterKey(variable, part, problems));
}

function parseKeyList<Key extends { readonly id: string }>(
  variable: string,
  text: string,
  problems: string[],
  parse: (part: string) => Key | undefined,
): readonly Key[] | null {
  if (text === "") return null;
  const keys: Key[] = [];
  for (const part of text.split(",")) {
    const key = parse(part.trim());
    if (key === undefined) continue;
    const { id } = key;
    if (keys.some((other) => other.id === id)) {
      const unnamed =
        id === "1" ? " A key without a name is called 1: give another one a name, as in 2026b:<key>." : "";
      problems.push(`${variable} names the key id ${id} twice.${unnamed}`);
    }
    keys.push(key);
  }
  return keys;
}

/** `<id>=<place>#<ciphertext>`, or `<id>:<base64>`, or base64 alone. Undefined where a problem was added. */
function parseMasterKey(text: string, stores: KeyStores, problems: string[]): ConfiguredMasterKey | undefined {
  const [, id, written, ciphertext] = /^([a-zA-Z0-9_-]{1,32})=((?:transit|aws-kms):[^#]+)(?:#(.*))?$/.exec(text) ?? [];
  if (id === undefined || written === undefined) return parsePlainMasterKey("TRELLIS_MASTER_KEY", text, problems);
  const place = parseSealingPlace(written, stores);
  if ("problem" in place) {
    problems.push(`TRELLIS_MASTER_KEY ${place.problem}.`);
    return undefined;
  }
  const form = place.kind === "transit" ? /^vault:v\d{1,9}:[A-Za-z0-9+/]+={0,2}$/ : /^[A-Za-z0-9+/]+={0,2}$/;
  if (ciphertext !== undefined && form.test(ciphertext)) return { id, place, ciphertext };
  problems.push(
    "TRELLIS_MASTER_KEY must hold the ciphertext of a sealed key behind a #, as `trellis keys seal` prints it.",
  );
  return undefined;
}

function parsePlainMasterKey(variable: string, text: string, problems: string[]): MasterKey {
  const [, id = "1", encoded = ""] = /^(?:([a-zA-Z0-9_-]{1,32}):)?(.+)$/.exec(text) ?? [];
  const key = Buffer.from(encoded, "base64");
  // The value itself never goes into a message: messages end up in logs.
  if (key.length !== 32)
    problems.push(`${variable} must be 32 bytes in base64 (openssl rand -base64 32), or id:base64 pairs.`);
  return { id, key: new Uint8Array(key) };
}

/** A key that is made sure to exist. */
export interface ConfiguredApiKey {
  readonly value: string;
  readonly environments: readonly EnvironmentName[];
}

export function parseApiKey(value: string, environmentsText: string, problems: string[]): ConfiguredApiKey | null {
  if (value === "") return null;
  const environments: EnvironmentName[] = [];
  for (const part of environmentsText.split(",").map((name) => name.trim())) {
    const name = part === "production" ? "mainnet" : part;
    const known = environmentNames.find((candidate) => candidate === name);
    if (known) environments.push(known);
    else problems.push(`TRELLIS_API_KEY_ENVIRONMENTS names an unknown environment: "${part}".`);
  }
  const live = environments.includes("mainnet");
  if (live && environments.length > 1)
    problems.push("TRELLIS_API_KEY_ENVIRONMENTS must not mix mainnet with other environments.");
  const least = live ? 32 : 16;
  if (value.length < least || !/^[\x21-\x7e]+$/.test(value)) {
    problems.push(`TRELLIS_API_KEY must have at least ${least} printable characters and no spaces.`);
  }
  return { value, environments };
}
