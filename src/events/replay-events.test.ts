import { limits } from "@trellis/kernel/limits.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import type { CallParts } from "../../test/support/test-network.js";
import { useWebhooks } from "../../test/support/webhooks.js";
import { removeOutdated } from "../scheduler/retention.js";
import { listEvents } from "./list-events.js";
import { recordEvent } from "./record-event.js";
import { replayEvents } from "./replay-events.js";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);
const { create, emit, deliver } = hooks;

describe("200", () => {
  it("sends one event again, with the same id and bytes, also one that arrived", async () => {
    const { id } = await create();
    const event_id = await emit(1);
    await deliver();
    expect(await replay(id, { event_id })).toEqual({ scheduled: 1, more: false });
    await deliver();
    expect(hooks.received).toHaveLength(2);
    expect(hooks.received[1]?.body).toBe(hooks.received[0]?.body);
  });

  it("sends one event to an endpoint that does not take its type", async () => {
    const { id } = await create("/proposals", ["proposal"]);
    const event_id = await emit(2);
    await deliver();
    expect(await replay(id, { event_id })).toEqual({ scheduled: 1, more: false });
    await deliver();
    expect(hooks.received.map(({ event }) => event.id)).toEqual([event_id]);
  });

  it("sends again what has failed for good since an instant, once", async () => {
    hooks.answer = (_request, response) => response.writeHead(500).end();
    const { id } = await create();
    const since = now();
    const event = await emit(3);
    await deliver();
    expect(await replay(id, { failed_since: since })).toEqual({ scheduled: 0, more: false });
    await hooks.advance(95 * 3_600);
    await deliver();
    hooks.received = [];
    hooks.answer = (_request, response) => response.writeHead(200).end();
    expect(await replay(id, { failed_since: now() })).toEqual({ scheduled: 0, more: false });
    const both = await Promise.all([replay(id, { failed_since: since }), replay(id, { failed_since: since })]);
    expect(both.map(({ scheduled }) => scheduled).sort()).toEqual([0, 1]);
    await deliver();
    expect(hooks.received.map((one) => one.event.id)).toEqual([event]);
    expect(await replay(id, { failed_since: since })).toEqual({ scheduled: 0, more: false });
  });

  it("sends what was recorded while the endpoint was disabled, of its types, once", async () => {
    const { id } = await create("/away", ["proposal"]);
    const since = now();
    await setStatus(id, "disabled");
    await emit(5, "proposal.voted");
    await emit(6);
    await deliver();
    await setStatus(id, "enabled");
    await deliver();
    expect(hooks.received).toEqual([]);
    expect(await replay(id, { missing_since: since })).toEqual({ scheduled: 1, more: false });
    await deliver();
    expect(hooks.received.map(({ event }) => event.data.object.n)).toEqual([5]);
    expect(await replay(id, { missing_since: since })).toEqual({ scheduled: 0, more: false });
  });

  it("finds what is missing a stretch at a time, also what happened long before it was recorded", async () => {
    const since = now();
    const old = {
      tenantId: test.caller.tenantId,
      environment: "sandbox",
      type: "webhook.test",
      data: { n: 400 },
    } as const;
    await recordEvent(test.needs.db, { ...old, objectId: "old", now: 1_000 });
    for (let n = 401; n < 404; n += 1) await emit(n);
    await sql`insert into event (id, tenant_id, environment, type, object_id, data, created_at)
      select 'evt_' || replace(gen_random_uuid()::text, '-', ''), tenant_id, environment, type, object_id, '{"n":404}', 1
      from event cross join generate_series(1, ${limits.replayMax}) where object_id = 'old'`.execute(test.needs.db);
    await hooks.deliverer.tick();
    await removeOutdated(test.needs, [test.network]);
    const { id } = await create("/new", ["webhook"]);
    const missing = (cursor?: string) =>
      replay(id, { missing_since: since, ...(cursor === undefined ? {} : { cursor }) });
    const first = await missing();
    expect(first).toEqual({ scheduled: expect.any(Number), more: true, next_cursor: expect.any(String) });
    const second = await missing(first.next_cursor);
    expect(second).toEqual({ scheduled: expect.any(Number), more: false });
    const counted = await test.needs.db
      .selectFrom("webhook_delivery")
      .innerJoin("event", "event.id", "event_id")
      .select(["object_id", sql<number>`count(*)::int4`.as("count")])
      .where("endpoint_id", "=", id)
      .where("object_id", "in", ["old", "thing-401", "thing-402", "thing-403"])
      .groupBy("object_id")
      .orderBy("object_id")
      .execute();
    expect(counted.map(({ count }) => count)).toEqual([limits.replayMax + 1, 1, 1, 1]);
    expect(await missing(first.next_cursor)).toEqual({ scheduled: 0, more: false });
  });

  it("finds what is missing beside a tenant that came with its events, whose times are of another installation", async () => {
    await hooks.advance(3_600);
    const since = now();
    await emit(500);
    await hooks.deliverer.tick();
    await test.addTenant("moved");
    await sql`insert into event (id, tenant_id, environment, type, object_id, data, created_at, place, placed_at)
      values ('evt_moved', 'moved', 'sandbox', 'webhook.test', 'moved', '{}', 1, 1000000, ${Date.parse(since) - 1}::int8)`.execute(
      test.needs.db,
    );
    const { id } = await create("/beside", ["webhook"]);
    expect(await replay(id, { missing_since: since })).toMatchObject({ scheduled: 1 });
  });
});

describe("400", () => {
  it("refuses an instant that no clock shows, and anything but exactly one of the three choices", async () => {
    const { id } = await create();
    const [leapSecond, event_id] = ["2016-12-31T23:59:60Z", await emit(7)];
    const wrong = [
      {},
      { failed_since: leapSecond },
      { missing_since: leapSecond },
      { failed_since: now(), missing_since: now() },
      { event_id, failed_since: now() },
    ];
    for (const body of wrong) {
      await expect(replay(id, body)).rejects.toMatchObject({ status: 400, code: "invalid_request" });
    }
  });

  it("refuses a cursor of something else, and one beside another choice", async () => {
    const { id } = await create();
    for (let n = 10; n < 13; n += 1) await emit(n);
    await hooks.deliverer.tick();
    const [newestFirst, oldestFirst] = [await cursorOfFeed("desc"), await cursorOfFeed("asc")];
    const wrong = [
      { missing_since: now(), cursor: "latest" },
      { missing_since: now(), cursor: newestFirst },
      { failed_since: now(), cursor: oldestFirst },
    ];
    for (const body of wrong) {
      await expect(replay(id, body)).rejects.toMatchObject({ status: 400, code: "invalid_cursor" });
    }
    expect(await replay(id, { missing_since: now(), cursor: oldestFirst })).toHaveProperty("scheduled");
  });
});

describe("404", () => {
  it("is the answer for an endpoint of another tenant or environment", async () => {
    const { id } = await create();
    const event_id = await emit(20);
    for (const other of await hooks.others()) {
      const refused = replay(id, { event_id }, other);
      await expect(refused).rejects.toMatchObject({ status: 404, code: "webhook_endpoint_not_found" });
    }
  });

  it("is the answer for an event of another tenant, and for no id", async () => {
    const { id } = await create();
    const { tenantId } = await test.addTenant("other-events");
    const theirs = await recordEvent(test.needs.db, {
      tenantId,
      environment: "sandbox",
      type: "webhook.test",
      objectId: "theirs",
      data: {},
      now: test.network.clock.now(),
    });
    for (const event_id of [theirs, `evt_${"0".repeat(32)}`, "x\u0000"]) {
      await expect(replay(id, { event_id })).rejects.toMatchObject({ status: 404, code: "event_not_found" });
    }
  });
});

describe("409", () => {
  it("is the answer for an endpoint that is disabled", async () => {
    const { id } = await create();
    await setStatus(id, "disabled");
    const refused = replay(id, { missing_since: now() });
    await expect(refused).rejects.toMatchObject({ status: 409, code: "webhook_endpoint_disabled" });
  });
});

interface Replayed {
  readonly scheduled: number;
  readonly more: boolean;
  readonly next_cursor?: string;
}

const replay = (endpoint_id: string, body: object, more: CallParts = {}) =>
  test.call<Replayed>(replayEvents, { params: { endpoint_id }, body, ...more });

const setStatus = (endpoint_id: string, status: string) =>
  test.call(updateWebhookEndpoint, { params: { endpoint_id }, body: { status } });

const now = () => new Date(test.network.clock.now()).toISOString();

async function cursorOfFeed(order: "asc" | "desc"): Promise<string> {
  const request = { query: { order, limit: 1 }, caller: test.caller, network: test.network };
  const { headers } = await listEvents.handle(test.needs, request as never);
  return headers?.["x-next-cursor"] ?? "";
}
