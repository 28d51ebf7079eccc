import { readFile, rename, writeFile } from "node:fs/promises";
import { ConfigError } from "../../config/config.js";

/** What became of an account: nothing here is secret, and nothing is believed over the chain. */
export interface MovingEntry {
  readonly email: string;
  readonly outcome: "moved" | "moved_with_findings" | "proposed" | "failed";
  /** ISO 8601. */
  readonly at: string;
  readonly address?: string;
  readonly message: string;
}

/** Entries by the place that the list names. */
export type MovingState = Readonly<Record<string, MovingEntry>>;

/** Reads what former runs came to. Throws ConfigError for a file that is something else. */
export async function readMovingState(path: string): Promise<MovingState> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw new ConfigError([`${path} cannot be read: ${error.message}`]);
  });
  try {
    const state: unknown = JSON.parse(text);
    if (typeof state === "object" && state !== null && !Array.isArray(state)) return state as MovingState;
  } catch {
    // Said below.
  }
  throw new ConfigError([`${path} is not a file of trellis move. Name another one with --state.`]);
}

/** Writes it whole or not at all. */
export async function writeMovingState(path: string, state: MovingState): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}
