import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { createTrellisClient } from "@trellis/sdk";
import Type from "typebox";
import { describe, expect, it } from "vitest";
import { type FloorNeeds, useFloor } from "../../test/contract/http-fixture.js";
import { createApiKey } from "./create-api-key.js";
import { listApiKeys } from "./list-api-keys.js";
import { revokeApiKey } from "./revoke-api-key.js";

const floor = useFloor(() => ({
  endpoints: [whoAmI, begin, prepare, createApiKey, listApiKeys, revokeApiKey],
  http: { trustProxy: true, rateLimits },
}));

describe("a key made over HTTP", () => {
  it("works, is returned once, and is listed with its last use to the minute", async () => {
    const made = await make();
    expect(made).toMatchObject({ name: "Server", type: "secret", status: "active", scopes: ["accounts:read"] });
    expect(made.key).toMatch(/^sk_test_[1-9A-HJ-NP-Za-km-z]{40,44}$/);
    const listed = async () => (await list()).find(({ id }) => id === made.id);
    expect(await listed()).not.toHaveProperty("last_used_at");
    expect(await listed()).not.toHaveProperty("key");
    const first = floor.clock.at;
    await isGood(made.key);
    floor.clock.at += 59_999;
    await use(made.key);
    expect((await listed())?.last_used_at).toBe(new Date(first).toISOString());
    floor.clock.at += 1;
    await use(made.key);
    expect((await listed())?.last_used_at).toBe(new Date(floor.clock.at).toISOString());
  });

  it("is the same key for every attempt under one idempotency key, and nowhere in clear", async () => {
    const headers = { "x-idempotency-key": randomUUID() };
    const made = await make({ name: "Once" }, headers);
    const replayed = await ask("POST", "/api-keys", { ...plan, name: "Once" }, headers);
    expect(replayed.headers["idempotent-replayed"]).toBe("true");
    expect(dataOf<View>(replayed)).toEqual(made);
    // As if the process had died before the answer was stored.
    await floor.db.deleteFrom("idempotency_record").execute();
    expect((await make({ name: "Once" }, headers)).key).toBe(made.key);
    expect((await list()).filter(({ name }) => name === "Once")).toHaveLength(1);
    for (const table of ["idempotency_record", "api_key", "event"] as const) {
      const rows = await floor.db.selectFrom(table).selectAll().execute();
      const text = JSON.stringify(rows, (_, value) =>
        typeof value === "bigint" ? `${value}` : value instanceof Uint8Array ? Buffer.from(value).toString() : value,
      );
      expect(text).not.toContain(made.key.slice(12));
    }
  });

  it("is not given to another key that repeats the request of a mightier one", async () => {
    const headers = { "x-idempotency-key": randomUUID() };
    const wanted = { ...plan, name: "Mighty", scopes: ["transactions:write"] };
    dataOf(await ask("POST", "/api-keys", wanted, headers));
    const little = await make({ scopes: ["admin:keys"] });
    const repeated = await ask("POST", "/api-keys", wanted, { ...headers, ...as(little.key) });
    expectError(repeated, 422, "idempotency_key_reused");
    expect(repeated.body).not.toContain("sk_test_");
  });

  it("dies when it expires, and with its tenant", async () => {
    const { key } = await make({ expires_at: new Date(floor.clock.at + 1_000).toISOString() });
    await use(key);
    floor.clock.at += 1_000;
    expectError(await use(key), 401, "api_key_expired");
    const { db } = floor;
    const lasting = await make();
    await db
      .updateTable("tenant")
      .set({ disabled_at: BigInt(floor.clock.at) })
      .execute();
    expectError(await use(lasting.key), 401, "api_key_disabled");
    await db.updateTable("tenant").set({ disabled_at: null }).execute();
    await isGood(lasting.key);
  });

  it("may be used from its addresses only", async () => {
    const { key } = await make({ allowed_addresses: ["203.0.113.0/24", "2001:db8::/64", "198.51.100.7"] });
    for (const address of ["203.0.113.9", "2001:db8::5", "198.51.100.7", "::ffff:203.0.113.1"]) {
      await isGood(key, address);
    }
    // As some proxies write it.
    for (const address of ["203.0.113.9:4711", "[2001:db8::5]:4711", "[2001:db8::5]"]) await isGood(key, address);
    for (const address of ["203.0.114.9", "2001:db8:0:1::5", "198.51.100.8", "203.0.114.9:113", "203.0.113.9:x"]) {
      expectError(await use(key, address), 403, "address_not_allowed");
    }
  });
});

describe("an admin key", () => {
  it("grants nothing it has not itself, and nothing that lives longer or is good in more places", async () => {
    const admin = await make({
      scopes: ["admin:keys", "accounts:read"],
      expires_at: new Date(floor.clock.at + 60_000).toISOString(),
      allowed_addresses: ["203.0.113.0/24"],
    });
    const headers = as(admin.key, "203.0.113.5");
    const within = {
      expires_at: new Date(floor.clock.at + 60_000).toISOString(),
      allowed_addresses: ["203.0.113.8/29"],
    };
    const before = await count();
    for (const [change, field] of [
      [{ scopes: ["accounts:write"] }, "scopes"],
      [{ environments: ["devnet"] }, "environments"],
      [{ environments: ["mainnet"] }, "environments"],
      [{ expires_at: new Date(floor.clock.at + 60_001).toISOString() }, "expires_at"],
      [{ expires_at: undefined }, "expires_at"],
      [{ allowed_addresses: [] }, "allowed_addresses"],
      [{ allowed_addresses: ["203.0.112.0/23"] }, "allowed_addresses"],
      [{ type: "publishable", scopes: undefined, allowed_origins: ["https://app.example"] }, "scopes"],
    ] as const) {
      const answered = await ask("POST", "/api-keys", { ...plan, ...within, ...change }, headers);
      expectError(answered, 403, "insufficient_scope");
      expect(answered.json().details[0].field).toBe(field);
    }
    expect(await count()).toBe(before);
    expect((await make(within, headers)).key).toMatch(/^sk_test_/);
  });

  it("sees the keys of its own environments only", async () => {
    const { db } = floor;
    const live = await make({ name: "Both" });
    const environments = JSON.stringify(["sandbox", "devnet"]);
    await db.updateTable("api_key").set({ environments }).where("id", "=", live.id).execute();
    const admin = await make({ scopes: ["admin:keys"] });
    expect((await list(admin.key)).map(({ id }) => id)).not.toContain(live.id);
  });

  it("without the scope does nothing at all", async () => {
    const { key } = await make({ scopes: ["accounts:read", "accounts:write"] });
    for (const [method, path, body] of [
      ["POST", "/api-keys", plan],
      ["GET", "/api-keys", undefined],
      ["DELETE", `/api-keys/${randomUUID()}`, undefined],
    ] as const) {
      expectError(await ask(method, path, body, as(key)), 403, "insufficient_scope");
    }
  });
});

describe("a request for a key", () => {
  it("that cannot be one is refused, and makes none", async () => {
    const before = await count();
    const publishable = { type: "publishable", scopes: undefined };
    for (const change of [
      { name: "" },
      { scopes: [] },
      { scopes: undefined },
      { scopes: ["admin:everything"] },
      { environments: [] },
      { expires_at: new Date(floor.clock.at).toISOString() },
      { expires_at: "tomorrow" },
      { allowed_addresses: ["10.0.0.0/33"] },
      { allowed_addresses: ["10/8"] },
      { allowed_origins: ["https://app.example"] },
      { ...publishable },
      { ...publishable, allowed_origins: [] },
      ...[
        "*",
        "null",
        "app.example",
        "https://app.example/",
        "https://*.example",
        "HTTPS://app.example",
        "ftp://a.b",
      ].map((origin) => ({ ...publishable, allowed_origins: [origin] })),
      { type: "publishable", scopes: ["accounts:write"], allowed_origins: ["https://app.example"] },
    ]) {
      expectError(await ask("POST", "/api-keys", { ...plan, ...change }), 400, "invalid_request");
    }
    expect(await count()).toBe(before);
  });
});

describe("a publishable key's limits", () => {
  it("are per address first, then per key; a third is for what needs no session", async () => {
    const origin = "https://app.example";
    const { key } = await make({ type: "publishable", scopes: undefined, allowed_origins: [origin] });
    const codes = async (address: string, path: string, times: number) => {
      const answers: number[] = [];
      for (let i = 0; i < times; i += 1) {
        answers.push((await ask("POST", path, undefined, { ...as(key, address), origin })).statusCode);
      }
      return answers;
    };
    expect(await codes("192.0.2.1", "/begin", 3)).toEqual([200, 200, 429]);
    // The one that was refused counts for its address, which has three left.
    expect(await codes("192.0.2.1", "/prepare", 4)).toEqual([401, 401, 401, 429]);
    // Whatever the port that a proxy writes behind it.
    expect(await codes("192.0.2.1:4711", "/prepare", 1)).toEqual([429]);
    // What it was refused costs the others nothing: of the key's seven, five are used up.
    expect(await codes("192.0.2.2", "/prepare", 3)).toEqual([401, 401, 429]);
    const limited = await ask("POST", "/prepare", undefined, { ...as(key, "192.0.2.3"), origin });
    expect(limited.headers).toMatchObject({ "access-control-allow-origin": origin, "ratelimit-limit": "7" });
  });
});

describe("a preflight", () => {
  it("is not answered any more ten seconds after the last key of its page is removed, however many others were asked", async () => {
    const page = "https://gone.example";
    const { id } = await make({ type: "publishable", scopes: undefined, allowed_origins: [page] });
    const ask = async (origin: string, address = "192.0.2.77") => {
      const headers = { origin, "access-control-request-method": "POST", "x-forwarded-for": address };
      const answered = await floor.app.inject({ method: "OPTIONS", url: "/api/service/v1/begin", headers });
      const view = answered.headers["access-control-allow-origin"];
      return { status: answered.statusCode, shown: view, vary: answered.headers.vary };
    };
    const good = { status: 204, shown: page, vary: "origin" };
    expect(await ask(page)).toEqual(good);
    let strangers = 0;
    const askForMany = async () => {
      for (let i = 0; i < 61; i += 1, strangers += 1) {
        expect((await ask(`https://stranger-${strangers}.example`)).status).toBe(405);
      }
    };
    await askForMany();
    // Whoever has asked for too many strangers still hears of the pages that are known.
    expect(await ask(page)).toEqual(good);
    dataOf(await floor.app.inject({ method: "DELETE", url: `/api/service/v1/api-keys/${id}`, headers: as(floor.key) }));
    floor.clock.at += 10_000;
    await askForMany();
    for (const address of ["192.0.2.77", "192.0.2.78"]) {
      expect(await ask(page, address)).toEqual({ status: 405, shown: undefined, vary: "origin" });
    }
  });
});

describe("the client library", () => {
  it("makes one key for one idempotency key, pages through all of them, and ends one", async () => {
    await floor.app.listen({ host: "127.0.0.1", port: 0 });
    const baseUrl = `http://127.0.0.1:${(floor.app.server.address() as AddressInfo).port}`;
    const { apiKeys } = createTrellisClient({ baseUrl, apiKey: floor.key, environment: "sandbox" });
    const request = { name: "Page", type: "publishable", environments: ["sandbox"] } as const;
    const wanted = { ...request, allowed_origins: ["https://app.example"] };
    const made = await apiKeys.create(wanted, { idempotencyKey: "the-page" });
    expect(made).toMatchObject({ key: expect.stringMatching(/^pk_test_/), status: "active" });
    expect(await apiKeys.create(wanted, { idempotencyKey: "the-page" })).toEqual(made);
    const found: string[] = [];
    for await (const { id } of apiKeys.list({ limit: 1 })) found.push(id);
    expect(found).toEqual((await list()).map(({ id }) => id));
    expect(found.filter((id) => id === made.id)).toHaveLength(1);
    expect((await apiKeys.page({ limit: 1 })).nextCursor).toBeDefined();
    expect(await apiKeys.revoke(made.id)).toMatchObject({ id: made.id, status: "revoked" });
  });
});

const whoAmI = endpoint(
  {
    operation: "whoAmI",
    summary: "Tell who calls",
    tag: "Test",
    method: "GET",
    path: "/api/service/v1/me",
    scope: "accounts:read",
    environment: "optional",
    response: { status: 200, envelope: true, schema: Type.Object({ tenant: Type.String() }) },
    errors: [],
  },
  async (_needs: FloorNeeds, { caller }) => ({ data: { tenant: caller.tenantId } }),
);

const ofPages = {
  summary: "Be called by pages",
  tag: "Test",
  method: "POST",
  scope: "auth:write",
  environment: "optional",
  response: { status: 200, envelope: true, schema: Type.Object({ session: Type.Boolean() }) },
  errors: [],
} as const;
const begin = endpoint(
  { ...ofPages, operation: "begin", path: "/api/service/v1/begin", publishable: "open" },
  async (_needs: FloorNeeds, { caller }) => ({ data: { session: caller.session !== undefined } }),
);
const prepare = endpoint(
  { ...ofPages, operation: "prepare", path: "/api/service/v1/prepare", publishable: "session" },
  async (_needs: FloorNeeds, { caller }) => ({ data: { session: caller.session !== undefined } }),
);

interface View {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly status: string;
  readonly last_used_at?: string;
}

type Answered = Awaited<ReturnType<typeof ask>>;

function ask(method: "GET" | "POST" | "DELETE", path: string, body?: unknown, more: Record<string, string> = {}) {
  return floor.app.inject({
    method,
    url: `/api/service/v1${path}`,
    headers: { authorization: `Bearer ${floor.key}`, ...more },
    ...(body === undefined ? {} : { payload: body as object }),
  });
}

const plan = { name: "Server", scopes: ["accounts:read"], environments: ["sandbox"] };

const as = (key: string, address?: string) => ({
  authorization: `Bearer ${key}`,
  ...(address === undefined ? {} : { "x-forwarded-for": address }),
});

function dataOf<T>(answered: Answered): T {
  expect(answered.statusCode, answered.body).toBeLessThan(300);
  return answered.json().data;
}

function expectError(answered: Answered, status: number, code: string): void {
  expect({ status: answered.statusCode, code: answered.json().code }, answered.body).toEqual({ status, code });
}

const make = async (more: object = {}, headers: Record<string, string> = {}) =>
  dataOf<View>(await ask("POST", "/api-keys", { ...plan, ...more }, headers));

const use = (key: string, address?: string) =>
  ask("GET", "/me", undefined, { ...as(key, address), "x-service-environment": "sandbox" });

const isGood = async (key: string, address?: string) => expect((await use(key, address)).statusCode).toBe(200);

const list = async (key?: string) =>
  dataOf<View[]>(await ask("GET", "/api-keys?limit=100", undefined, key === undefined ? {} : as(key)));

const count = async () => (await floor.db.selectFrom("api_key").select("id").execute()).length;

const rateLimits = {
  perKeyPerMinute: 0,
  failedAuthenticationsPerAddressPerMinute: 0,
  perPublishableKeyPerMinute: 7,
  publishablePerAddressPerMinute: 6,
};
