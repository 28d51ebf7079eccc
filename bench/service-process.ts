import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** Those of `npm start`. */
const flags = ["--max-semi-space-size=32", "--max-old-space-size=1536"] as const;

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  /** Milliseconds from the start of the process to the first 200 of /readyz. */
  readonly readyAfterMs: number;
  /** Resident memory in MB. */
  residentMb(): number;
  /** Processor time it has used so far, in milliseconds; unlike a rate it means the same on a busy machine. */
  processorMs(): number;
  stop(): Promise<void>;
}

/** Starts the built service and waits until it is ready. */
export async function startServiceProcess(
  script: string,
  port: number,
  variables: Record<string, string>,
): Promise<ServiceProcess> {
  const started = performance.now();
  const child = spawn(process.execPath, [...flags, script], {
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", PORT: String(port), ...variables },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  const ended = new Promise<never>((_resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
  });
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  await Promise.race([waitUntil("the service", isReady), ended]);
  return {
    url,
    readyAfterMs: performance.now() - started,
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024,
    processorMs: () => processorMs(child),
    stop: () => stop(child),
  };
}

/** Starts the sandbox chain as a process of its own; `url` is what services are given as TRELLIS_SANDBOX_RPC_URL. */
export async function startSandboxProcess(
  command: string,
  port: number,
  variables: Record<string, string>,
): Promise<Pick<ServiceProcess, "url" | "processorMs" | "stop">> {
  const child = spawn(process.execPath, [...flags, command, "sandbox", "--port", String(port)], {
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const found = /TRELLIS_SANDBOX_RPC_URL=(\S+)\n/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
  return { url, processorMs: () => processorMs(child), stop: () => stop(child) };
}

/** Fields 14 and 15 of Linux's /proc/<pid>/stat, user and system, in hundredths of a second. */
export function processorMs(child: ChildProcess): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Asks every 10 ms, for half a minute. Throws where it is not ready then. */
export async function waitUntil(what: string, isReady: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    if (await isReady()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${what} did not become ready`);
}

export async function stop(child: ChildProcess): Promise<void> {
  child.removeAllListeners("exit");
  const removed = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await removed;
}
