import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTrellisClient, type TrellisClient, type TrellisEvent } from "@trellis/sdk";
import type { Cluster, OnOpening } from "./cluster.js";
import { createRunner, type Program, signalAll, waitFor } from "./processes.js";

const built = (path: string) => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));

/** Two services on the cluster, the chain that both use, and a receiver of their events. */
export interface Stage {
  /** A client of each service. */
  readonly clients: readonly [TrellisClient, TrellisClient];
  /** How often which status and code was answered, successes left out. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Events that arrived, by id. */
  readonly received: ReadonlyMap<string, TrellisEvent>;
  /** Asks the chain itself. */
  askChain<Result>(method: string, params: readonly unknown[]): Promise<Result>;
  /** How often each event of level error stands in the logs of the services. */
  readErrors(): ReadonlyMap<string, number>;
  /** Whether both services still run as they were started. */
  areAlive(): boolean;
}

/** Starts them; the chain keeps its rows in a database of its own, so that it forgets nothing. */
export async function openStage(directory: string, cluster: Cluster, onOpening: OnOpening): Promise<Stage> {
  const runner = createRunner(directory);
  const programs: Program[] = [];
  const stopPrograms = async () => {
    signalAll(
      programs.flatMap(({ child, isEnded }) => (isEnded() ? [] : [child.pid])),
      "SIGKILL",
    );
    await Promise.all(programs.map(({ ended }) => ended));
  };
  const refusals = new Map<string, number>();
  onOpening(stopPrograms);
  const receiver = await startReceiver(cluster);
  onOpening(async () => receiver.close());
  const start = async (name: string, command: readonly string[], environment: Record<string, string>, said: RegExp) => {
    mkdirSync(join(directory, name));
    const program = runner.start(name, [process.execPath, ...command], {
      environment: { PORT: "0", TRELLIS_DATA_DIR: join(directory, name), ...environment },
      asSelf: true,
    });
    programs.push(program);
    const find = () => {
      const text = readFileSync(join(directory, `${name}.log`), "utf8");
      if (program.isEnded()) throw new Error(`${name} ended: ${text.slice(-2_000)}`);
      return said.exec(text)?.[1];
    };
    return waitFor(`${name} to answer`, find, 120);
  };
  const chain = await start("chain", [built("cli/main.js"), "sandbox", "--port", "0"], {}, /RPC_URL=(\S+)\n/);
  const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
  const variables = {
    DATABASE_URL: cluster.url,
    TRELLIS_MASTER_KEY: `play:${randomBytes(32).toString("base64")}`,
    TRELLIS_API_KEY: apiKey,
    TRELLIS_SANDBOX_RPC_URL: chain,
    TRELLIS_RATE_LIMIT: "0",
    TRELLIS_TENANT_RATE_LIMIT: "0",
    TRELLIS_TENANT_DAILY_WRITES: "0",
    TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000000",
    TRELLIS_WEBHOOK_NETWORKS: "127.0.0.0/8",
    TRELLIS_WEBHOOK_PORTS: String(receiver.port),
    TRELLIS_LOG_LEVEL: "warn",
    NODE_EXTRA_CA_CERTS: cluster.certificate.ca,
  };
  const urls = [];
  for (const name of services) urls.push(await start(name, [built("main.js")], variables, /answers at\s+(\S+)/));
  const counted: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init).catch((error: unknown) => {
      count(refusals, "no answer");
      throw error;
    });
    if (!answer.ok) count(refusals, await codeOf(answer));
    return answer;
  };
  const connect = (baseUrl = "") =>
    createTrellisClient({ baseUrl, apiKey, environment: "sandbox", timeoutMs: 30_000, fetch: counted });
  const clients = [connect(urls[0]), connect(urls[1])] as const;
  await clients[0].webhookEndpoints.create({ url: `https://127.0.0.1:${receiver.port}/events`, types: ["*"] });
  return {
    clients,
    refusals,
    received: receiver.received,
    askChain: <Result>(method: string, params: readonly unknown[]) => askChain<Result>(chain, method, params),
    readErrors: () => readErrors(directory),
    areAlive: () => programs.every(({ isEnded }) => !isEnded()),
  };
}

const services = ["service-1", "service-2"] as const;

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

async function codeOf(answer: Response): Promise<string> {
  const { code } = (await answer.clone().json()) as { code?: string };
  return `${answer.status} ${code}`;
}

async function startReceiver({ certificate }: Cluster) {
  const received = new Map<string, TrellisEvent>();
  const server = createServer(
    { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) },
    (request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      request.on("end", () => {
        const event = JSON.parse(text) as TrellisEvent;
        received.set(event.id, event);
        response.writeHead(204).end();
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { received, port: (server.address() as AddressInfo).port, close };
}

async function askChain<Result>(url: string, method: string, params: readonly unknown[]): Promise<Result> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await answer.json()) as { result: Result; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

function readErrors(directory: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of services) {
    for (const line of readFileSync(join(directory, `${name}.log`), "utf8").split("\n")) {
      if (!line.startsWith("{")) continue;
      const { level, event } = JSON.parse(line) as { level: number | string; event?: string };
      if (level === "error" || level === "fatal" || Number(level) >= 50) count(counts, event ?? "(no event)");
    }
  }
  return counts;
}
