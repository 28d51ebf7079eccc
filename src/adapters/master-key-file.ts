import { randomBytes } from "node:crypto";
import { access, link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { MasterKey } from "../config/keys.js";

const fileName = "master.key";

/**
 * The sandbox's own master key: made at the first start, in a file that only its owner can read. Fine for play money,
 * refused for anything else (gap 1). Throws when the file is there and is no key: a new one would orphan every secret.
 */
export async function readOrMakeMasterKey(directory: string): Promise<MasterKey> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, fileName);
  if (!(await exists(path))) await makeFile(path);
  const key = Buffer.from((await readFile(path, "utf8")).trim(), "base64");
  if (key.length !== 32)
    throw new Error(`${path} does not hold a master key of 32 bytes in base64. Restore it from a backup.`);
  return { id: "file", key: new Uint8Array(key) };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Whole or not at all, whenever the process ends; of several that make it at once, the first one's stays. */
async function makeFile(path: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString("base64")}\n`);
    // Everything sealed from here on depends on it.
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
