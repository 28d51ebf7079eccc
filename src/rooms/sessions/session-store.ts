import { type RawBuilder, sql } from "kysely";
import type { Db, DbOrTrx, SessionChainTable, SessionTable } from "../../ports/database.js";

/** A session with what its chain says of it. */
export type ChainedSession = SessionTable & Pick<SessionChainTable, "ended_at" | "refreshed_since" | "refreshes">;

/** Finds a session by what is stored of its refresh token. */
export async function findSessionByRefreshToken(
  db: DbOrTrx,
  refreshTokenHash: Uint8Array,
): Promise<ChainedSession | undefined> {
  return db
    .selectFrom("session")
    .innerJoin("session_chain as chain", "chain.id", "session.chain_id")
    .selectAll("session")
    .select(["chain.ended_at", "chain.refreshed_since", "chain.refreshes"])
    .where("session.refresh_token_hash", "=", refreshTokenHash)
    .executeTakeFirst();
}

/**
 * The sessions of a chain whose authorization keys the custodian has not been told to forget: the newest one, the one
 * before it, and what a crash left over. However often a chain was refreshed, they are a handful.
 */
export async function findUnrevoked(
  db: DbOrTrx,
  chain: Pick<SessionTable, "chain_id" | "wallet_id">,
): Promise<readonly SessionTable[]> {
  return db
    .selectFrom("session")
    .selectAll()
    .where("wallet_id", "=", chain.wallet_id)
    .where("chain_id", "=", chain.chain_id)
    .where("key_revoked_at", "is", null)
    .execute();
}

/** Notes that the custodian has revoked a session's key. `now` is environment time in Unix milliseconds. */
export async function markKeyRevoked(db: Db, sessionId: string, now: number): Promise<void> {
  await db
    .updateTable("session")
    .set({ key_revoked_at: BigInt(now) })
    .where("id", "=", sessionId)
    .execute();
}

/**
 * The encryption keys that clients of these wallets gave for their sessions (65-byte points), newest session first. A
 * payload signed by one of them was signed with the wrong key (gap 27).
 */
export async function findClientKeys(db: DbOrTrx, walletIds: readonly string[]): Promise<readonly Uint8Array[]> {
  if (walletIds.length === 0) return [];
  const rows = await db
    .selectFrom("session")
    .select("client_public_key")
    .where("wallet_id", "in", [...walletIds])
    .orderBy("expires_at", "desc")
    .limit(100)
    .execute();
  return rows.map((row) => row.client_public_key);
}

/**
 * SQL that notes that authorization keys signed something, for every row of the query `per`: the answers that brought
 * them were not lost (gap 20). `now` is environment time in Unix milliseconds.
 */
export function markKeysUsed(authorizationKeyIds: readonly string[], now: number, per: RawBuilder<unknown>) {
  // Sorted, so that two statements never wait for each other's rows.
  const ids = sql.join([...authorizationKeyIds].sort().map((id) => sql`${id}::text`));
  return sql`update session set used_at = ${now}::int8 from ${per}
    where session.authorization_key_id in (${ids}) and session.used_at is null`;
}
