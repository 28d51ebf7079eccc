import { randomUUID } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Floor, openFloor } from "../../test/contract/http-fixture.js";
import { ensureTenant } from "./api-key-store.js";
import { createTenantApiKey } from "./create-tenant-api-key.js";
import { listApiKeys } from "./list-api-keys.js";

let floor: Floor;
let operator: string;
beforeAll(async () => {
  floor = await openFloor({ endpoints: [createTenantApiKey, listApiKeys] });
  operator = (await floor.makeKey({ scopes: ["admin:tenants"] })).value;
});
afterAll(() => floor?.close());

describe("201", () => {
  it("makes a key of that tenant, which works and is shown once", async () => {
    const id = await addTenant();
    const answered = await make(id, { scopes: ["admin:keys"], name: "Server" });
    const { key, ...shown } = answered.json().data;
    expect(answered.statusCode).toBe(201);
    expect(key).toMatch(/^sk_test_/);
    expect(shown).toMatchObject({ name: "Server", type: "secret", status: "active", scopes: ["admin:keys"] });
    const listed = await floor.app.inject({ url: "/api/service/v1/api-keys", headers: as(key) });
    const used = { last_used_at: new Date(floor.clock.at).toISOString() };
    expect(listed.json().data).toEqual([{ ...shown, ...used }]);
  });

  it("grants scopes that the asking key has not itself, and neither its end nor its addresses", async () => {
    const id = await addTenant();
    const short = await floor.makeKey({ scopes: ["admin:tenants"], expiresAt: floor.clock.at + 3_600_000 });
    const answered = await make(id, { scopes: ["payments:write", "admin:keys"] }, as(short.value));
    expect(answered.json().data).toMatchObject({ scopes: ["payments:write", "admin:keys"], allowed_addresses: [] });
    expect(answered.json().data).not.toHaveProperty("expires_at");
  });

  it("answers one key for one idempotency key, and no other caller is answered it", async () => {
    const id = await addTenant();
    const headers = { "x-idempotency-key": randomUUID() };
    const first = (await make(id, {}, headers)).json().data;
    expect((await make(id, {}, headers)).json().data).toEqual(first);
    // As if the process had died before the answer was stored.
    await floor.db.deleteFrom("idempotency_record").execute();
    const again = await Promise.all([make(id, {}, headers), make(id, {}, headers)]);
    expect(again.filter(({ statusCode }) => statusCode === 201).map((one) => one.json().data)).toContainEqual(first);
    expect(await count(id)).toBe(1);
    const other = await floor.makeKey({ scopes: ["admin:tenants"] });
    const answered = await make(id, {}, { ...headers, ...as(other.value) });
    expect(answered.statusCode).not.toBe(201);
    expect(answered.body).not.toContain(first.key);
  });
});

describe("400", () => {
  it("refuses a key of the caller's own tenant, and what no key can be", async () => {
    const id = await addTenant();
    const wrong = [
      await make("default"),
      await make(id, { scopes: undefined }),
      await make(id, { type: "publishable", allowed_origins: ["https://app.example"], scopes: ["admin:keys"] }),
      await make(id, { expires_at: new Date(floor.clock.at).toISOString() }),
    ];
    for (const answered of wrong) expect(refusalOf(answered)).toEqual([400, "invalid_request"]);
    expect(await count(id)).toBe(0);
  });
});

describe("403", () => {
  it("refuses the scope admin:tenants, and environments that the asking key does not open", async () => {
    const id = await addTenant();
    for (const wrong of [
      { scopes: ["accounts:read", "admin:tenants"] },
      { environments: ["devnet"] },
      { environments: ["sandbox", "devnet"] },
      { environments: ["mainnet"] },
    ]) {
      expect(refusalOf(await make(id, wrong)), JSON.stringify(wrong)).toEqual([403, "insufficient_scope"]);
    }
    expect(await count(id)).toBe(0);
  });

  it("refuses a key with every scope of a tenant's own", async () => {
    const id = await addTenant();
    expect(refusalOf(await make(id, {}, as(floor.key)))).toEqual([403, "insufficient_scope"]);
    expect(await count(id)).toBe(0);
  });
});

describe("404", () => {
  it("is the answer for a tenant that there is not, however its id is written", async () => {
    for (const id of ["nobody", "a%00b", "%F0%9F%8D%8B", "a".repeat(64)]) {
      expect(refusalOf(await make(id))).toEqual([404, "tenant_not_found"]);
    }
  });
});

describe("409", () => {
  it("is the answer above the number of keys that the tenant can have", async () => {
    const id = await addTenant();
    await make(id);
    await sql`insert into api_key (id, tenant_id, name, visible_prefix, key_hash, scopes, environments, origin, created_at)
      select 'filler-' || n, tenant_id, name, visible_prefix, int8send(n::int8), scopes, environments, origin, created_at
      from api_key, generate_series(2, ${limits.apiKeysMax}::int4) as n where tenant_id = ${id}`.execute(floor.db);
    expect(await count(id)).toBe(limits.apiKeysMax);
    expect(refusalOf(await make(id))).toEqual([409, "api_key_limit"]);
  });
});

type Answered = Awaited<ReturnType<typeof make>>;

const as = (key: string) => ({ authorization: `Bearer ${key}` });

const make = (tenantId: string, more: object = {}, headers: Record<string, string> = {}) =>
  floor.app.inject({
    method: "POST",
    url: `/api/service/v1/tenants/${tenantId}/api-keys`,
    headers: { ...as(operator), ...headers },
    payload: { name: "Server", scopes: ["accounts:read"], environments: ["sandbox"], ...more },
  });

const refusalOf = (answered: Answered) => [answered.statusCode, answered.json().code as string];

async function addTenant(): Promise<string> {
  const id = `t-${randomUUID()}`;
  await ensureTenant(floor.db, { id, name: id, now: floor.clock.at });
  return id;
}

const count = async (tenantId: string) =>
  (await floor.db.selectFrom("api_key").select("id").where("tenant_id", "=", tenantId).execute()).length;
