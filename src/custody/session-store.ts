import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx, SessionChainTable, SessionTable } from "@trellis/kernel/ports/database.js";
import { readTogether } from "@trellis/kernel/read-together.js";
import { type RawBuilder, sql } from "kysely";
import { isActive, minuteMs } from "./session-chain.js";

/** A session with what its chain says of it. */
export type ChainedSession = SessionTable &
  Pick<SessionChainTable, "ended_at" | "refreshed_since" | "refreshes"> & {
    /** It has rested longer than its tenant allows. */
    readonly is_idle: boolean;
  };

/**
 * Finds a session by what may be stored of its refresh token. `now` is environment time in Unix milliseconds.
 */
export async function findSessionByRefreshToken(
  db: DbOrTrx,
  hashes: readonly Uint8Array[],
  now: number,
): Promise<ChainedSession | undefined> {
  return db
    .selectFrom("session")
    .innerJoin("session_chain as chain", "chain.id", "session.chain_id")
    .innerJoin("app_user", "app_user.id", "session.user_id")
    .innerJoin("tenant", "tenant.id", "app_user.tenant_id")
    .selectAll("session")
    .select(["chain.ended_at", "chain.refreshed_since", "chain.refreshes"])
    .select(sql<boolean>`not ${sql.raw(isActive(String(BigInt(now))))}`.as("is_idle"))
    .where(sql<boolean>`session.refresh_token_hash = any(${[...hashes]}::bytea[])`)
    .executeTakeFirst();
}

/**
 * The sessions of chains whose authorization keys the custodian has not been asked to forget: of each the newest one, the one
 * before it, and what a crash left over. However often a chain was refreshed, they are a handful.
 */
export async function findUnrevoked(db: DbOrTrx, chainIds: readonly string[]): Promise<readonly SessionTable[]> {
  if (chainIds.length === 0) return [];
  return db
    .selectFrom("session")
    .selectAll()
    .where(sql<boolean>`chain_id = any(${[...chainIds]}::text[])`)
    .where("key_revoked_at", "is", null)
    .execute();
}

/**
 * The user's chains that have ended while a custodian still knows a key of theirs: the process died, or the custodian did
 * not answer. Those of sign-ins that have yet to open are not among them. `now` is environment time in Unix milliseconds.
 */
export async function findEndedWithKeys(
  db: Db,
  { userId, provider }: { readonly userId: string; readonly provider: string },
  now: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct chain.id from session join session_chain as chain on chain.id = session.chain_id
    where session.user_id = ${userId} and session.provider = ${provider}
      and session.wallet_id in (select id from wallet where owner_id = ${userId})
      and session.key_revoked_at is null and session.expires_at > ${now}::int8 and chain.end_reason is not null`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Notes that the custodian has revoked a session's key. `now` is environment time in Unix milliseconds. */
export async function markKeyRevoked(db: Db, sessionId: string, now: number): Promise<void> {
  await db
    .updateTable("session")
    .set({ key_revoked_at: BigInt(now) })
    .where("id", "=", sessionId)
    .execute();
}

/** SQL: the wallet whose sessions and passkeys command a wallet. */
export const commanderOf = (walletId: string) =>
  sql<string>`coalesce((select commanded_by from wallet where id = ${walletId}::text), ${walletId}::text)`;

/** A session as far as a signature is matched by it. */
export type SigningSession = Pick<
  SessionTable,
  "wallet_id" | "authorization_key_id" | "authorization_public_key" | "client_public_key"
>;

/** A live one. */
export type LiveSession = SigningSession & {
  /** Whether it was noted that its key signed, and within the last minute that its chain is active. */
  readonly is_noted: boolean;
};

const readLiveSessions = readTogether<{ wallet_id: "text"; tenant_id: "text"; now: "int8" }, LiveSession>(
  { wallet_id: "text", tenant_id: "text", now: "int8" },
  (asked) => `select asked.at as asked_at, session.* from ${asked} cross join lateral (
    -- Those of the wallet that it obeys.
    select coalesce((select wallet.commanded_by from wallet where wallet.id = asked.wallet_id), asked.wallet_id) as id
  ) as commander cross join lateral (
    select asked.wallet_id, session.authorization_key_id, session.authorization_public_key, session.client_public_key,
      session.used_at is not null and chain.active_at > asked.now - ${minuteMs} as is_noted
    from session join session_chain as chain on chain.id = session.chain_id
    where session.wallet_id = commander.id and session.key_revoked_at is null and session.expires_at > asked.now
      and session.state <> 'revoked' and chain.ended_at is null
      and ${isActive("asked.now", "(select session_idle_seconds from tenant where id = asked.tenant_id)")}
    order by session.created_at desc limit ${limits.liveKeysTried}
  ) as session`,
);

/**
 * The sessions whose authorization keys command these wallets of a tenant's, as sessions of the wallets that were asked for, newest first, and of each wallet no more than
 * the newest few (gap 20). `now` is environment time in Unix milliseconds.
 */
export async function findLiveSessions(
  db: Db,
  { tenantId, walletIds }: { readonly tenantId: string; readonly walletIds: readonly string[] },
  now: number,
): Promise<readonly LiveSession[]> {
  const wallets = [...new Set(walletIds)];
  const sessions = await Promise.all(
    wallets.map((id) => readLiveSessions(db, { wallet_id: id, tenant_id: tenantId, now: BigInt(now) })),
  );
  return sessions.flat();
}

/** A few sessions of a wallet other than `besides`, those that end or ended last first: ended, or crowded out by newer ones. */
export async function findOtherSessions(
  db: Db,
  walletId: string,
  besides: readonly SigningSession[],
): Promise<readonly SigningSession[]> {
  const keyIds = besides.map(({ authorization_key_id }) => authorization_key_id);
  return db
    .selectFrom("session")
    .select(["authorization_key_id", "authorization_public_key", "client_public_key"])
    .select(sql<string>`${walletId}::text`.as("wallet_id"))
    .where("wallet_id", "=", commanderOf(walletId))
    .where(sql<boolean>`not (authorization_key_id = any(${keyIds}::text[]))`)
    .orderBy("expires_at", "desc")
    .limit(limits.explainingKeysTried)
    .execute();
}

/**
 * SQL that notes that sessions signed something: those of the authorization keys whose `id`s the query `keys` gives. They are locked
 * in one order, so that two statements never wait for each other's rows. `now` is environment time in Unix milliseconds.
 */
export function markKeysUsed(keys: RawBuilder<unknown>, now: number) {
  return sql`update session set used_at = ${now}::int8 from (
      select session.id from session where session.authorization_key_id in (${keys}) and session.used_at is null
      order by session.id for no key update
    ) as unused where session.id = unused.id`;
}

/**
 * SQL that notes that the chains of these authorization keys are active, at most once a minute each. A chain that another
 * statement holds is active anyway, and not waited for. `keys` and `now` as above.
 */
export function markChainsActive(keys: RawBuilder<unknown>, now: number) {
  return sql`update session_chain set active_at = ${now}::int8 where id in (
      select chain.id from session_chain as chain join session on session.chain_id = chain.id
      where session.authorization_key_id in (${keys}) and chain.active_at <= ${now - minuteMs}::int8
      for no key update of chain skip locked)`;
}
