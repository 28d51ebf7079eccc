import { limits } from "@trellis/kernel/limits.js";
import { isBefore } from "@trellis/kernel/page.js";
import type { CustodianName, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db, SessionEndReason, SessionTable } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { type Actor, asActor } from "../audit/actor.js";
import { askCustodian, getCustodian } from "../custody/custodians.js";
import { isActive, markChainOpen, markChainsEnded } from "../custody/session-chain.js";
import { findEndedWithKeys, findUnrevoked, markKeyRevoked } from "../custody/session-store.js";

type Needs = { readonly db: Db; readonly custodians: Custodians };

/** Whose sessions are meant: those whose wallet signs for an account of the tenant, or whose user brings its keys; with `userId`, those of one user. */
export interface AccountSessions {
  readonly tenantId: string;
  readonly environment: string;
  readonly account: string;
  readonly userId?: string | undefined;
}

/** The same for all sessions of a user of the tenant, whatever they sign for. */
export interface UserSessions {
  readonly tenantId: string;
  readonly environment: string;
  readonly account?: undefined;
  readonly userId: string;
}

export type SessionScope = AccountSessions | UserSessions;

/** Everything that was made of one sign-in, as it stands: its id is that of its chain. */
export interface OpenSessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly provider: CustodianName;
  readonly signer_address: string;
  /** Environment time in Unix milliseconds, all below. */
  readonly chain_started_at: bigint;
  readonly active_at: bigint;
  /** When its present authorization key ends. */
  readonly expires_at: bigint;
}

/** A place in the list, newest first. */
export interface SessionPlace {
  readonly startedAt: bigint;
  readonly id: string;
}

/**
 * Lists the sessions that are alive or can be refreshed, newest first, up to `limit`. `now` is environment time in Unix
 * milliseconds. The account has to be the tenant's: of any other there are none.
 */
export async function listOpenSessions(
  db: Db,
  scope: SessionScope,
  now: number,
  page: { readonly limit: number; readonly behind?: SessionPlace | undefined },
): Promise<readonly OpenSessionRow[]> {
  const behind =
    page.behind === undefined
      ? sql``
      : sql`and ${isBefore({ "session.chain_started_at": page.behind.startedAt, "session.chain_id": page.behind.id })}`;
  const { rows } = await sql<OpenSessionRow>`
    select chain.id, session.user_id, session.provider, signer.signer_address, session.chain_started_at,
      chain.active_at, session.expires_at
    ${sessionsOf(scope)} and session.state = 'live' and chain.ended_at is null
      and session.chain_started_at > ${now - limits.sessionMaxMs}::int8 and ${sql.raw(isActive(String(BigInt(now))))} ${behind}
    order by session.chain_started_at desc, session.chain_id desc limit ${page.limit}`.execute(db);
  return rows;
}

/** SQL for the sessions in scope with their chains: `from` and the beginning of `where`. */
function sessionsOf(scope: SessionScope) {
  return scope.account === undefined ? sessionsOfUser(scope) : sessionsOfAccount(scope);
}

/** `signer` is the wallet that a session stands at: its owner's first one. */
const sessionsOfUser = ({ tenantId, environment, userId }: UserSessions) => sql`
    from app_user
    join tenant on tenant.id = app_user.tenant_id
    join session on session.user_id = app_user.id
    join session_chain as chain on chain.id = session.chain_id
    cross join lateral (select wallet.address as signer_address from wallet where wallet.id = session.wallet_id) as signer
    where app_user.id = ${userId} and app_user.tenant_id = ${tenantId} and app_user.environment = ${environment}`;

function sessionsOfAccount({ tenantId, environment, account, userId }: AccountSessions) {
  return sql`
    from account cross join lateral (
      (select distinct on (commander_id) coalesce(wallet.commanded_by, wallet.id) as commander_id, known.signer_address
      from account_signer as known join wallet on wallet.id = known.wallet_id
      where known.environment = account.environment and known.account_address = account.address
      order by commander_id, known.position)
      -- Where nobody holds a key of an account that was imported for its user: the user's own wallets, which its sessions are of (gap 194).
      union all
      (select distinct on (commander_id) coalesce(wallet.commanded_by, wallet.id) as commander_id, wallet.address
      from wallet
      where account.type = 'custom' and wallet.owner_id = account.user_id and wallet.environment = account.environment
        and not exists (select from account_signer as known where known.environment = account.environment
          and known.account_address = account.address and known.wallet_id is not null)
      order by commander_id, wallet.number)
    ) as signer
    join session on session.wallet_id = signer.commander_id
    join session_chain as chain on chain.id = session.chain_id
    join app_user on app_user.id = session.user_id
    join tenant on tenant.id = app_user.tenant_id
    where account.tenant_id = ${tenantId} and account.environment = ${environment} and account.address = ${account}
      and app_user.tenant_id = ${tenantId} ${userId === undefined ? sql`` : sql`and session.user_id = ${userId}`}`;
}

/** Whether a session of this id is, or was, in scope: those that have ended too, as long as they are kept. */
export async function isSessionOf(db: Db, scope: SessionScope, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 ${sessionsOf(scope)} and session.chain_id = ${id} limit 1`.execute(db);
  return rows.length > 0;
}

/** Every session in scope that has not ended, but for one. */
export async function findOpenSessionIds(
  db: Db,
  scope: SessionScope,
  except: string | undefined,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct chain.id ${sessionsOf(scope)} and session.state = 'live' and chain.ended_at is null
      ${except === undefined ? sql`` : sql`and chain.id <> ${except}`}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Ends sessions: nothing is signed, read or refreshed with them any more, in any process, from the next request on. Then
 * their custodians forget the keys. Again it does what an earlier call could not bring to its end. Returns how many it ended.
 * `actor`: who asked for it, where that is no part of the reason.
 *
 * Throws `provider_unavailable` where a custodian cannot be reached: the sessions have ended here all the same.
 */
export async function endSessions(
  needs: Needs,
  ids: readonly string[],
  now: number,
  reason: SessionEndReason,
  actor?: Actor,
): Promise<number> {
  const ended =
    actor === undefined
      ? await markChainsEnded(needs.db, ids, now, reason)
      : await asActor(needs.db, actor, (trx) => markChainsEnded(trx, ids, now, reason));
  await revokeKeys(needs, await findUnrevoked(needs.db, ids), now);
  return ended.length;
}

/** Has the custodians forget the keys of sessions. Throws `provider_unavailable`; what was done stays done. */
export async function revokeKeys(needs: Needs, sessions: readonly SessionTable[], now: number): Promise<void> {
  for (const { id, provider, authorization_key_id: keyId } of sessions) {
    await askCustodian(getCustodian(needs.custodians, provider).revokeAuthorizationKey({ id: keyId, now }));
    await markKeyRevoked(needs.db, id, now);
  }
}

/**
 * Opens the chain of a user who has just signed in and ends all others of theirs, at once or not at all. Of sign-ins at the
 * same moment one stays. `id` is the new chain's, which began ended. Then the custodians forget the keys of the others.
 * `provider`, the custodian of this sign-in, also forgets the keys that an earlier call left behind.
 *
 * Throws `provider_unavailable` where a custodian cannot be reached: the others have ended here all the same.
 */
export async function openAlone(
  needs: Needs,
  signIn: { readonly userId: string; readonly id: string; readonly provider: string },
  now: number,
): Promise<void> {
  const { userId, id: newId } = signIn;
  const former = await needs.db.transaction().execute(async (trx) => {
    // One at a time, and no stronger: a refresh inserts a session of this user while it holds a chain that is ended here.
    await sql`select id from app_user where id = ${userId} for no key update`.execute(trx);
    const { rows } = await sql<{ id: string }>`
      select distinct chain.id from session join session_chain as chain on chain.id = session.chain_id
      where session.user_id = ${userId} and session.wallet_id in (select id from wallet where owner_id = ${userId})
        and session.state = 'live' and chain.ended_at is null`.execute(trx);
    const ids = rows.map(({ id }) => id);
    await markChainsEnded(trx, ids, now, "replaced");
    await markChainOpen(trx, newId);
    return ids;
  });
  const ended = new Set([...former, ...(await findEndedWithKeys(needs.db, signIn, now))]);
  // Another sign-in may have ended this one: that one revokes its key.
  ended.delete(newId);
  await revokeKeys(needs, await findUnrevoked(needs.db, [...ended]), now);
}

/** Which open sessions an operator means: at least one member is given. */
export interface OpenSessionFilter {
  readonly id?: string | undefined;
  readonly tenant?: string | undefined;
  readonly email?: string | undefined;
}

/** An open session as an operator sees it. */
export interface FoundSession {
  readonly id: string;
  readonly environment: string;
  readonly tenant: string;
  readonly email: string;
  readonly provider: string;
  /** Environment time in Unix milliseconds. */
  readonly activeAt: number;
}

/** Finds open sessions of any tenant and environment, newest first. */
export async function findSessionsForOperator(
  db: Db,
  { id, tenant, email }: OpenSessionFilter,
  limit: number,
): Promise<readonly FoundSession[]> {
  const { rows } = await sql<Omit<FoundSession, "activeAt"> & { active_at: bigint }>`
    select chain.id, app_user.environment, app_user.tenant_id as tenant, app_user.email, session.provider, chain.active_at
    from session join session_chain as chain on chain.id = session.chain_id
    join app_user on app_user.id = session.user_id
    where session.state = 'live' and chain.ended_at is null
      and (${id ?? null}::text is null or chain.id = ${id ?? null})
      and (${tenant ?? null}::text is null or app_user.tenant_id = ${tenant ?? null})
      and (${email ?? null}::text is null or app_user.email = ${email ?? null})
    order by session.chain_started_at desc, chain.id limit ${limit}`.execute(db);
  return rows.map(({ active_at, ...row }) => ({ ...row, activeAt: Number(active_at) }));
}

/** Ends them for an operator. The environment's clock is not at hand: it is no earlier than what was last done with them. */
async function endForOperator(db: Db, sessions: readonly FoundSession[], realNow: number): Promise<void> {
  for (const { id, activeAt } of sessions) {
    const now = Math.max(realNow, activeAt);
    await asActor(db, "operator", (trx) => markChainsEnded(trx, [id], now, "ended_by_operator"));
  }
}

/** Ends all open sessions that an operator means, `page` at a time, and returns them. */
export async function endAllForOperator(
  db: Db,
  filter: OpenSessionFilter,
  realNow: number,
  page = 1_000,
): Promise<readonly FoundSession[]> {
  const ended: FoundSession[] = [];
  for (;;) {
    const found = await findSessionsForOperator(db, filter, page);
    await endForOperator(db, found, realNow);
    ended.push(...found);
    if (found.length < page) return ended;
  }
}
