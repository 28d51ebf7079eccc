import { readFile, rename, writeFile } from "node:fs/promises";
import { LockFileTakenError, takeLockFile } from "../../adapters/lock-file.js";
import { ConfigError } from "../../config/config.js";

/** What became of an account: nothing here is secret. */
export interface MovingEntry {
  readonly email: string;
  readonly outcome: "moved" | "moved_with_findings" | "proposed" | "failed";
  /** ISO 8601. */
  readonly at: string;
  readonly address?: string;
  readonly message: string;
}

/** Between which services accounts are moved: what is true of one pair says nothing about another. */
export interface MovingRoute {
  /** Origins of the services' URLs. */
  readonly from: string;
  readonly to: string;
  /** Of the new service. */
  readonly environment: string;
}

/** Entries by the place that the list names. */
export type MovingState = Readonly<Record<string, MovingEntry>>;

/** A file of entries that this run alone writes. */
export interface MovingFile {
  /** The results of former runs. */
  readonly state: MovingState;
  write(state: MovingState): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the file, or begins one. Throws ConfigError for a file that is something else or of another route, and where another
 * run is writing it.
 */
export async function openMovingFile(path: string, route: MovingRoute): Promise<MovingFile> {
  const lock = await takeLockFile(`${path}.lock`).catch((error: Error) => {
    if (error instanceof LockFileTakenError) {
      throw new ConfigError([
        `${path} is being written by another run (pid ${error.pid}). Wait for it, or name another file.`,
      ]);
    }
    throw new ConfigError([`${path} cannot be written: ${error.message}`]);
  });
  try {
    const state = await readState(path, route);
    return {
      state,
      write: (accounts) => writeWhole(path, { route, accounts }),
      close: () => lock.release(),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function readState(path: string, route: MovingRoute): Promise<MovingState> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new ConfigError([`${path} cannot be read: ${error.message}`]);
  });
  if (text === undefined) return {};
  const found = contentOf(text);
  if (!found) throw new ConfigError([`${path} is not a file of trellis move. Name another one with --state.`]);
  const reported = describeRoute(found.route);
  if (reported !== describeRoute(route)) {
    const problem = `${path} lists moves ${reported}, and these are ${describeRoute(route)}.`;
    throw new ConfigError([`${problem} Name another file with --state.`]);
  }
  return found.accounts;
}

const describeRoute = ({ from, to, environment }: MovingRoute) => `from ${from} to ${to} in ${environment}`;

interface Content {
  readonly route: MovingRoute;
  readonly accounts: MovingState;
}

function contentOf(text: string): Content | undefined {
  try {
    const content = JSON.parse(text) as Partial<Content> | null;
    if (typeof content?.route === "object" && typeof content.accounts === "object") return content as Content;
  } catch {
    // It is something else.
  }
  return undefined;
}

/** Whole or not at all. */
async function writeWhole(path: string, content: Content): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}
