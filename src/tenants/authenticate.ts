import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Macs, secretIdOf } from "@trellis/kernel/crypto/macs.js";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { ApiKeyTable, Db } from "@trellis/kernel/ports/database.js";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import { scopes as everyScope, type Scope } from "@trellis/kernel/scope.js";
import { CompiledQuery, type Selectable } from "kysely";
import { checkPlace, type Place } from "./allowed-places.js";
import { isPresentableApiKey } from "./api-key.js";
import { namesIn } from "./stored-names.js";

/** Finds out who calls. */
export interface Authenticator {
  /**
   * The caller of this key, as the database knows it at some moment after the call began: a revocation counts on the
   * next request, in every process (gap 2). `place` is where the request comes from: a key that is limited to places is
   * refused without. Throws `api_key_required`, `invalid_api_key`, `api_key_disabled`, `api_key_expired`,
   * `origin_not_allowed` or `address_not_allowed`.
   */
  authenticate(presented: string | undefined, place?: Place): Promise<Caller>;
  /** Whether this process found the key valid lately, used from there. It may have been disabled since. */
  isFamiliar(presented: string, place: Place): boolean;
}

interface KnownKey {
  readonly caller: Caller;
  readonly isDisabled: boolean;
  readonly isTenantDisabled: boolean;
  readonly kind: KeyRow["kind"];
  readonly origins: readonly string[];
  readonly addresses: readonly string[];
  /** Unix milliseconds, real time, as the next. */
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** Keys remembered as familiar, at most. */
const familiarMax = 10_000;

/** Look-ups of one key: the query that runs, and the one that all later callers wait for. */
interface Lookups {
  running: Promise<unknown> | undefined;
  next: Promise<KnownKey | undefined> | undefined;
}

type KeyRow = Omit<Selectable<ApiKeyTable>, "visible_prefix" | "origin" | "created_at"> & {
  readonly tenant_disabled_at: bigint | null;
  readonly tenant_frozen_at: bigint | null;
};

const keyQuery = `select api_key.id, api_key.name, key_hash, tenant_id, kind, scopes, environments, allowed_origins, allowed_addresses, expires_at,
    api_key.disabled_at, last_used_at, tenant.disabled_at as tenant_disabled_at,
    tenant.frozen_at as tenant_frozen_at
  from api_key join tenant on tenant.id = api_key.tenant_id where key_hash = any($1::bytea[])`;

const rehashQuery = "update api_key set key_hash = $1 where id = $2 and key_hash = $3";

const useQuery = "update api_key set last_used_at = $1 where id = $2 and (last_used_at is null or last_used_at <= $3)";

/**
 * Authentication against the table of keys. A busy key does not cost a query per request: the query for it starts a turn
 * of the event loop later, or after the one that runs, and all requests received until then share it. So no request is
 * answered from before their request. `secret` is the keyring's `api-key`; `clock` is real time. A key that is found by a former
 * secret is hashed again.
 */
export function createAuthenticator(needs: {
  readonly db: Db;
  readonly secret: Macs;
  readonly clock: Clock;
}): Authenticator {
  const { secret } = needs;
  // Names in memory, whatever secret a key is stored under. No other process reads them.
  const naming = createSecretKey(randomBytes(32));
  const nameOf = (presented: string) => createHmac("sha256", naming).update(presented).digest("base64");
  const lookupsByHash = new Map<string, Lookups>();
  const familiar = new Set<string>();
  /** When the last use of a key was written down, by its id. */
  const noted = new Map<string, number>();

  async function find(presented: string): Promise<KnownKey | undefined> {
    const row = await secret.find(presented, async (forms) => {
      const { rows } = await needs.db.executeQuery<KeyRow>(CompiledQuery.raw(keyQuery, [forms]));
      return rows[0];
    });
    if (row === undefined) return undefined;
    // Only forward: a process that has not read the newest secret yet leaves the key alone.
    if ((secretIdOf(row.key_hash) ?? 0) < secret.currentId()) {
      const hash = secret.make(presented);
      await needs.db.executeQuery(CompiledQuery.raw(rehashQuery, [hash, row.id, row.key_hash]));
    }
    return knownKey(row);
  }

  async function lookUpAfter(earlier: Promise<unknown>, name: string, presented: string, lookups: Lookups) {
    await earlier;
    const query = find(presented);
    // A caller that waits for its end only needs to know that it has ended.
    const ended = query.then(ignore, ignore);
    lookups.running = ended;
    lookups.next = undefined;
    try {
      return await query;
    } finally {
      if (lookups.running === ended) lookups.running = undefined;
      if (!lookups.next && !lookups.running) lookupsByHash.delete(name);
    }
  }

  function lookUp(name: string, presented: string): Promise<KnownKey | undefined> {
    const lookups = lookupsByHash.get(name) ?? { running: undefined, next: undefined };
    lookupsByHash.set(name, lookups);
    lookups.next ??= lookUpAfter(lookups.running ?? setImmediate(), name, presented, lookups);
    return lookups.next;
  }

  function remember(name: string): void {
    if (familiar.has(name)) return;
    if (familiar.size >= familiarMax) familiar.clear();
    familiar.add(name);
  }

  // A write a minute and process at most, whatever is received.
  async function noteUse({ caller: { apiKeyId }, lastUsedAt }: KnownKey, now: number): Promise<void> {
    const last = Math.max(lastUsedAt, noted.get(apiKeyId) ?? 0);
    if (now - last < limits.apiKeyUseNotedMs) return;
    if (noted.size >= familiarMax) noted.clear();
    noted.set(apiKeyId, now);
    const parameters = [BigInt(now), apiKeyId, BigInt(now - limits.apiKeyUseNotedMs)];
    await needs.db.executeQuery(CompiledQuery.raw(useQuery, parameters));
  }

  return {
    isFamiliar: (presented, place) => {
      const name = nameOf(presented);
      return waysToLimit.some((limits) => familiar.has(nameAt(name, limits, place)));
    },
    authenticate: async (presented, place) => {
      if (presented === undefined || presented === "") throw new TrellisError("api_key_required");
      if (!isPresentableApiKey(presented)) throw new TrellisError("invalid_api_key");
      const name = nameOf(presented);
      const known = await lookUp(name, presented);
      if (!known) throw new TrellisError("invalid_api_key");
      if (known.isDisabled) throw new TrellisError("api_key_disabled");
      if (known.isTenantDisabled) {
        throw new TrellisError("api_key_disabled", { message: "The tenant of this API key is disabled." });
      }
      const now = needs.clock.now();
      if (known.expiresAt <= now) throw new TrellisError("api_key_expired");
      checkPlace(known, place);
      remember(nameAt(name, known, place));
      await noteUse(known, now);
      return known.caller;
    },
  };
}

function ignore(): void {}

type PlaceLimits = Pick<KnownKey, "kind"> & { readonly addresses: readonly unknown[] };

const waysToLimit: readonly PlaceLimits[] = (["secret", "publishable", "agent"] as const).flatMap((kind) => [
  { kind, addresses: [] },
  { kind, addresses: [undefined] },
]);

/** What a key is remembered as: with the page, and the remote address, where it is good from some alone. */
function nameAt(name: string, { kind, addresses }: PlaceLimits, place: Place | undefined): string {
  const page = kind === "publishable" ? `\n${place?.origin ?? ""}` : "";
  return `${name}${page}${addresses.length > 0 ? `\n\n${place?.address ?? ""}` : ""}`;
}

function knownKey(row: KeyRow): KnownKey {
  return {
    caller: {
      tenantId: row.tenant_id,
      apiKeyId: row.id,
      scopes: new Set<Scope>(namesIn(row.scopes, everyScope)),
      environments: namesIn<EnvironmentName>(row.environments, environmentNames),
      ...(row.kind === "publishable" ? { isPublishable: true } : {}),
      ...(row.kind === "agent" ? { agent: row.name } : {}),
      ...(row.tenant_frozen_at === null ? {} : { isFrozen: true }),
    },
    isDisabled: row.disabled_at !== null,
    isTenantDisabled: row.tenant_disabled_at !== null,
    kind: row.kind,
    origins: row.allowed_origins,
    addresses: row.allowed_addresses,
    lastUsedAt: Number(row.last_used_at ?? 0n),
    expiresAt: row.expires_at === null ? Number.POSITIVE_INFINITY : Number(row.expires_at),
  };
}
