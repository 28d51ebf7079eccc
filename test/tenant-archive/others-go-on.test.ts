import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressOfKey } from "@trellis/sdk";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replaceSecrets } from "../../src/adapters/replace-secrets.js";
import { systemRandom } from "../../src/adapters/system.js";
import { replaceableSecrets } from "../../src/modules.js";
import { exportTenant } from "../../src/operator/archive/export-tenant.js";
import { newKey as newSigner } from "../proposals/support.js";
import { knownMasterKey } from "../support/other-tenant.js";
import { use, useTestService } from "../support/scene.js";
import { postgresUrl } from "../support/test-database.js";
import { useDatabase } from "../support/use-database.js";
import { type Archive, clusters, exportFrom, type Installation, importTo, keyringOf, newKey, own } from "./support.js";

const events = 3_000;

// The embedded database has one connection, and nothing runs beside an operator's command.
describe.skipIf(postgresUrl === undefined)("Beside an operator's command, others go on", () => {
  const trellis = useTestService(knownMasterKey);
  const elsewhere = useDatabase();
  const receiver = use(openReceiver);
  let here: Installation;
  let source: Installation;
  let archive: Archive;

  beforeAll(async () => {
    here = { db: trellis.service.db, key: Buffer.from(knownMasterKey.TRELLIS_MASTER_KEY, "base64") };
    source = { db: elsewhere.db, key: newKey() };
    await sql`insert into tenant (id, name, created_at, frozen_at) values ('shop', 'Shop', 0, 1)`.execute(source.db);
    await sql`insert into event (id, tenant_id, environment, type, object_id, data, created_at, place, placed_at)
      select 'evt_' || n, 'shop', 'sandbox', 'transaction.confirmed', 'object-' || n, ${JSON.stringify({ text: "x".repeat(500) })}::text,
        0, ${events + 1} - n, 0 from generate_series(1, ${events}::int4) as n`.execute(source.db);
    await sql`insert into api_key (id, tenant_id, name, kind, visible_prefix, scopes, environments, key_hash, origin, created_at)
      values ('key-1', 'shop', 'Server', 'secret', 'sk_', '["accounts:read"]', '["sandbox"]', ${new Uint8Array(32)}::bytea, 'made', 0)`.execute(
      source.db,
    );
    archive = await exportFrom(source, "shop");
  });
  afterAll(() => receiver.close());

  it("a payment gets its event and is delivered while a tenant's events are imported", {
    timeout: 60_000,
  }, async () => {
    const { client } = trellis;
    await client.webhookEndpoints.create({ url: `${receiver.url}/hooks`, types: ["payment_intent"] });
    const holder = await trellis.openHolder({ sol: "1000000000" });
    let reached = false;
    await importTo(here, archive.bytes, {
      file: pausing(archive.bytes, async () => {
        reached = true;
        await expectNoHeldRows(here.db);
        const arrives = receiver.next();
        await client.transfers.send({
          account: holder.address,
          session: holder.session,
          currency: "sol",
          destination: addressOfKey(newSigner()),
          amount: 5_000_000n,
        });
        expect(await arrives).toContain("payment_intent.created");
      }),
    });
    expect(reached).toBe(true);
    const { rows: places } = await sql<{ id: string; place: bigint }>`
      select id, place from event where tenant_id = 'shop' order by place`.execute(here.db);
    expect(places.map(({ id }) => id)).toEqual(Array.from({ length: events }, (_, n) => `evt_${events - n}`));
    const { next_place: next } = await here.db.selectFrom("event_feed").select("next_place").executeTakeFirstOrThrow();
    expect(next).toBeGreaterThan(places.at(-1)?.place ?? next);
  });

  it("an export holds no row", async () => {
    const needs = { db: source.db, keyring: await keyringOf(source), random: systemRandom, now: Date.now() };
    const request = {
      tenantId: "shop",
      environments: clusters,
      recipients: [own.recipient],
      settledMs: 0,
      withApiKeys: true,
    };
    let pieces = 0;
    await exportTenant(needs, request, async (text) => {
      for await (const _ of text) {
        pieces += 1;
        if (pieces % 10 === 1) await expectNoHeldRows(source.db);
      }
      await expectNoHeldRows(source.db);
      return "";
    });
    expect(pieces).toBeGreaterThan(10);
  });

  it("secrets that are replaced hold no row while processes read them", async () => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      await expectNoHeldRows(source.db);
    };
    const keyring = await keyringOf(source);
    await replaceSecrets({ db: source.db, keyring, random: systemRandom, now: Date.now, pause }, replaceableSecrets);
    expect(pauses).toBeGreaterThan(1);
  });
});

/** The bytes, with a pause once all of them but the end were taken. */
async function* pausing(bytes: Uint8Array, pause: () => Promise<void>) {
  const end = bytes.length - 20;
  yield bytes.subarray(0, end);
  await pause();
  yield bytes.subarray(end);
}

/** What the command holds it holds until it goes on, which it does after this; what another work of the service holds is gone soon. */
async function expectNoHeldRows(db: Db): Promise<void> {
  await expect.poll(() => findHeldRows(db), { timeout: 30_000 }).toEqual([]);
}

/** The tables that have rows which a transaction under way holds, so that others would wait for it. */
async function findHeldRows(db: Db): Promise<readonly string[]> {
  const { rows: tables } = await sql<{ name: string }>`select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(db);
  const counts = tables.map(
    ({ name }) => sql`select ${name}::text as name from (select
      (select count(*) from ${sql.table(name)}) as all_rows,
      (select count(*) from (select from ${sql.table(name)} for update skip locked) as free) as free_rows) as counted
      where all_rows <> free_rows`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(counts, sql` union all `)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Takes webhooks. */
async function openReceiver() {
  let take: (body: string) => void = () => {};
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    response.writeHead(204).end();
    take(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: () =>
      new Promise<string>((resolve) => {
        take = resolve;
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
