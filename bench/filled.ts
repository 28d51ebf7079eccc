/**
 * Compares a service on a database with a million accounts, ten million rows of history and a million events with one on an
 * empty database, in turn, and then plays a mixed load on the filled one for an hour, with its memory each minute:
 * `BENCH_DATABASE_URL=postgres://… npm run bench:filled`. That role has to be a superuser. BENCH_FILLED_ACCOUNTS,
 * BENCH_FILLED_HISTORY, BENCH_FILLED_EVENTS and BENCH_FILLED_MINUTES make it smaller. Talks to 127.0.0.1 only and stops by itself.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BenchDatabase, makeDatabase } from "./databases.js";
import { type FilledSizes, fillServiceDatabase } from "./filled-database.js";
import {
  api,
  at,
  create,
  type Holder,
  makeClientKey,
  makeHolders,
  makePayers,
  pay,
  readCodes,
  verify,
} from "./holders.js";
import { createHttpClient, type HttpClient, timed } from "./http-client.js";
import { createKeyAccount } from "./key-accounts.js";
import { type ServiceProcess, startServiceProcess } from "./service-process.js";

const sizes: FilledSizes = {
  accounts: Number(process.env.BENCH_FILLED_ACCOUNTS ?? 1_000_000),
  history: Number(process.env.BENCH_FILLED_HISTORY ?? 10_000_000),
  events: Number(process.env.BENCH_FILLED_EVENTS ?? 1_000_000),
};
const minutes = Number(process.env.BENCH_FILLED_MINUTES ?? 60);
const concurrency = 64;
const mixedConcurrency = 16;
const payersCount = 100;
/** Each round measures either service once, the first one by turns. */
const rounds = 7;
const script = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** A service that is measured, with accounts that have money. */
interface Side {
  readonly service: ServiceProcess;
  readonly http: HttpClient;
  readonly payers: readonly Holder[];
}

/** Something that is measured: how often in a round, and one of it. */
interface Work {
  readonly what: string;
  readonly count: number;
  /** Before the clock runs. */
  readonly prepare?: (side: Side, count: number) => Promise<(index: number) => Promise<void>>;
  readonly run?: (side: Side, index: number) => Promise<void>;
}

const payer = ({ payers }: Side, index: number) => at(payers, index % payers.length);

const read = (what: string, pathOf: (side: Side, index: number) => string): Work => ({
  what,
  count: 400,
  run: async (side, index) => {
    const { status } = await side.http.get(pathOf(side, index));
    if (status !== 200) throw new Error(`${what}: ${status}`);
  },
});

const works: readonly Work[] = [
  {
    what: "payment",
    count: 200,
    run: ({ http, ...side }, i) => pay(http, payer({ http, ...side }, i), payer({ http, ...side }, i + 1)),
  },
  { what: "create from keys", count: 100, run: async ({ http }) => void (await createKeyAccount(http)) },
  {
    what: "create + verify",
    count: 60,
    prepare: async ({ http }, count) => {
      const holders = makeHolders(count);
      const { spki } = makeClientKey();
      return async (index) => {
        await create(http, at(holders, index));
        const [code] = await readCodes(http, [at(holders, index)], 1);
        await verify(http, at(holders, index), code ?? "", spki);
      };
    },
  },
  read("GET account", (side, i) => `${api}/accounts/${payer(side, i).address}`),
  read("list of accounts", () => `${api}/accounts?limit=20`),
  read("list of events", () => `${api}/events?limit=20`),
  read("list of transfers", (side, i) => `${api}/accounts/${payer(side, i).address}/transfers?limit=20`),
  read("list of transactions", (side, i) => `${api}/accounts/${payer(side, i).address}/transactions?limit=20`),
];

async function main(): Promise<void> {
  if (process.env.BENCH_DATABASE_URL === undefined) throw new Error("BENCH_DATABASE_URL names no PostgreSQL server");
  const directory = await mkdtemp(join(tmpdir(), "trellis-filled-"));
  const databases: BenchDatabase[] = [];
  const running: ServiceProcess[] = [];
  try {
    const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
    const begin = async (database: BenchDatabase, port: number) => {
      const service = await startServiceProcess(script, port, {
        TRELLIS_DATA_DIR: join(directory, String(port)),
        DATABASE_URL: database.url,
        TRELLIS_MASTER_KEY: database.masterKey,
        TRELLIS_API_KEY: apiKey,
        TRELLIS_LOG_LEVEL: "warn",
        TRELLIS_RATE_LIMIT: "0",
        TRELLIS_TENANT_RATE_LIMIT: "0",
        TRELLIS_TENANT_DAILY_WRITES: "0",
        TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000000",
        TRELLIS_SPONSOR_PER_TENANT_PER_DAY: "100000000000000",
        TRELLIS_SPONSOR_PER_DAY: "100000000000000",
      });
      running.push(service);
      return service;
    };
    const [empty, filled] = [await makeDatabase(databases), await makeDatabase(databases)];
    if (empty === undefined || filled === undefined) throw new Error("no database was made");
    // The service makes the tables and the tenant.
    await (await begin(filled, 18_831)).stop();
    running.pop();
    const started = performance.now();
    await fillServiceDatabase(filled.url, sizes);
    say(
      `${sizes.accounts} accounts, ${sizes.history} rows of history, ${sizes.events} events in ${((performance.now() - started) / 1000).toFixed(0)} s`,
    );
    const sideOf = async (database: BenchDatabase, port: number): Promise<Side> => {
      const service = await begin(database, port);
      const http = createHttpClient(service.url, apiKey, concurrency);
      return { service, http, payers: await makePayers(http, payersCount, concurrency) };
    };
    const sides = { empty: await sideOf(empty, 18_830), filled: await sideOf(filled, 18_831) };
    // Neither pays for compiling its code within its measurement.
    for (const work of works) for (const side of [sides.empty, sides.filled]) await measure(work, side);
    for (const work of works) await compare(work, sides);
    await sides.empty.service.stop();
    running.splice(running.indexOf(sides.empty.service), 1);
    await playMixedLoad(sides.filled);
    for (const { http } of Object.values(sides)) http.close();
  } finally {
    await Promise.all(running.map((service) => service.stop()));
    for (const database of databases) await database.drop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** One round of a work: seconds, and the service's processor time each in milliseconds. */
async function measure(work: Work, side: Side): Promise<{ readonly seconds: number; readonly processorMs: number }> {
  const prepared = await work.prepare?.(side, work.count);
  const before = side.service.processorMs();
  const seconds = await timed(work.count, concurrency, async (index) => {
    if (prepared === undefined) await work.run?.(side, index);
    else await prepared(index);
  });
  return { seconds, processorMs: (side.service.processorMs() - before) / work.count };
}

/** The same work on both, in turn; prints the ratio of the medians of all rounds. */
async function compare(work: Work, sides: { readonly empty: Side; readonly filled: Side }): Promise<void> {
  const measured = { empty: [] as number[], filled: [] as number[] };
  const spent = { empty: 0, filled: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (["empty", "filled"] as const) : (["filled", "empty"] as const);
    for (const which of order) {
      const { seconds, processorMs } = await measure(work, sides[which]);
      measured[which].push(seconds);
      spent[which] += processorMs / rounds;
    }
  }
  const [empty, filled] = [median(measured.empty), median(measured.filled)];
  say(
    `${work.what.padEnd(22)} ${(empty / filled).toFixed(2)} of the rate on an empty database (${(work.count / filled).toFixed(0)} and ` +
      `${(work.count / empty).toFixed(0)} /s; ${spent.filled.toFixed(2)} and ${spent.empty.toFixed(2)} ms of the service's processor time each)`,
  );
}

/** Half payments, the rest creations and reads; the memory of the service at the end of each minute. */
async function playMixedLoad(side: Side): Promise<void> {
  const mix = [0, 0, 0, 0, 0, 1, 2, 3, 4, 6];
  const memory: number[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const end = performance.now() + 60_000;
    let done = 0;
    await Promise.all(
      Array.from({ length: mixedConcurrency }, async () => {
        while (performance.now() < end) {
          const index = done;
          done += 1;
          const work = at(works, at(mix, index % mix.length));
          const prepared = await work.prepare?.(side, 1);
          await (prepared === undefined ? work.run?.(side, index) : prepared(0));
        }
      }),
    );
    memory.push(side.service.residentMb());
    say(`minute ${minute}: ${(done / 60).toFixed(0)} /s, ${at(memory, minute - 1).toFixed(0)} MB resident`);
  }
  const third = Math.ceil(memory.length / 3);
  if (memory.length < 3) return;
  const [early, late] = [median(memory.slice(0, third)), median(memory.slice(-third))];
  say(`memory of the last third: ${(late / early).toFixed(2)} of the first third`);
}

function median(values: readonly number[]): number {
  return at(
    values.toSorted((a, b) => a - b),
    Math.floor(values.length / 2),
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
