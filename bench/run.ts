/**
 * Measures the service against floors taken in the same run and prints ratios. Talks to 127.0.0.1 only and stops by
 * itself. BENCH_DATABASE_URL names a PostgreSQL server to make a fresh database on; without it the embedded database is
 * measured, and the floor of GET account, which needs PostgreSQL, is left out.
 */
import { createPrivateKey, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openAuthorizationKey } from "@trellis/sdk";
import autocannon from "autocannon";
import canonicalize from "canonicalize";
import pg from "pg";
import { measureCryptoFloors } from "./crypto-floor.js";
import { createHttpClient, dataOf, type HttpClient, timed } from "./http-client.js";
import { startServiceProcess } from "./service-process.js";

const accounts = Number(process.env.BENCH_ACCOUNTS ?? 2_000);
const payments = Number(process.env.BENCH_PAYMENTS ?? 3_000);
const concurrency = 64;
const readSeconds = 8;
const api = "/api/service/v1";

interface Holder {
  readonly email: string;
  address: string;
  key: KeyObject;
}

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "trellis-bench-"));
  const database = await makeDatabase();
  const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
  const variables = {
    TRELLIS_DATA_DIR: directory,
    TRELLIS_API_KEY: apiKey,
    TRELLIS_LOG_LEVEL: "warn",
    TRELLIS_RATE_LIMIT: "0",
    TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000000",
    ...(database ? { DATABASE_URL: database.url, TRELLIS_MASTER_KEY: randomBytes(32).toString("base64") } : {}),
  };
  const script = fileURLToPath(new URL("../dist/main.js", import.meta.url));
  say(
    `${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}, ${database ? "PostgreSQL" : "embedded database"}`,
  );
  try {
    const floors = measureCryptoFloors();
    let service = await startServiceProcess(script, 18_790, variables);
    say(`first start, empty data directory: ${Math.round(service.readyAfterMs)} ms`);
    const http = createHttpClient(service.url, apiKey, concurrency);

    const holders = makeHolders();
    const createSeconds = await timed(accounts, concurrency, (i) => create(http, holderAt(holders, i)));
    const codes = await readCodes(http, holders);
    const clientKey = makeClientKey();
    const sealed: { encapsulated_key: string; ciphertext: string }[] = [];
    const verifySeconds = await timed(accounts, concurrency, async (i) => {
      sealed[i] = await verify(http, holderAt(holders, i), codes[i] ?? "", clientKey.spki);
    });
    const pairs = accounts / (createSeconds + verifySeconds);
    row("create + verify", `${pairs.toFixed(0)} pairs/s`, pairs / floors.createAndVerify, "the same crypto alone");
    say(
      `  create ${(accounts / createSeconds).toFixed(0)}/s, verify ${(accounts / verifySeconds).toFixed(0)}/s, floor ${floors.createAndVerify.toFixed(0)}/s`,
    );

    const payers = holders.slice(0, 100);
    for (const [i, holder] of payers.entries()) {
      const box = sealed[i];
      if (!box) throw new Error("no session");
      holder.key = await openKey(box, clientKey.pkcs8);
      dataOf(
        await http.post(`${api}/sandbox/airdrop`, { address: holder.address, currency: "sol", amount: "100000000000" }),
      );
    }
    const paySeconds = await timed(payments, concurrency, (i) =>
      pay(http, payers[i % payers.length], payers[(i + 1) % payers.length]),
    );
    const rate = payments / paySeconds;
    row("prepare + sign + submit", `${rate.toFixed(0)} /s`, rate / floors.prepareAndSubmit, "the same crypto alone");

    const path = `${api}/accounts/${holders[0]?.address ?? ""}`;
    const read = await cannon(`${service.url}${path}`, apiKey);
    if (database) {
      const floor = await startServiceProcess(fileURLToPath(new URL("./floor-server.ts", import.meta.url)), 18_791, {
        DATABASE_URL: database.url,
        NODE_OPTIONS: "--import tsx",
      });
      const bare = await cannon(`${floor.url}/accounts/${holders[0]?.address ?? ""}`, apiKey);
      await floor.stop();
      row("GET account", `${read.toFixed(0)} /s`, read / bare, "bare Fastify with the same query");
      say(`  floor ${bare.toFixed(0)}/s`);
    } else {
      say(`GET account                ${read.toFixed(0)} /s (its floor needs PostgreSQL: set BENCH_DATABASE_URL)`);
    }
    say(`resident memory under load: ${service.residentMb().toFixed(0)} MB`);
    http.close();
    await service.stop();
    service = await startServiceProcess(script, 18_790, variables);
    say(
      `cold start, existing data directory: ${Math.round(service.readyAfterMs)} ms; resident ${service.residentMb().toFixed(0)} MB`,
    );
    await service.stop();
  } finally {
    await database?.drop();
    await rm(directory, { recursive: true, force: true });
  }
}

function makeHolders(): Holder[] {
  const run = randomBytes(4).toString("hex");
  const nobody = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  return Array.from({ length: accounts }, (_, i) => ({
    email: `holder-${run}-${i}@example.org`,
    address: "",
    key: nobody,
  }));
}

function holderAt(holders: readonly Holder[], index: number): Holder {
  const holder = holders[index];
  if (!holder) throw new Error(`no holder ${index}`);
  return holder;
}

async function create(http: HttpClient, { email }: Holder): Promise<void> {
  dataOf(await http.post(`${api}/accounts`, { type: "email", email }));
}

/** Outside the clock: a person's mail program is not part of the service. */
async function readCodes(http: HttpClient, holders: readonly Holder[]): Promise<string[]> {
  const codes: string[] = [];
  await timed(holders.length, concurrency, async (i) => {
    const mails = dataOf<{ otp_code: string }[]>(
      await http.get(`${api}/sandbox/outbox?email=${encodeURIComponent(holderAt(holders, i).email)}`),
    );
    codes[i] = mails[0]?.otp_code ?? "";
  });
  return codes;
}

function makeClientKey(): { spki: string; pkcs8: Uint8Array } {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    spki: pair.publicKey.export({ format: "der", type: "spki" }).toString("base64"),
    pkcs8: new Uint8Array(pair.privateKey.export({ format: "der", type: "pkcs8" })),
  };
}

async function verify(http: HttpClient, holder: Holder, code: string, spki: string) {
  const data = dataOf<{
    address: string;
    authentication: {
      session: { KmsA: { session: { encrypted_authorization_key: { encapsulated_key: string; ciphertext: string } } } };
    }[];
  }>(
    await http.post(`${api}/accounts/verify`, {
      email: holder.email,
      otp_code: code,
      provider: "kms_a",
      kms_provider_config: { encryption_public_key: spki },
    }),
  );
  holder.address = data.address;
  const box = data.authentication[0]?.session.KmsA.session.encrypted_authorization_key;
  if (!box) throw new Error("no session in the answer");
  return box;
}

/** The holder's P-256 key as a Node key object: signing must cost the load generator as little as possible. */
async function openKey(box: { encapsulated_key: string; ciphertext: string }, pkcs8: Uint8Array): Promise<KeyObject> {
  const opened = await openAuthorizationKey(box, pkcs8);
  const scalar = opened.privateKey;
  const sec1 = Buffer.concat([
    Buffer.from("30310201010420", "hex"),
    scalar,
    Buffer.from("a00a06082a8648ce3d030107", "hex"),
  ]);
  return createPrivateKey({ key: sec1, format: "der", type: "sec1" });
}

async function pay(http: HttpClient, from: Holder | undefined, to: Holder | undefined): Promise<void> {
  if (!from || !to) throw new Error("no payer");
  const prepared = dataOf<{ transaction: string; kms_payloads: { payload: string }[] }>(
    await http.post(`${api}/accounts/${from.address}/payment-intent`, {
      amount: "1000000",
      source: { account: from.address, currency: "sol" },
      destination: { address: to.address, currency: "sol" },
    }),
  );
  const document: unknown = JSON.parse(Buffer.from(prepared.kms_payloads[0]?.payload ?? "", "base64").toString());
  const signature = createSign("sha256")
    .update(canonicalize(document) ?? "")
    .sign(from.key)
    .toString("base64");
  dataOf(
    await http.post(`${api}/accounts/${from.address}/submit`, {
      transaction: prepared.transaction,
      kms_payloads: [{ provider: "kms_a", kms_signed_payload: { signature } }],
    }),
  );
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

async function makeDatabase(): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  const server = process.env.BENCH_DATABASE_URL;
  if (server === undefined) return undefined;
  const name = `trellis_bench_${randomBytes(6).toString("hex")}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
}

function row(what: string, figure: string, ratio: number, floor: string): void {
  say(`${what.padEnd(26)} ${figure.padEnd(16)} ${ratio.toFixed(2)} of ${floor}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
