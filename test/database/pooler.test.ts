import { randomBytes } from "node:crypto";
import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "../../src/adapters/db/open-database.js";
import { lamportsOf, openAccount, preparePayment } from "../crash/honest-client.js";
import { hasPgbouncer, type OwnServer, startPgbouncer } from "../support/own-server.js";
import { createTestLocation, postgresUrl, type TestLocation } from "../support/test-database.js";
import { startTestService, type TestService } from "../support/test-service.js";

// PgBouncer of any version, without support for prepared statements, with four connections for all clients.
describe.runIf(postgresUrl !== undefined && hasPgbouncer)("behind a pooler in transaction mode", () => {
  let pooler: OwnServer;
  let place: TestLocation;
  let url: string;
  const through = (server: OwnServer) => `${server.url}${new URL(place.url ?? "").pathname}`;

  beforeAll(async () => {
    place = await createTestLocation();
    pooler = await startPgbouncer(place.url ?? "");
    url = through(pooler);
  });
  afterAll(async () => {
    await place?.drop();
    await pooler?.stop();
  });

  it("accounts are made and money moves, by many at once and by two processes", { timeout: 240_000 }, async () => {
    const services: TestService[] = [];
    const masterKey = randomBytes(32).toString("base64");
    try {
      const start = async (more: Record<string, string> = {}) => {
        const variables = { DATABASE_URL: url, TRELLIS_MASTER_KEY: masterKey, ...more };
        services.push(await startTestService(variables));
        return services.at(-1) as TestService;
      };
      const { client, apiKey } = await start();
      const holders = await Promise.all(
        Array.from({ length: 8 }, (_, i) => openAccount(client, `holder-${i}@example.org`, 1_000_000_000n)),
      );
      const pairs = holders.flatMap((from, i) => [1n, 2n, 3n].map((amount) => ({ from, amount, to: holders[i ^ 1] })));
      await Promise.all(
        pairs.map(async ({ from, to, amount }) => {
          const payment = await preparePayment(client, from, to?.address ?? "", amount * BigInt(from.email.length));
          await client.transactions.submit(from.address, payment.submit);
        }),
      );
      for (const { address } of holders) expect(await lamportsOf(client, address)).toBe(1_000_000_000n);
      // The chain has one owner here too.
      await expect(start({ TRELLIS_API_KEY: apiKey })).rejects.toThrow("another process runs the sandbox chain");
      await services.pop()?.close();
      await start({ TRELLIS_API_KEY: apiKey });
    } finally {
      for (const service of services) await service.close();
    }
  });

  it("a name is held by one process, and is free when that one has ended", async () => {
    const [first, second] = [await openDatabase(at(url)), await openDatabase(at(url))];
    const lease = await first.takeLease("something");
    expect(lease).toBeDefined();
    for (let i = 0; i < 10; i += 1) expect(await second.takeLease("something")).toBeUndefined();
    await lease?.release();
    await expect.poll(() => second.takeLease("something")).toBeDefined();
    await first.close();
    await second.close();
  });

  it("several processes bring one schema up to date at once, and leave no lock behind", async () => {
    const empty = await createTestLocation();
    try {
      const url = `${pooler.url}${new URL(empty.url ?? "").pathname}`;
      const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(at(url))));
      const [first] = opened;
      const { rows } = await sql`select from pg_locks where locktype = 'advisory' and database =
        (select oid from pg_database where datname = current_database())`.execute(first?.db as OpenDatabase["db"]);
      expect(rows).toEqual([]);
      await Promise.all(opened.map(({ close }) => close()));
    } finally {
      await empty.drop();
    }
  });

  it.each([
    ["refuses settings", []],
    ["ignores settings", ["ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout"]],
  ])("one that %s is reported, until the bounds stand at the server", async (_, lines) => {
    const other = await startPgbouncer(place.url ?? "", lines);
    const database = await openDatabase(at(through(other)));
    try {
      const settings = async () => (await database.findFaults()).map(({ setting }) => setting);
      expect(await settings()).toEqual(expect.arrayContaining(boundSettings));
      for (const name of boundSettings) {
        await sql`alter database ${sql.ref(new URL(place.url ?? "").pathname.slice(1))} set ${sql.ref(name)} = '100ms'`.execute(
          database.db,
        );
      }
      const later = await startPgbouncer(place.url ?? "", lines);
      const bounded = await openDatabase(at(through(later)));
      expect(await bounded.findFaults()).toEqual([]);
      await expect(sql`select pg_sleep(60)`.execute(bounded.db)).rejects.toThrow(DatabaseUnavailable);
      await bounded.close();
      await later.stop();
    } finally {
      for (const name of boundSettings) {
        await sql`alter database ${sql.ref(new URL(place.url ?? "").pathname.slice(1))} reset ${sql.ref(name)}`.execute(
          database.db,
        );
      }
      await database.close();
      await other.stop();
    }
  });
});

const boundSettings = ["idle_in_transaction_session_timeout", "statement_timeout"];
const at = (url: string) => ({ kind: "postgres", url }) as const;
