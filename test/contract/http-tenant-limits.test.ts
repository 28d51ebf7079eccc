import { endpoint } from "@trellis/kernel/endpoint.js";
import Type from "typebox";
import { beforeEach, expect, it } from "vitest";
import { useFloor } from "./http-fixture.js";

const floor = useFloor(() => ({ endpoints: [...endpoints] as never, http: { rateLimits } }));
beforeEach(() => {
  // Noon of another day.
  floor.clock.at += 86_400_000 + (43_200_000 - (floor.clock.at % 86_400_000));
});

it("gives a tenant no more requests for more keys, and tells of the limit of which less is left", async () => {
  const other = await floor.makeKey({});
  const third = await floor.makeKey({});
  expect(passed(await codesOf(50, () => call("GET", "look", floor.key)))).toBe(50);
  const reported = await call("GET", "look", other.value);
  expect(reported.headers).toMatchObject({ "ratelimit-limit": "100", "ratelimit-remaining": "49" });
  expect(passed(await codesOf(55, () => call("GET", "look", other.value)))).toBe(49);
  const refused = await call("GET", "look", third.value);
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({ code: "rate_limit_exceeded" });
  // What the tenant's limit refused is not counted against the key's.
  floor.clock.at += 10_000;
  expect(passed(await codesOf(15, () => call("GET", "look", third.value)))).toBe(15);
});

it("bounds what a tenant prepares in a day over all its keys, and lets it read and revoke all the same", async () => {
  const other = await floor.makeKey({});
  expect(passed(await codesOf(6, () => call("POST", "prepare", floor.key)))).toBe(6);
  const withKey = (n: number) => call("POST", "prepare", other.value, { "x-idempotency-key": `key-${n}` });
  expect((await withKey(1)).statusCode).toBe(200);
  expect((await withKey(2)).statusCode).toBe(200);
  const refused = await withKey(3);
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({ code: "daily_limit_exceeded" });
  expect(Number(refused.headers["retry-after"])).toBe(12 * 3_600);
  for (const [method, name] of [
    ["GET", "look"],
    ["DELETE", "revoke"],
  ] as const) {
    expect((await call(method, name, floor.key)).statusCode, name).toBe(200);
  }
  floor.clock.at += 86_400_000;
  expect((await withKey(3)).statusCode).toBe(200);
});

it("counts sign-ins by wallet apart, and what stores nothing not at all", async () => {
  expect(passed(await codesOf(20, () => call("POST", "ask", floor.key)))).toBe(20);
  expect(passed(await codesOf(12, () => call("POST", "sign-in", floor.key)))).toBe(10);
  expect(passed(await codesOf(12, () => call("DELETE", "revoke", floor.key)))).toBe(10);
});

it("does not count what is refused before it could leave anything", async () => {
  const none = await floor.makeKey({ scopes: ["accounts:read"] });
  expect(passed(await codesOf(20, () => call("POST", "prepare", none.value)))).toBe(0);
  expect(passed(await codesOf(10, () => call("POST", "prepare", floor.key)))).toBe(10);
});

const answer = { status: 200, envelope: true, schema: Type.Object({ done: Type.Boolean() }) } as const;
const common = { tag: "Test", scope: "accounts:write", environment: "optional", response: answer, errors: [] } as const;

const act = async () => ({ data: { done: true } });
const path = (name: string) => `/api/service/v1/${name}`;

const endpoints = [
  endpoint({ ...common, operation: "look", summary: "Look", method: "GET", path: path("look") }, act),
  endpoint(
    { ...common, operation: "prepare", summary: "Prepare", method: "POST", path: path("prepare"), preparesOnly: true },
    act,
  ),
  endpoint(
    {
      ...common,
      operation: "ask",
      summary: "Ask",
      method: "POST",
      path: path("ask"),
      idempotent: false,
      dailyWrites: "none",
    },
    act,
  ),
  endpoint(
    {
      ...common,
      operation: "signIn",
      summary: "Sign in",
      method: "POST",
      path: path("sign-in"),
      dailyWrites: "wallet_sign_ins",
    },
    act,
  ),
  endpoint({ ...common, operation: "revoke", summary: "Revoke", method: "DELETE", path: path("revoke") }, act),
] as const;

type Method = "GET" | "POST" | "DELETE";

const call = (method: Method, name: string, key: string, headers: Record<string, string> = {}) =>
  floor.app.inject({ method, url: path(name), headers: { authorization: `Bearer ${key}`, ...headers } });

const codesOf = async (calls: number, ask: () => ReturnType<typeof call>): Promise<number[]> => {
  const codes: number[] = [];
  for (let i = 0; i < calls; i += 1) codes.push((await ask()).statusCode);
  return codes;
};

const passed = (codes: readonly number[]) => codes.filter((code) => code === 200).length;

const rateLimits = {
  failedAuthenticationsPerAddressPerMinute: 0,
  perKeyPerMinute: 60,
  perTenantPerMinute: 100,
  writesPerTenantPerDay: 10,
};
