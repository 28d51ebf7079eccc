import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSolanaRpc, type Rpc, type SolanaRpcApi } from "@solana/kit";
import { createTrellisClient, type TrellisClient } from "@trellis/sdk";
import { type DatabaseLocation, type OpenDatabase, openDatabase } from "../../src/adapters/db/open-database.js";
import { compileBeside, compileProgram, processEnvironment } from "../support/compiled-program.js";
import { createTestLocation } from "../support/test-database.js";

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  /** Tries every call once: what the client does after a crash is the test's business. */
  readonly client: TrellisClient;
  /** The same client, whose every request makes the process die at the given point (see `kill-switch.ts`). */
  dying(at: string): TrellisClient;
  /** Makes it die at a point counted over all it does from now on. */
  doom(at: string): Promise<void>;
  /** The chain behind it, as any Solana client sees it. */
  readonly rpc: Rpc<SolanaRpcApi>;
  /** Sends SIGKILL, and resolves when the process has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM, and resolves when the process has ended. */
  stop(): Promise<Exit>;
  readonly exited: Promise<Exit>;
  /** Everything it wrote to standard output so far. */
  said(): string;
  /** Everything it wrote to standard error so far. */
  errors(): string;
  /** Where the kill switch killed it; undefined when it did not. */
  killedAt(): string | undefined;
}

/** A start that did not lead to an answering service. */
export class StartFailed extends Error {
  override readonly name = "StartFailed";
  constructor(
    readonly exit: Exit,
    readonly errors: string,
  ) {
    super(`the service ended before it answered (${JSON.stringify(exit)}): ${errors}`);
  }
}

/** The data that a service leaves behind, and processes on it. */
export interface CrashSite {
  readonly dataDirectory: string;
  /** Starts a process on the data, of the service as it is or of another one's file. Rejects with StartFailed when it ends before it answers. */
  start(environment?: Readonly<Record<string, string>>, service?: string): Promise<ServiceProcess>;
  /** Reads the database while no process is on it. */
  inspect<Value>(refresh: (db: OpenDatabase["db"]) => Promise<Value>): Promise<Value>;
  /** Ends what still runs and removes everything. */
  close(): Promise<void>;
}

/**
 * Compiles the service as it is, beside the kill switch, and makes an empty place for data: a directory, or with
 * TRELLIS_TEST_DATABASE_URL a fresh database.
 */
export async function openCrashSite(): Promise<CrashSite> {
  const root = mkdtempSync(join(tmpdir(), "trellis-crash-"));
  const place = await createTestLocation();
  const program = await compileProgram();
  const killSwitch = compileBeside(
    program,
    fileURLToPath(new URL("./kill-switch.ts", import.meta.url)),
    "kill-switch.js",
  );
  const dataDirectory = join(root, "data");
  const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
  const settings = {
    ...processEnvironment(),
    PORT: "0",
    TRELLIS_DATA_DIR: dataDirectory,
    TRELLIS_API_KEY: apiKey,
    TRELLIS_LOG_LEVEL: "error",
    TRELLIS_RATE_LIMIT: "0",
    TRELLIS_TENANT_RATE_LIMIT: "0",
    TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000",
    ...(place.url === undefined
      ? {}
      : { DATABASE_URL: place.url, TRELLIS_MASTER_KEY: randomBytes(32).toString("base64") }),
  };
  const running = new Set<ChildProcess>();

  return {
    dataDirectory,
    start: async (environment = {}, service = program.service) => {
      const child = spawn(process.execPath, ["--import", killSwitch, service], {
        cwd: root,
        env: { ...settings, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.add(child);
      let said = "";
      let written = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        written += text;
      });
      // `close` rather than `exit`: everything it wrote has arrived by then.
      const exited = once(child, "close").then(([code, signal]): Exit => {
        running.delete(child);
        return { code, signal };
      });
      const url = await new Promise<string>((resolve, reject) => {
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          said += text;
          const found = /answers at\s+(\S+)/.exec(said)?.[1];
          if (found !== undefined) resolve(found);
        });
        void exited.then((exit) => reject(new StartFailed(exit, written)));
      });
      const connect = (headers: Readonly<Record<string, string>>) =>
        createTrellisClient({
          baseUrl: url,
          apiKey,
          environment: "sandbox",
          maxRetries: 0,
          fetch: (input, init) => fetch(input, { ...init, headers: { ...(init?.headers as object), ...headers } }),
        });
      return {
        url,
        client: connect({}),
        doom: async (at) => {
          await fetch(`${url}/healthz`, { headers: { "crash-process-at": at } });
        },
        rpc: createSolanaRpc(`${url}/api/service/v1/sandbox/rpc?api-key=${apiKey}`) as Rpc<SolanaRpcApi>,
        dying: (at) => connect({ "crash-at": at }),
        kill: async () => {
          child.kill("SIGKILL");
          await exited;
        },
        stop: () => {
          child.kill("SIGTERM");
          return exited;
        },
        exited,
        said: () => said,
        errors: () => written,
        killedAt: () => /^KILLED (.*)$/m.exec(written)?.[1],
      };
    },
    inspect: async (refresh) => {
      const location: DatabaseLocation =
        place.url === undefined ? { kind: "embedded", directory: dataDirectory } : place.location;
      const { db, close } = await openDatabase(location);
      try {
        return await refresh(db);
      } finally {
        await close();
      }
    },
    close: async () => {
      for (const child of running) {
        child.kill("SIGKILL");
        await once(child, "close");
      }
      await place.drop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
