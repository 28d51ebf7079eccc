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

/** Of whom: of a user, or of a wallet of its holder's own by its address (gap 221). */
export type SessionHolder = { readonly userId: string } | { readonly wallet: string };

/** Whose sessions are meant: those whose wallet signs for an account of the tenant, or whose user brings its keys; with `holder`, those of one. */
export interface AccountSessions {
  readonly tenantId: string;
  readonly environment: string;
  readonly account: string;
  readonly holder?: SessionHolder | undefined;
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
  /** Null in sessions of wallets of their holders' own, as the next. */
  readonly user_id: string | null;
  readonly provider: CustodianName | null;
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
  const { behind, limit } = page;
  const older = (startedAt: string, id: string) =>
    behind === undefined ? sql`` : sql`and ${isBefore({ [startedAt]: behind.startedAt, [id]: behind.id })}`;
  const { rows } = await sql<OpenSessionRow>`
    (select chain.id, session.user_id, session.provider, signer.signer_address, session.chain_started_at,
      chain.active_at, session.expires_at
    ${sessionsOf(scope)} and session.state = 'live' and chain.ended_at is null
      and session.chain_started_at > ${now - limits.sessionMaxMs}::int8 and ${sql.raw(isActive(String(BigInt(now))))}
      ${older("session.chain_started_at", "session.chain_id")}
    order by session.chain_started_at desc, session.chain_id desc limit ${limit})
    union all
    (select chain.id, null, null, session.signer_address, session.created_at, chain.active_at, session.expires_at
    ${walletSessionsOf(scope)} and chain.ended_at is null
      and session.expires_at > ${now}::int8 and ${sql.raw(isActive(String(BigInt(now))))}
      ${older("session.created_at", "session.id")}
    order by session.created_at desc, session.id desc limit ${limit})
    order by chain_started_at desc, id desc limit ${limit}`.execute(db);
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

function sessionsOfAccount({ tenantId, environment, account, holder }: AccountSessions) {
  const ofOne = holder === undefined ? sql`` : sql`and session.user_id = ${"userId" in holder ? holder.userId : null}`;
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
      and app_user.tenant_id = ${tenantId} ${ofOne}`;
}

/** The same of the sessions of wallets of their holders' own. */
function walletSessionsOf(scope: SessionScope) {
  return scope.account === undefined ? walletSessionsOfUser(scope) : walletSessionsOfAccount(scope);
}

/** Of a user, whose key is in a wallet of their own besides: it was handed out, or brought from there. */
const walletSessionsOfUser = ({ tenantId, environment, userId }: UserSessions) => sql`
    from wallet_session as session
    join session_chain as chain on chain.id = session.id
    join tenant on tenant.id = session.tenant_id
    where session.tenant_id = ${tenantId} and session.environment = ${environment} and session.signer_address in (${addressesOf(userId)})`;

const addressesOf = (userId: string) =>
  sql`select wallet.address from app_user join wallet on wallet.owner_id = app_user.id and wallet.environment = app_user.environment
    where app_user.id = ${userId}`;

/** Of those that sign for an account. With a user for its holder there are none. */
function walletSessionsOfAccount({ tenantId, environment, account, holder }: AccountSessions) {
  const ofOne =
    holder === undefined ? sql`` : sql`and session.signer_address = ${"wallet" in holder ? holder.wallet : null}`;
  return sql`
    from account
    join account_signer as signer on signer.environment = account.environment and signer.account_address = account.address
    join wallet_session as session on session.tenant_id = account.tenant_id and session.environment = account.environment
      and session.signer_address = signer.signer_address
    join session_chain as chain on chain.id = session.id
    join tenant on tenant.id = session.tenant_id
    where account.tenant_id = ${tenantId} and account.environment = ${environment} and account.address = ${account} ${ofOne}`;
}

/** Whether a session of this id is, or was, in scope: those that have ended too, as long as they are kept. */
export async function isSessionOf(db: Db, scope: SessionScope, id: string): Promise<boolean> {
  const { rows } = await sql`(select 1 ${sessionsOf(scope)} and session.chain_id = ${id} limit 1)
    union all (select 1 ${walletSessionsOf(scope)} and session.id = ${id} limit 1)`.execute(db);
  return rows.length > 0;
}

/** Every session in scope that has not ended, but for one. `now` is environment time in Unix milliseconds. */
export async function findOpenSessionIds(
  db: Db,
  scope: SessionScope,
  except: string | undefined,
  now: number,
): Promise<readonly string[]> {
  const isOpen = sql`and chain.ended_at is null ${except === undefined ? sql`` : sql`and chain.id <> ${except}`}`;
  const { rows } = await sql<{ id: string }>`
    select chain.id ${sessionsOf(scope)} and session.state = 'live' ${isOpen}
    union select chain.id ${walletSessionsOf(scope)} ${isOpen} and session.expires_at > ${now}::int8`.execute(db);
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
        and session.state = 'live' and chain.ended_at is null
      union select chain.id from app_user
      join wallet_session as session on session.tenant_id = app_user.tenant_id and session.environment = app_user.environment
      join session_chain as chain on chain.id = session.id
      where app_user.id = ${userId} and session.signer_address in (${addressesOf(userId)}) and session.expires_at > ${now}::int8
        and chain.ended_at is null`.execute(trx);
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
  /** The address of a wallet of its holder's own. */
  readonly wallet?: string | undefined;
}

/** An open session as an operator sees it. */
export interface FoundSession {
  readonly id: string;
  readonly environment: string;
  readonly tenant: string;
  /** The user's e-mail address, or the address of a wallet of the holder's own. */
  readonly holder: string;
  /** The custodian; `wallet` where there is none. */
  readonly provider: string;
  /** Environment time in Unix milliseconds. */
  readonly activeAt: number;
}

/**
 * Finds open sessions of any tenant and environment, newest first. `realNow` is in Unix milliseconds: the environments' clocks are not at
 * hand, and none of them is behind it.
 */
export async function findSessionsForOperator(
  db: Db,
  { id, tenant, email, wallet }: OpenSessionFilter,
  realNow: number,
  limit: number,
): Promise<readonly FoundSession[]> {
  const isMeant = (
    tenantId: string,
  ) => sql`chain.ended_at is null and (${id ?? null}::text is null or chain.id = ${id ?? null})
      and (${tenant ?? null}::text is null or ${sql.ref(tenantId)} = ${tenant ?? null})`;
  const { rows } = await sql<Omit<FoundSession, "activeAt"> & { active_at: bigint }>`
    select id, environment, tenant, holder, provider, active_at from (
      (select chain.id, app_user.environment, app_user.tenant_id as tenant, app_user.email as holder, session.provider, chain.active_at,
        session.chain_started_at as started_at
      from session join session_chain as chain on chain.id = session.chain_id
      join app_user on app_user.id = session.user_id
      where session.state = 'live' and ${isMeant("app_user.tenant_id")} and ${wallet ?? null}::text is null
        and (${email ?? null}::text is null or app_user.email = ${email ?? null})
      order by session.chain_started_at desc, chain.id limit ${limit})
      union all
      (select chain.id, session.environment, session.tenant_id, session.signer_address, 'wallet', chain.active_at, session.created_at
      from wallet_session as session join session_chain as chain on chain.id = session.id
      where ${isMeant("session.tenant_id")} and ${email ?? null}::text is null
        and session.expires_at > ${realNow}::int8 and (${wallet ?? null}::text is null or session.signer_address = ${wallet ?? null})
      order by session.created_at desc, chain.id limit ${limit})
    ) as found order by started_at desc, id limit ${limit}`.execute(db);
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
    const found = await findSessionsForOperator(db, filter, realNow, page);
    await endForOperator(db, found, realNow);
    ended.push(...found);
    if (found.length < page) return ended;
  }
}
