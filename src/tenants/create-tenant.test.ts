import { randomUUID } from "node:crypto";
import { type Scope, tenantsOwnScopes } from "@trellis/kernel/scope.js";
import { addressOfKey } from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { useFloor } from "../../test/contract/http-fixture.js";
import { newKey } from "../../test/proposals/support.js";
import type { ApiKeyPlan } from "./api-key-store.js";
import { createApiKey } from "./create-api-key.js";
import { createTenant } from "./create-tenant.js";
import { createTenantApiKey } from "./create-tenant-api-key.js";
import { listApiKeys } from "./list-api-keys.js";
import { listTenants } from "./list-tenants.js";

const floor = useFloor(() => ({ endpoints }));
let operator: string;
beforeAll(async () => {
  operator = await keyOf(["admin:tenants", "admin:keys"]);
});

describe("a tenant made over HTTP", () => {
  it("has keys of its own", async () => {
    const answered = await ask("POST", "/tenants", { id: "shop", name: "The shop" });
    expect(answered.json().data).toEqual({
      id: "shop",
      name: "The shop",
      status: "enabled",
      protection: "plain",
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

  it("says what its e-mail accounts are by default, and keeps their recovery signer", async () => {
    const recovery = { address: addressOfKey(newKey()) };
    const ids = [1, 2, 3].map(() => `t-${randomUUID()}`);
    const [guarded, prepared, plain] = ids;
    const made = [
      await ask("POST", "/tenants", { id: guarded, protection: "guarded", recovery }),
      await ask("POST", "/tenants", { id: prepared, recovery }),
      await ask("POST", "/tenants", { id: plain, protection: "plain" }),
    ];
    expect(made.map((answered) => answered.json().data)).toMatchObject([
      { protection: "guarded", recovery },
      { protection: "plain", recovery },
      { protection: "plain" },
    ]);
    expect(made[2]?.json().data).not.toHaveProperty("recovery");
    const listed: { id: string }[] = (await ask("GET", "/tenants?limit=100")).json().data;
    for (const answered of made) expect(listed).toContainEqual(answered.json().data);
    const rows = await floor.db.selectFrom("tenant").selectAll().where("id", "in", ids).execute();
    expect(rows.find(({ id }) => id === guarded)).toMatchObject({
      default_protection: "guarded",
      recovery_address: recovery.address,
    });
  });

  it("is not made with a protection that there is none of, or a recovery signer that cannot sign", async () => {
    const id = `t-${randomUUID()}`;
    for (const protection of ["", "none", 1]) {
      const answered = await ask("POST", "/tenants", { id, protection });
      expect(said(answered), String(protection)).toEqual({ status: 400, code: "invalid_request" });
    }
    // No key is behind an address of a program.
    for (const address of ["none", "", "11111111111111111111111111111111"]) {
      const answered = await ask("POST", "/tenants", { id: `${id}-2`, recovery: { address } });
      expect(said(answered), address).toEqual({ status: 400, code: "invalid_address" });
    }
    expect(await floor.db.selectFrom("tenant").select("id").where("id", "=", `${id}-2`).execute()).toEqual([]);
  });

  it("has the id and the name that tenants may have", async () => {
    for (const id of ["", "Shop", "-shop", "_a", "a b", "a/b", "a\u0000", "ä", "a".repeat(64), 7]) {
      expect(said(await ask("POST", "/tenants", { id })), String(id)).toEqual({ status: 400, code: "invalid_request" });
    }
    expect(said(await ask("POST", "/tenants", { id: "a".repeat(63), name: "\u0000" })).status).toBe(400);
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
});

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

/** A key of the tenant `default`, as a command makes one. */
const keyOf = async (scopes: readonly Scope[], more: Partial<ApiKeyPlan> = {}): Promise<string> =>
  (await floor.makeKey({ scopes, ...more })).value;

const said = (answered: Answered) => ({
  status: answered.statusCode,
  code: answered.json().code as string | undefined,
});

const endpoints = [createTenant, listTenants, createTenantApiKey, createApiKey, listApiKeys];
