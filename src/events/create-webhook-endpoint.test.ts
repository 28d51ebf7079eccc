import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { limits } from "@trellis/kernel/limits.js";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf, type TestNetwork } from "../../test/support/test-network.js";
import { createHttpDelivery } from "../adapters/http-delivery/http-delivery.js";
import { advanceClock } from "../sandbox-controls/advance-clock.js";
import { triggerEvent } from "../sandbox-controls/trigger-event.js";
import { removeOutdated } from "../scheduler/retention.js";
import { createWebhookEndpoint } from "./create-webhook-endpoint.js";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.js";
import { createDeliverer, type Deliverer } from "./deliver-events.js";
import { getWebhookEndpoint } from "./get-webhook-endpoint.js";
import { listEvents } from "./list-events.js";
import { listWebhookAttempts } from "./list-webhook-attempts.js";
import { listWebhookEndpoints } from "./list-webhook-endpoints.js";
import { recordEvent } from "./record-event.js";
import { replayEvents } from "./replay-events.js";
import { rotateWebhookSecret } from "./rotate-webhook-secret.js";
import { testWebhookEndpoint } from "./test-webhook-endpoint.js";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.js";
import type { WebhookAttempt } from "./webhook-attempt.js";
import type { WebhookEndpoint } from "./webhook-endpoint.js";

let receiver: Server;
let base: string;
let deliverer: Deliverer;
let received: Received[] = [];
let answer: (request: Received, response: ServerResponse) => void;
const test = useTestNetwork();
beforeAll(async () => {
  receiver = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const one = {
        path: request.url ?? "",
        headers: request.headers as Record<string, string>,
        body,
        event: JSON.parse(body),
      };
      received.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  base = `http://localhost:${(receiver.address() as AddressInfo).port}`;
});
afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
});
beforeEach(async () => {
  received = [];
  answer = (_request, response) => response.writeHead(204).end();
  // What earlier tests left open is theirs.
  await test.needs.db.deleteFrom("webhook_endpoint").execute();
  // Headers carry real time, which receivers compare with theirs.
  deliverer = createDeliverer({ ...test.needs, realClock: { now: Date.now } }, test.network);
  await deliverer.tick();
});
afterEach(() => deliverer.stop());

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
    expect(received.map(({ path, event }) => `${path} ${event.type}`).sort()).toEqual([
      "/all proposal.voted",
      "/all webhook.test",
      "/some proposal.voted",
    ]);
    for (const { path, headers, body, event } of received) {
      const { secret } = path === "/all" ? all : some;
      expect(new Webhook(secret).verify(body, headers)).toEqual(event);
      expect(headers["webhook-id"]).toBe(event.id);
      expect(() => new Webhook(none.secret).verify(body, headers)).toThrow();
    }
    const feed = await test.call<{ id: string }[]>(listEvents, { query: { order: "desc", limit: 2 } });
    expect(received.find(({ event }) => event.id === feed[0]?.id)?.event).toEqual(feed[0]);
    expect(await attemptsOf(all.id)).toMatchObject([
      { status: "delivered", response_status: 204, attempt: 1 },
      { status: "delivered", response_status: 204, attempt: 1 },
    ]);
  });

  it("is sent again under the same id until it arrives, ten hours of it in a moment", async () => {
    answer = (_request, response) => response.writeHead(500).end("not now");
    const { id } = await create();
    await emit(3);
    await deliver();
    expect(received).toHaveLength(1);
    await deliver();
    expect(received).toHaveLength(1);
    await advance(10 * 3_600);
    await deliver();
    // At once, after 5 s, 5 min, 30 min, 2 h and 5 h, each lengthened by a fifth at most.
    expect(received).toHaveLength(6);
    answer = (_request, response) => response.writeHead(200).end("thanks");
    await advance(24 * 3_600);
    await deliver();
    expect(received).toHaveLength(7);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    const attempts = await attemptsOf(id);
    expect(attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
      [7, "delivered"],
      ...[6, 5, 4, 3, 2, 1].map((attempt) => [attempt, "failed"]),
    ]);
    expect(attempts[1]).toMatchObject({ response_status: 500, response_body: "not now" });
    await advance(30 * 86_400);
    await deliver();
    expect(received).toHaveLength(7);
  });

  it("is given up after three days, and sent again when somebody asks", async () => {
    answer = (_request, response) => response.writeHead(302, { location: `${base}/elsewhere` }).end();
    const { id } = await create();
    const since = now();
    await emit(4);
    await deliver();
    await advance(95 * 3_600);
    await deliver();
    expect(received.map(({ path }) => path)).toEqual(Array.from({ length: 10 }, () => "/hooks"));
    await advance(86_400);
    await deliver();
    expect(received).toHaveLength(10);
    answer = (_request, response) => response.writeHead(200).end();
    const replay = (body: object) => test.call(replayEvents, { params: { endpoint_id: id }, body });
    for (const field of ["failed_since", "missing_since"]) {
      const leapSecond = replay({ [field]: "2016-12-31T23:59:60Z" });
      await expect(leapSecond).rejects.toMatchObject({ code: "invalid_request" });
    }
    expect(await replay({ failed_since: since })).toEqual({ scheduled: 1, more: false });
    await deliver();
    expect(received).toHaveLength(11);
    expect(await replay({ failed_since: since })).toEqual({ scheduled: 0, more: false });
    const [again] = received;
    expect(await replay({ event_id: again?.event.id })).toEqual({ scheduled: 1, more: false });
    await deliver();
    expect(received[11]?.body).toBe(again?.body);
    expect((await errorOf(replay({}))).code).toBe("invalid_request");
    expect((await errorOf(replay({ event_id: `evt_${"0".repeat(32)}` }))).code).toBe("event_not_found");
  });

  it("that was missed while an endpoint was away is sent when somebody asks for what is missing", async () => {
    const { id } = await create("/away", ["proposal"]);
    const since = now();
    const set = (status: string) => test.call(updateWebhookEndpoint, { params: { endpoint_id: id }, body: { status } });
    expect(await set("disabled")).toMatchObject({ status: "disabled", disabled_reason: "paused" });
    await emit(5, "proposal.voted");
    await emit(6);
    await deliver();
    const replay = () => test.call(replayEvents, { params: { endpoint_id: id }, body: { missing_since: since } });
    expect((await errorOf(replay())).code).toBe("webhook_endpoint_disabled");
    await set("enabled");
    await deliver();
    expect(received).toEqual([]);
    expect(await replay()).toEqual({ scheduled: 1, more: false });
    await deliver();
    expect(received.map(({ event }) => event.data.object.n)).toEqual([5]);
    expect(await replay()).toEqual({ scheduled: 0, more: false });
  });

  it("that is missing is found a stretch at a time, and so is what happened long before it was noticed", async () => {
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
    await deliverer.tick();
    await removeOutdated(test.needs, [test.network]);
    const { id } = await create("/new", ["webhook"]);
    const replay = (cursor?: string) =>
      test.call<{ scheduled: number; more: boolean; next_cursor?: string }>(replayEvents, {
        params: { endpoint_id: id },
        body: { missing_since: since, ...(cursor === undefined ? {} : { cursor }) },
      });
    const first = await replay();
    expect(first).toEqual({ scheduled: expect.any(Number), more: true, next_cursor: expect.any(String) });
    const second = await replay(first.next_cursor);
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
    expect(await replay(first.next_cursor)).toEqual({ scheduled: 0, more: false });
    expect((await errorOf(replay("latest"))).code).toBe("invalid_cursor");
  });

  it("waits as long as the receiver asks", async () => {
    answer = (_request, response) => response.writeHead(429, { "retry-after": "600" }).end();
    await create();
    await emit(7);
    await deliver();
    await advance(60);
    await deliver();
    expect(received).toHaveLength(1);
    answer = (_request, response) => response.writeHead(200).end();
    await advance(600);
    await deliver();
    expect(received).toHaveLength(2);
  });

  it("is sent again, the same, by whoever comes after a process that died with it", async () => {
    await create();
    await emit(8);
    let arrived = () => {};
    const hangs = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    answer = () => arrived();
    const dying = createDeliverer(
      { ...test.needs, realClock: { now: Date.now }, db: failingWrites(test.needs.db) },
      test.network,
    );
    await dying.tick();
    await hangs;
    answer = (_request, response) => response.writeHead(200).end();
    // Its lease is still in force, and nobody else sends it meanwhile.
    await deliver();
    expect(received).toHaveLength(1);
    await dying.stop();
    const later = createDeliverer(
      { ...test.needs, realClock: { now: () => Date.now() + limits.deliveryLeaseMs } },
      test.network,
    );
    await later.tick();
    await later.settled();
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toBe(received[0]?.body);
    await later.stop();
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

describe("an endpoint", () => {
  it("shows its secret once, and a repetition under its key finds it", async () => {
    const body = { url: `${base}/once`, types: ["*"], description: "mine" };
    const call = (more: object) =>
      createWebhookEndpoint.handle(test.needs, {
        body,
        caller: test.caller,
        network: test.network,
        operationId: "operation-1",
        ...more,
      } as never);
    const first = (await call({})).data as Created;
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await call({})).data).toEqual(first);
    const { secret, ...view } = first;
    expect(await read(first.id)).toEqual(view);
    expect(await test.call(listWebhookEndpoints)).toEqual([view]);
    const stored = await test.needs.db.selectFrom("webhook_endpoint").select("secret").executeTakeFirstOrThrow();
    expect(Buffer.from(stored.secret ?? []).toString("latin1")).not.toContain(secret.slice(6, 20));
  });

  it("signs with both secrets while they overlap, and with one after a leak", async () => {
    const { id, secret: former } = await create();
    const rotate = (body: object) => test.call<Created>(rotateWebhookSecret, { params: { endpoint_id: id }, body });
    const { secret: next, former_secret_until } = await rotate({});
    expect(former_secret_until).toBeDefined();
    expect(next).not.toBe(former);
    await emit(9);
    deliverer = createDeliverer(test.needs, test.network);
    await deliver();
    const tolerant = { now: test.needs.realClock.now() };
    const verifies = (secret: string) => {
      const [one] = received.splice(0, 1);
      if (!one) throw new Error("nothing was received");
      received.push(one);
      const signatures = one.headers["webhook-signature"]?.split(" ") ?? [];
      const own = new Webhook(secret).sign(one.event.id, new Date(Math.floor(tolerant.now / 1000) * 1000), one.body);
      return signatures.includes(own) ? signatures.length : 0;
    };
    expect([verifies(former), verifies(next)]).toEqual([2, 2]);
    expect((await errorOf(rotate({}))).code).toBe("secret_rotation_pending");
    const { secret: last } = await rotate({ overlap_seconds: 0 });
    received = [];
    await emit(10);
    await deliver();
    expect([verifies(former), verifies(next), verifies(last)]).toEqual([0, 0, 1]);
  });

  it("is disabled by 410, and says so to the others", async () => {
    answer = ({ path }, response) => response.writeHead(path === "/gone" ? 410 : 200).end();
    const removed = await create("/gone");
    await create("/other", ["webhook_endpoint"]);
    await emit(11);
    await emit(12);
    await deliver();
    await deliver();
    expect(await read(removed.id)).toMatchObject({ status: "disabled", disabled_reason: "gone" });
    expect(received.filter(({ path }) => path === "/other").map(({ event }) => event)).toMatchObject([
      {
        type: "webhook_endpoint.disabled",
        data: { object: { id: removed.id, disabled_reason: "gone" }, previous_status: "enabled" },
      },
    ]);
    const before = received.length;
    await emit(13);
    await advance(86_400);
    await deliver();
    expect(received).toHaveLength(before);
  });

  it("is disabled when nothing has arrived for days, and gets what was on its way once it is enabled", async () => {
    answer = (_request, response) => response.writeHead(500).end();
    const { id } = await create();
    for (let day = 0; day < 7; day += 1) {
      await emit(20 + day);
      await deliver();
      await advance(86_400);
    }
    expect(await read(id)).toMatchObject({ status: "disabled", disabled_reason: "failing" });
    const before = received.length;
    await deliver();
    expect(received).toHaveLength(before);
    answer = (_request, response) => response.writeHead(200).end();
    await test.call(updateWebhookEndpoint, { params: { endpoint_id: id }, body: { status: "enabled" } });
    received = [];
    await deliver();
    expect(received.length).toBeGreaterThan(0);
    expect((await read(id)).failing_since).toBeUndefined();
  });

  it("is tried with an example that is marked, and answers what came of it", async () => {
    answer = (_request, response) => response.writeHead(418).end("x".repeat(100_000));
    const { id } = await create();
    const tried = await test.call<WebhookAttempt>(testWebhookEndpoint, {
      params: { endpoint_id: id },
      body: { type: "proposal.executed" },
    });
    expect(tried).toMatchObject({ status: "failed", response_status: 418, event_type: "proposal.executed" });
    expect(tried.response_body?.length).toBe(limits.receiverAnswerKeptBytes);
    expect(received[0]?.event).toMatchObject({ type: "proposal.executed", example: true });
    expect(await attemptsOf(id)).toEqual([tried]);
    const { id: made } = await test.call<{ id: string }>(triggerEvent, { body: { type: "standing_order_run.missed" } });
    await deliver();
    expect(received[1]?.event).toMatchObject({ id: made, type: "standing_order_run.missed", example: true });
  });

  it("belongs to its tenant and environment alone, and is gone when it is deleted", async () => {
    const { id } = await create();
    const caller = await test.addTenant(`stranger-${id}`);
    const params = { endpoint_id: id };
    const devnet = { ...test.network, name: "devnet" as const };
    for (const call of [getWebhookEndpoint, deleteWebhookEndpoint, listWebhookAttempts]) {
      expect((await errorOf(test.call(call, { params, caller }))).code).toBe("webhook_endpoint_not_found");
      expect((await errorOf(test.call(call, { params, network: devnet }))).code).toBe("webhook_endpoint_not_found");
    }
    const theirs = test.call(updateWebhookEndpoint, { params, caller, body: { status: "disabled" } });
    expect((await errorOf(theirs)).code).toBe("webhook_endpoint_not_found");
    await emit(14);
    expect(await test.call(deleteWebhookEndpoint, { params })).toEqual({ id, deleted: true });
    expect(await test.call(deleteWebhookEndpoint, { params })).toEqual({ id, deleted: true });
    expect((await errorOf(read(id))).code).toBe("webhook_endpoint_not_found");
    await deliver();
    expect(received).toEqual([]);
  });

  it("is refused where events must not go, and above the number there may be", async () => {
    const refused = (url: string) => errorOf(test.call(createWebhookEndpoint, { body: { url, types: ["*"] } }));
    for (const url of ["ftp://example.org", "http://example.org/", "https://10.0.0.1/", "https://[::ffff:127.1]:80/"]) {
      expect([url, (await refused(url)).code]).toEqual([url, "invalid_webhook_url"]);
    }
    for (let i = 0; i < limits.webhookEndpointsMax; i += 1) await create(`/${i}`);
    expect((await errorOf(create())).code).toBe("webhook_endpoint_limit");
    expect((await errorOf(test.call(createWebhookEndpoint, { body: { url: base, types: ["nothing"] } }))).code).toBe(
      "unknown_event_type",
    );
  });

  it("is stored as it is dialled, and refused with what no URL has", async () => {
    const { port } = new URL(base);
    const made = await test.call<Created & { readonly url: string }>(createWebhookEndpoint, {
      body: { url: `HTTP://127.1:${port}/a/../hooks?x=ü`, types: ["*"] },
    });
    expect(made.url).toBe(`http://127.0.0.1:${port}/hooks?x=%C3%BC`);
    const update = (url: string) =>
      test.call<{ readonly url: string }>(updateWebhookEndpoint, { params: { endpoint_id: made.id }, body: { url } });
    expect((await update(`http://0x7f000001:${port}/b`)).url).toBe(`http://127.0.0.1:${port}/b`);
    for (const url of [`${base}/\r\nX: y`, `\t${base}/`, ` ${base}/`, `${base}/ `, `${base}/a b`, `${base}/\u0085`]) {
      expect([url, (await errorOf(update(url))).code]).toEqual([url, "invalid_webhook_url"]);
      const created = test.call(createWebhookEndpoint, { body: { url, types: ["*"] } });
      expect([url, (await errorOf(created)).code]).toEqual([url, "invalid_webhook_url"]);
    }
  });

  it("is judged anew when it is enabled again, and not when it is paused", async () => {
    const { id } = await create("/moved");
    // Since then its address has become one that nothing may be sent to.
    const stricter = createHttpDelivery({ allowed: { networks: [], ports: [443], loopback: false } });
    const set = (status: string) =>
      test.call(updateWebhookEndpoint, {
        params: { endpoint_id: id },
        body: { status },
        needs: { webhookSender: stricter },
      });
    expect(await set("disabled")).toMatchObject({ status: "disabled" });
    expect((await errorOf(set("enabled"))).code).toBe("invalid_webhook_url");
    expect(await set("disabled")).toMatchObject({ status: "disabled", disabled_reason: "paused" });
  });

  it("that hangs keeps nobody else from getting theirs", async () => {
    answer = ({ path }, response) => (path === "/hangs" ? undefined : response.writeHead(200).end());
    await create("/hangs");
    await create("/works");
    for (let n = 100; n < 150; n += 1) await emit(n);
    const arrived = async () => {
      await deliverer.tick();
      return received.filter(({ path }) => path === "/works").length;
    };
    await expect.poll(arrived, { timeout: 60_000 }).toBe(50);
    expect(received.filter(({ path }) => path === "/hangs").length).toBeLessThanOrEqual(
      limits.deliveriesAtOncePerEndpoint,
    );
  });

  it("that takes everything, slowly, makes room for others after a while", async () => {
    let skipped = 0;
    const realClock = { now: () => Date.now() + skipped };
    const slow = createDeliverer({ ...test.needs, realClock }, test.network);
    answer = (_request, response) => {
      skipped += limits.deliveryTurnMs;
      response.writeHead(200).end();
    };
    const { id } = await create();
    for (let n = 200; n < 200 + 3 * limits.deliveriesAtOncePerEndpoint; n += 1) await emit(n);
    await slow.tick();
    await slow.settled();
    expect(received).toHaveLength(limits.deliveriesAtOncePerEndpoint);
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
      expect(received).toHaveLength(turn * limits.deliveriesAtOncePerEndpoint);
    }
    await slow.stop();
  });

  it("is one of a number that its tenant has at once, with those that are busy already", async () => {
    const { db } = test.needs;
    answer = () => undefined;
    const leased = async () =>
      (await db.selectFrom("webhook_endpoint").select("id").where("leased_until", "is not", null).execute()).length;
    const busy = limits.endpointsAtOncePerTenant - 4;
    for (let n = 0; n < busy; n += 1) await create(`/busy/${n}`);
    await emit(300);
    await deliverer.tick();
    expect(await leased()).toBe(busy);
    // Endpoints of single payments are not counted among those a tenant may make.
    await db.updateTable("webhook_endpoint").set({ object_id: "thing-301" }).execute();
    for (let n = 0; n < busy; n += 1) await create(`/waits/${n}`);
    await emit(302);
    await deliverer.tick();
    expect(await leased()).toBe(limits.endpointsAtOncePerTenant);
  });

  it("is changed in what is named alone, whatever others change while its name is looked up", async () => {
    const { db } = test.needs;
    const { id } = await create("/hooks", ["proposal"]);
    const params = { endpoint_id: id };
    const patch = (body: object, meanwhile: () => Promise<unknown>) => {
      const webhookSender = {
        ...test.needs.webhookSender,
        check: async () => {
          await meanwhile();
          return undefined;
        },
      };
      const call = { params, body, caller: test.caller, network: test.network };
      return updateWebhookEndpoint.handle({ ...test.needs, webhookSender }, call as never);
    };
    const change = (body: object) => test.call<WebhookEndpoint>(updateWebhookEndpoint, { params, body });
    const { data } = await patch({ url: `${base}/moved` }, () =>
      change({ types: ["transaction"], description: "theirs", status: "disabled" }),
    );
    const expected = { url: `${base}/moved`, types: ["transaction"], description: "theirs", status: "disabled" };
    expect(data).toMatchObject({ ...expected, disabled_reason: "paused" });
    expect(await read(id)).toMatchObject(expected);
    const { updated_at: _, ...before } = await change({ status: "disabled" });
    expect(await change({})).toMatchObject(before);
    expect((await change({ status: "enabled", description: null })).description).toBeUndefined();
    const removed = patch({ url: `${base}/late` }, () => test.call(deleteWebhookEndpoint, { params }));
    expect((await errorOf(removed)).code).toBe("webhook_endpoint_not_found");
    const { url } = await db.selectFrom("webhook_endpoint").select("url").executeTakeFirstOrThrow();
    expect(url).toBe(`${base}/moved`);
  });
});

interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly event: { id: string; type: string; example?: boolean; data: { object: { n?: number } } };
}

interface Created extends WebhookEndpoint {
  readonly secret: string;
}

const create = (path = "/hooks", types: readonly string[] = ["*"]): Promise<Created> =>
  test.call<Created>(createWebhookEndpoint, { body: { url: `${base}${path}`, types } });

const emit = (n: number, type: "webhook.test" | "proposal.voted" = "webhook.test") =>
  recordEvent(test.needs.db, {
    tenantId: test.caller.tenantId,
    environment: "sandbox",
    type,
    objectId: `thing-${n}`,
    data: { n },
    now: test.network.clock.now(),
  });

/** Everything that is due now. */
async function deliver() {
  for (let more = true; more; ) {
    await deliverer.tick();
    await deliverer.settled();
    // Whose turn was over before everything was sent.
    const due = await test.needs.db
      .selectFrom("webhook_endpoint")
      .select("id")
      .where("next_due_at", "<=", BigInt(test.network.clock.now()))
      .where("leased_until", "is", null)
      .execute();
    more = due.length > 0;
  }
}

const attemptsOf = (endpoint_id: string, query: object = {}): Promise<WebhookAttempt[]> =>
  test.call<WebhookAttempt[]>(listWebhookAttempts, { params: { endpoint_id }, query });

const read = (endpoint_id: string) => test.call<WebhookEndpoint>(getWebhookEndpoint, { params: { endpoint_id } });

const advance = (seconds: number) => test.call(advanceClock, { body: { seconds } });

const now = () => new Date(test.network.clock.now()).toISOString();
