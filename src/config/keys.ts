import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";

export interface MasterKey {
  readonly id: string;
  readonly key: Uint8Array;
}

export function parseMasterKeys(
  text: string,
  problems: string[],
  variable = "TRELLIS_MASTER_KEY",
): readonly MasterKey[] | null {
  if (text === "") return null;
  const keys: MasterKey[] = [];
  for (const part of text.split(",")) {
    const [, id = "1", encoded = ""] = /^(?:([a-zA-Z0-9_-]{1,32}):)?(.+)$/.exec(part.trim()) ?? [];
    const key = Buffer.from(encoded, "base64");
    // The value itself never goes into a message: messages end up in logs.
    if (key.length !== 32)
      problems.push(`${variable} must be 32 bytes in base64 (openssl rand -base64 32), or id:base64 pairs.`);
    if (keys.some((other) => other.id === id)) {
      const unnamed =
        id === "1" ? " A key without a name is called 1: give another one a name, as in 2026b:<key>." : "";
      problems.push(`${variable} names the key id ${id} twice.${unnamed}`);
    }
    keys.push({ id, key: new Uint8Array(key) });
  }
  return keys;
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
