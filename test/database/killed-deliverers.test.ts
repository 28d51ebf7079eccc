import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { limits } from "@trellis/kernel/limits.js";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "../../src/adapters/db/open-database.js";
import { createHttpDelivery } from "../../src/adapters/http-delivery/http-delivery.js";
import { systemRandom } from "../../src/adapters/system.js";
import { createWebhookEndpoint } from "../../src/events/create-webhook-endpoint.js";
import { replayEvents } from "../../src/events/replay-events.js";
import { updateWebhookEndpoint } from "../../src/events/update-webhook-endpoint.js";
import { createTestLocation, postgresUrl, type TestLocation } from "../support/test-database.js";
import { type Manner, openReceivers } from "./storm-receivers.js";
import { createTestKeyring } from "./test-keyring.js";

/** How many events; TRELLIS_KILLED_DELIVERERS says otherwise, and has 20 processes killed instead of a few. */
const given = process.env.TRELLIS_KILLED_DELIVERERS;
const events = Number(given ?? 240);
const kills = given === undefined ? 3 : 20;

describe.runIf(postgresUrl !== undefined)(
  `${kills} processes killed with -9 while they deliver ${events} events`,
  () => {
    let place: TestLocation;
    let database: OpenDatabase;
    beforeAll(async () => {
      place = await createTestLocation();
      database = await openDatabase(place.location);
      await sql`insert into tenant (id, name, created_at) values ('tenant', 'tenant', 1)`.execute(database.db);
    });
    afterAll(async () => {
      await database?.close();
      await place?.drop();
    });

    it("lose none, and repeat each under its id, to receivers that fail, hang and leave", {
      timeout: 7_200_000,
    }, async () => {
      const { db } = database;
      // Environment time and real time alike: a dead process leaves a lease, and waits between attempts are long.
      let aheadMs = 0;
      const clock = { now: () => Date.now() + aheadMs };
      const living = new Set<ChildProcess>();
      // One that has just ended hears nothing.
      const report = (one: ChildProcess) => one.connected && one.send(aheadMs, () => undefined);
      const move = (ms: number) => {
        aheadMs += ms;
        for (const one of living) report(one);
      };

      let requests = 0;
      let killed = 0;
      const ends: Promise<unknown>[] = [];
      const start = () => {
        const one = spawn(process.execPath, ["--import", "tsx", child, place.url ?? "", String(aheadMs)], {
          stdio: ["ignore", "inherit", "inherit", "ipc"],
        });
        // What was said while it began is said again.
        one.on("message", (message) => message === "ready" && report(one));
        one.once("exit", (code, signal) => {
          if (living.delete(one)) storm.faults.push(`a process ended by itself: ${code ?? signal}`);
        });
        living.add(one);
      };
      const kill = async () => {
        const [oldest] = living;
        if (oldest === undefined) return;
        killed += 1;
        living.delete(oldest);
        const ended = once(oldest, "exit");
        oldest.kill("SIGKILL");
        expect((await ended)[1]).toBe("SIGKILL");
        start();
        move(limits.deliveryLeaseMs + 1_000);
      };
      const manners = Object.fromEntries(Object.entries(receivers).map(([name, { manner }]) => [name, manner]));
      const storm = await openReceivers(manners, () => {
        requests += 1;
        // In the middle of deliveries, spread over all of them.
        if (killed < kills && arrived() >= ((killed + 1) * events * 0.9) / kills) ends.push(kill());
      });
      /** How many events the honest receiver has: sooner or later all there are. */
      function arrived(): number {
        return storm.got.get("honest")?.size ?? 0;
      }

      const needs = {
        db,
        keyring: createTestKeyring(),
        random: systemRandom,
        realClock: clock,
        webhookSender: createHttpDelivery({ allowed: { networks: [], ports: [443], loopback: true } }),
      };
      const at = { caller: { tenantId: "tenant" }, network: { name: "sandbox", clock } };
      const ids = new Map<string, string>();
      for (const [name, { types: wanted }] of Object.entries(receivers)) {
        const body = { url: storm.url(name), types: wanted };
        const { data } = await createWebhookEndpoint.handle(needs, { ...at, body } as never);
        ids.set((data as { id: string }).id, name);
      }
      const idOf = (wanted: string) => [...ids].find(([, name]) => name === wanted)?.[0] ?? "";
      const count = async (what: ReturnType<typeof sql>) =>
        Number((await sql<{ count: number }>`select count(*)::int4 as count from ${what}`.execute(db)).rows[0]?.count);
      const deadline = Date.now() + patienceMs;
      const until = async (isSo: () => boolean | Promise<boolean>, what: string) => {
        while (!(await isSo())) {
          expect(storm.faults).toEqual([]);
          if (Date.now() > deadline) throw new Error(`It has not come to that: ${what}; ${requests} requests`);
          await new Promise((resolve) => setTimeout(resolve, 25));
        }
      };

      const began = Date.now();
      try {
        for (let n = 0; n < atOnce; n += 1) start();
        // Written bit by bit, so that some are always new when a process dies.
        const bits = given === undefined ? 6 : 20;
        for (let bit = 1, written = 0; bit <= bits; bit += 1) {
          const next = Math.round((events * bit) / bits);
          await sql`insert into event (id, tenant_id, environment, type, object_id, data, created_at)
          select 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'tenant', 'sandbox',
            (array[${sql.join(types.map((type) => sql.lit(type)))}])[n % 3 + 1], 'thing-' || n,
            json_build_object('n', n)::text, ${clock.now()}::int8
          from generate_series(${written + 1}::int4, ${next}::int4) as n`.execute(db);
          written = next;
          await until(() => arrived() >= written * 0.9, `${written * 0.9} events have arrived`);
        }
        await until(() => killed === kills, "all are killed");
        await Promise.all(ends);
        await until(async () => (await count(sql`event where place is null`)) === 0, "all have their place");
        await until(
          async () => (await count(sql`webhook_endpoint where disabled_reason = 'gone'`)) === 1,
          "the one that is gone is disabled",
        );

        storm.mend();
        const params = { endpoint_id: idOf("leaving") };
        await updateWebhookEndpoint.handle(needs, { ...at, params, body: { status: "enabled" } } as never);
        for (let cursor: string | undefined, more = true; more; ) {
          const body = { missing_since: new Date(0).toISOString(), ...(cursor === undefined ? {} : { cursor }) };
          const { data } = await replayEvents.handle(needs, { ...at, params, body } as never);
          ({ next_cursor: cursor, more } = data as { next_cursor?: string; more: boolean });
        }
        await until(async () => {
          const { rows } = await sql<{ open: number; next: bigint | null; held: boolean }>`
          select (select count(*)::int4 from webhook_delivery where state = 'pending')
              + (select count(*)::int4 from event where place is null) as open,
            (select min(next_due_at) from webhook_endpoint) as next,
            exists (select from webhook_endpoint where leased_until is not null) as held`.execute(db);
          const [{ open, next, held }] = rows as [(typeof rows)[0]];
          // No process is at it, and the next attempt lies ahead: on to that.
          if (open > 0 && !held && next !== null && Number(next) > clock.now()) move(Number(next) - clock.now() + 1);
          return open === 0;
        }, "all is delivered");
      } finally {
        const left = [...living];
        living.clear();
        for (const one of left) one.kill("SIGKILL");
        storm.close();
      }

      expect(storm.faults).toEqual([]);
      const { rows: wrong } = await sql`select * from webhook_delivery where state <> 'delivered' limit 5`.execute(db);
      expect(wrong).toEqual([]);
      const { rows: all } = await sql<{ id: string; type: string }>`select id, type from event`.execute(db);
      // The events that were written, and one that says that a receiver is disabled.
      expect(all).toHaveLength(events + 1);
      let deliveries = 0;
      let repeated = 0;
      for (const [name, { types: wanted }] of Object.entries(receivers)) {
        const mine = storm.got.get(name) ?? new Map();
        const due = all.filter(({ type }) =>
          wanted.some((one) => one === "*" || type === one || type.startsWith(`${one}.`)),
        );
        expect([name, due.filter(({ id }) => mine.get(id)?.isTaken !== true)]).toEqual([name, []]);
        expect([name, mine.size]).toEqual([name, due.length]);
        expect([...mine].filter(([, { isAltered }]) => isAltered)).toEqual([]);
        deliveries += due.length;
        repeated += [...mine.values()].filter(({ times }) => times > 1).length;
      }
      const seconds = (Date.now() - began) / 1000;
      process.stdout.write(
        `${events} events, ${deliveries} deliveries to ${ids.size} receivers, ${killed} processes killed: none lost, ` +
          `${repeated} sent again, ${requests} requests in ${seconds.toFixed(1)} s\n`,
      );
      expect(repeated).toBeGreaterThan(0);
    });
  },
);

/** So many deliver at the same time. */
const atOnce = 2;
/** No limit of the test's: what ends it when something is lost. */
const patienceMs = given === undefined ? 600_000 : 7_200_000;

const types = ["webhook.test", "proposal.voted", "kyc.updated"] as const;
/** Everything goes to one, and a third of it to each of the others. */
const receivers: Readonly<Record<string, { readonly manner: Manner; readonly types: readonly string[] }>> = {
  honest: { manner: "takes", types: ["*"] },
  failing: { manner: "fails", types: ["webhook.test"] },
  "failing-too": { manner: "fails", types: ["proposal"] },
  hanging: { manner: "hangs", types: ["kyc"] },
  leaving: { manner: "leaves", types: ["webhook.test"] },
};

const child = fileURLToPath(new URL("./deliverer-child.ts", import.meta.url));
