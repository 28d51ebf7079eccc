import { TrellisError } from "@trellis/kernel/errors.js";
import type { AccountTable, Db, DbOrTrx, Trx } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { type Actor, asActor, recordEntry } from "../audit/actor.js";
import { markChainsEnded } from "../custody/session-chain.js";
import { clearHistory } from "../history/history-store.js";
import { findObstacles, type Obstacle, type ReleasedAccount } from "./obstacles.js";

/** Says what is in the way. */
export const inUse = (obstacles: readonly Obstacle[]): TrellisError =>
  new TrellisError("account_in_use", { facts: { obstacles } });

type MaybeImported = Pick<AccountTable, "environment" | "address" | "user_id" | "type" | "imported_at" | "number">;

/**
 * Whether an account was made elsewhere. One that is older than what is noted of imports (its number is 0) is so unless it has an address of
 * its own, or a creation: that is there for as long as creations are kept.
 */
export async function isImported(db: DbOrTrx, account: MaybeImported): Promise<boolean> {
  return account.imported_at !== null || (account.number === 0n && (await mayBeImported(db, account)));
}

/** Whether nothing says that it was made here. So it is, too, of one that a process of a former release or an archive has brought. */
export async function mayBeImported(db: DbOrTrx, account: MaybeImported): Promise<boolean> {
  if (account.imported_at !== null) return true;
  if (account.type !== "custom") return false;
  const { rows } = await sql`select from account_creation where user_id = ${account.user_id}
    and environment = ${account.environment} and account_address = ${account.address} limit 1`.execute(db);
  return rows.length === 0;
}

/**
 * Releases an account, all of it in one transaction: what the chain says about it goes, with its signers, and so do the sessions that
 * command no other account. Records of money stay with the tenant. The account has to be the one that was read as `row`: what was
 * imported again since is another one. `now`: environment time, Unix milliseconds. Throws `account_not_found`, `account_in_use` and
 * `tenant_frozen`.
 */
export async function storeRelease(
  db: Db,
  row: Pick<AccountTable, "tenant_id" | "environment" | "address" | "settings_address" | "user_id" | "number">,
  by: { readonly actor: Actor /** None agreed where the operator does it. */; readonly signer?: string },
  now: number,
): Promise<void> {
  const account = { tenantId: row.tenant_id, environment: row.environment, address: row.address };
  await asActor(db, by.actor, async (trx) => {
    await holdTenant(trx, row.tenant_id);
    await holdAccount(trx, row);
    const obstacles = await findObstacles(trx, account, now);
    if (obstacles.length > 0) throw inUse(obstacles);
    // A long one takes its time: what follows holds more that others need.
    await clearHistory(trx, row);
    await markChainsEnded(trx, await findSessions(trx, account, now), now, "ended_by_tenant");
    await reportRelease(trx, account, now);
    await recordEntry(trx, {
      tenantId: row.tenant_id,
      environment: row.environment,
      kind: "account.released",
      subject: `account/${row.address}`,
      userId: row.user_id,
      details: { settings_address: row.settings_address, signer: by.signer },
    });
    await removeRows(trx, row);
  });
}

/** What freezes a tenant waits for its row: an archive has the account, or the release came first. */
async function holdTenant(trx: Trx, tenantId: string): Promise<void> {
  const { rows } = await sql<{ frozen_at: bigint | null }>`
    select frozen_at from tenant where id = ${tenantId} for share`.execute(trx);
  if (rows[0]?.frozen_at !== null) throw new TrellisError("tenant_frozen");
}

/** What writes for the account holds its row, too: from here on nothing does, and what was before is seen by what follows. */
async function holdAccount(
  trx: Trx,
  { environment, address, tenant_id, number }: Parameters<typeof storeRelease>[1],
): Promise<void> {
  const { rows } = await sql`select from account where environment = ${environment} and address = ${address}
    and tenant_id = ${tenant_id} and number = ${number}::int8 for update`.execute(trx);
  if (rows.length === 0) throw new TrellisError("account_not_found");
}

/**
 * Sessions that command a signer of this account and of no other: nobody could list or end them afterwards. A session stands at its owner's
 * first wallet, and commands every wallet that names that one.
 */
async function findSessions(
  trx: Trx,
  { environment, address }: ReleasedAccount,
  now: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    with commander as (
      select distinct wallet.owner_id, coalesce(wallet.commanded_by, wallet.id) as id
      from account_signer as signer join wallet on wallet.id = signer.wallet_id
      where signer.environment = ${environment} and signer.account_address = ${address}
    )
    select distinct session.chain_id as id from commander join session on session.wallet_id = commander.id
    where session.state = 'live' and not exists (
      select from wallet join account_signer as other on other.wallet_id = wallet.id
      where wallet.owner_id = commander.owner_id and coalesce(wallet.commanded_by, wallet.id) = commander.id
        and other.environment = ${environment} and other.account_address <> ${address})
    union all
    select session.id from account_signer as signer
    join account on account.environment = signer.environment and account.address = signer.account_address
    join wallet_session as session on session.tenant_id = account.tenant_id and session.environment = signer.environment
      and session.signer_address = signer.signer_address
    join session_chain as chain on chain.id = session.id
    where signer.environment = ${environment} and signer.account_address = ${address} and chain.ended_at is null
      and session.expires_at > ${now}::int8 and not exists (
      select from signed_account as other where other.tenant_id = account.tenant_id and other.environment = ${environment}
        and other.signer_address = signer.signer_address and other.account_address <> ${address})`.execute(trx);
  return rows.map(({ id }) => id);
}

async function reportRelease(trx: Trx, { tenantId, environment, address }: ReleasedAccount, now: number) {
  await sql`select report(account.tenant_id, account.environment, 'account.released', account.address, ${now}::int8,
      (account_for_event(account)::jsonb || '{"status":"released"}'::jsonb)::json, 'active')
    from account where environment = ${environment} and address = ${address} and tenant_id = ${tenantId}`.execute(trx);
}

async function removeRows(
  trx: Trx,
  { environment, address, settings_address }: Parameters<typeof storeRelease>[1],
): Promise<void> {
  for (const [table, column, value] of [
    ["history_watch", "account_address", address],
    ["proposal", "settings_address", settings_address],
    ["proposal_watch", "settings_address", settings_address],
    ["spending_limit_watch", "settings_address", settings_address],
    ["account_signer", "account_address", address],
    ["label", "account_address", address],
    ["account", "address", address],
  ] as const) {
    await sql`delete from ${sql.table(table)} where environment = ${environment} and ${sql.ref(column)} = ${value}`.execute(
      trx,
    );
  }
}
