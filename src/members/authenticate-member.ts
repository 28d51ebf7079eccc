import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import { type EnvironmentName, environmentNames } from "@trellis/kernel/ports/environment.js";
import { namesIn } from "../tenants/stored-names.js";
import { takeTurn } from "./member-store.js";
import { scopesOf } from "./roles.js";
import { isToken } from "./secret-store.js";
import { csrfTokenOf, sessionMacs } from "./session-store.js";

/** Finds out which member calls. */
export interface MemberAuthenticator {
  /** The member of this cookie, as the database knows it now (gap 216). Throws `sign_in_required`. */
  authenticate(token: string): Promise<Caller>;
  /** Whether this process found the session good lately. */
  isFamiliar(token: string): boolean;
}

export interface MemberAuthenticatorNeeds {
  readonly db: Db;
  readonly keyring: Keyring;
  /** Real time. */
  readonly clock: Clock;
  /** The environments of this service. */
  readonly environments: readonly EnvironmentName[];
}

const familiarMax = 10_000;

export function createMemberAuthenticator(needs: MemberAuthenticatorNeeds): MemberAuthenticator {
  const { db, keyring, clock, environments } = needs;
  const naming = createSecretKey(randomBytes(32));
  const nameOf = (token: string) => createHmac("sha256", naming).update(token).digest("base64");
  const familiar = new Set<string>();

  function callerOf(token: string, found: FoundSession): Caller {
    const reach = namesIn(found.environments, environmentNames);
    return {
      tenantId: found.tenant_id,
      apiKeyId: `member/${found.id}`,
      member: { id: found.id, sessionId: found.session_id, csrfToken: csrfTokenOf(token), reach },
      scopes: new Set(scopesOf(found)),
      environments: reach.filter((name) => environments.includes(name)),
      readAgain: async (trx) => {
        await takeTurn(trx, found.tenant_id);
        const again = await findSession(trx, keyring, token, clock.now());
        if (again === undefined) throw new TrellisError("sign_in_required");
        return callerOf(token, again);
      },
      ...(found.frozen_at === null ? {} : { isFrozen: true }),
    };
  }

  return {
    isFamiliar: (token) => familiar.has(nameOf(token)),
    authenticate: async (token) => {
      const now = clock.now();
      const found = isToken(token) ? await findSession(db, keyring, token, now) : undefined;
      if (found === undefined) throw new TrellisError("sign_in_required");
      if (familiar.size >= familiarMax) familiar.clear();
      familiar.add(nameOf(token));
      if (Number(found.last_used_at) <= now - limits.memberSessionUseNotedMs) await noteUse(db, found.session_id, now);
      return callerOf(token, found);
    },
  };
}

type FoundSession = NonNullable<Awaited<ReturnType<typeof findSession>>>;

function findSession(db: DbOrTrx, keyring: Keyring, token: string, now: number) {
  return sessionMacs(keyring).find(token, (forms) =>
    db
      .selectFrom("member_session as session")
      .innerJoin("member", "member.id", "session.member_id")
      .innerJoin("tenant", "tenant.id", "member.tenant_id")
      .select(["session.id as session_id", "session.last_used_at", "member.id", "member.tenant_id", "member.role"])
      .select(["member.is_operator", "member.environments", "tenant.frozen_at"])
      .where("session.token_hash", "in", [...forms])
      .where("session.expires_at", ">", BigInt(now))
      .where("session.last_used_at", ">", BigInt(now - limits.memberSessionIdleMs))
      .where("member.status", "=", "active")
      .where("tenant.disabled_at", "is", null)
      .executeTakeFirst(),
  );
}

/** To the minute. */
async function noteUse(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable("member_session")
    .set({ last_used_at: BigInt(now) })
    .where("id", "=", id)
    .where("last_used_at", "<", BigInt(now))
    .execute();
}
