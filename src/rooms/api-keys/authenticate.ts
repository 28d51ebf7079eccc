import { Buffer } from "node:buffer";
import { createSecretKey } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import type { Caller } from "../../endpoint.js";
import { TrellisError } from "../../errors.js";
import type { Clock } from "../../ports/clock.js";
import type { ApiKeyTable, Db } from "../../ports/database.js";
import { type EnvironmentName, environmentNames } from "../../ports/environment.js";
import { hashApiKey, isPresentableApiKey } from "./api-key.js";
import { scopes as everyScope, type Scope } from "./scope.js";

/** Finds out who calls. */
export interface Authenticator {
  /**
   * The caller of this key, as the database knows it at some moment after the call began: a revocation counts on the
   * next request (gap 2). Throws `api_key_required`, `invalid_api_key`, `api_key_disabled` or `api_key_expired`.
   */
  authenticate(presented: string | undefined): Promise<Caller>;
  /** Whether this process found the key valid lately. It may have been disabled since. */
  isFamiliar(presented: string): boolean;
}

interface KnownKey {
  readonly caller: Caller;
  readonly disabled: boolean;
  /** Unix milliseconds, real time. */
  readonly expiresAt: number;
}

/** Keys remembered as familiar, at most. */
const familiarMax = 10_000;

/** Look-ups of one key: the query that runs, and the one that everybody who came since waits for. */
interface Lookups {
  running: Promise<unknown> | undefined;
  next: Promise<KnownKey | undefined> | undefined;
}

type KeyRow = Pick<ApiKeyTable, "id" | "tenant_id" | "scopes" | "environments" | "expires_at" | "disabled_at">;

const keyQuery = "select id, tenant_id, scopes, environments, expires_at, disabled_at from api_key where key_hash = $1";

/**
 * Authentication against the table of keys. A busy key does not cost a query per request: the query for it starts a turn
 * of the event loop later, or after the one that runs, and everybody who has come until then shares it. So nobody is
 * answered from before their request. `secret` is the keyring's `api-key`; `clock` is real time.
 */
export function createAuthenticator(needs: {
  readonly db: Db;
  readonly secret: Uint8Array;
  readonly clock: Clock;
}): Authenticator {
  const secret = createSecretKey(needs.secret);
  const lookupsByHash = new Map<string, Lookups>();
  const familiar = new Set<string>();

  async function find(hash: Uint8Array): Promise<KnownKey | undefined> {
    const { rows } = await needs.db.executeQuery<KeyRow>(CompiledQuery.raw(keyQuery, [hash]));
    const row = rows[0];
    return row && knownKey(row);
  }

  async function lookUpAfter(earlier: Promise<unknown>, name: string, hash: Uint8Array, lookups: Lookups) {
    await earlier;
    const query = find(hash);
    // Whoever waits for its end only wants to know that it has come.
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

  function lookUp(name: string, hash: Uint8Array): Promise<KnownKey | undefined> {
    const lookups = lookupsByHash.get(name) ?? { running: undefined, next: undefined };
    lookupsByHash.set(name, lookups);
    lookups.next ??= lookUpAfter(lookups.running ?? setImmediate(), name, hash, lookups);
    return lookups.next;
  }

  function remember(name: string): void {
    if (familiar.has(name)) return;
    if (familiar.size >= familiarMax) familiar.clear();
    familiar.add(name);
  }

  return {
    isFamiliar: (presented) => familiar.has(nameOf(hashApiKey(secret, presented))),
    authenticate: async (presented) => {
      if (presented === undefined || presented === "") throw new TrellisError("api_key_required");
      if (!isPresentableApiKey(presented)) throw new TrellisError("invalid_api_key");
      const hash = hashApiKey(secret, presented);
      const name = nameOf(hash);
      const known = await lookUp(name, hash);
      if (!known) throw new TrellisError("invalid_api_key");
      if (known.disabled) throw new TrellisError("api_key_disabled");
      if (known.expiresAt <= needs.clock.now()) throw new TrellisError("api_key_expired");
      remember(name);
      return known.caller;
    },
  };
}

function ignore(): void {}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1");
}

function knownKey(row: KeyRow): KnownKey {
  return {
    caller: {
      tenantId: row.tenant_id,
      apiKeyId: row.id,
      scopes: new Set<Scope>(namesIn(row.scopes, everyScope)),
      environments: namesIn<EnvironmentName>(row.environments, environmentNames),
    },
    disabled: row.disabled_at !== null,
    expiresAt: row.expires_at === null ? Number.POSITIVE_INFINITY : Number(row.expires_at),
  };
}

/** The known names of a stored JSON array; a name that a later version dropped grants nothing. */
function namesIn<Name extends string>(json: string, known: readonly Name[]): Name[] {
  const stored: unknown = JSON.parse(json);
  return Array.isArray(stored) ? known.filter((name) => stored.includes(name)) : [];
}
