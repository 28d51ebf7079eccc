import { randomBytes } from "node:crypto";
import { open } from "node:fs/promises";
import { base58 } from "@scure/base";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { ConfigError } from "../config/config.js";

/** Bits of a file's mode that let others than its owner at it. */
const othersBits = 0o077;

/**
 * Reads an Ed25519 key from a file as Solana's tools write it: a JSON list of 64 numbers. Throws ConfigError for what is none, and for a file
 * that others on the machine may read. `what` names it for people.
 */
export async function readKeyFile(path: string, what: string): Promise<SignerKey> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`${what}: ${path} cannot be read (${error.code}).`]);
  });
  try {
    const { mode } = await file.stat();
    if (process.platform !== "win32" && (mode & othersBits) !== 0) {
      throw new ConfigError([`${what}: others may read ${path}. Run: chmod 600 ${path}`]);
    }
    return parseKey(await file.readFile("utf8"), what);
  } finally {
    await file.close();
  }
}

/** A key as text: a JSON list of 64 numbers, or the same bytes in base58. Throws ConfigError, without a word of the text. */
export function parseKey(text: string, what: string): SignerKey {
  try {
    const key = text.trim().startsWith("[") ? bytesOf(JSON.parse(text)) : base58.decode(text.trim());
    addressOfKey(key);
    return key;
  } catch {
    throw new ConfigError([`${what} is no key: a JSON list of 64 numbers, as solana-keygen writes it.`]);
  }
}

function bytesOf(list: unknown): Uint8Array {
  const isByte = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
  if (!Array.isArray(list) || !list.every(isByte)) throw new TypeError("no list of bytes");
  return Uint8Array.from(list as number[]);
}

/** Makes a key in a new file that its owner alone may read. Throws ConfigError where there is a file already. */
export async function makeKeyFile(path: string): Promise<SignerKey> {
  const seed = new Uint8Array(randomBytes(32));
  const key = Uint8Array.from([...seed, ...base58.decode(addressOfKey(seed))]);
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") {
      throw new ConfigError([
        `There is a file ${path} already: name another one, or go on with what it was made for by --resume.`,
      ]);
    }
    throw error;
  });
  try {
    await file.writeFile(`${JSON.stringify([...key])}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return key;
}
