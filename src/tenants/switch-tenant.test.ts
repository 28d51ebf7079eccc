import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useFloor } from "../../test/contract/http-fixture.js";
import { createTenant } from "./create-tenant.js";
import { createTenantApiKey } from "./create-tenant-api-key.js";
import { listApiKeys } from "./list-api-keys.js";
import { disableTenant, enableTenant } from "./switch-tenant.js";

const floor = useFloor(() => ({
  endpoints: [createTenant, disableTenant, enableTenant, createTenantApiKey, listApiKeys],
}));
let operator: string;
beforeAll(async () => {
  operator = (await floor.makeKey({ scopes: ["admin:tenants", "admin:keys"] })).value;
});

describe("200", () => {
  it("switches a tenant off with all its keys, and on again", async () => {
    const [id, key] = await newTenant();
    const [, other] = await newTenant();
    expect([await opens(key), await opens(other)]).toEqual([200, 200]);
    expect(dataOf(await ask(`/tenants/${id}/disable`, {}))).toMatchObject({ id, status: "disabled" });
    expect(errorIn(await read(key))).toEqual([401, "api_key_disabled"]);
    expect(await opens(other)).toBe(200);
    const enabled = dataOf(await ask(`/tenants/${id}/enable`));
    expect(enabled).toMatchObject({ id, status: "enabled" });
    expect(enabled).not.toHaveProperty("disabled_at");
    expect(await opens(key)).toBe(200);
  });

  it("keeps the instant at which it was switched off, however often and however many at once ask", async () => {
    const [id] = await newTenant();
    const disabled_at = new Date(floor.clock.at).toISOString();
    const disable = () => ask(`/tenants/${id}/disable`);
    const first = (await Promise.all([disable(), disable(), disable()])).map(dataOf);
    floor.clock.at += 60_000;
    for (const answer of [...first, dataOf(await disable())]) {
      expect(answer).toMatchObject({ status: "disabled", disabled_at });
    }
  });

  it("enables one that was never disabled without a change", async () => {
    const [id] = await newTenant();
    for (const _ of [1, 2]) expect(dataOf(await ask(`/tenants/${id}/enable`))).toMatchObject({ status: "enabled" });
  });
});

describe("400", () => {
  it("for the key's own tenant, which stays enabled", async () => {
    expect(errorIn(await ask("/tenants/default/disable", {}))).toEqual([400, "invalid_request"]);
    expect(await opens(operator)).toBe(200);
  });
});

describe("403", () => {
  it.each(["disable", "enable"])("for a key with every scope of a tenant's own: %s", async (verb) => {
    const [id, key] = await newTenant();
    expect(errorIn(await ask(`/tenants/${id}/${verb}`, {}, floor.key))).toEqual([403, "insufficient_scope"]);
    expect(await opens(key)).toBe(200);
  });
});

describe("404", () => {
  const names = ["nobody", "a%00b", "%F0%9F%8D%8B", "a".repeat(64)];
  it.each(names.flatMap((name) => [[name, "disable"] as const, [name, "enable"] as const]))(
    "for the tenant %s: %s",
    async (name, verb) => {
      expect(errorIn(await ask(`/tenants/${name}/${verb}`))).toEqual([404, "tenant_not_found"]);
    },
  );
});

type Answered = Awaited<ReturnType<typeof ask>>;

function ask(path: string, body?: object, key: string = operator) {
  return floor.app.inject({
    method: "POST",
    url: `/api/service/v1${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { payload: body }),
  });
}

/** A new tenant's id and a key of its own. */
async function newTenant(): Promise<readonly [id: string, key: string]> {
  const id = `t-${randomUUID()}`;
  dataOf(await ask("/tenants", { id }));
  const plan = { name: "Server", scopes: ["admin:keys"], environments: ["sandbox"] };
  return [id, (dataOf(await ask(`/tenants/${id}/api-keys`, plan)) as { key: string }).key];
}

const read = (key: string) =>
  floor.app.inject({ method: "GET", url: "/api/service/v1/api-keys", headers: { authorization: `Bearer ${key}` } });

const opens = async (key: string) => (await read(key)).statusCode;

const errorIn = (answered: Answered) => [answered.statusCode, answered.json().code];

function dataOf(answered: Answered): object {
  expect(answered.statusCode, answered.body).toBeLessThan(300);
  return answered.json().data;
}
