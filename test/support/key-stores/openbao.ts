import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { afterAll, beforeAll } from "vitest";

/** The program `bao` of OpenBao; `.ci/run` installs it. */
export const bao = process.env.TRELLIS_TEST_BAO;
if (bao === undefined) {
  process.stderr.write("NOT TESTED: keys in OpenBao. TRELLIS_TEST_BAO names no program `bao`.\n");
}

const rootToken = "root-of-the-tests";

/** An OpenBao server in memory, with a transit engine, for the tests of a file. */
export function useOpenBao() {
  let server: ChildProcess | undefined;
  let url = "";
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { "x-vault-token": rootToken },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? {} : JSON.parse(text)) as T;
  };
  const start = async (): Promise<void> => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const words = ["server", "-dev", `-dev-listen-address=127.0.0.1:${port}`, `-dev-root-token-id=${rootToken}`];
    // A group of its own: the program that pip installs starts the real one.
    server = spawn(bao ?? "", [...words, "-dev-no-store-token"], { detached: true, stdio: ["ignore", "pipe", "pipe"] });
    await new Promise<void>((resolve, reject) => {
      let said = "";
      server?.stdout?.on("data", (part: Buffer) => {
        said += part.toString("utf8");
        if (said.includes("server started!")) resolve();
      });
      server?.stderr?.resume();
      server?.once("error", reject);
      server?.once("exit", (code) => reject(new Error(`bao ended with ${code}: ${said.slice(-500)}`)));
    });
    await call("POST", "sys/mounts/transit", { type: "transit" });
  };
  const stop = async (): Promise<void> => {
    const process = server;
    server = undefined;
    if (process?.pid === undefined || process.exitCode !== null) return;
    const ended = new Promise((resolve) => process.once("exit", resolve));
    globalThis.process.kill(-process.pid, "SIGKILL");
    await ended;
  };
  beforeAll(start, 60_000);
  afterAll(stop);
  return {
    /** Where transit's keys are, without their names. */
    keysUrl: () => `${url}/v1/transit/keys`,
    rootToken,
    call,
    stop,
    /** A token that may do this to these paths, and nothing else. */
    tokenFor: async (policy: string): Promise<string> => {
      const name = `p${Math.abs(Buffer.from(policy).reduce((sum, byte) => (sum * 31 + byte) | 0, 7))}`;
      await call("PUT", `sys/policies/acl/${name}`, { policy });
      const made = await call<{ auth: { client_token: string } }>("POST", "auth/token/create", {
        policies: [name],
        ttl: "1h",
        no_parent: true,
      });
      return made.auth.client_token;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
