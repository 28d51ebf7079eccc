import { randomUUID } from "node:crypto";
import Type from "typebox";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { endpoint } from "../../src/endpoint.js";
import { TrellisError } from "../../src/errors.js";
import { limits } from "../../src/limits.js";
import { removeOutdated } from "../../src/scheduler/retention.js";
import { type Floor, type FloorNeeds, openFloor } from "./http-fixture.js";

let executions = 0;
/** What the next executions do; the last one stays. */
let script: (() => Promise<string>)[] = [];

async function execute(): Promise<string> {
  executions += 1;
  const step = script.length > 1 ? script.shift() : script[0];
  return step ? step() : `secret-token-${executions}`;
}

const common = {
  summary: "Pay",
  tag: "Test",
  scope: "payments:write",
  environment: "optional",
  params: Type.Object({ account: Type.String() }),
  response: { status: 201, envelope: true, schema: Type.Object({ token: Type.String() }) },
  errors: [],
} as const;

const pay = endpoint(
  {
    ...common,
    operation: "pay",
    method: "POST",
    path: "/api/service/v1/accounts/{account}/pay",
    query: Type.Object({ admin: Type.Optional(Type.Boolean()), note: Type.Optional(Type.String()) }),
    body: Type.Object({ amount: Type.String() }),
  },
  async (_needs: FloorNeeds) => ({ data: { token: await execute() }, headers: { "x-next-cursor": `c${executions}` } }),
);
const payAgain = endpoint(
  {
    ...common,
    operation: "payAgain",
    method: "PUT",
    path: "/api/service/v1/accounts/{account}/pay",
    idempotent: false,
  },
  async (_needs: FloorNeeds) => ({ data: { token: await execute() } }),
);

let floor: Floor;
let otherTenantKey: string;
beforeAll(async () => {
  floor = await openFloor({ endpoints: [pay, payAgain], environments: ["sandbox", "devnet"] });
  await floor.db.insertInto("tenant").values({ id: "other", name: "Other", created_at: 0n }).execute();
  otherTenantKey = (await floor.makeKey({ tenantId: "other" })).value;
});
afterAll(() => floor.close());
beforeEach(() => {
  executions = 0;
  script = [];
});
afterEach(() => vi.useRealTimers());

interface Variation {
  method?: "POST" | "PUT";
  account?: string;
  search?: string;
  body?: string;
  apiKey?: string;
  headers?: Record<string, string>;
}

function send(key: string | undefined, variation: Variation = {}) {
  return floor.app.inject({
    method: variation.method ?? "POST",
    url: `/api/service/v1/accounts/${variation.account ?? "a"}/pay${variation.search ?? ""}`,
    payload: variation.body ?? '{"amount":"5"}',
    headers: {
      authorization: `Bearer ${variation.apiKey ?? floor.key}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "x-idempotency-key": key }),
      ...variation.headers,
    },
  });
}

const recordOf = (key: string) =>
  floor.db.selectFrom("idempotency_record").selectAll().where("idempotency_key", "=", key).executeTakeFirst();

describe("a request repeated with its key", () => {
  it("is answered byte for byte as before, marked, and executed once", async () => {
    const key = randomUUID();
    const first = await send(key, { headers: { "x-request-id": "first" } });
    expect(first.statusCode).toBe(201);
    expect(first.headers).not.toHaveProperty("idempotent-replayed");
    floor.clock.at += 1000;
    const second = await send(key, { headers: { "x-request-id": "second" } });
    expect(second.statusCode).toBe(201);
    expect(second.body).toBe(first.body);
    expect(second.headers).toMatchObject({
      "idempotent-replayed": "true",
      "x-next-cursor": "c1",
      "content-type": "application/json; charset=utf-8",
      "x-request-id": "second",
    });
    expect(executions).toBe(1);
  });

  it("may send the key as idempotency-key, and the query in another order", async () => {
    const key = randomUUID();
    const first = await send(key, { search: "?admin=true&note=x" });
    const second = await send(undefined, { search: "?note=x&admin=true", headers: { "idempotency-key": key } });
    expect(second.body).toBe(first.body);
    expect(executions).toBe(1);
  });

  it("gets a final refusal of the execution again", async () => {
    const key = randomUUID();
    script = [
      async () => {
        throw new TrellisError("insufficient_balance");
      },
    ];
    const first = await send(key);
    const second = await send(key);
    expect(first.statusCode).toBe(400);
    expect(second.body).toBe(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(executions).toBe(1);
  });

  it.each([
    ["401", "session_expired"],
    ["409 in progress", "submission_in_progress"],
    ["429", "sponsorship_limit_exceeded"],
    ["502", "chain_unavailable"],
  ] as const)("runs again after %s", async (_what, code) => {
    const key = randomUUID();
    script = [
      async () => {
        throw new TrellisError(code);
      },
      async () => "done",
    ];
    expect((await send(key)).json()).toMatchObject({ code });
    expect(await recordOf(key)).toBeUndefined();
    expect((await send(key)).json().data).toEqual({ token: "done" });
    expect(executions).toBe(2);
  });

  it("runs again after a failure of ours, and after a refusal before the execution", async () => {
    const key = randomUUID();
    expect((await send(key, { body: "{}" })).json()).toMatchObject({ code: "invalid_request" });
    expect(await recordOf(key)).toBeUndefined();
    script = [
      async () => {
        throw new Error("bug");
      },
      async () => "done",
    ];
    expect((await send(key)).statusCode).toBe(500);
    expect((await send(key)).json().data).toEqual({ token: "done" });
  });

  it("runs again after 24 hours, also with another body", async () => {
    const key = randomUUID();
    await send(key);
    floor.clock.at += limits.idempotencyKeptMs - 1;
    expect((await send(key)).headers["idempotent-replayed"]).toBe("true");
    floor.clock.at += 1;
    expect((await send(key, { body: '{"amount":"6"}' })).headers).not.toHaveProperty("idempotent-replayed");
    expect(executions).toBe(2);
  });
});

describe("a key used with another request", () => {
  it.each([
    ["body", { body: '{"amount":"6"}' }],
    ["query", { search: "?admin=true" }],
  ])("is refused without effect: other %s", async (_what, variation) => {
    const key = randomUUID();
    await send(key);
    const answer = await send(key, variation);
    expect(answer.json()).toMatchObject({ code: "idempotency_key_reused" });
    expect(answer.statusCode).toBe(422);
    expect(executions).toBe(1);
  });

  it("counts apart for another path, another environment, and another tenant", async () => {
    const key = randomUUID();
    const both = (await floor.makeKey({ environments: ["sandbox", "devnet"] })).value;
    await send(key);
    await send(key, { account: "b" });
    await send(key, { apiKey: both, headers: { "x-service-environment": "devnet" } });
    await send(key, { apiKey: otherTenantKey });
    expect(executions).toBe(4);
    // Another key of the same tenant is the same caller, one spelling of the path as good as another.
    const replayed = await send(key, { apiKey: both, account: "%61", headers: { "x-service-environment": "sandbox" } });
    expect(replayed.headers["idempotent-replayed"]).toBe("true");
    expect(executions).toBe(4);
  });

  it("is replayed only to who could have run it", async () => {
    const key = randomUUID();
    await send(key);
    const { value } = await floor.makeKey({ scopes: ["accounts:read"] });
    expect((await send(key, { apiKey: value })).json()).toMatchObject({ code: "insufficient_scope" });
    expect((await send(key, { apiKey: "sk_test_wrong" })).json()).toMatchObject({ code: "invalid_api_key" });
  });
});

describe("requests at once", () => {
  it("of fifty equal ones exactly one is executed; the others are told to wait, or get its answer", async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(key)));
    expect(executions).toBe(1);
    const done = answers.filter((answer) => answer.statusCode === 201);
    expect(done.length).toBeGreaterThanOrEqual(1);
    expect(new Set(done.map((answer) => answer.body)).size).toBe(1);
    for (const answer of answers.filter((other) => other.statusCode !== 201)) {
      expect(answer.json()).toMatchObject({ code: "idempotency_in_progress" });
      expect(answer.statusCode).toBe(409);
      expect(answer.headers["retry-after"]).toBe("1");
    }
  });

  it("a running one is not disturbed; one whose process died is taken over when its lease has passed", async () => {
    const key = randomUUID();
    let finishFirst: (token: string) => void = () => undefined;
    script = [
      () =>
        new Promise<string>((resolve) => {
          finishFirst = resolve;
        }),
      async () => "second",
    ];
    const first = send(key);
    first.catch(() => undefined);
    await vi.waitUntil(() => executions === 1, { timeout: 30_000 });
    floor.clock.at += limits.idempotencyLeaseMs - 1;
    expect((await send(key)).json()).toMatchObject({ code: "idempotency_in_progress" });
    floor.clock.at += 1;
    expect((await send(key, { body: '{"amount":"6"}' })).json()).toMatchObject({ code: "idempotency_key_reused" });
    expect((await send(key)).json().data).toEqual({ token: "second" });
    // The late finisher tells its own caller, and overwrites nothing.
    finishFirst("first");
    expect((await first).json().data).toEqual({ token: "first" });
    expect((await send(key)).json().data).toEqual({ token: "second" });
    expect(executions).toBe(2);
  });

  it("a long-running one renews its lease", async () => {
    const key = randomUUID();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let finish: (token: string) => void = () => undefined;
    script = [
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
    ];
    const first = send(key);
    first.catch(() => undefined);
    while (executions === 0) await new Promise((resolve) => setImmediate(resolve));
    const before = await recordOf(key);
    floor.clock.at += limits.idempotencyLeaseMs;
    vi.advanceTimersByTime(limits.idempotencyLeaseMs);
    const renewed = (before?.leased_until ?? 0n) + BigInt(limits.idempotencyLeaseMs);
    // The renewal goes its own way to the database; a server with several connections may answer this read first.
    while ((await recordOf(key))?.leased_until !== renewed) await new Promise((resolve) => setImmediate(resolve));
    expect((await send(key)).json()).toMatchObject({ code: "idempotency_in_progress" });
    finish("done");
    expect((await first).statusCode).toBe(201);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("keys", () => {
  it.each([[""], ["x".repeat(256)], ["tab\there"], ["naïve"]])("of the wrong form are refused: %j", async (key) => {
    const answer = await send(key);
    expect(answer.json()).toMatchObject({ code: "invalid_idempotency_key" });
    expect(answer.statusCode).toBe(400);
    expect(executions).toBe(0);
  });

  it("of 255 printable characters count, and two equal headers are one key", async () => {
    const key = `a b~${"x".repeat(251)}`;
    await send(key);
    await send(key, { headers: { "idempotency-key": key } });
    expect(executions).toBe(1);
  });

  it("that differ between the two headers are refused", async () => {
    const answer = await send("one", { headers: { "idempotency-key": "two" } });
    expect(answer.json()).toMatchObject({ code: "invalid_idempotency_key" });
    expect(answer.statusCode).toBe(400);
  });

  it("are ignored where replaying is pointless, and nothing is kept without one", async () => {
    const key = randomUUID();
    await send(key, { method: "PUT" });
    await send(key, { method: "PUT" });
    await send(undefined);
    await send(undefined);
    expect(executions).toBe(4);
    expect(await recordOf(key)).toBeUndefined();
  });
});

describe("records", () => {
  it("hold the answer sealed, open in their own row only, and hold nothing of the request", async () => {
    const key = randomUUID();
    const moved = randomUUID();
    script = [async () => "very-secret-token"];
    await send(key, { body: '{"amount":"5","otp_code":"123456"}' });
    const record = await recordOf(key);
    const stored = Buffer.concat([Buffer.from(record?.answer ?? []), Buffer.from(record?.fingerprint ?? [])]);
    expect(stored.includes("very-secret-token")).toBe(false);
    expect(stored.includes("123456")).toBe(false);
    if (!record) throw new Error("no record");
    await floor.db
      .insertInto("idempotency_record")
      .values({ ...record, idempotency_key: moved })
      .execute();
    expect((await send(moved, { body: '{"amount":"5","otp_code":"123456"}' })).statusCode).toBe(500);
  });

  it("are swept when they have expired, and not before", async () => {
    const sweep = (now: number) => removeOutdated({ db: floor.db, realClock: { now: () => now } }, []);
    await sweep(8.64e15);
    const key = randomUUID();
    await send(key);
    const expiry = floor.clock.now() + limits.idempotencyKeptMs;
    expect(await sweep(expiry - 1)).toMatchObject({ idempotency_record: 0 });
    expect(await recordOf(key)).toBeDefined();
    expect(await sweep(expiry)).toMatchObject({ idempotency_record: 1 });
    expect(await recordOf(key)).toBeUndefined();
  });
});
