import { randomUUID } from "node:crypto";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import type { Compilable, CompiledQuery } from "kysely";
import Type from "typebox";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { removeOutdated } from "../../src/scheduler/retention.js";
import { postgresUrl } from "../support/test-database.js";
import { type FloorNeeds, openFloor, useFloor } from "./http-fixture.js";

let executions = 0;
/** What the next executions do; the last one stays. */
let script: (() => Promise<string>)[] = [];

const floor = useFloor(() => ({ endpoints: [pay, payAgain, prepare], environments: ["sandbox", "devnet"] }));
let otherTenantKey: string;
beforeAll(async () => {
  await floor.db.insertInto("tenant").values({ id: "other", name: "Other", created_at: 0n }).execute();
  otherTenantKey = (await floor.makeKey({ tenantId: "other" })).value;
});
beforeEach(() => {
  executions = 0;
  script = [];
});
afterEach(() => vi.useRealTimers());

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

  it("is claimed and recorded with others that arrive at that moment, and each for itself", async () => {
    const keys = Array.from({ length: 40 }, () => randomUUID());
    const [expired, answered, ...fresh] = keys as [string, string, ...string[]];
    await send(expired);
    floor.clock.at += limits.idempotencyKeptMs;
    const known = await send(answered);
    executions = 0;
    const asked = vi.spyOn(floor.db, "executeQuery");
    const first = await Promise.all(keys.map((key) => send(key)));
    const writes = asked.mock.calls.filter(([query]) =>
      /^(?:insert|with).*idempotency_record/s.test("sql" in query ? query.sql : query.compile().sql),
    );
    asked.mockRestore();
    // One by one they would be 79. The embedded database answers each before the next request arrives.
    if (postgresUrl !== undefined) expect(writes.length).toBeLessThan(30);
    expect(executions).toBe(39);
    expect(first[1]?.body).toBe(known.body);
    expect(first.map(({ headers }) => headers["idempotent-replayed"])).toEqual(
      keys.map((key) => (key === answered ? "true" : undefined)),
    );
    const again = await Promise.all([
      ...keys.map((key) => send(key)),
      ...fresh.map((key) => send(key, { body: '{"amount":"6"}' })),
    ]);
    expect(again.slice(0, 40).map(({ body }) => body)).toEqual(first.map(({ body }) => body));
    for (const answer of again.slice(40)) expect(answer.json()).toMatchObject({ code: "idempotency_key_reused" });
    expect(executions).toBe(39);
  });

  it("may send the key as idempotency-key, and the query in another order", async () => {
    const key = randomUUID();
    const first = await send(key, { search: "?admin=true&note=x" });
    const second = await send(undefined, { search: "?note=x&admin=true", headers: { "idempotency-key": key } });
    expect(second.body).toBe(first.body);
    expect(executions).toBe(1);
  });

  it("may send its body in another order of members, spaced otherwise, with null for what is absent", async () => {
    const key = randomUUID();
    const first = await send(key, { body: '{"amount":"5","more":{"b":[1,{"d":1,"c":2}],"a":"\\ud800"}}' });
    expect(first.statusCode).toBe(201);
    const second = await send(key, {
      body: '{ "more": {"a": "\\ud800", "b": [1.0, {"c": 2, "d": 1}]},\n "amount": "5" }',
    });
    expect(second.body).toBe(first.body);
    expect((await send(key, { body: '{"amount":"5","more":{"b":[{"d":1,"c":2},1],"a":"\\ud800"}}' })).statusCode).toBe(
      422,
    );
    expect(
      (await send(key, { body: '{"amount":"5","more":{"b":[1,[["c",2],["d",1]]],"a":"\\ud800"}}' })).statusCode,
    ).toBe(422);
    expect(executions).toBe(1);
  });

  it("is compared by its text where it is nested as deep as no honest body is", async () => {
    const key = randomUUID();
    const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const body = `{"amount":"5","more":${deep(5_000)}}`;
    expect((await send(key, { body })).statusCode).toBe(201);
    expect((await send(key, { body })).headers["idempotent-replayed"]).toBe("true");
    expect((await send(key, { body: ` ${body}` })).statusCode).toBe(422);
    expect(executions).toBe(1);
  });

  it("gets the error again with which an execution ended", async () => {
    const key = randomUUID();
    script = [
      async () => {
        throw new TrellisError("transaction_failed", { isOutcome: true });
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
    ["409 in progress", new TrellisError("submission_in_progress")],
    ["429", new TrellisError("sponsorship_limit_exceeded")],
    ["502", new TrellisError("chain_unavailable")],
    ["a failure of ours", new Error("bug")],
  ])("runs again at once after %s, and no other request does under its key", async (_what, error) => {
    const key = randomUUID();
    script = [
      async () => {
        throw error;
      },
      async () => "done",
    ];
    expect((await send(key)).statusCode).toBe(error instanceof TrellisError ? error.status : 500);
    expect((await send(key, { body: '{"amount":"6"}' })).json()).toMatchObject({ code: "idempotency_key_reused" });
    const second = await send(key);
    expect(second.json().data).toEqual({ token: "done" });
    expect((await send(key)).body).toBe(second.body);
    expect(executions).toBe(2);
  });

  it.each([
    "invalid_amount",
    "insufficient_balance",
    "invalid_signature",
    "session_expired",
    "stale_proposal",
  ] as const)(
    "runs again after %s, which refused it with nothing done, and so does the corrected one",
    async (code) => {
      const key = randomUUID();
      script = [
        async () => {
          throw new TrellisError(code);
        },
        async () => {
          throw new TrellisError(code);
        },
        async () => "done",
      ];
      expect((await send(key)).json()).toMatchObject({ code });
      expect((await send(key)).headers).not.toHaveProperty("idempotent-replayed");
      expect(await recordOf(key)).toBeUndefined();
      expect((await send(key, { body: '{"amount":"6"}' })).json().data).toEqual({ token: "done" });
      expect(executions).toBe(3);
    },
  );

  it("runs again after a refusal of its form", async () => {
    const key = randomUUID();
    expect((await send(key, { body: "{}" })).json()).toMatchObject({ code: "invalid_request" });
    expect(await recordOf(key)).toBeUndefined();
    expect((await send(key)).statusCode).toBe(201);
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
  it("of fifty equal ones exactly one is executed; the others have to wait, or get its answer", async () => {
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

  it("a running one is not disturbed; one whose process died is resumed when its lease has passed", async () => {
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
    // The late one answers its own caller, and overwrites nothing.
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

describe("a database that is lost for a moment", () => {
  const isAboutRecords = (query: CompiledQuery | Compilable) =>
    ("sql" in query ? query : query.compile()).sql.includes("idempotency_record");

  /** Statements about records fail from now on until the returned function is called; others pass. */
  function loseRecords(error = () => new Error("terminating connection")): () => void {
    const passing = floor.db.executeQuery.bind(floor.db);
    const spy = vi.spyOn(floor.db, "executeQuery").mockImplementation((query) => {
      if (isAboutRecords(query)) return Promise.reject(error());
      return passing(query);
    });
    return () => spy.mockRestore();
  }

  it.each([
    ["a passing error", new TrellisError("chain_unavailable")],
    ["a refusal", new TrellisError("insufficient_balance")],
    ["a failure of ours", new Error("terminating connection")],
  ])("does not hold the key of a request that ended in %s", async (_what, error) => {
    const key = randomUUID();
    let find: () => void = () => undefined;
    script = [
      async () => {
        find = loseRecords();
        throw error;
      },
      async () => "done",
    ];
    expect((await send(key)).statusCode).toBeGreaterThanOrEqual(400);
    find();
    // Well before the lease would be over: the clock stands still.
    await vi.waitUntil(async () => (await send(key)).statusCode === 201, { timeout: 30_000, interval: 50 });
    expect(executions).toBe(2);
  });

  it("keeps the answer of a request that took effect", async () => {
    const key = randomUUID();
    let find: () => void = () => undefined;
    script = [
      async () => {
        find = loseRecords();
        return "once";
      },
      async () => "twice",
    ];
    const first = await send(key);
    expect(first.statusCode).toBe(201);
    find();
    await vi.waitUntil(async () => (await recordOf(key))?.state === "answered", { timeout: 30_000, interval: 50 });
    expect((await send(key)).body).toBe(first.body);
    expect(executions).toBe(1);
  });

  it("gives no answer that could not be kept, where all there is to lose is what was prepared", async () => {
    const key = randomUUID();
    let find: () => void = () => undefined;
    script = [
      async () => {
        find = loseRecords(() => new DatabaseUnavailable({ cause: new Error("terminating connection") }));
        return "first";
      },
      async () => "second",
      async () => "third",
    ];
    const prepareNow = () => send(key, { path: "prepare" });
    const lost = await prepareNow();
    expect(lost.statusCode).toBe(503);
    expect(lost.json()).toMatchObject({ code: "service_unavailable" });
    expect(lost.body).not.toContain("first");
    find();
    // Well before the lease would be over: the clock stands still.
    await vi.waitUntil(async () => (await prepareNow()).statusCode === 201, { timeout: 30_000, interval: 50 });
    const [again, once] = [await prepareNow(), await prepareNow()];
    expect(again.json()).toMatchObject({ data: { token: "second" } });
    expect(again.body).toBe(once.body);
    expect(executions).toBe(2);
  });

  it("does not hold a key whose claim it made without saying so", async () => {
    const key = randomUUID();
    const passing = floor.db.executeQuery.bind(floor.db);
    const spy = vi
      .spyOn(floor.db, "executeQuery")
      .mockImplementationOnce(passing)
      .mockImplementationOnce(async (query) => {
        await passing(query);
        throw new Error("terminating connection");
      });
    expect((await send(key)).statusCode).toBe(500);
    spy.mockRestore();
    expect(executions).toBe(0);
    await vi.waitUntil(async () => (await send(key)).statusCode === 201, { timeout: 30_000, interval: 50 });
    expect(executions).toBe(1);
  });

  it("is tried no longer than a lease can hold the key, and not after the server has closed", async () => {
    const other = await openFloor({ endpoints: [pay] });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const passing = other.db.executeQuery.bind(other.db);
    let refused = 0;
    vi.spyOn(other.db, "executeQuery").mockImplementation((query) => {
      if (executions === 0 || !isAboutRecords(query)) return passing(query);
      refused += 1;
      return Promise.reject(new Error("terminating connection"));
    });
    const sendThere = () =>
      other.app.inject({
        method: "POST",
        url: "/api/service/v1/accounts/a/pay",
        payload: '{"amount":"5"}',
        headers: {
          authorization: `Bearer ${other.key}`,
          "content-type": "application/json",
          "x-idempotency-key": randomUUID(),
        },
      });
    expect((await sendThere()).statusCode).toBe(201);
    await vi.advanceTimersByTimeAsync(2 * limits.idempotencyLeaseMs);
    expect(refused).toBeGreaterThan(10);
    const triedInAll = refused;
    expect(triedInAll).toBeLessThan(30);
    await vi.advanceTimersByTimeAsync(10 * limits.idempotencyLeaseMs);
    expect(refused).toBe(triedInAll);
    executions = 0;
    expect((await sendThere()).statusCode).toBe(201);
    expect(refused).toBe(triedInAll + 1);
    await other.close();
    await vi.advanceTimersByTimeAsync(2 * limits.idempotencyLeaseMs);
    expect(refused).toBe(triedInAll + 1);
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
  errors: [
    "transaction_failed",
    "submission_in_progress",
    "sponsorship_limit_exceeded",
    "chain_unavailable",
    "invalid_amount",
    "insufficient_balance",
    "invalid_signature",
    "session_expired",
    "stale_proposal",
  ],
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

const prepare = endpoint(
  {
    ...common,
    operation: "prepare",
    method: "POST",
    path: "/api/service/v1/accounts/{account}/prepare",
    preparesOnly: true,
    body: Type.Object({ amount: Type.String() }),
  },
  async (_needs: FloorNeeds) => ({ data: { token: await execute() } }),
);

interface Variation {
  method?: "POST" | "PUT";
  account?: string;
  search?: string;
  path?: string;
  body?: string;
  apiKey?: string;
  headers?: Record<string, string>;
}

function send(key: string | undefined, variation: Variation = {}) {
  return floor.app.inject({
    method: variation.method ?? "POST",
    url: `/api/service/v1/accounts/${variation.account ?? "a"}/${variation.path ?? "pay"}${variation.search ?? ""}`,
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
