import { readFileSync, rmSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";

/** Another live process holds the file. */
export class LockFileTakenError extends Error {
  override readonly name = "LockFileTakenError";
  constructor(
    readonly path: string,
    readonly pid: number,
  ) {
    super(`${path} is held by the process ${pid}.`);
  }
}

interface Owner {
  pid: number;
  /** When that process started, where the system reports it: a reused pid is then recognised. */
  started: string | null;
}

/**
 * Makes the file for this process. One left by a process that has ended (SIGKILL, power cut) is claimed. Throws
 * LockFileTakenError when a live process holds it, this one included.
 */
export async function takeLockFile(path: string): Promise<{ release(): Promise<void> }> {
  const mine: Owner = { pid: process.pid, started: processStart(process.pid) };
  const text = JSON.stringify(mine);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      await writeFile(path, text, { flag: "wx", mode: 0o600 });
      return { release: async () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const found = await readOwner(path);
    if (found && isAlive(found.owner)) throw new LockFileTakenError(path, found.owner.pid);
    if (found) await removeStale(path, found.text);
  }
  throw new Error(`Could not take ${path}: it keeps changing.`);
}

async function readOwner(path: string): Promise<{ owner: Owner; text: string } | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return { owner: JSON.parse(text) as Owner, text };
  } catch {
    // A process that died between creating the file and writing it leaves it empty: no process holds it.
    return { owner: { pid: 0, started: null }, text };
  }
}

/** Moves the stale file aside, and back if it turns out that another process took the lock in between. */
async function removeStale(path: string, staleText: string): Promise<void> {
  const aside = `${path}.${process.pid}.stale`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const moved = await readFile(aside, "utf8");
  if (moved === staleText) await rm(aside, { force: true });
  else await rename(aside, path);
}

function isAlive(owner: Owner): boolean {
  if (owner.pid <= 0) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  // A process that was killed still answers signals until its parent has noted its end.
  if (/^[ZX]$/.test(processStat(owner.pid)?.[0] ?? "")) return false;
  const started = processStart(owner.pid);
  return owner.started === null || started === null || started === owner.started;
}

/** Start time of a process in clock ticks since boot, from Linux's /proc; null elsewhere. */
function processStart(pid: number): string | null {
  return processStat(pid)?.[19] ?? null;
}

/** The fields of /proc/<pid>/stat from the state on; undefined where there is no such file. */
function processStat(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
