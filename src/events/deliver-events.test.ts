import { limits } from "@trellis/kernel/limits.js";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import type { TestNetwork } from "../../test/support/test-network.js";
import { useWebhooks } from "../../test/support/webhooks.js";
import { createDeliverer } from "./deliver-events.js";
import { listEvents } from "./list-events.js";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);
const { create, read, attemptsOf, emit, deliver, advance } = hooks;

describe("an event", () => {
  it("is sent once to every endpoint that takes its type, signed by Standard Webhooks", async () => {
    const [all, some, none] = [
      await create("/all"),
      await create("/some", ["proposal.*"]),
      await create("/none", ["transaction.confirmed"]),
    ];
    await emit(1, "proposal.voted");
    await emit(2);
    await deliver();
    await deliver();
    expect(hooks.received.map(({ path, event }) => `${path} ${event.type}`).sort()).toEqual([
      "/all proposal.voted",
      "/all webhook.test",
      "/some proposal.voted",
    ]);
    for (const { path, headers, body, event } of hooks.received) {
      const { secret } = path === "/all" ? all : some;
      expect(new Webhook(secret).verify(body, headers)).toEqual(event);
      expect(headers["webhook-id"]).toBe(event.id);
      expect(() => new Webhook(none.secret).verify(body, headers)).toThrow();
    }
    const feed = await test.call<{ id: string }[]>(listEvents, { query: { order: "desc", limit: 2 } });
    expect(hooks.received.find(({ event }) => event.id === feed[0]?.id)?.event).toEqual(feed[0]);
    expect(await attemptsOf(all.id)).toMatchObject([
      { status: "delivered", response_status: 204, attempt: 1 },
      { status: "delivered", response_status: 204, attempt: 1 },
    ]);
  });

  it("is sent again under the same id until it arrives, ten hours of it in a moment", async () => {
    hooks.answer = (_request, response) => response.writeHead(500).end("not now");
    const { id } = await create();
    await emit(3);
    await deliver();
    expect(hooks.received).toHaveLength(1);
    await deliver();
    expect(hooks.received).toHaveLength(1);
    await advance(10 * 3_600);
    await deliver();
    // At once, after 5 s, 5 min, 30 min, 2 h and 5 h, each lengthened by a fifth at most.
    expect(hooks.received).toHaveLength(6);
    hooks.answer = (_request, response) => response.writeHead(200).end("thanks");
    await advance(24 * 3_600);
    await deliver();
    expect(hooks.received).toHaveLength(7);
    expect(new Set(hooks.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(hooks.received.map(({ body }) => body)).size).toBe(1);
    const attempts = await attemptsOf(id);
    expect(attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
      [7, "delivered"],
      ...[6, 5, 4, 3, 2, 1].map((attempt) => [attempt, "failed"]),
    ]);
    expect(attempts[1]).toMatchObject({ response_status: 500, response_body: "not now" });
    await advance(30 * 86_400);
    await deliver();
    expect(hooks.received).toHaveLength(7);
  });

  it("is given up after three days", async () => {
    hooks.answer = (_request, response) => response.writeHead(302, { location: `${hooks.base}/elsewhere` }).end();
    await create();
    await emit(4);
    await deliver();
    await advance(95 * 3_600);
    await deliver();
    expect(hooks.received.map(({ path }) => path)).toEqual(Array.from({ length: 10 }, () => "/hooks"));
    await advance(86_400);
    await deliver();
    expect(hooks.received).toHaveLength(10);
  });

  it("waits as long as the receiver asks", async () => {
    hooks.answer = (_request, response) => response.writeHead(429, { "retry-after": "600" }).end();
    await create();
    await emit(7);
    await deliver();
    await advance(60);
    await deliver();
    expect(hooks.received).toHaveLength(1);
    hooks.answer = (_request, response) => response.writeHead(200).end();
    await advance(600);
    await deliver();
    expect(hooks.received).toHaveLength(2);
  });

  it("is sent again, the same, by whoever comes after a process that died with it", async () => {
    await create();
    await emit(8);
    let arrived = () => {};
    const hangs = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    hooks.answer = () => arrived();
    const dying = createDeliverer(
      { ...test.needs, realClock: { now: Date.now }, db: failingWrites(test.needs.db) },
      test.network,
    );
    await dying.tick();
    await hangs;
    hooks.answer = (_request, response) => response.writeHead(200).end();
    // Its lease is still in force, and nobody else sends it meanwhile.
    await deliver();
    expect(hooks.received).toHaveLength(1);
    await dying.stop();
    const later = createDeliverer(
      { ...test.needs, realClock: { now: () => Date.now() + limits.deliveryLeaseMs } },
      test.network,
    );
    await later.tick();
    await later.settled();
    expect(hooks.received).toHaveLength(2);
    expect(hooks.received[1]?.body).toBe(hooks.received[0]?.body);
    await later.stop();
  });
});

describe("an endpoint", () => {
  it("is disabled by 410, and says so to the others", async () => {
    hooks.answer = ({ path }, response) => response.writeHead(path === "/gone" ? 410 : 200).end();
    const removed = await create("/gone");
    await create("/other", ["webhook_endpoint"]);
    await emit(11);
    await emit(12);
    await deliver();
    await deliver();
    expect(await read(removed.id)).toMatchObject({ status: "disabled", disabled_reason: "gone" });
    expect(hooks.received.filter(({ path }) => path === "/other").map(({ event }) => event)).toMatchObject([
      {
        type: "webhook_endpoint.disabled",
        data: { object: { id: removed.id, disabled_reason: "gone" }, previous_status: "enabled" },
      },
    ]);
    const before = hooks.received.length;
    await emit(13);
    await advance(86_400);
    await deliver();
    expect(hooks.received).toHaveLength(before);
  });

  it("is disabled when nothing has arrived for days, and gets what was on its way once it is enabled", async () => {
    hooks.answer = (_request, response) => response.writeHead(500).end();
    const { id } = await create();
    for (let day = 0; day < 7; day += 1) {
      await emit(20 + day);
      await deliver();
      await advance(86_400);
    }
    expect(await read(id)).toMatchObject({ status: "disabled", disabled_reason: "failing" });
    const before = hooks.received.length;
    await deliver();
    expect(hooks.received).toHaveLength(before);
    hooks.answer = (_request, response) => response.writeHead(200).end();
    await test.call(updateWebhookEndpoint, { params: { endpoint_id: id }, body: { status: "enabled" } });
    hooks.received = [];
    await deliver();
    expect(hooks.received.length).toBeGreaterThan(0);
    expect((await read(id)).failing_since).toBeUndefined();
  });

  it("that hangs keeps nobody else from getting theirs", async () => {
    hooks.answer = ({ path }, response) => (path === "/hangs" ? undefined : response.writeHead(200).end());
    await create("/hangs");
    await create("/works");
    for (let n = 100; n < 150; n += 1) await emit(n);
    const arrived = async () => {
      await hooks.deliverer.tick();
      return hooks.received.filter(({ path }) => path === "/works").length;
    };
    await expect.poll(arrived, { timeout: 60_000 }).toBe(50);
    expect(hooks.received.filter(({ path }) => path === "/hangs").length).toBeLessThanOrEqual(
      limits.deliveriesAtOncePerEndpoint,
    );
  });

  it("that takes everything, slowly, makes room for others after a while", async () => {
    let skipped = 0;
    const realClock = { now: () => Date.now() + skipped };
    const slow = createDeliverer({ ...test.needs, realClock }, test.network);
    hooks.answer = (_request, response) => {
      skipped += limits.deliveryTurnMs;
      response.writeHead(200).end();
    };
    const { id } = await create();
    for (let n = 200; n < 200 + 3 * limits.deliveriesAtOncePerEndpoint; n += 1) await emit(n);
    await slow.tick();
    await slow.settled();
    expect(hooks.received).toHaveLength(limits.deliveriesAtOncePerEndpoint);
    // Behind whoever waits already, however long its own have been waiting.
    const { next_due_at, leased_until } = await test.needs.db
      .selectFrom("webhook_endpoint")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect([next_due_at, leased_until]).toEqual([BigInt(test.network.clock.now()), null]);
    for (let turn = 2; turn <= 3; turn += 1) {
      await slow.tick();
      await slow.settled();
      expect(hooks.received).toHaveLength(turn * limits.deliveriesAtOncePerEndpoint);
    }
    await slow.stop();
  });

  it("is one of a number that its tenant has at once, with those that are busy already", async () => {
    const { db } = test.needs;
    hooks.answer = () => undefined;
    const leased = async () =>
      (await db.selectFrom("webhook_endpoint").select("id").where("leased_until", "is not", null).execute()).length;
    const busy = limits.endpointsAtOncePerTenant - 4;
    for (let n = 0; n < busy; n += 1) await create(`/busy/${n}`);
    await emit(300);
    await hooks.deliverer.tick();
    expect(await leased()).toBe(busy);
    // Endpoints of single payments are not counted among those a tenant may make.
    await db.updateTable("webhook_endpoint").set({ object_id: "thing-301" }).execute();
    for (let n = 0; n < busy; n += 1) await create(`/waits/${n}`);
    await emit(302);
    await hooks.deliverer.tick();
    expect(await leased()).toBe(limits.endpointsAtOncePerTenant);
  });
});

/** A database that a process has lost: it reads, and whatever it writes of an endpoint does not arrive. */
function failingWrites(db: TestNetwork["needs"]["db"]) {
  let claimed = false;
  return new Proxy(db, {
    get: (target, name) => {
      if (name !== "getExecutor") return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      return () => {
        const executor = target.getExecutor();
        return new Proxy(executor, {
          get: (inner, key) => {
            const value = Reflect.get(inner, key);
            if (key !== "executeQuery") return typeof value === "function" ? value.bind(inner) : value;
            return (query: { sql: string }) => {
              const writes = /update webhook_endpoint/.test(query.sql);
              if (writes && claimed) return Promise.reject(new Error("the process is dead"));
              claimed ||= writes;
              return inner.executeQuery(query as never);
            };
          },
        });
      };
    },
  });
}
