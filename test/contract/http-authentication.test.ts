import { endpoint } from "@trellis/kernel/endpoint.js";
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { revokeApiKey } from "../../src/tenants/api-key-store.js";
import { createAuthenticator } from "../../src/tenants/authenticate.js";
import { type Floor, type FloorNeeds, openFloor } from "./http-fixture.js";

let floor: Floor;
beforeAll(async () => {
  floor = await openFloor({
    endpoints: [whoAmI],
    http: { rateLimits: { perKeyPerMinute: 60, failedAuthenticationsPerAddressPerMinute: 5 }, trustProxy: true },
  });
});
afterAll(() => floor.close());

describe("200", () => {
  it("for a live key with the scope; the scheme's case does not matter", async () => {
    expect((await call(floor.key)).json().data).toEqual({ tenant: "default" });
    const answer = await floor.app.inject({
      url: "/api/service/v1/me",
      headers: { authorization: `bearer ${floor.key}` },
    });
    expect(answer.statusCode).toBe(200);
  });
});

describe("401, each case with its own code", () => {
  it.each([
    ["no key", undefined, "192.0.2.10"],
    ["another scheme", "Basic dXNlcjpwYXNz", "192.0.2.10"],
    ["nothing after the scheme", "Bearer ", "192.0.2.10"],
  ])("api_key_required for %s", async (_what, authorization, address) => {
    const answer = await floor.app.inject({
      url: "/api/service/v1/me",
      headers: { "x-forwarded-for": address, ...(authorization === undefined ? {} : { authorization }) },
    });
    expect(answer.json()).toMatchObject({ code: "api_key_required", details: [{ code: "api_key_required" }] });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
  });

  it("invalid_api_key for one that was never made, and for a made one cut short", async () => {
    for (const key of ["sk_test_nobodymadethis", floor.key.slice(0, -1), `${floor.key} x`]) {
      const answer = await call(key, "192.0.2.11");
      expect(answer.json()).toMatchObject({ code: "invalid_api_key" });
      expect(answer.statusCode).toBe(401);
    }
  });

  it("api_key_disabled from the request after the revocation on", async () => {
    const { id, value } = await floor.makeKey({});
    expect((await call(value)).statusCode).toBe(200);
    expect(await revokeApiKey(floor.db, { id, tenantId: "default", now: floor.clock.now() })).toBeDefined();
    const answer = await call(value, "192.0.2.12");
    expect(answer.json()).toMatchObject({ code: "api_key_disabled" });
    expect(answer.statusCode).toBe(401);
  });

  it("api_key_expired from its last millisecond on", async () => {
    const { value } = await floor.makeKey({ expiresAt: floor.clock.now() + 1000 });
    expect((await call(value)).statusCode).toBe(200);
    floor.clock.at += 1000;
    const answer = await call(value, "192.0.2.13");
    expect(answer.json()).toMatchObject({ code: "api_key_expired" });
    expect(answer.statusCode).toBe(401);
  });
});

describe("403", () => {
  it("insufficient_scope, naming the scope", async () => {
    const { value } = await floor.makeKey({ scopes: ["accounts:write"] });
    const answer = await call(value);
    expect(answer.json()).toMatchObject({ code: "insufficient_scope", details: [{ scope: "accounts:read" }] });
    expect(answer.statusCode).toBe(403);
  });
});

describe("429", () => {
  it("over the key's limit, with the time to wait; the limit refills evenly", async () => {
    const { value } = await floor.makeKey({});
    const first = await call(value);
    expect(first.headers).toMatchObject({
      "ratelimit-limit": "60",
      "ratelimit-remaining": "59",
      "ratelimit-reset": "1",
    });
    for (let spent = 1; spent < 60; spent += 1) expect((await call(value)).statusCode).toBe(200);
    const over = await call(value);
    expect(over.json()).toMatchObject({ code: "rate_limit_exceeded" });
    expect(over.statusCode).toBe(429);
    expect(over.headers).toMatchObject({ "retry-after": "1", "ratelimit-remaining": "0", "ratelimit-reset": "60" });
    expect((await call(floor.key)).statusCode).toBe(200);
    floor.clock.at += 1000;
    expect((await call(value)).statusCode).toBe(200);
    expect((await call(value)).statusCode).toBe(429);
  });

  it("after failed authentications from one address; who has a valid key keeps working from there", async () => {
    expect((await call(floor.key, "2001:db8:1:1::1")).statusCode).toBe(200);
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await call(`sk_test_guess${tries}`, `2001:db8:1:1::${tries}`)).statusCode).toBe(401);
    }
    const blocked = await call("sk_test_guess9", "203.0.113.9, 2001:db8:1:1:ffff::9");
    expect(blocked.json()).toMatchObject({ code: "rate_limit_exceeded" });
    expect(Number(blocked.headers["retry-after"])).toBeGreaterThan(0);
    expect((await call(floor.key, "2001:db8:1:1::1")).statusCode).toBe(200);
    expect((await call("sk_test_guess9", "2001:db8:1:2::1")).statusCode).toBe(401);
  });
});

describe("look-ups of one key", () => {
  /** An authenticator whose queries are counted, and whose answers arrive when they are let through. */
  function observed() {
    const state = { queries: 0, answered: 0, letThrough: Promise.resolve() };
    const db = Object.create(floor.db) as typeof floor.db;
    db.executeQuery = async (query) => {
      if ("sql" in query && query.sql.includes("key_hash")) state.queries += 1;
      const result = await floor.db.executeQuery(query);
      state.answered += 1;
      await state.letThrough;
      return result as never;
    };
    const secret = floor.keyring.macs("api-key");
    return { state, authenticator: createAuthenticator({ db, secret, clock: floor.clock }) };
  }

  it("are shared by requests that arrive together", async () => {
    const { state, authenticator } = observed();
    const calls = Array.from({ length: 50 }, () => authenticator.authenticate(floor.key));
    expect(await Promise.all(calls)).toHaveLength(50);
    expect(state.queries).toBe(1);
    await authenticator.authenticate(floor.key);
    expect(state.queries).toBe(2);
  });

  it("are never shared with one that began before the request", async () => {
    const { id, value } = await floor.makeKey({});
    const { state, authenticator } = observed();
    let letThrough: () => void = () => undefined;
    state.letThrough = new Promise((resolve) => {
      letThrough = resolve;
    });
    const early = authenticator.authenticate(value);
    await vi.waitUntil(() => state.answered === 1, { timeout: 30_000 });
    await revokeApiKey(floor.db, { id, tenantId: "default", now: floor.clock.now() });
    const late = Promise.allSettled(Array.from({ length: 10 }, () => authenticator.authenticate(value)));
    letThrough();
    expect(await early).toMatchObject({ apiKeyId: id });
    for (const call of await late) {
      expect(call).toMatchObject({ status: "rejected", reason: { code: "api_key_disabled" } });
    }
    expect(state.queries).toBe(2);
  });

  it("that fail fail their own requests only", async () => {
    const { state, authenticator } = observed();
    state.letThrough = Promise.reject(new Error("connection lost"));
    state.letThrough.catch(() => undefined);
    await expect(authenticator.authenticate(floor.key)).rejects.toThrow("connection lost");
    state.letThrough = Promise.resolve();
    expect(await authenticator.authenticate(floor.key)).toMatchObject({ apiKeyId: floor.keyId });
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

function call(key: string | undefined, address = "192.0.2.1") {
  return floor.app.inject({
    url: "/api/service/v1/me",
    headers: { "x-forwarded-for": address, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
  });
}
