import { type RawBuilder, sql } from "kysely";
import type { DbOrTrx, SessionTable } from "../../ports/database.js";

/** Finds a session by what is stored of its refresh token. */
export async function findSessionByRefreshToken(
  db: DbOrTrx,
  refreshTokenHash: Uint8Array,
): Promise<SessionTable | undefined> {
  return db.selectFrom("session").selectAll().where("refresh_token_hash", "=", refreshTokenHash).executeTakeFirst();
}

/** All sessions that go back to one code, oldest first. */
export async function findChain(db: DbOrTrx, chainId: string): Promise<readonly SessionTable[]> {
  return db.selectFrom("session").selectAll().where("chain_id", "=", chainId).orderBy("created_at").execute();
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
