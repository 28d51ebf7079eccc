import { randomBytes } from "node:crypto";
import { getAddressDecoder } from "@solana/kit";
import pg from "pg";
import { createHttpClient, type HttpClient } from "./http-client.js";
import type { ServiceProcess } from "./service-process.js";
import { sized } from "./size.js";

const transfers = sized(200_000, 20_000);
const pageSize = 50;
const timings = sized(300, 50);

/** Where the measuring happens. */
export interface HistoryBench {
  readonly service: ServiceProcess;
  readonly apiKey: string;
  /** PostgreSQL, the one the service runs on. */
  readonly databaseUrl: string;
  /** Prints a figure and its ratio to a floor. */
  readonly row: (what: string, figure: string, ratio: number, floor: string) => void;
}

/**
 * Measures the deepest page of an account's transfers against the first, unfiltered and by currency. Fills the database
 * first, by SQL, past the service.
 */
export async function measureHistory({ service, apiKey, databaseUrl, row }: HistoryBench): Promise<void> {
  const [address, settings] = [newAddress(), newAddress()];
  await fill(databaseUrl, address, settings);
  const http = createHttpClient(service.url, apiKey, 1);
  const path = `/api/service/v1/accounts/${address}/transfers`;
  for (const filter of ["", "&currency=usdc"]) {
    const { first, deep } = await measureDepth(http, path, filter);
    row(
      `transfers${filter === "" ? "" : " by currency"}, last page`,
      `${deep.toFixed(2)} ms`,
      deep / first,
      `first page (${first.toFixed(2)} ms)`,
    );
  }
  http.close();
}

const newAddress = (): string => getAddressDecoder().decode(randomBytes(32));

/** Half of them tokens, one of five an outflow, as long as the real ones. */
async function fill(url: string, address: string, settings: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into account (environment, address, tenant_id, settings_address, type, user_id, created_at, updated_at)
     values ('sandbox', $1, 'default', $2, 'signers', gen_random_uuid()::text, 0, 0)`,
    [address, settings],
  );
  const made = `from generate_series(1, ${transfers}) as made (n)`;
  const signature = `rpad(translate(lpad(n::text, 9, '0'), '0', 'z'), 88, 'x')`;
  await client.query(
    `insert into history_transaction (environment, account_address, signature, slot, confirmed_at, finalized, failed, kind,
       found_at)
     select 'sandbox', $1, ${signature}, n, 1700000000 + n, true, false, 'deposit', $1 ${made}`,
    [address],
  );
  await client.query(
    `insert into history_transfer (environment, account_address, signature, position, slot, confirmed_at,
       instruction_index, direction, own_address, mint, is_token_2022, decimals, from_address, to_address, amount,
       is_first_of_mint)
     select 'sandbox', $1, ${signature}, 0, n, 1700000000 + n, 0, case when n % 5 = 0 then 'outflow' else 'inflow' end,
       repeat('t', 44), case when n % 2 = 0 then 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
         else '11111111111111111111111111111111' end,
       false, 6, repeat('f', 44), $1, n::text, true ${made}`,
    [address],
  );
  await client.query("analyze");
  await client.end();
}

interface ListAnswer {
  readonly data: readonly unknown[];
  readonly metadata: { readonly next_cursor?: string };
}

/** Walks to the last page by cursors, as a client does, and times it in turn with the first. Medians, milliseconds. */
async function measureDepth(
  http: HttpClient,
  path: string,
  filter: string,
): Promise<{ readonly first: number; readonly deep: number }> {
  const page = async (limit: number, cursor: string | undefined): Promise<ListAnswer> => {
    const more = cursor === undefined ? "" : `&cursor=${cursor}`;
    const { status, body } = await http.get(`${path}?limit=${limit}${filter}${more}`);
    if (status !== 200) throw new Error(`a page answers ${status}`);
    return body as ListAnswer;
  };
  let seen = 0;
  let cursor: string | undefined;
  let last: string | undefined;
  do {
    last = cursor;
    const { data, metadata } = await page(100, cursor);
    seen += data.length;
    cursor = metadata.next_cursor;
  } while (cursor !== undefined);
  const expected = filter === "" ? transfers : transfers / 2;
  if (seen !== expected) throw new Error(`${seen} transfers are listed instead of ${expected}`);
  const times: Record<"first" | "deep", number[]> = { first: [], deep: [] };
  const time = async (which: "first" | "deep", at: string | undefined) => {
    const started = performance.now();
    const { data } = await page(pageSize, at);
    if (data.length !== pageSize) throw new Error(`a page of ${data.length}`);
    times[which].push(performance.now() - started);
  };
  for (let i = 0; i < timings; i += 1) {
    await time("first", undefined);
    await time("deep", last);
  }
  return { first: median(times.first), deep: median(times.deep) };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
