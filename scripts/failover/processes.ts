import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, closeSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";

/** A program of the play, in a process of its own. */
export interface Program {
  readonly name: string;
  readonly child: ChildProcess & { readonly pid: number };
  /** Resolves with the exit code when it has ended; null: by a signal. */
  readonly ended: Promise<number | null>;
  isEnded(): boolean;
}

/** How programs are started: as which user, and where they write. */
export interface Runner {
  /** The user of the operating system that the database runs as: PostgreSQL refuses to run as root. */
  readonly user: string;
  /** Gives that user a file or folder. */
  own(path: string): void;
  /** Starts a program, as that user unless `asSelf`; what it writes goes to `<name>.log`. */
  start(name: string, command: readonly string[], options?: StartOptions): Program;
  /** Runs a program to its end as that user and gives what it wrote. Throws where it fails. */
  run(command: readonly string[], options?: Pick<StartOptions, "environment">): string;
}

interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly asSelf?: boolean;
}

/** A runner for a directory. As root it starts what it starts as the user `postgres`, which Debian's package makes. */
export function createRunner(directory: string): Runner {
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? "postgres" : userInfo().username;
  const owner: { readonly uid?: number; readonly gid?: number } = isRoot ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  const path = `${process.env.PATH}:/usr/sbin:/sbin`;
  return {
    user,
    own: (path) => {
      if (isRoot) chownSync(path, owner.uid ?? 0, owner.gid ?? 0);
    },
    start: (name, [command = "", ...args], { environment = {}, asSelf = false } = {}) => {
      const log = openSync(join(directory, `${name}.log`), "a");
      const child = spawn(command, args, {
        cwd: directory,
        env: { PATH: path, LANG: "C.UTF-8", HOME: directory, ...environment },
        stdio: ["ignore", log, log],
        ...(asSelf ? {} : owner),
      }) as ChildProcess & { pid: number };
      closeSync(log);
      let isEnded = false;
      const ended = new Promise<number | null>((resolve, reject) => {
        child.once("error", reject);
        child.once("exit", (code) => {
          isEnded = true;
          resolve(code);
        });
      });
      // Where nothing waits for it, its end is seen by `isEnded`.
      ended.catch(() => undefined);
      return { name, child, ended, isEnded: () => isEnded };
    },
    run: ([command = "", ...args], { environment = {} } = {}) => {
      const { status, stdout, stderr, error } = spawnSync(command, args, {
        cwd: directory,
        env: { PATH: path, LANG: "C.UTF-8", HOME: directory, ...environment },
        encoding: "utf8",
        timeout: 60_000,
        ...owner,
      });
      if (status === 0) return stdout;
      throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? `${stdout}${stderr}`}`);
    },
  };
}

function idOf(option: "-u" | "-g"): number {
  return Number(spawnSync("id", [option, "postgres"], { encoding: "utf8" }).stdout);
}

/** Which of these commands are not installed. */
export function findMissing(commands: readonly string[]): readonly string[] {
  return commands.filter((command) => {
    const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
    return spawnSync("sh", ["-c", 'command -v "$1"', "sh", command], { env }).status !== 0;
  });
}

/** The processes whose working directory is this one: PostgreSQL's are all in its data directory. */
export function processesIn(directory: string): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readlinkSync(`/proc/${name}/cwd`) === directory ? [Number(name)] : [];
    } catch {
      // It has ended meanwhile, or is somebody else's.
      return [];
    }
  });
}

/** What a process calls itself; empty: it has ended. */
export function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Sends a signal to processes that may have ended meanwhile. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** Ports that are free on all loopback addresses at this moment, each another one. */
export async function findPorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks until the answer is other than undefined. Throws, naming what was waited for, when that takes too long. */
export async function waitFor<Value>(
  what: string,
  ask: () => Promise<Value | undefined> | Value | undefined,
  seconds: number,
): Promise<Value> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    if (performance.now() > until) throw new Error(`waited ${seconds} s in vain: ${what}`);
    await pause(100);
  }
}
