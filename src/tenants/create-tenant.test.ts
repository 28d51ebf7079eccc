import { randomUUID } from "node:crypto";
import { type Scope, tenantsOwnScopes } from "@trellis/kernel/scope.js";
import { createTrellisClient } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Floor, openFloor } from "../../test/contract/http-fixture.js";
import type { ApiKeyPlan } from "./api-key-store.js";
import { createApiKey } from "./create-api-key.js";
import { createTenant } from "./create-tenant.js";
import { createTenantApiKey } from "./create-tenant-api-key.js";
import { listApiKeys } from "./list-api-keys.js";
import { listTenants } from "./list-tenants.js";
import { disableTenant, enableTenant } from "./switch-tenant.js";

let floor: Floor;
let operator: string;
beforeAll(async () => {
  floor = await openFloor({
    endpoints: [createTenant, listTenants, disableTenant, enableTenant, createTenantApiKey, createApiKey, listApiKeys],
    http: { rateLimits: { perKeyPerMinute: 0, failedAuthenticationsPerAddressPerMinute: 0 } },
  });
  operator = await keyOf(["admin:tenants", "admin:keys"]);
});
afterAll(() => floor?.close());

type Answered = Awaited<ReturnType<typeof ask>>;
function ask(
  method: "GET" | "POST",
  path: string,
  body?: object,
  key: string = operator,
  more: Record<string, string> = {},
) {
  return floor.app.inject({
    method,
    url: `/api/service/v1${path}`,
    headers: { authorization: `Bearer ${key}`, ...more },
    ...(body === undefined ? {} : { payload: body }),
  });
}
const plan = { name: "Server", scopes: ["admin:keys"], environments: ["sandbox"] };

describe("a tenant made over HTTP", () => {
  it("is listed, has keys of its own, and is switched off and on with all of them", async () => {
    const answered = await ask("POST", "/tenants", { id: "shop", name: "The shop" });
    expect(answered.json().data).toEqual({
      id: "shop",
      name: "The shop",
      status: "enabled",
      created_at: new Date(floor.clock.at).toISOString(),
    });
    const key = (await ask("POST", "/tenants/shop/api-keys", plan)).json().data as { id: string; key: string };
    expect(key.key).toMatch(/^sk_test_/);
    const row = await floor.db.selectFrom("api_key").selectAll().where("id", "=", key.id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ tenant_id: "shop", scopes: '["admin:keys"]', origin: "created" });
    // It sees the keys of its own tenant, and the operator's sees none of them.
    const seen = async (by: string) =>
      ((await ask("GET", "/api-keys", undefined, by)).json().data as { id: string }[]).map(({ id }) => id);
    expect(await seen(key.key)).toEqual([key.id]);
    expect(await seen(operator)).not.toContain(key.id);

    const disabled = (await ask("POST", "/tenants/shop/disable", {})).json().data;
    expect(disabled).toMatchObject({ status: "disabled", disabled_at: new Date(floor.clock.at).toISOString() });
    expect((await opens(key.key)).status).toBe(401);
    const later = floor.clock.at;
    floor.clock.at += 60_000;
    expect((await ask("POST", "/tenants/shop/disable")).json().data).toEqual(disabled);
    expect((await ask("POST", "/tenants/shop/enable")).json().data).toMatchObject({ status: "enabled" });
    expect((await opens(key.key)).status).toBe(200);
    expect(floor.clock.at).toBeGreaterThan(later);
  });

  it("is one, however often and however many at once ask for it", async () => {
    const id = `t-${randomUUID()}`;
    const all = await Promise.all(Array.from({ length: 5 }, () => ask("POST", "/tenants", { id })));
    expect(all.map((answered) => said(answered).status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(said(await ask("POST", "/tenants", { id, name: "Another" }))).toEqual({
      status: 409,
      code: "tenant_exists",
    });
    // The answer of the first attempt was lost before it was written down: the same call finds its own.
    const headers = { "x-idempotency-key": randomUUID() };
    const first = await ask("POST", "/tenants", { id: `${id}-2` }, operator, headers);
    await floor.db.deleteFrom("idempotency_record").execute();
    const again = await ask("POST", "/tenants", { id: `${id}-2` }, operator, headers);
    expect([again.statusCode, again.json().data]).toEqual([201, first.json().data]);
  });

  it("has the id and the name that tenants may have", async () => {
    for (const id of ["", "Shop", "-shop", "_a", "a b", "a/b", "a\u0000", "ä", "a".repeat(64), 7]) {
      expect(said(await ask("POST", "/tenants", { id })), String(id)).toEqual({ status: 400, code: "invalid_request" });
    }
    expect(said(await ask("POST", "/tenants", { id: "a".repeat(63), name: "\u0000" })).status).toBe(400);
    for (const path of ["nobody", "a%00b", "%F0%9F%8D%8B", "a".repeat(64)]) {
      for (const verb of ["disable", "enable"]) {
        expect(said(await ask("POST", `/tenants/${path}/${verb}`))).toEqual({ status: 404, code: "tenant_not_found" });
      }
      expect(said(await ask("POST", `/tenants/${path}/api-keys`, plan))).toEqual({
        status: 404,
        code: "tenant_not_found",
      });
    }
  });

  it("is in the list once, page after page, by the bytes of its id", async () => {
    for (const id of ["b-1", "b_1", "b1", "b", "a9"]) await made(id);
    const client = createTrellisClient({ baseUrl: await floor.app.listen(), apiKey: operator, environment: "sandbox" });
    const listed: string[] = [];
    for await (const { id } of client.tenants.list({ limit: 2 })) listed.push(id);
    const rows = await floor.db.selectFrom("tenant").select("id").execute();
    expect(listed).toEqual(rows.map(({ id }) => id).sort());
    expect(listed).toContain("default");
    for (const cursor of [
      "nonsense",
      Buffer.from("n1_B").toString("base64url"),
      Buffer.from("n1_").toString("base64url"),
    ]) {
      expect(said(await ask("GET", `/tenants?cursor=${cursor}`))).toEqual({ status: 400, code: "invalid_cursor" });
    }
  });
});

describe("a key that makes tenants", () => {
  it("is made by name alone: neither the first key nor any with all scopes of a tenant is one", async () => {
    expect(tenantsOwnScopes).not.toContain("admin:tenants");
    const everything = await keyOf(tenantsOwnScopes);
    for (const key of [floor.key, everything]) {
      expect(said(await ask("GET", "/tenants", undefined, key))).toEqual({ status: 403, code: "insufficient_scope" });
      const wanted = { ...plan, scopes: ["admin:tenants"] };
      expect(said(await ask("POST", "/api-keys", wanted, key))).toEqual({ status: 403, code: "insufficient_scope" });
    }
  });

  it("grants no other tenant its own scope, no environment that it does not open, and no page more than pages may", async () => {
    const id = await made();
    const count = async () =>
      (await floor.db.selectFrom("api_key").select("id").where("tenant_id", "=", id).execute()).length;
    const ask403 = { status: 403, code: "insufficient_scope" };
    const path = `/tenants/${id}/api-keys`;
    expect(said(await ask("POST", path, { ...plan, scopes: ["accounts:read", "admin:tenants"] }))).toEqual(ask403);
    expect(said(await ask("POST", path, { ...plan, environments: ["devnet"] }))).toEqual(ask403);
    expect(said(await ask("POST", path, { ...plan, environments: ["mainnet"] }))).toEqual(ask403);
    const page = { ...plan, type: "publishable", allowed_origins: ["https://app.example"] };
    expect(said(await ask("POST", path, page))).toEqual({ status: 400, code: "invalid_request" });
    expect(await count()).toBe(0);
    // Scopes that it has not itself, and no end or address of its own: that is what it is for.
    const short = await keyOf(["admin:tenants"], { expiresAt: floor.clock.at + 3_600_000 });
    const granted = await ask("POST", path, { ...plan, scopes: ["payments:write", "admin:keys"] }, short);
    expect(granted.json().data).toMatchObject({ scopes: ["payments:write", "admin:keys"] });
    expect(granted.json().data).not.toHaveProperty("expires_at");
    expect(await count()).toBe(1);
  });

  it("gets no key of its own tenant by that way, and does not lock itself out", async () => {
    const invalid = { status: 400, code: "invalid_request" };
    expect(said(await ask("POST", "/tenants/default/api-keys", plan))).toEqual(invalid);
    expect(said(await ask("POST", "/tenants/default/disable", {}))).toEqual(invalid);
    expect((await opens(operator)).status).toBe(200);
  });

  it("is answered one key for one idempotency key, for its own tenant only", async () => {
    const id = await made();
    const headers = { "x-idempotency-key": randomUUID() };
    const once = () => ask("POST", `/tenants/${id}/api-keys`, plan, operator, headers);
    const first = (await once()).json().data;
    expect((await once()).json().data).toEqual(first);
    await floor.db.deleteFrom("idempotency_record").execute();
    expect((await once()).json().data).toEqual(first);
    const other = await keyOf(["admin:tenants"]);
    const answered = await ask("POST", `/tenants/${id}/api-keys`, plan, other, headers);
    expect(answered.statusCode).not.toBe(201);
    expect(answered.body).not.toContain(first.key);
  });
});

/** A key of the tenant `default`, as a command makes one. */
const keyOf = async (scopes: readonly Scope[], more: Partial<ApiKeyPlan> = {}): Promise<string> =>
  (await floor.makeKey({ scopes, ...more })).value;

const said = (answered: Answered) => ({
  status: answered.statusCode,
  code: answered.json().code as string | undefined,
});

const opens = async (key: string) => said(await ask("GET", "/api-keys", undefined, key));

const made = async (id = `t-${randomUUID()}`) => {
  expect(said(await ask("POST", "/tenants", { id })).status).toBe(201);
  return id;
};
