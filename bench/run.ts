/**
 * Measures the service against floors taken in the same run and prints ratios. Talks to 127.0.0.1 only and stops by
 * itself. BENCH_DATABASE_URL names a PostgreSQL server to make a fresh database on; without it the embedded database is
 * measured, and the floor of GET account, which needs PostgreSQL, is left out.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { type CryptoFloors, measureCryptoFloors } from "./crypto-floor.js";
import { type BenchDatabase, makeDatabase } from "./databases.js";
import { measureGuardedPayments } from "./guarded.js";
import { measureHistory } from "./history.js";
import {
  api,
  at,
  create,
  equip,
  fill,
  type Holder,
  makeClientKey,
  makeHolders,
  makePayers,
  pay,
  prepare,
  readCodes,
  type SealedKey,
  stampOf,
  verify,
} from "./holders.js";
import { createHttpClient, dataOf, type HttpClient, timed } from "./http-client.js";
import { createKeyAccount, type KeyAccount, payByKeys } from "./key-accounts.js";
import { measureProposals } from "./proposals.js";
import { measureRecovery } from "./recovery.js";
import { measureRemoteChain } from "./remote-chain.js";
import { measureRpcCalls } from "./rpc-calls.js";
import { type ServiceProcess, startSandboxProcess, startServiceProcess } from "./service-process.js";
import { sized } from "./size.js";
import { measureSlowCommits } from "./slow-commits.js";
import { measureStandingOrders } from "./standing-orders.js";
import { openStatementCounter, type StatementCounter } from "./statements.js";

const accounts = Number(process.env.BENCH_ACCOUNTS ?? sized(2_000, 150));
const payments = Number(process.env.BENCH_PAYMENTS ?? sized(3_000, 300));
const keyAccounts = sized(600, 100);
/** Done before anything is counted: a service runs for weeks, and the compiling of its first seconds is not what is asked. */
const warmUp = { accounts: sized(1_000, 100), payments: sized(1_500, 100), keyAccounts: sized(300, 20) } as const;
const batches = { count: sized(15, 3), size: 20 } as const;
/** Of the comparison of one process with two. */
const shared = { payers: 50, payments: sized(600, 200) } as const;
/** Of those with slow commits, each time. */
const slowPayments = sized(3_000, 600);
/** Of those whose statements are counted, one after the other. */
const alonePayments = sized(200, 30);
const concurrency = 64;
const readSeconds = sized(8, 2);
/** No run takes longer: a service that hangs is an error, not a wait. */
const longestRunMs = 600_000;
const script = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const command = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "trellis-bench-"));
  const running: { stop(): Promise<void> }[] = [];
  const databases: BenchDatabase[] = [];
  const late = setTimeout(() => {
    // Ending the services ends every request that is waited for.
    process.exitCode = 1;
    say("the run takes too long and is broken off");
    for (const each of running) void each.stop();
  }, longestRunMs);
  const machine = cpus();
  say(
    `${machine.length} cores, ${machine[0]?.model ?? "unknown"}, Node ${process.version}, ` +
      `${process.env.BENCH_DATABASE_URL ? "PostgreSQL" : "embedded database"}, load average ${loadAverage()} at the start`,
  );
  try {
    await measure(directory, running, databases);
    say(`load average ${loadAverage()} at the end, the bench's own load included`);
  } finally {
    clearTimeout(late);
    await Promise.all(running.map((each) => each.stop()));
    for (const database of databases) await database.drop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure(
  directory: string,
  running: { stop(): Promise<void> }[],
  databases: BenchDatabase[],
): Promise<void> {
  const start = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    running.push(started);
    return started;
  };
  const end = async (part: { stop(): Promise<void> }) => {
    running.splice(running.indexOf(part), 1);
    await part.stop();
  };
  if (process.env.BENCH_ONLY === "standing-orders") {
    const place = await makeDatabase(databases);
    await measureStandingOrders({
      place: place ? { databaseUrl: place.url } : { directory: join(directory, "orders") },
      submitted: undefined,
      say,
      row,
    });
    return;
  }
  const database = await makeDatabase(databases);
  const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
  const variables = {
    TRELLIS_DATA_DIR: directory,
    TRELLIS_API_KEY: apiKey,
    TRELLIS_LOG_LEVEL: "warn",
    TRELLIS_RATE_LIMIT: "0",
    TRELLIS_TENANT_RATE_LIMIT: "0",
    TRELLIS_TENANT_DAILY_WRITES: "0",
    TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000000",
    ...(database ? { DATABASE_URL: database.url, TRELLIS_MASTER_KEY: database.masterKey } : {}),
  };
  const slowCommits = { script, command, variables, apiKey, databases, payments: slowPayments, start, end, say, row };
  if (process.env.BENCH_ONLY === "slow-commits") {
    await measureSlowCommits(slowCommits);
    return;
  }
  const floors = measureCryptoFloors();
  let service = await start(startServiceProcess(script, 18_790, variables));
  say(`first start, empty data directory: ${Math.round(service.readyAfterMs)} ms`);
  const http = createHttpClient(service.url, apiKey, concurrency);

  const payers = await measureEmailAccounts(http, service, floors);
  const counter = database && (await openStatementCounter(database.url));
  const paymentRate = await measurePayments(http, service, floors, payers, counter);
  await counter?.close();
  if (counter === undefined) say("statements are not counted: that needs PostgreSQL with pg_stat_statements");
  await measureKeyAccounts(http, service, floors);
  await measureReads(`${api}/accounts/${at(payers, 0).address}`, service, apiKey, database);
  if (database) await measureProposals({ service, apiKey, databaseUrl: database.url, say, row });
  if (database) await measureHistory({ service, apiKey, databaseUrl: database.url, row });
  say(`resident memory under load: ${service.residentMb().toFixed(0)} MB`);
  http.close();
  await end(service);
  service = await start(startServiceProcess(script, 18_790, variables));
  say(
    `cold start, existing data directory: ${Math.round(service.readyAfterMs)} ms; resident ${service.residentMb().toFixed(0)} MB`,
  );
  await end(service);
  const left = await makeDatabase(databases);
  const recovered = await measureRecovery(
    left ? { databaseUrl: left.url } : { directory: join(directory, "recovery") },
  );
  say(`recovery of ${recovered.count} open submissions: ${recovered.seconds.toFixed(1)} s`);
  const ordersPlace = await makeDatabase(databases);
  await measureStandingOrders({
    place: ordersPlace ? { databaseUrl: ordersPlace.url } : { directory: join(directory, "orders") },
    submitted: paymentRate,
    say,
    row,
  });
  await measureGuardedPayments(say);
  await measureRpcCalls(say);
  await measureRemoteChain(say, async () => (await makeDatabase(databases))?.url);
  if (!database) {
    say("two processes on one database need PostgreSQL: set BENCH_DATABASE_URL");
    return;
  }

  await measureSlowCommits(slowCommits);
  const common = { ...variables, DATABASE_URL: (await makeDatabase(databases))?.url ?? "" };
  const chain = { ...variables, DATABASE_URL: (await makeDatabase(databases))?.url ?? "" };
  const sandbox = await start(startSandboxProcess(command, 18_780, chain));
  const remote = { ...common, TRELLIS_SANDBOX_RPC_URL: sandbox.url };
  const first = await start(startServiceProcess(script, 18_793, remote));
  const second = await start(startServiceProcess(script, 18_794, remote));
  await measureTwoProcesses([first, second], apiKey);
}

/** Create + verify, and a hundred of the accounts with money and keys at hand. */
async function measureEmailAccounts(
  http: HttpClient,
  service: ServiceProcess,
  floors: CryptoFloors,
): Promise<Holder[]> {
  await makePayers(http, warmUp.accounts, concurrency);
  const holders = makeHolders(accounts);
  const creating = await clocked(service, accounts, (i) => create(http, at(holders, i)));
  const codes = await readCodes(http, holders, concurrency);
  const clientKey = makeClientKey();
  const sealed: SealedKey[] = [];
  const verifying = await clocked(service, accounts, async (i) => {
    sealed[i] = await verify(http, at(holders, i), at(codes, i), clientKey.spki);
  });
  const pairs = accounts / (creating.seconds + verifying.seconds);
  row(
    "create + verify",
    `${pairs.toFixed(0)} pairs/s`,
    pairs / floors.createAndVerify,
    "the same crypto alone",
    creating.processorMs + verifying.processorMs,
  );
  say(
    `  create ${(accounts / creating.seconds).toFixed(0)}/s, verify ${(accounts / verifying.seconds).toFixed(0)}/s, floor ${floors.createAndVerify.toFixed(0)}/s`,
  );
  const payers = holders.slice(0, 100);
  for (const [i, holder] of payers.entries()) await equip(http, holder, at(sealed, i), clientKey.pkcs8);
  return payers;
}

/** Single payments, and twenty in one submit. Gives the single ones a second. */
async function measurePayments(
  http: HttpClient,
  service: ServiceProcess,
  floors: CryptoFloors,
  payers: readonly Holder[],
  counter: StatementCounter | undefined,
): Promise<number> {
  const payer = (i: number) => at(payers, i % payers.length);
  await timed(warmUp.payments, concurrency, (i) => pay(http, payer(i), payer(i + 1)));
  await counter?.reset();
  const paying = await clocked(service, payments, (i) => pay(http, payer(i), payer(i + 1)));
  const rate = payments / paying.seconds;
  row(
    "prepare + sign + submit",
    `${rate.toFixed(0)} /s`,
    rate / floors.prepareAndSubmit,
    cryptoFloor,
    paying.processorMs,
  );
  await sayStatements(`${concurrency} at once`, counter, payments);
  await counter?.reset();
  const alone = await timed(alonePayments, 1, (i) => pay(http, payer(i), payer(i + 1)));
  say(`  one at a time ${(alonePayments / alone).toFixed(0)} /s`);
  await sayStatements("one at a time", counter, alonePayments);

  const bodies: { address: string; transactions: string[]; kms_payloads: object[][] }[] = [];
  await timed(batches.count, concurrency, async (i) => {
    const { address } = payer(i);
    const prepared = await Promise.all(
      Array.from({ length: batches.size }, () => prepare(http, address, payer(i + 1).address)),
    );
    bodies[i] = {
      address,
      transactions: prepared.map(({ transaction }) => transaction),
      kms_payloads: prepared.map((each) => [stampOf(each, payer(i))]),
    };
  });
  const submitting = await clocked(service, batches.count, async (i) => {
    const { address, ...body } = at(bodies, i);
    const { results } = dataOf<{ results: unknown[] }>(await http.post(`${api}/accounts/${address}/submit`, body));
    if (results.length !== batches.size) throw new Error(`only ${results.length} of a batch landed`);
  });
  const landed = (batches.count * batches.size) / submitting.seconds;
  row(
    `submit of ${batches.size} at once`,
    `${landed.toFixed(0)} transactions/s`,
    landed / floors.prepareAndSubmit,
    cryptoFloor,
    submitting.processorMs / batches.size,
  );
  return rate;
}

async function sayStatements(how: string, counter: StatementCounter | undefined, count: number): Promise<void> {
  if (counter === undefined) return;
  const { statements, commits, walBytes, milliseconds } = await counter.read(count);
  say(
    `  a payment, ${how}: ${statements.toFixed(1)} statements, ${commits.toFixed(1)} commits, ` +
      `${(walBytes / 1024).toFixed(1)} KB of WAL, ${milliseconds.toFixed(2)} ms within the database`,
  );
}

/** Accounts of outside keys: creation, and payments that two of three keys sign. */
async function measureKeyAccounts(http: HttpClient, service: ServiceProcess, floors: CryptoFloors): Promise<void> {
  await timed(warmUp.keyAccounts, concurrency, async () => void (await createKeyAccount(http)));
  const made: KeyAccount[] = [];
  const creating = await clocked(service, keyAccounts, async (i) => {
    made[i] = await createKeyAccount(http);
  });
  const created = keyAccounts / creating.seconds;
  row(
    "create from keys",
    `${created.toFixed(0)} /s`,
    created / floors.createFromKeys,
    cryptoFloor,
    creating.processorMs,
  );

  const payers = made.slice(0, 50);
  for (const { address } of payers) await fill(http, address);
  const payer = (i: number) => at(payers, i % payers.length);
  const paying = await clocked(service, keyAccounts, (i) => payByKeys(http, payer(i), payer(i + 1).address));
  const paid = keyAccounts / paying.seconds;
  row(
    "payment by 2 of 3 keys",
    `${paid.toFixed(0)} /s`,
    paid / floors.submitOfTwoKeys,
    cryptoFloor,
    paying.processorMs,
  );
}

async function measureReads(
  path: string,
  service: ServiceProcess,
  apiKey: string,
  database: BenchDatabase | undefined,
): Promise<void> {
  const before = service.processorMs();
  const read = await cannon(`${service.url}${path}`, apiKey);
  const processorMs = (service.processorMs() - before) / (read * readSeconds);
  if (!database) {
    say(`GET account                ${read.toFixed(0)} /s (its floor needs PostgreSQL: set BENCH_DATABASE_URL)`);
    return;
  }
  const floor = await startServiceProcess(fileURLToPath(new URL("./floor-server.ts", import.meta.url)), 18_791, {
    DATABASE_URL: database.url,
    NODE_OPTIONS: "--import tsx",
  });
  const bare = await cannon(`${floor.url}/accounts/${path.slice(path.lastIndexOf("/") + 1)}`, apiKey);
  await floor.stop();
  row("GET account", `${read.toFixed(0)} /s`, read / bare, "bare Fastify with the same query", processorMs);
  say(`  floor ${bare.toFixed(0)}/s`);
}

/** The same payments by one process and by two, on one database and one sandbox chain in a process of its own. */
async function measureTwoProcesses(services: readonly ServiceProcess[], apiKey: string): Promise<void> {
  const clients = services.map(({ url }) => createHttpClient(url, apiKey, concurrency));
  const payers = await makePayers(at(clients, 0), shared.payers, concurrency);
  const rateOf = async (among: readonly HttpClient[]) => {
    const seconds = await timed(shared.payments, concurrency, (i) =>
      pay(at(among, i % among.length), at(payers, i % payers.length), at(payers, (i + 1) % payers.length)),
    );
    return shared.payments / seconds;
  };
  // Both have run before: neither pays for compiling its code within its measurement.
  await rateOf(clients);
  const one = await rateOf(clients.slice(0, 1));
  const two = await rateOf(clients);
  row("two processes, payments", `${two.toFixed(0)} /s`, two / one, `one process (${one.toFixed(0)} /s)`);
  for (const client of clients) client.close();
}

const cryptoFloor = "the same crypto alone";

/** Runs work at the usual concurrency; seconds altogether, and the service's processor time for each piece. */
async function clocked(service: ServiceProcess, count: number, work: (index: number) => Promise<void>) {
  const before = service.processorMs();
  const seconds = await timed(count, concurrency, work);
  return { seconds, processorMs: (service.processorMs() - before) / count };
}

function loadAverage(): string {
  return readFileSync("/proc/loadavg", "utf8").split(" ")[0] ?? "unknown";
}

async function cannon(url: string, apiKey: string): Promise<number> {
  const load = () =>
    autocannon({
      url,
      connections: concurrency,
      duration: readSeconds,
      headers: { authorization: `Bearer ${apiKey}`, "x-service-environment": "sandbox" },
    });
  const result = await load();
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors from ${url}`);
  return result.requests.average;
}

function row(what: string, figure: string, ratio: number, floor: string, processorMs?: number): void {
  const spent = processorMs === undefined ? "" : `, ${processorMs.toFixed(2)} ms of the service's processor time each`;
  say(`${what.padEnd(26)} ${figure.padEnd(20)} ${ratio.toFixed(2)} of ${floor}${spent}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
