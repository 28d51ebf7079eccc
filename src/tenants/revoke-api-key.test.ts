import { randomUUID } from "node:crypto";
import type { Scope } from "@trellis/kernel/scope.js";
import { describe, expect, it } from "vitest";
import { useFloor } from "../../test/contract/http-fixture.js";
import { ensureTenant } from "./api-key-store.js";
import { createAuthenticator } from "./authenticate.js";
import { listApiKeys } from "./list-api-keys.js";
import { revokeApiKey } from "./revoke-api-key.js";

const floor = useFloor(() => ({ endpoints: [listApiKeys, revokeApiKey] }));

describe("200", () => {
  it("shows the key as it is then, and the same again", async () => {
    const { id } = await makeKey();
    const revoked_at = new Date(floor.clock.at).toISOString();
    const first = dataOf(await revoke(id));
    expect(first).toMatchObject({ id, type: "secret", scopes: ["admin:keys"], status: "revoked", revoked_at });
    expect(first).not.toHaveProperty("key");
    floor.clock.at += 60_000;
    expect(dataOf(await revoke(id))).toEqual(first);
  });

  it("kills the key from the next request on, in every process that knows it", async () => {
    const { id, value: key } = await makeKey();
    expect(await opens(key)).toBe(200);
    const secret = floor.keyring.macs("api-key");
    const place = { address: "192.0.2.1", origin: undefined };
    const others = [1, 2].map(() => createAuthenticator({ db: floor.db, secret, clock: floor.clock }));
    // As busy as can be: those who ask while others do share what they are answered.
    const busy = async () => {
      const asked = others.flatMap((other) => [1, 2, 3].map(() => other.authenticate(key, place)));
      return (await Promise.allSettled(asked)).map(({ status }) => status);
    };
    expect(new Set(await busy())).toEqual(new Set(["fulfilled"]));
    const running = busy();
    dataOf(await revoke(id));
    expect(errorIn(await read(key))).toEqual([401, "api_key_disabled"]);
    expect(new Set(await busy())).toEqual(new Set(["rejected"]));
    for (const other of others) expect(other.isFamiliar(key, place)).toBe(true);
    await running;
  });

  it("is one revocation for many at once", async () => {
    const { id } = await makeKey();
    const all = (await Promise.all([1, 2, 3, 4].map(() => revoke(id)))).map(dataOf);
    expect(all).toEqual(all.map(() => all[0]));
  });

  it("ends the very key that asks", async () => {
    const { id, value: key } = await makeKey();
    expect(dataOf(await revoke(id, key))).toMatchObject({ id, status: "revoked" });
    expect(errorIn(await revoke(id, key))).toEqual([401, "api_key_disabled"]);
  });
});

describe("403", () => {
  it("for a key without the scope", async () => {
    const [{ id, value: kept }, { value: key }] = [await makeKey(), await makeKey({ scopes: ["accounts:read"] })];
    expect(errorIn(await revoke(id, key))).toEqual([403, "insufficient_scope"]);
    expect(await opens(kept)).toBe(200);
  });
});

describe("404", () => {
  it.each([randomUUID(), "no-id", "%00"])("for the key %s", async (id) => {
    expect(errorIn(await revoke(id))).toEqual([404, "api_key_not_found"]);
  });

  it("for another tenant's key, which stays good", async () => {
    await ensureTenant(floor.db, { id: "other", name: "Other", now: floor.clock.at });
    const { id, value: key } = await makeKey({ tenantId: "other" });
    expect(errorIn(await revoke(id))).toEqual([404, "api_key_not_found"]);
    expect(await opens(key)).toBe(200);
  });

  it("for a key that opens an environment which the key that asks does not", async () => {
    const { id, value: key } = await makeKey({ environments: ["sandbox", "devnet"] });
    expect(errorIn(await revoke(id))).toEqual([404, "api_key_not_found"]);
    expect(await opens(key)).toBe(200);
  });
});

type Answered = Awaited<ReturnType<typeof read>>;

const makeKey = (plan: Parameters<typeof floor.makeKey>[0] = {}) =>
  floor.makeKey({ scopes: ["admin:keys"] satisfies Scope[], ...plan });

const request = (method: "GET" | "DELETE", path: string, key: string) =>
  floor.app.inject({ method, url: `/api/service/v1${path}`, headers: { authorization: `Bearer ${key}` } });

const read = (key: string) => request("GET", "/api-keys", key);

const opens = async (key: string) => (await read(key)).statusCode;

const revoke = (id: string, key = floor.key) => request("DELETE", `/api-keys/${id}`, key);

const errorIn = (answered: Answered) => [answered.statusCode, answered.json().code];

function dataOf(answered: Answered): object {
  expect(answered.statusCode, answered.body).toBeLessThan(300);
  return answered.json().data;
}
