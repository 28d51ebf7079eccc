import { sql } from "kysely";
import type { ApiKeyTable, Db, DbOrTrx } from "../../ports/database.js";
import type { EnvironmentName } from "../../ports/environment.js";
import type { Random } from "../../ports/random.js";
import { apiKeyKindOf, hashApiKey, makeApiKey, visiblePrefixOf } from "./api-key.js";
import { scopes as everyScope, type Scope } from "./scope.js";

/** The tenant that the first and the configured key belong to. */
export const defaultTenantId = "default";

const liveKeyLeastLength = 32;
const firstKeyClaim = "first_api_key";

/** What it takes to make and find keys: the keyring's secret `api-key`, and real time in Unix milliseconds. */
export interface ApiKeyNeeds {
  readonly db: Db;
  readonly secret: Uint8Array;
  readonly random: Random;
  readonly now: number;
}

/** A key as it was made; `value` exists here and nowhere else. */
export interface MadeApiKey {
  readonly id: string;
  readonly value: string;
  readonly visiblePrefix: string;
}

/** What a new key is to be. `expiresAt` is real time in Unix milliseconds; null never expires. */
export interface ApiKeyPlan {
  readonly tenantId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly environments: readonly EnvironmentName[];
  readonly expiresAt: number | null;
}

/** Makes the tenant's row unless it is there. */
export async function ensureTenant(
  db: DbOrTrx,
  tenant: { readonly id: string; readonly name: string; readonly now: number },
): Promise<void> {
  await db
    .insertInto("tenant")
    .values({ id: tenant.id, name: tenant.name, created_at: BigInt(tenant.now) })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** Makes a key for a tenant that exists (gap 2). Throws `invalid_request` when test and live environments are mixed. */
export async function createApiKey(needs: ApiKeyNeeds, plan: ApiKeyPlan): Promise<MadeApiKey> {
  const value = makeApiKey(needs.random, apiKeyKindOf(plan.environments));
  const row = newRow(needs, plan, value, "created");
  await needs.db.insertInto("api_key").values(row).execute();
  return { id: row.id, value, visiblePrefix: row.visible_prefix };
}

/**
 * Makes the first key of a new installation: a test key with every scope for the default tenant. Undefined when there is
 * a key already, of whatever kind; of several processes that start at once, one gets it.
 */
export async function createFirstKey(
  needs: ApiKeyNeeds,
  environments: readonly EnvironmentName[],
): Promise<MadeApiKey | undefined> {
  return needs.db.transaction().execute(async (trx) => {
    const existing = await trx.selectFrom("api_key").select("id").limit(1).executeTakeFirst();
    if (existing) return undefined;
    const claim = await trx
      .insertInto("meta")
      .values({ key: firstKeyClaim, value: new Date(needs.now).toISOString() })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .returning("key")
      .executeTakeFirst();
    if (!claim) return undefined;
    await ensureTenant(trx, { id: defaultTenantId, name: "Default", now: needs.now });
    const value = makeApiKey(needs.random, apiKeyKindOf(environments));
    const plan = { tenantId: defaultTenantId, name: "First start", scopes: everyScope, environments, expiresAt: null };
    const row = newRow(needs, plan, value, "first_start");
    await trx.insertInto("api_key").values(row).execute();
    return { id: row.id, value, visiblePrefix: row.visible_prefix };
  });
}

/**
 * Makes sure that the configured key works with every scope in exactly these environments, for the default tenant, and
 * that no formerly configured key does (gap 52). `value` undefined: none is configured any more. Throws a RangeError for
 * a mainnet key of fewer than 32 characters, `invalid_request` for a mix of mainnet and others.
 */
export async function ensureConfiguredKey(
  needs: ApiKeyNeeds,
  value: string | undefined,
  environments: readonly EnvironmentName[],
): Promise<void> {
  if (value !== undefined && apiKeyKindOf(environments) === "live" && value.length < liveKeyLeastLength) {
    throw new RangeError(`a configured API key for mainnet has at least ${liveKeyLeastLength} characters`);
  }
  const now = BigInt(needs.now);
  await needs.db.transaction().execute(async (trx) => {
    const former = trx
      .updateTable("api_key")
      .set({ disabled_at: now })
      .where("origin", "=", "configured")
      .where("disabled_at", "is", null);
    if (value === undefined) {
      await former.execute();
      return;
    }
    await ensureTenant(trx, { id: defaultTenantId, name: "Default", now: needs.now });
    const plan = { tenantId: defaultTenantId, name: "Configured", scopes: everyScope, environments, expiresAt: null };
    const row = newRow(needs, plan, value, "configured");
    await former.where("key_hash", "<>", row.key_hash).execute();
    await trx
      .insertInto("api_key")
      .values(row)
      .onConflict((conflict) =>
        conflict.column("key_hash").doUpdateSet({
          scopes: row.scopes,
          environments: row.environments,
          origin: row.origin,
          expires_at: null,
          disabled_at: null,
        }),
      )
      .execute();
  });
}

/** How many tenants have a key, disabled ones aside, that opens an environment. */
export async function countTenantsWithKeys(db: DbOrTrx, environment: EnvironmentName): Promise<number> {
  const { tenants } = await db
    .selectFrom("api_key")
    .select(({ fn }) => fn.count<bigint>("tenant_id").distinct().as("tenants"))
    .where("disabled_at", "is", null)
    .where(sql<boolean>`environments::jsonb @> ${JSON.stringify([environment])}::jsonb`)
    .executeTakeFirstOrThrow();
  return Number(tenants);
}

/** Ends a key from the next request on (gap 2). False when the tenant has no such key, or it was disabled before. */
export async function disableApiKey(
  db: DbOrTrx,
  key: { readonly id: string; readonly tenantId: string; readonly now: number },
): Promise<boolean> {
  const changed = await db
    .updateTable("api_key")
    .set({ disabled_at: BigInt(key.now) })
    .where("id", "=", key.id)
    .where("tenant_id", "=", key.tenantId)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

function newRow(needs: ApiKeyNeeds, plan: ApiKeyPlan, value: string, origin: ApiKeyTable["origin"]): ApiKeyTable {
  return {
    id: needs.random.uuid(),
    tenant_id: plan.tenantId,
    name: plan.name,
    visible_prefix: visiblePrefixOf(value),
    key_hash: hashApiKey(needs.secret, value),
    scopes: JSON.stringify(plan.scopes),
    environments: JSON.stringify(plan.environments),
    origin,
    created_at: BigInt(needs.now),
    expires_at: plan.expiresAt === null ? null : BigInt(plan.expiresAt),
    disabled_at: null,
  };
}
