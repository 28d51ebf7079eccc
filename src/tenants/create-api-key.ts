import { createHash, createHmac } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { readDateTime } from "@trellis/kernel/instants.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, DbOrTrx, Trx } from "@trellis/kernel/ports/database.js";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import {
  agentScopes,
  possibleAgentScopes,
  possiblePublishableScopes,
  publishableScopes,
  type Scope,
  scopes,
} from "@trellis/kernel/scope.js";
import Type, { type Static } from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { areWithin, keepRanges } from "./allowed-places.js";
import type { ApiKeyKind } from "./api-key.js";
import { findApiKey, findKeyOf, type KeyMaking, createApiKey as makeApiKey } from "./api-key-store.js";
import { checkScope } from "./authorize.js";
import { ApiKeyWithValue, showApiKey } from "./wire-api-key.js";

/** What the making of keys asks of the world. */
export interface KeyMakingNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly realClock: Clock;
}

/** What a request for a key says. */
export const ApiKeyRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    type: Type.Optional(
      Type.Enum(["secret", "publishable", "agent"], {
        description:
          "Default: secret. `agent`: bounded, and every call of it is in the audit log under the key's name.",
      }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.Enum([...scopes]), {
        minItems: 1,
        maxItems: scopes.length,
        description: `Where none are named, a publishable key has ${publishableScopes.join(", ")}, and an agent's all that one can have.`,
      }),
    ),
    environments: Type.Array(Type.Enum([...environmentNames]), {
      minItems: 1,
      maxItems: environmentNames.length,
      description: "mainnet alone, or sandbox and devnet.",
    }),
    expires_at: Type.Optional(Type.String({ format: "date-time", description: "Absent: never." })),
    allowed_origins: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: limits.apiKeyOriginsMax,
        description: "Of a publishable key, and required for one: the origins of the pages that may use it.",
        examples: [["https://app.example"]],
      }),
    ),
    allowed_addresses: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: limits.apiKeyRangesMax,
        description: "Addresses, or ranges in CIDR notation, that may use it. Absent: all.",
      }),
    ),
  },
  {
    $id: "CreateApiKeyRequest",
    examples: [{ name: "checkout", scopes: ["accounts:read", "payments:write"], environments: ["sandbox"] }],
  },
);

/** Gap 122. A repetition under its idempotency key finds the key it made before, and answers it once more. */
export const createApiKey = endpoint(
  {
    operation: "createApiKey",
    summary: "Create an API key",
    description:
      "For the tenant of the key that asks, with no scope and no environment that this one has not itself, and with no " +
      "longer life. The key is in this answer and nowhere else.",
    tag: "API keys",
    method: "POST",
    path: "/api/service/v1/api-keys",
    scope: "admin:keys",
    environment: "none",
    body: ApiKeyRequest,
    refusesNearMisses: true,
    answersOneKey: true,
    response: { status: 201, envelope: true, schema: ApiKeyWithValue },
    errors: ["api_key_limit"],
  },
  async (needs: KeyMakingNeeds, { body, caller, operationId }) => {
    const wanted = planOf(body, needs.realClock.now());
    const check = async (trx: Trx) => {
      const now = (await caller.readAgain?.(trx)) ?? caller;
      checkScope(now, "admin:keys");
      await requireWithin(trx, now, wanted);
    };
    return { data: await makeOnce(needs, { ...wanted, tenantId: caller.tenantId }, { caller, operationId, check }) };
  },
);

/** Makes a key, the same one for every attempt of one operation, and shows it. Throws what the store's `createApiKey` throws. */
export async function makeOnce(
  { db, keyring, random, realClock }: KeyMakingNeeds,
  plan: Wanted & { readonly tenantId: string },
  {
    caller,
    operationId,
    check,
  }: {
    readonly caller: Caller;
    readonly operationId: string | undefined;
    /** Throws where the caller may not make it, in the transaction that does. */
    readonly check?: (trx: Trx) => Promise<void>;
  },
): Promise<Static<typeof ApiKeyWithValue>> {
  const now = realClock.now();
  const making = operationId === undefined ? undefined : makingOf(keyring, caller, operationId);
  const secret = keyring.macs("api-key");
  const { id, value } = await asActor(db, actorOf(caller), async (trx) => {
    await check?.(trx);
    return makeApiKey({ db: trx, secret, random, now }, plan, making);
  });
  const row = await findApiKey(db, { id, tenantId: plan.tenantId });
  assertOurs(row, "a key that was made is there");
  return { ...showApiKey(row, now), key: value };
}

/** A key as a request wants it. */
interface Wanted {
  readonly name: string;
  readonly kind: ApiKeyKind;
  readonly scopes: readonly Scope[];
  readonly environments: readonly EnvironmentName[];
  readonly expiresAt: number | null;
  readonly origins: readonly string[];
  readonly addresses: readonly string[];
}

/** Throws `invalid_request` for what no key can be. `now`: real time, Unix milliseconds. */
export function planOf(body: Static<typeof ApiKeyRequest>, now: number): Wanted {
  const kind = body.type ?? "secret";
  const scopesWanted = body.scopes ?? usualScopes[kind];
  if (scopesWanted === undefined) {
    throw new TrellisError("invalid_request", { field: "scopes", message: "A secret key needs scopes." });
  }
  return {
    name: body.name,
    kind,
    scopes: keepScopes(kind, scopesWanted),
    environments: [...new Set(body.environments)],
    expiresAt: body.expires_at === undefined ? null : parseExpiry(body.expires_at, now),
    origins: body.allowed_origins ?? [],
    addresses: keepRanges(body.allowed_addresses ?? []),
  };
}

/** What a key of each kind has where its maker names no scopes. */
const usualScopes: Readonly<Record<ApiKeyKind, readonly Scope[] | undefined>> = {
  secret: undefined,
  publishable: publishableScopes,
  agent: agentScopes,
};

const possibleScopes: Readonly<Record<ApiKeyKind, readonly Scope[]>> = {
  secret: scopes,
  publishable: possiblePublishableScopes,
  agent: possibleAgentScopes,
};

const ownerOf: Readonly<Record<ApiKeyKind, string>> = {
  secret: "A secret key",
  publishable: "A publishable key",
  agent: "The key of an agent",
};

/** Throws `invalid_request` for what a key of this kind cannot hold. */
export function keepScopes(kind: ApiKeyKind, wanted: readonly Scope[]): readonly Scope[] {
  const possible = possibleScopes[kind];
  const impossible = wanted.find((scope) => !possible.includes(scope));
  if (impossible !== undefined) {
    throw new TrellisError("invalid_request", {
      field: "scopes",
      message: `${ownerOf[kind]} cannot have the scope ${impossible}: it can have ${possible.join(", ")}.`,
    });
  }
  return possible.filter((scope) => wanted.includes(scope));
}

/** Throws `invalid_request` for what is no instant ahead. */
export function parseExpiry(text: string, now: number): number {
  const at = readDateTime(text);
  if (at !== undefined && at > now && at < limits.clockLatestMs) return at;
  throw new TrellisError("invalid_request", {
    field: "expires_at",
    message: "expires_at must be a date-time in the future.",
  });
}

/** No holder makes a key that can do more than their own, or that lives longer, or is good in more places. */
async function requireWithin(db: DbOrTrx, caller: Caller, wanted: Wanted): Promise<void> {
  const scope = wanted.scopes.find((each) => !caller.scopes.has(each));
  if (scope !== undefined) {
    throw new TrellisError("insufficient_scope", {
      field: "scopes",
      message: `This API key lacks the scope ${scope} and cannot grant it.`,
      facts: { scope },
    });
  }
  requireEnvironments(caller, wanted);
  const own = await findKeyOf(db, caller);
  const lastsLonger =
    own?.expires_at != null && (wanted.expiresAt === null || wanted.expiresAt > Number(own.expires_at));
  if (lastsLonger) {
    throw new TrellisError("insufficient_scope", {
      field: "expires_at",
      message: "This API key expires, and cannot make one that lives longer.",
    });
  }
  const ranges = own?.allowed_addresses ?? [];
  // The browsers of an application are anywhere; what they can do with their key is little.
  if (wanted.kind === "publishable" || ranges.length === 0) return;
  if (wanted.addresses.length > 0 && areWithin(wanted.addresses, ranges)) return;
  throw new TrellisError("insufficient_scope", {
    field: "allowed_addresses",
    message: "This API key is limited to addresses, and cannot make one that may be used from others.",
  });
}

/** Throws `insufficient_scope` where a key is to open what the caller's does not. */
export function requireEnvironments(caller: Caller, wanted: Pick<Wanted, "environments">): void {
  const environment = wanted.environments.find((each) => !caller.environments.includes(each));
  if (environment === undefined) return;
  throw new TrellisError("insufficient_scope", {
    field: "environments",
    message: `This API key is not for the environment ${environment} and cannot grant it.`,
    facts: { environments: caller.environments },
  });
}

/** The id and the bytes of the key that one operation makes: the same for every attempt, and not known without the keyring. */
function makingOf(keyring: Keyring, caller: Caller, operationId: string): KeyMaking {
  const seed = `${caller.tenantId}/${operationId}`;
  const hex = createHash("sha256").update(`api-key/${seed}`).digest("hex");
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
  const bytes = createHmac("sha256", keyring.deriveSecret("api-key-value")).update(seed).digest();
  return { id, bytes: new Uint8Array(bytes) };
}
