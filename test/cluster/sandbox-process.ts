import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, createSolanaRpc, type Rpc, type SolanaRpcApi } from "@solana/kit";
import { compileProgram, processEnvironment } from "../support/compiled-program.js";

/** `trellis sandbox`, running. */
export interface SandboxProcess {
  /** With its key, as TRELLIS_SANDBOX_RPC_URL wants it. */
  readonly url: string;
  readonly pid: number;
  readonly rpc: Rpc<SolanaRpcApi>;
  airdrop(to: Address, lamports: bigint): Promise<void>;
  mint(owner: Address, mint: Address, amount: bigint): Promise<void>;
  advanceClock(seconds: number): Promise<void>;
  /** Ends it with SIGTERM and gives its exit code. */
  stop(): Promise<number | null>;
  /** Stops it; fails where that did not go well. */
  close(): Promise<void>;
}

/** What a `trellis` command wrote until it ended on its own. */
export interface EndedCommand {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `trellis` with these arguments and variables and waits for its end. */
export async function runTrellis(args: string[], variables: Record<string, string> = {}): Promise<EndedCommand> {
  const child = await start(args, variables);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Starts the sandbox as a process of its own, on an empty data directory that is removed after `stop`. */
export async function startSandboxProcess(): Promise<SandboxProcess> {
  const started = await startAndRead(["sandbox", "--port", "0"], {}, /TRELLIS_SANDBOX_RPC_URL=(\S+)\n/);
  const { told: url, pid, stop } = started;
  const control = async (path: string, body: object) => {
    const { searchParams, origin } = new URL(url);
    const answer = await fetch(new URL(path, origin), {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${searchParams.get("api-key")}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  return {
    url,
    pid,
    rpc: createSolanaRpc(url),
    airdrop: (to, lamports) => control("/controls/airdrop", { to, lamports: lamports.toString() }),
    mint: (owner, mint, amount) => control("/controls/mint", { owner, mint, amount: amount.toString() }),
    advanceClock: (seconds) => control("/controls/clock", { seconds }),
    stop,
    close: async () => {
      const code = await stop();
      if (code !== 0) throw new Error(`the sandbox ended with ${code}`);
    },
  };
}

/** A command that runs until it is stopped. */
interface RunningCommand {
  /** What was waited for. */
  readonly told: string;
  readonly pid: number;
  /** Ends it with SIGTERM and gives its exit code. */
  stop(): Promise<number | null>;
}

/** Starts the service as a process of its own, on an empty data directory that is removed after `stop`. */
export async function startServiceProcess(variables: Record<string, string>): Promise<RunningCommand> {
  return startAndRead([], { PORT: "0", ...variables }, /answers at +(\S+)\n/);
}

/** Waits until the command has written what `wanted` finds. */
async function startAndRead(
  args: string[],
  variables: Record<string, string>,
  wanted: RegExp,
): Promise<RunningCommand> {
  const directory = await mkdtemp(join(tmpdir(), "trellis-process-"));
  const child = await start(args, { TRELLIS_DATA_DIR: directory, TRELLIS_LOG_LEVEL: "error", ...variables });
  const stderr = collect(child.stderr);
  const closed = once(child, "close") as Promise<[number | null]>;
  const reported = await new Promise<string>((resolve, reject) => {
    const stdout = collect(child.stdout, (text) => {
      const found = wanted.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void closed.then(() => reject(new Error(`it did not start: ${stdout.text()}${stderr.text()}`)));
  });
  if (child.pid === undefined) throw new Error("what has written something is a process");
  return {
    told: reported,
    pid: child.pid,
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await closed;
      await rm(directory, { recursive: true, force: true });
      return code;
    },
  };
}

async function start(args: string[], variables: Record<string, string>) {
  const { commands } = await compileProgram();
  return spawn(process.execPath, [commands, ...args], {
    env: { ...processEnvironment(), ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  }) as ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream };
}

function collect(stream: NodeJS.ReadableStream, seen?: (text: string) => void) {
  let text = "";
  stream.setEncoding("utf8").on("data", (part: string) => {
    text += part;
    seen?.(text);
  });
  return { text: () => text };
}
