import type { Db, DbOrTrx, PasskeyTable } from "@trellis/kernel/ports/database.js";
import { type RawBuilder, sql } from "kysely";
import { parseTerms, type RelyingPartyTerms } from "../../tenants/relying-party.js";

/** A passkey that commands a wallet. */
export type PasskeyRow = PasskeyTable;

/** The same with what its tenant set for passkeys; null: nothing. */
export type SigningPasskey = Pick<
  PasskeyTable,
  "id" | "user_id" | "provider" | "wallet_id" | "credential_id" | "public_key" | "rp_id" | "last_used_at"
> & { readonly terms: RelyingPartyTerms | null };

/** The live passkeys that command these wallets of a tenant's and have one of these credential ids, as passkeys of the wallets that were asked for. */
export async function findSigningPasskeys(
  db: Db,
  of: {
    readonly tenantId: string;
    readonly walletIds: readonly string[];
    readonly credentialIds: readonly string[];
  },
): Promise<readonly SigningPasskey[]> {
  const { tenantId, walletIds, credentialIds } = of;
  if (walletIds.length === 0 || credentialIds.length === 0) return [];
  const { rows: asked } = await sql<{ id: string; commander_id: string }>`
    select asked.id, coalesce(wallet.commanded_by, asked.id) as commander_id
    from unnest(${[...new Set(walletIds)]}::text[]) as asked (id) left join wallet on wallet.id = asked.id`.execute(db);
  const found = await signingPasskeys(db, tenantId)
    .where(sql<boolean>`wallet_id = any(${asked.map(({ commander_id }) => commander_id)}::text[])`)
    .where(sql<boolean>`credential_id = any(${[...credentialIds]}::text[])`)
    .execute();
  const ofAsked = found.flatMap((row) =>
    asked.filter(({ commander_id }) => commander_id === row.wallet_id).map(({ id }) => ({ ...row, wallet_id: id })),
  );
  return ofAsked.map(withTerms);
}

/** The live passkey of a tenant's with a credential id: there is one at most. */
export async function findPasskeysByCredential(
  db: Db,
  { tenantId, environment }: { readonly tenantId: string; readonly environment: string },
  credentialId: string,
): Promise<readonly SigningPasskey[]> {
  const found = signingPasskeys(db, tenantId)
    .where("environment", "=", environment)
    .where("credential_id", "=", credentialId);
  return (await found.execute()).map(withTerms);
}

const signingPasskeys = (db: Db, tenantId: string) =>
  db
    .selectFrom("passkey")
    .innerJoin("tenant", "tenant.id", "passkey.tenant_id")
    .select(["passkey.id", "user_id", "provider", "wallet_id", "credential_id", "public_key", "rp_id", "last_used_at"])
    .select("relying_party")
    .where("tenant_id", "=", tenantId)
    .where("removed_at", "is", null);

const withTerms = <Row extends { readonly relying_party: string | null }>({ relying_party, ...row }: Row) => ({
  ...row,
  terms: parseTerms(relying_party),
});

/** The live passkeys of all wallets of a user's, oldest first. */
export async function findPasskeysOfUser(db: DbOrTrx, userId: string): Promise<readonly PasskeyRow[]> {
  return db
    .selectFrom("passkey")
    .selectAll()
    .where(sql<boolean>`wallet_id in (select id from wallet where owner_id = ${userId})`)
    .where("removed_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** The live passkeys of wallets, oldest first. They are few: custodians bound them. */
export async function findPasskeysOfWallets(db: DbOrTrx, walletIds: readonly string[]): Promise<readonly PasskeyRow[]> {
  if (walletIds.length === 0) return [];
  return db
    .selectFrom("passkey")
    .selectAll()
    .where(sql<boolean>`wallet_id = any(${[...walletIds]}::text[])`)
    .where("removed_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/**
 * SQL that notes that passkeys signed something, at most once a minute each: those whose `id`s the query `ids` gives. They are
 * locked in one order, so that two statements never wait for each other's rows. `now` is environment time in Unix milliseconds.
 */
export function markPasskeysUsed(ids: RawBuilder<unknown>, now: number) {
  return sql`update passkey set last_used_at = ${now}::int8 from (
      select passkey.id from passkey where passkey.id in (${ids})
        and (last_used_at is null or last_used_at <= ${now - minuteMs}::int8)
      order by passkey.id for no key update
    ) as unnoted where passkey.id = unnoted.id`;
}

/** How finely the use of a passkey is noted. */
export const minuteMs = 60_000;
