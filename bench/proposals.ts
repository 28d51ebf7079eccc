import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { getAddressDecoder } from "@solana/kit";
import autocannon from "autocannon";
import pg from "pg";
import { createHttpClient, type HttpClient } from "./http-client.js";
import { type ServiceProcess, startServiceProcess } from "./service-process.js";

const accounts = 1_000;
const proposalsEach = 100;
/** Of one account more: enough for page 1,900 of 50. */
const deepProposals = 95_100;
const pageSize = 50;
const deepPage = 1_900;
const timings = 300;
/** Both are measured in turn, so that what else the machine does falls on both. */
const rounds = { count: 4, seconds: 3 } as const;
const api = "/api/service/v1";

/** Where the measuring happens. */
export interface ProposalsBench {
  readonly service: ServiceProcess;
  readonly apiKey: string;
  /** PostgreSQL, the one the service runs on. */
  readonly databaseUrl: string;
  readonly say: (line: string) => void;
  /** Prints a figure and its ratio to a floor; `processorMs` of each request where it is known. */
  readonly row: (what: string, figure: string, ratio: number, floor: string, processorMs?: number) => void;
}

/**
 * Measures lists of proposals: a page with a status filter against the bare query behind plain Fastify, a deep page
 * against the first, and the memory of the service over both. Fills the database first, by SQL, past the service.
 */
export async function measureProposals({ service, apiKey, databaseUrl, say, row }: ProposalsBench): Promise<void> {
  const places = Array.from({ length: accounts + 1 }, (): Place => ({ address: newAddress(), settings: newAddress() }));
  await fill(databaseUrl, places);
  const ratio = await measureFilteredPages(service, apiKey, databaseUrl, places, say);
  row(
    "proposals, by status",
    `${ratio.listed.toFixed(0)} /s`,
    ratio.listed / ratio.bare,
    "bare Fastify with the bare query",
    ratio.listedMs,
  );
  const deepAddress = places.at(-1)?.address;
  const http = createHttpClient(service.url, apiKey, 1);
  const { first, deep } = await measureDepth(http, `${api}/accounts/${deepAddress}/proposals`);
  http.close();
  row(`proposals, page ${deepPage}`, `${deep.toFixed(2)} ms`, deep / first, `page 1 (${first.toFixed(2)} ms)`);
  const after = service.residentMb();
  say(`  resident memory ${ratio.warmMb.toFixed(0)} MB after the first round, ${after.toFixed(0)} MB at the end`);
}

/** An account as far as the index knows it; the last of them is the deep one. */
interface Place {
  readonly address: string;
  readonly settings: string;
}

const newAddress = (): string => getAddressDecoder().decode(randomBytes(32));

/** Rows as large as those of three signers with two votes. Evenly over the accounts; six of ten are executed. */
async function fill(url: string, places: readonly Place[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const settings = places.map((place) => place.settings);
  await client.query(
    `insert into account (environment, address, tenant_id, settings_address, type, user_id, created_at, updated_at)
     select 'sandbox', address, 'default', settings, 'signers', address, 0, 0
     from unnest($1::text[], $2::text[]) as place (address, settings)`,
    [places.map((place) => place.address), settings],
  );
  const made = `from unnest($1::text[]) with ordinality as place (settings, n)
     cross join lateral (select case when n = array_length($1::text[], 1) then $3::int4 else $2::int4 end) as made (size)`;
  const sizes = [settings, proposalsEach, deepProposals];
  await client.query(
    `insert into proposal_watch (environment, settings_address, transaction_index, stale_transaction_index,
       read_slot, active_at)
     select 'sandbox', settings, size, 0, 0, 0 ${made}`,
    sizes,
  );
  await client.query(
    `insert into proposal (environment, settings_address, transaction_index, proposal_address, transaction_address, kind,
       status, chain_status, status_timestamp, approved, rejected, cancelled, votes, creator, proposal_rent_collector,
       transaction_rent_collector, content, opened_at, last_modified_signature, last_modified_at, uses_durable_nonce,
       reclaimed_lamports, seen_signature, read_slot)
     select 'sandbox', settings, i, rpad('p' || n || 'i' || i, 44, 'x'), rpad('t' || n || 'i' || i, 44, 'x'),
       'transaction', standing.wire, lower(standing.wire), 1700000000 + i,
       json_build_array(repeat('a', 44), repeat('b', 44))::text, '[]', '[]',
       json_build_array(
         json_build_object('signer', repeat('a', 44), 'action', 'approve', 'at', 1700000000, 'signature', repeat('s', 88)),
         json_build_object('signer', repeat('b', 44), 'action', 'approve', 'at', 1700000000, 'signature', repeat('s', 88))
       )::text,
       repeat('a', 44), repeat('f', 44), repeat('f', 44), decode(repeat('ab', 200), 'hex'), 1700000000 + i,
       repeat('s', 88), 1700000000 + i, false, null, repeat('s', 88), 0
     ${made}
     cross join lateral generate_series(1, size) i
     cross join lateral (
       select case when i % 10 < 6 then 'Executed' else (array['Rejected', 'Cancelled', 'Approved', 'Active'])[i % 10 - 5] end
     ) as standing (wire)`,
    sizes,
  );
  await client.query("analyze");
  await client.end();
}

async function measureFilteredPages(
  service: ServiceProcess,
  apiKey: string,
  databaseUrl: string,
  places: readonly Place[],
  say: ProposalsBench["say"],
): Promise<{ readonly listed: number; readonly bare: number; readonly listedMs: number; readonly warmMb: number }> {
  const query = `?status=Executed&limit=${pageSize}`;
  const even = places.slice(0, accounts);
  const floorScript = fileURLToPath(new URL("./floor-server.ts", import.meta.url));
  const floor = await startServiceProcess(floorScript, 18_795, {
    DATABASE_URL: databaseUrl,
    NODE_OPTIONS: "--import tsx",
  });
  try {
    const served = even.map(({ address }) => `${api}/accounts/${address}/proposals${query}`);
    const bare = even.map(({ settings }) => `/settings/${settings}/proposals${query}`);
    await requireFull(service.url, served[0] ?? "", apiKey);
    await requireFull(floor.url, bare[0] ?? "", apiKey);
    const [listed, plain] = [
      { requests: 0, processorMs: 0 },
      { requests: 0, processorMs: 0 },
    ];
    let warmMb = 0;
    for (let round = 0; round < rounds.count; round += 1) {
      await cannon(service, served, apiKey, listed);
      await cannon(floor, bare, apiKey, plain);
      // What a process takes until it runs warm is not growth.
      if (round === 0) warmMb = service.residentMb();
    }
    const rateOf = ({ requests }: typeof listed) => requests / (rounds.count * rounds.seconds);
    const listedMs = listed.processorMs / listed.requests;
    const bareMs = plain.processorMs / plain.requests;
    say(
      `  floor ${rateOf(plain).toFixed(0)}/s; processor time ${listedMs.toFixed(2)} ms against ${bareMs.toFixed(2)} ms`,
    );
    return { listed: rateOf(listed), bare: rateOf(plain), listedMs, warmMb };
  } finally {
    await floor.stop();
  }
}

const headersOf = (apiKey: string) => ({ authorization: `Bearer ${apiKey}`, "x-service-environment": "sandbox" });

/** A page that is not full would be measured too cheaply. */
async function requireFull(url: string, path: string, apiKey: string): Promise<void> {
  const answer = await fetch(url + path, { headers: headersOf(apiKey) });
  const { data } = (await answer.json()) as { data?: unknown[] };
  if (data?.length !== pageSize) throw new Error(`${path} answers ${answer.status} with ${data?.length} proposals`);
}

/** Asks for a while, all paths in turn, and adds up answers and the server's processor time. */
async function cannon(
  server: ServiceProcess,
  paths: readonly string[],
  apiKey: string,
  sum: { requests: number; processorMs: number },
): Promise<void> {
  const before = server.processorMs();
  const result = await autocannon({
    url: server.url,
    connections: 64,
    duration: rounds.seconds,
    timeout: 60,
    headers: headersOf(apiKey),
    requests: paths.map((path) => ({ method: "GET" as const, path })),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors from ${server.url}`);
  }
  sum.requests += result["2xx"];
  sum.processorMs += server.processorMs() - before;
}

interface ListAnswer {
  readonly data: readonly { readonly transactionIndex: number }[];
  readonly metadata: { readonly next_cursor?: string };
}

/** Walks to the deep page by cursors, as a client does, and times it in turn with the first. Medians, milliseconds. */
async function measureDepth(
  http: HttpClient,
  path: string,
): Promise<{ readonly first: number; readonly deep: number }> {
  const page = async (limit: number, cursor: string | undefined): Promise<ListAnswer> => {
    const { status, body } = await http.get(`${path}?limit=${limit}${cursor === undefined ? "" : `&cursor=${cursor}`}`);
    if (status !== 200) throw new Error(`a page answers ${status}`);
    return body as ListAnswer;
  };
  let cursor: string | undefined;
  let seen = 0;
  // Two pages at a time, then the last step by one.
  for (let left = deepPage - 1; left > 0; ) {
    const step = left >= 2 ? 2 : 1;
    const { data, metadata } = await page(step * pageSize, cursor);
    seen += data.length;
    left -= step;
    cursor = metadata.next_cursor;
  }
  const last = await page(pageSize, cursor);
  if (seen !== (deepPage - 1) * pageSize || last.data[0]?.transactionIndex !== deepProposals - seen) {
    throw new Error(`page ${deepPage} starts at ${last.data[0]?.transactionIndex} after ${seen} proposals`);
  }
  const [first, deep]: [number[], number[]] = [[], []];
  const time = async (times: number[], at: string | undefined) => {
    const started = performance.now();
    await page(pageSize, at);
    times.push(performance.now() - started);
  };
  for (let i = 0; i < timings; i += 1) {
    await time(first, undefined);
    await time(deep, cursor);
  }
  return { first: median(first), deep: median(deep) };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
