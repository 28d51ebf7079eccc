import type { Macs } from "@trellis/kernel/crypto/macs.js";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { isBefore } from "@trellis/kernel/page.js";
import type { ApiKeyTable, Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { type Scope, tenantsOwnScopes } from "@trellis/kernel/scope.js";
import { type Selectable, sql } from "kysely";
import { asActor } from "../audit/actor.js";
import { keepOrigins, keepRanges } from "./allowed-places.js";
import {
  type ApiKeyKind,
  apiKeySideOf,
  drawKeyBytes,
  hashApiKey,
  isPresentableApiKey,
  makeApiKey,
  visiblePrefixOf,
} from "./api-key.js";

/** The tenant that the first and the configured key belong to. */
export const defaultTenantId = "default";

const liveKeyLeastLength = 32;
const firstKeyClaim = "first_api_key";

/** What it takes to make and find keys: the keyring's secret `api-key`, and real time in Unix milliseconds. */
export interface ApiKeyNeeds {
  readonly db: Db;
  readonly secret: Macs;
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
  /** Default: secret. */
  readonly kind?: ApiKeyKind;
  /** Of a publishable key: the pages that may use it. */
  readonly origins?: readonly string[];
  /** Ranges of addresses it may be used from; none: all. */
  readonly addresses?: readonly string[];
}

/** What the attempts of one operation have in common, so that a repetition makes the same key: see `createApiKey`. */
export interface KeyMaking {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** A key as the table has it. */
export type ApiKeyRow = Selectable<ApiKeyTable>;

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

/**
 * Makes a key for a tenant that exists (gap 2). With `making`, a repetition finds the key that was made before, whatever it
 * is now. Throws `invalid_request` when test and live environments are mixed, or a place is not one, and `api_key_limit`.
 */
export async function createApiKey(
  needs: Omit<ApiKeyNeeds, "db"> & { readonly db: DbOrTrx },
  plan: ApiKeyPlan,
  making: KeyMaking = { id: needs.random.uuid(), bytes: drawKeyBytes(needs.random) },
): Promise<MadeApiKey> {
  const side = apiKeySideOf(plan.environments);
  const value = makeApiKey(making.bytes, plan.kind ?? "secret", side);
  const row = newRow(needs, plan, value, "created", making.id);
  // The tenant's row holds back every other call that makes a key, so that the number stays what it may be, but no row that names it.
  const { rows } = await sql<{ id: string }>`
    with turn as materialized (select id from tenant where id = ${plan.tenantId} for no key update)
    insert into api_key (id, tenant_id, name, kind, visible_prefix, key_hash, scopes, environments, allowed_origins,
      allowed_addresses, origin, created_at, expires_at)
    select ${row.id}, turn.id, ${row.name}, ${row.kind}, ${row.visible_prefix}, ${row.key_hash}::bytea, ${row.scopes},
      ${row.environments}, ${row.allowed_origins}::text[], ${row.allowed_addresses}::text[], ${row.origin},
      ${row.created_at}::int8, ${row.expires_at}::int8
    -- Each side on its own: a caller that may make test keys alone does not prevent live ones.
    from turn where (select count(*) from api_key where tenant_id = turn.id and disabled_at is null
      and (environments::jsonb ? 'mainnet') = ${side === "live"}::boolean
      and (expires_at is null or expires_at > ${needs.now}::int8)) < ${limits.apiKeysMax}::int4
    on conflict (id) do nothing returning id`.execute(needs.db);
  if (rows.length === 0) {
    const made = await findApiKey(needs.db, { id: row.id, tenantId: plan.tenantId });
    if (made === undefined) throw new TrellisError("api_key_limit");
  }
  return { id: row.id, value, visiblePrefix: row.visible_prefix };
}

/** A key of the tenant's. */
export async function findApiKey(
  db: DbOrTrx,
  key: { readonly id: string; readonly tenantId: string },
): Promise<ApiKeyRow | undefined> {
  return db
    .selectFrom("api_key")
    .selectAll()
    .where("id", "=", key.id)
    .where("tenant_id", "=", key.tenantId)
    .executeTakeFirst();
}

/** The key that calls; undefined where a member does. */
export async function findKeyOf(
  db: DbOrTrx,
  caller: Pick<Caller, "apiKeyId" | "tenantId">,
): Promise<ApiKeyRow | undefined> {
  return findApiKey(db, { id: caller.apiKeyId, tenantId: caller.tenantId });
}

/** The key that a text is, whatever secret it was hashed with. */
export async function findApiKeyByValue(db: DbOrTrx, secret: Macs, value: string): Promise<ApiKeyRow | undefined> {
  if (!isPresentableApiKey(value)) return undefined;
  return secret.find(value, (forms) =>
    db
      .selectFrom("api_key")
      .selectAll()
      .where("key_hash", "in", [...forms])
      .executeTakeFirst(),
  );
}

/** SQL that is true of keys that open none but these environments. */
export const opensOnly = (environments: readonly EnvironmentName[]) =>
  sql<boolean>`environments::jsonb <@ ${JSON.stringify(environments)}::jsonb`;

/** A tenant's keys, the newest first, from behind a place. */
export async function listApiKeys(
  db: DbOrTrx,
  wanted: {
    readonly tenantId: string;
    /** Only those that open nothing else; undefined: all. */
    readonly environments?: readonly EnvironmentName[];
    readonly behind?: { readonly createdAt: bigint; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<readonly ApiKeyRow[]> {
  let found = db.selectFrom("api_key").selectAll().where("tenant_id", "=", wanted.tenantId);
  if (wanted.environments !== undefined) found = found.where(opensOnly(wanted.environments));
  const { behind } = wanted;
  if (behind !== undefined) found = found.where(isBefore({ created_at: behind.createdAt, id: behind.id }));
  return found.orderBy("created_at", "desc").orderBy("id", "desc").limit(wanted.limit).execute();
}

/**
 * Makes the first key of a new installation: a test key with every scope of a tenant's own for the default tenant. Undefined when there is
 * a key already, of whatever kind; of several processes that start at once, one gets it.
 */
export async function createFirstKey(
  needs: ApiKeyNeeds,
  environments: readonly EnvironmentName[],
): Promise<MadeApiKey | undefined> {
  return asActor(needs.db, "configuration", async (trx) => {
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
    const value = makeApiKey(drawKeyBytes(needs.random), "secret", apiKeySideOf(environments));
    const plan = {
      tenantId: defaultTenantId,
      name: "First start",
      scopes: tenantsOwnScopes,
      environments,
      expiresAt: null,
    };
    const row = newRow(needs, plan, value, "first_start");
    await trx.insertInto("api_key").values(row).execute();
    return { id: row.id, value, visiblePrefix: row.visible_prefix };
  });
}

/**
 * Makes sure that the configured key works with every scope of a tenant's own in exactly these environments, for the default tenant, and
 * that no formerly configured key does (gap 52). `value` undefined: none is configured any more. Throws a RangeError for
 * a mainnet key of fewer than 32 characters, `invalid_request` for a mix of mainnet and others.
 */
export async function ensureConfiguredKey(
  needs: ApiKeyNeeds,
  value: string | undefined,
  environments: readonly EnvironmentName[],
): Promise<void> {
  if (value !== undefined && apiKeySideOf(environments) === "live" && value.length < liveKeyLeastLength) {
    throw new RangeError(`a configured API key for mainnet has at least ${liveKeyLeastLength} characters`);
  }
  const now = BigInt(needs.now);
  await asActor(needs.db, "configuration", async (trx) => {
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
    const plan = {
      tenantId: defaultTenantId,
      name: "Configured",
      scopes: tenantsOwnScopes,
      environments,
      expiresAt: null,
    };
    const row = newRow(needs, plan, value, "configured");
    const forms = [...needs.secret.all(value)];
    await former.where("key_hash", "not in", forms).execute();
    // One that is there under a former secret is the same key.
    await trx
      .updateTable("api_key")
      .set({ key_hash: row.key_hash })
      .where("key_hash", "in", forms)
      .where("key_hash", "<>", row.key_hash)
      .execute();
    await trx
      .insertInto("api_key")
      .values(row)
      .onConflict((conflict) =>
        conflict.column("key_hash").doUpdateSet({
          scopes: row.scopes,
          environments: row.environments,
          origin: row.origin,
          expires_at: null,
          // What was revoked stays so, whatever the configuration says.
          disabled_at: sql`api_key.revoked_at`,
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

/**
 * Ends a key for good, from the next request on (gap 2), and says what it is then. Again: nothing happens. Undefined when
 * the tenant has no such key; `environments` as in `listApiKeys`.
 */
export async function revokeApiKey(
  db: DbOrTrx,
  key: {
    readonly id: string;
    readonly tenantId?: string;
    readonly environments?: readonly EnvironmentName[];
    readonly now: number;
  },
): Promise<ApiKeyRow | undefined> {
  let ended = db
    .updateTable("api_key")
    .set({
      disabled_at: sql`coalesce(disabled_at, ${key.now}::int8)`,
      revoked_at: sql`coalesce(revoked_at, ${key.now}::int8)`,
    })
    .where("id", "=", key.id);
  if (key.tenantId !== undefined) ended = ended.where("tenant_id", "=", key.tenantId);
  if (key.environments !== undefined) ended = ended.where(opensOnly(key.environments));
  return ended.returningAll().executeTakeFirst();
}

function newRow(
  needs: Omit<ApiKeyNeeds, "db">,
  plan: ApiKeyPlan,
  value: string,
  origin: ApiKeyTable["origin"],
  id = needs.random.uuid(),
): ApiKeyRow {
  const { kind = "secret", environments } = plan;
  return {
    id,
    tenant_id: plan.tenantId,
    name: plan.name,
    kind,
    visible_prefix: visiblePrefixOf(value),
    key_hash: hashApiKey(needs.secret, value),
    scopes: JSON.stringify(plan.scopes),
    environments: JSON.stringify(environments),
    allowed_origins: keepOrigins(plan.origins ?? [], { kind, side: apiKeySideOf(environments) }),
    allowed_addresses: keepRanges(plan.addresses ?? []),
    origin,
    created_at: BigInt(needs.now),
    expires_at: plan.expiresAt === null ? null : BigInt(plan.expiresAt),
    disabled_at: null,
    revoked_at: null,
    last_used_at: null,
  };
}
