/**
 * Payments with the chain in a process of its own, in turn with the same payments on an embedded chain: what the way to a
 * node costs. Alone: `npm run bench:chain`, on the PostgreSQL server that BENCH_DATABASE_URL names, where it does.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BenchDatabase, makeDatabase as makeBenchDatabase } from "./databases.js";
import { at, type Holder, makePayers, pay } from "./holders.js";
import { createHttpClient, type HttpClient, timed } from "./http-client.js";
import { type Kora, startKora } from "./kora.js";
import { type ServiceProcess, startSandboxProcess, startServiceProcess } from "./service-process.js";

const script = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const command = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const concurrency = 16;
const payers = 50;
const rounds = 5;
const paymentsARound = 300;
/** Uncounted, for compiling. */
const warmUp = 600;

/** A database for each process that wants one; undefined: each has its own embedded one. */
export type MakeDatabase = () => Promise<string | undefined>;

/** One of the two that are compared. */
interface Side {
  readonly service: ServiceProcess;
  readonly chain?: Pick<ServiceProcess, "processorMs">;
  readonly http: HttpClient;
  readonly holders: readonly Holder[];
  /** Of every round. */
  readonly spent: Spent[];
}

/** Of one round: seconds, and processor time in milliseconds. */
interface Spent {
  readonly seconds: number;
  readonly serviceMs: number;
  readonly chainMs: number;
}

/** Prints payments a second and processor time of service and chain a payment, of both. Takes about a minute. */
export async function measureRemoteChain(say: (line: string) => void, makeDatabase: MakeDatabase): Promise<void> {
  const closing: (() => Promise<unknown>)[] = [];
  const directory = await mkdtemp(join(tmpdir(), "trellis-bench-chain-"));
  closing.push(() => rm(directory, { recursive: true, force: true }));
  try {
    const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
    const variablesOf = async (name: string) => {
      const databaseUrl = await makeDatabase();
      return {
        TRELLIS_DATA_DIR: join(directory, name),
        TRELLIS_API_KEY: apiKey,
        TRELLIS_LOG_LEVEL: "warn",
        TRELLIS_RATE_LIMIT: "0",
        TRELLIS_TENANT_RATE_LIMIT: "0",
        TRELLIS_TENANT_DAILY_WRITES: "0",
        TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000000",
        ...(databaseUrl === undefined
          ? {}
          : { DATABASE_URL: databaseUrl, TRELLIS_MASTER_KEY: randomBytes(32).toString("base64") }),
      };
    };
    const chain = await startSandboxProcess(command, 18_771, await variablesOf("chain"));
    closing.push(() => chain.stop());
    const open = async (service: ServiceProcess, others: Pick<Side, "chain">): Promise<Side> => {
      closing.push(() => service.stop());
      const http = createHttpClient(service.url, apiKey, concurrency);
      closing.push(async () => http.close());
      const side = { service, http, holders: await makePayers(http, payers, concurrency), spent: [], ...others };
      await play(side, warmUp);
      return side;
    };
    const remote = await open(
      await startServiceProcess(script, 18_773, {
        ...(await variablesOf("remote")),
        TRELLIS_SANDBOX_RPC_URL: chain.url,
      }),
      { chain },
    );
    const embedded = await open(await startServiceProcess(script, 18_774, await variablesOf("embedded")), {});
    const kora = await startKora(chain.url, 18_775, directory);
    const spentByKora: Spent[] = [];
    if (kora !== undefined) {
      closing.push(() => kora.stop());
      await playKora(kora, chain, warmUp);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const side of [remote, embedded]) side.spent.push(await play(side, paymentsARound));
      if (kora !== undefined) spentByKora.push(await playKora(kora, chain, paymentsARound));
    }
    say(
      `payments, chain apart      ${figuresOf(remote)}, ${(rateOf(remote) / rateOf(embedded)).toFixed(2)} of embedded`,
    );
    say(`  chain embedded           ${figuresOf(embedded)}`);
    say(
      kora === undefined
        ? "  plain transfers by Kora: left out, as `kora` is not installed (cargo install kora-cli --version 2.2.0-beta.8)"
        : `  plain transfers by Kora  ${figuresOf({ spent: spentByKora, chain }, "Kora's")}`,
    );
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function play({ service, chain, http, holders }: Side, count: number): Promise<Spent> {
  const before = { service: service.processorMs(), chain: chain?.processorMs() ?? 0 };
  const seconds = await timed(count, concurrency, (i) =>
    pay(http, at(holders, i % holders.length), at(holders, (i + 1) % holders.length)),
  );
  return {
    seconds,
    serviceMs: service.processorMs() - before.service,
    chainMs: (chain?.processorMs() ?? 0) - before.chain,
  };
}

async function playKora(kora: Kora, chain: Pick<ServiceProcess, "processorMs">, count: number): Promise<Spent> {
  const before = { kora: kora.processorMs(), chain: chain.processorMs() };
  const seconds = await kora.play(count, concurrency);
  return { seconds, serviceMs: kora.processorMs() - before.kora, chainMs: chain.processorMs() - before.chain };
}

const paid = rounds * paymentsARound;
const total = ({ spent }: Pick<Side, "spent">, of: (one: Spent) => number) =>
  spent.reduce((sum, one) => sum + of(one), 0);
const rateOf = (side: Pick<Side, "spent">) => paid / total(side, ({ seconds }) => seconds);

function figuresOf(side: Pick<Side, "spent" | "chain">, whose = "the service's"): string {
  const service = `${(total(side, ({ serviceMs }) => serviceMs) / paid).toFixed(2)} ms of ${whose} processor time`;
  const chain = side.chain ? `, ${(total(side, ({ chainMs }) => chainMs) / paid).toFixed(2)} ms of the chain's` : "";
  return `${rateOf(side).toFixed(0)} /s, ${service}${chain} each`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const databases: BenchDatabase[] = [];
  try {
    await measureRemoteChain(
      (line) => void process.stdout.write(`${line}\n`),
      async () => (await makeBenchDatabase(databases))?.url,
    );
  } finally {
    for (const database of databases) await database.drop();
  }
}
