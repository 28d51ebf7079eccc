import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { limits } from "@trellis/kernel/limits.js";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openFrailDatabase } from "../../test/support/frail-database.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { createWebhookEndpoint } from "./create-webhook-endpoint.js";
import { createDeliverer } from "./deliver-events.js";
import { publishEvents } from "./publish-events.js";

/** How many events; TRELLIS_EVENT_STORM says otherwise. */
const events = Number(process.env.TRELLIS_EVENT_STORM ?? 200);
/** To how many receivers; TRELLIS_EVENT_STORM_RECEIVERS says otherwise. */
const receivers = Number(process.env.TRELLIS_EVENT_STORM_RECEIVERS ?? 4);
const crashes = 20;
let server: Server;
/** Of each receiver: the bodies under each id, and which of them it took. */
const seen = new Map<string, { bodies: Set<string>; taken: boolean; times: number }>();
let isHonest = false;
const test = useTestNetwork();
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const key = `${request.url} ${request.headers["webhook-id"]}`;
      const one = seen.get(key) ?? { bodies: new Set(), taken: false, times: 0 };
      seen.set(key, one);
      one.bodies.add(body);
      one.times += 1;
      const fate = isHonest ? 1 : Math.random();
      // Three in ten fail: refused, broken off, or taken while the sender hears nothing of it.
      if (fate < 0.1) response.writeHead(503).end();
      else if (fate < 0.2) request.socket.destroy();
      else if (fate < 0.3) {
        one.taken = true;
        request.socket.destroy();
      } else {
        one.taken = true;
        response.writeHead(204).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
});

it(`loses none of ${events} events while three requests in ten fail and ${crashes} processes die`, {
  timeout: 3_600_000,
}, async () => {
  const { db } = test.needs;
  const base = `http://localhost:${(server.address() as AddressInfo).port}`;
  for (let n = 0; n < receivers; n += 1) {
    await test.call(createWebhookEndpoint, { body: { url: `${base}/${n}`, types: ["*"] } });
  }
  const write = (count: number) =>
    sql`insert into event (id, tenant_id, environment, type, object_id, data, created_at)
      select 'evt_' || replace(gen_random_uuid()::text, '-', ''), ${test.caller.tenantId}, 'sandbox', 'webhook.test', 'n',
        '{"text":"a"}', ${test.network.clock.now()}::int8 from generate_series(1, ${count}::int4)`.execute(db);
  // Leases count in real time: whoever comes after a process that died waits for the end of his.
  let realNow = Date.now();
  const realClock = { now: () => realNow };
  const each = Math.floor(events / (crashes + 1));
  for (let n = 0; n < crashes; n += 1) {
    await write(each);
    const frail = openFrailDatabase(db);
    const dying = createDeliverer({ ...test.needs, realClock, db: frail.db }, test.network);
    frail.breakAt(3 + Math.floor(Math.random() * 12), Math.random() < 0.5 ? "before" : "after");
    await dying.tick().catch(() => undefined);
    // It dies with requests under way, whatever the statement was that broke.
    await dying.stop().catch(() => undefined);
    realNow += limits.deliveryLeaseMs + 1_000;
  }
  await write(events - crashes * each);

  const last = createDeliverer({ ...test.needs, realClock }, test.network);
  const pending = async () => {
    await publishEvents(db, test.network);
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*)::int4 as count from webhook_delivery group by 1`.execute(db);
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  };
  for (let round = 0; round < 40 + events && ((await pending()).pending ?? 0) > 0; round += 1) {
    // Receivers that fail for days are given up, as they should be: after a while they mend.
    isHonest = round >= 3;
    await last.tick();
    await last.settled();
    realNow += 60_000;
    await test.network.sandbox?.advanceClock(600);
  }
  await last.stop();
  expect(await pending()).toEqual({ delivered: events * receivers });
  expect([...seen.values()].filter(({ taken: claimed, bodies }) => !claimed || bodies.size !== 1)).toEqual([]);
  expect(seen.size).toBe(events * receivers);
  const repeated = [...seen.values()].filter(({ times }) => times > 1).length;
  process.stdout.write(`${events} events to ${receivers} receivers: ${repeated} of ${seen.size} were sent again\n`);
  expect(repeated).toBeGreaterThan(0);
});
