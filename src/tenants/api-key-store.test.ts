import { randomBytes, randomUUID } from "node:crypto";
import { createMacs, emptyBook } from "@trellis/kernel/crypto/macs.js";
import { limits } from "@trellis/kernel/limits.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { type Scope, tenantsOwnScopes } from "@trellis/kernel/scope.js";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/use-database.js";
import {
  type ApiKeyNeeds,
  createApiKey,
  createFirstKey,
  defaultTenantId,
  ensureConfiguredKey,
  ensureTenant,
  revokeApiKey,
} from "./api-key-store.js";
import { createAuthenticator } from "./authenticate.js";

const database = useDatabase();
let needs: ApiKeyNeeds;
beforeEach(async () => {
  needs = { db: database.db, secret, random, now };
  for (const table of ["api_key", "tenant", "meta"] as const) await needs.db.deleteFrom(table).execute();
});

describe("a made key", () => {
  it("has 32 random bytes in base58, is recognised by its kind, and is nowhere in the database", async () => {
    await ensureTenant(needs.db, { id: defaultTenantId, name: "Default", now });
    const test = await createApiKey(needs, plan(["sandbox", "devnet"]));
    const live = await createApiKey(needs, plan(["mainnet"]));
    expect(test.value).toMatch(/^sk_test_[1-9A-HJ-NP-Za-km-z]{40,44}$/);
    expect(live.value).toMatch(/^sk_live_[1-9A-HJ-NP-Za-km-z]{40,44}$/);
    const rows = await needs.db.selectFrom("api_key").selectAll().execute();
    expect(JSON.stringify(rows, (_, v) => (typeof v === "bigint" ? `${v}` : v))).not.toContain(test.value.slice(12));
    expect(test.value.startsWith(test.visiblePrefix.slice(0, -1))).toBe(true);
    expect(await authenticate(live.value)).toEqual({
      tenantId: defaultTenantId,
      apiKeyId: live.id,
      scopes: new Set(["accounts:read"]),
      environments: ["mainnet"],
    });
  });

  it.each([[["mainnet", "sandbox"]], [[]]])("is refused for %j", async (environments) => {
    await expect(createApiKey(needs, plan(environments as EnvironmentName[]))).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("is revoked by its own tenant only, and once", async () => {
    await ensureTenant(needs.db, { id: defaultTenantId, name: "Default", now });
    const { id } = await createApiKey(needs, plan(["sandbox"]));
    expect(await revokeApiKey(needs.db, { id, tenantId: "other", now })).toBeUndefined();
    const revoked = await revokeApiKey(needs.db, { id, tenantId: defaultTenantId, now });
    expect(revoked).toMatchObject({ revoked_at: BigInt(now), disabled_at: BigInt(now) });
    expect(await revokeApiKey(needs.db, { id, tenantId: defaultTenantId, now: now + 1 })).toEqual(revoked);
  });
});

describe("the first key", () => {
  it("is made once, by one of several that start together, with every scope", async () => {
    const made = await Promise.all([1, 2, 3].map(() => createFirstKey(needs, ["sandbox"])));
    const keys = made.filter((key) => key !== undefined);
    expect(keys).toHaveLength(1);
    const caller = await authenticate(keys[0]?.value ?? "");
    expect([...caller.scopes]).toEqual([...tenantsOwnScopes]);
    expect(await createFirstKey(needs, ["sandbox"])).toBeUndefined();
  });

  it("is not made where a key is configured", async () => {
    await ensureConfiguredKey(needs, "a-configured-key", ["sandbox"]);
    expect(await createFirstKey(needs, ["sandbox"])).toBeUndefined();
  });
});

describe("the number of keys in force", () => {
  it("is bounded for the keys of each kind separately: many test keys do not prevent a new live key", async () => {
    await ensureTenant(needs.db, { id: defaultTenantId, name: "Default", now });
    const first = await createApiKey(needs, plan(["sandbox"]));
    const { rows } = await sql<{ n: number }>`
      with filled as (
        insert into api_key (id, tenant_id, name, visible_prefix, key_hash, scopes, environments, origin, created_at)
        select 'filler-' || n, tenant_id, name, visible_prefix, int8send(n::int8), scopes, environments, origin, created_at
        from api_key, generate_series(2, ${limits.apiKeysMax}::int4) as n where id = ${first.id} returning 1
      ) select count(*)::int4 as n from filled`.execute(needs.db);
    expect(rows[0]?.n).toBe(limits.apiKeysMax - 1);
    for (const environments of [["sandbox"], ["devnet", "sandbox"]] as const) {
      await expect(createApiKey(needs, plan(environments))).rejects.toMatchObject({ code: "api_key_limit" });
    }
    expect((await createApiKey(needs, plan(["mainnet"]))).value).toMatch(/^sk_live_/);
    // One that is not in force any more makes room.
    await revokeApiKey(needs.db, { id: "filler-2", now });
    await createApiKey(needs, plan(["sandbox"]));
  });
});

describe("the configured key", () => {
  it("works with every scope after any number of starts", async () => {
    await ensureConfiguredKey(needs, "a-configured-key", ["sandbox"]);
    await ensureConfiguredKey(needs, "a-configured-key", ["sandbox", "devnet"]);
    const caller = await authenticate("a-configured-key");
    expect(caller).toMatchObject({ tenantId: defaultTenantId, environments: ["sandbox", "devnet"] });
    expect([...caller.scopes]).toEqual([...tenantsOwnScopes]);
    expect(await needs.db.selectFrom("api_key").select("id").execute()).toHaveLength(1);
  });

  it("disables the former one when it changes, and is enabled again when it changes back", async () => {
    await ensureConfiguredKey(needs, "first-configured-key", ["sandbox"]);
    await ensureConfiguredKey(needs, "second-configured-key", ["sandbox"]);
    await expect(authenticate("first-configured-key")).rejects.toMatchObject({ code: "api_key_disabled" });
    await ensureConfiguredKey(needs, "first-configured-key", ["sandbox"]);
    expect(await authenticate("first-configured-key")).toMatchObject({ tenantId: defaultTenantId });
    await expect(authenticate("second-configured-key")).rejects.toMatchObject({ code: "api_key_disabled" });
  });

  it("stays dead once it was revoked, whatever the configuration says", async () => {
    await ensureConfiguredKey(needs, "a-configured-key", ["sandbox"]);
    const { apiKeyId } = await authenticate("a-configured-key");
    await revokeApiKey(needs.db, { id: apiKeyId, now });
    await ensureConfiguredKey(needs, "a-configured-key", ["sandbox"]);
    await expect(authenticate("a-configured-key")).rejects.toMatchObject({ code: "api_key_disabled" });
  });

  it("is disabled when none is configured any more; made keys stay", async () => {
    await ensureConfiguredKey(needs, "first-configured-key", ["sandbox"]);
    const made = await createApiKey(needs, plan(["sandbox"]));
    await ensureConfiguredKey(needs, undefined, []);
    await expect(authenticate("first-configured-key")).rejects.toMatchObject({ code: "api_key_disabled" });
    expect(await authenticate(made.value)).toMatchObject({ apiKeyId: made.id });
  });

  it("for mainnet has at least 32 characters and is for nothing else", async () => {
    await expect(ensureConfiguredKey(needs, "x".repeat(31), ["mainnet"])).rejects.toThrow(RangeError);
    await expect(ensureConfiguredKey(needs, "x".repeat(40), ["mainnet", "sandbox"])).rejects.toMatchObject({
      code: "invalid_request",
    });
    await ensureConfiguredKey(needs, "x".repeat(32), ["mainnet"]);
    expect(await authenticate("x".repeat(32))).toMatchObject({ environments: ["mainnet"] });
  });
});

const random: Random = { bytes: (length) => new Uint8Array(randomBytes(length)), uuid: () => randomUUID() };
const keyBytes = new Uint8Array(randomBytes(32));
const secret = createMacs("api-key", () => keyBytes, emptyBook);
const now = Date.parse("2026-03-01T12:00:00Z");

const authenticate = (value: string) =>
  createAuthenticator({ db: needs.db, secret, clock: { now: () => now } }).authenticate(value);

const plan = (environments: readonly EnvironmentName[]) => ({
  tenantId: defaultTenantId,
  name: "mine",
  scopes: ["accounts:read"] satisfies Scope[],
  environments,
  expiresAt: null,
});
