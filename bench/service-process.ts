import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  /** Milliseconds from the start of the process to the first 200 of /readyz. */
  readonly readyAfterMs: number;
  /** Resident memory in MB. */
  residentMb(): number;
  stop(): Promise<void>;
}

/** Starts the built service and waits until it is ready. */
export async function startServiceProcess(
  script: string,
  port: number,
  variables: Record<string, string>,
): Promise<ServiceProcess> {
  const started = performance.now();
  const child = spawn(process.execPath, ["--max-semi-space-size=64", script], {
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", PORT: String(port), ...variables },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  const ended = new Promise<never>((_resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
  });
  await Promise.race([waitUntilReady(url), ended]);
  return {
    url,
    readyAfterMs: performance.now() - started,
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024,
    stop: () => stop(child),
  };
}

async function waitUntilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("the service did not become ready");
}

async function stop(child: ChildProcess): Promise<void> {
  child.removeAllListeners("exit");
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await gone;
}
