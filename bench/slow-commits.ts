import pg from "pg";
import { type BenchDatabase, makeDatabase } from "./databases.js";
import { at, makePayers, pay } from "./holders.js";
import { createHttpClient, type HttpClient, timed } from "./http-client.js";
import { type ServiceProcess, startSandboxProcess, startServiceProcess } from "./service-process.js";

/** A disk that takes 50 ms for each commit, whatever else is under way. */
const settings = { commit_delay: "50000", commit_siblings: "0" } as const;
const delaySeconds = 0.05;
const concurrency = 256;
/** The line of creations takes no more of a tenant than some. */
const creationsAtOnce = 32;
/** More than are paid at once, so that no account waits for itself. */
const payersCount = 300;

/** Where the measuring happens. */
export interface SlowCommitsBench {
  readonly script: string;
  readonly command: string;
  /** Of the services; the databases are made here. */
  readonly variables: Readonly<Record<string, string>>;
  readonly apiKey: string;
  readonly databases: BenchDatabase[];
  readonly payments: number;
  /** Keeps what is to be stopped in the end. */
  readonly start: <T extends { stop(): Promise<void> }>(starting: Promise<T>) => Promise<T>;
  readonly end: (part: { stop(): Promise<void> }) => Promise<void>;
  readonly say: (line: string) => void;
  /** Prints a figure and its ratio to a floor. */
  readonly row: (what: string, figure: string, ratio: number, floor: string) => void;
}

/**
 * Payments by one process and by two where every commit takes 50 ms longer, against commits one after the other. Left out where the role of
 * BENCH_DATABASE_URL may not set that.
 */
export async function measureSlowCommits(bench: SlowCommitsBench): Promise<void> {
  const { script, command, databases, start, end, say } = bench;
  if (!(await maySet())) {
    say("payments with slow commits are left out: the database's role may not set commit_delay");
    return;
  }
  const common = await makeDatabase(databases, settings);
  const chain = await makeDatabase(databases, settings);
  if (common === undefined || chain === undefined) return;
  const variables = { ...bench.variables, TRELLIS_MASTER_KEY: common.masterKey };
  const sandbox = await start(startSandboxProcess(command, 18_780, { ...variables, DATABASE_URL: chain.url }));
  const onCommon = { ...variables, DATABASE_URL: common.url, TRELLIS_SANDBOX_RPC_URL: sandbox.url };
  const services: ServiceProcess[] = [];
  for (const port of [18_793, 18_794]) services.push(await start(startServiceProcess(script, port, onCommon)));
  const clients = services.map(({ url }) => createHttpClient(url, bench.apiKey, concurrency));
  const payers = await makePayers(at(clients, 0), payersCount, creationsAtOnce);
  const rateOf = async (among: readonly HttpClient[]) => {
    const seconds = await timed(bench.payments, concurrency, (i) =>
      pay(at(among, i % among.length), at(payers, i % payersCount), at(payers, (i + 1) % payersCount)),
    );
    return bench.payments / seconds;
  };
  await rateOf(clients);
  for (const [what, among] of [
    ["commits of 50 ms, one process", clients.slice(0, 1)],
    ["commits of 50 ms, two", clients],
  ] as const) {
    const rate = await rateOf(among);
    bench.row(what, `${rate.toFixed(0)} /s`, rate * delaySeconds, "commits one after the other (20 /s)");
  }
  for (const client of clients) client.close();
  for (const part of [...services, sandbox]) await end(part);
}

async function maySet(): Promise<boolean> {
  const client = new pg.Client({ connectionString: process.env.BENCH_DATABASE_URL });
  await client.connect();
  try {
    await client.query("set commit_delay = 0");
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === "42501") return false;
    throw error;
  } finally {
    await client.end();
  }
}
