import { limits } from "@trellis/kernel/limits.js";
import { isBefore } from "@trellis/kernel/page.js";
import type { Db, UserTable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { type RawBuilder, sql } from "kysely";
import { isActive } from "../custody/session-chain.js";

/** Which users of a tenant are meant; `email` in stored form. */
export interface UserFilter {
  readonly tenantId: string;
  readonly environment: EnvironmentName;
  readonly id?: string | undefined;
  readonly email?: string | undefined;
}

/** A place in the list, newest first. */
export interface UserPlace {
  readonly createdAt: bigint;
  readonly id: string;
}

/** A user, and what is known of them. Of each no more than `limits.userCountsMax` is read. */
export type KnownUser = Pick<UserTable, "id" | "email" | "environment" | "created_at"> & {
  /** Environment time in Unix milliseconds. */
  readonly last_signed_in_at: bigint | null;
  readonly accounts: readonly string[];
  readonly sessions_active: number;
  readonly passkeys: number;
};

/** Lists users, newest first. `now` is environment time in Unix milliseconds. */
export async function listKnownUsers(
  db: Db,
  { tenantId, environment, id, email }: UserFilter,
  now: number,
  page: { readonly limit: number; readonly behind?: UserPlace | undefined },
): Promise<readonly KnownUser[]> {
  const behind =
    page.behind === undefined ? sql`` : sql`and ${isBefore({ created_at: page.behind.createdAt, id: page.behind.id })}`;
  const { rows } = await sql<KnownUser>`
    select app_user.id, app_user.email, app_user.environment, app_user.created_at,
      recent.last_signed_in_at, recent.sessions_active, ${accountsOfUser} as accounts, ${passkeysOfUser} as passkeys
    from (
      select * from app_user where tenant_id = ${tenantId} and environment = ${environment}::text
        ${id === undefined ? sql`` : sql`and id = ${id}`} ${email === undefined ? sql`` : sql`and email = ${email}`} ${behind}
      order by created_at desc, id desc limit ${page.limit}
    ) as app_user
    join tenant on tenant.id = app_user.tenant_id
    cross join lateral (${recentSessions(now)}) as recent
    order by app_user.created_at desc, app_user.id desc`.execute(db);
  return rows;
}

const most = sql.raw(String(limits.userCountsMax));

/** SQL: the newest sign-ins of an `app_user`. One that has yet to open is none. */
const recentSessions = (now: number): RawBuilder<unknown> => sql`
  select max(session.chain_started_at) filter (where chain.ended_at is null or chain.end_reason is not null) as last_signed_in_at,
    (count(*) filter (where chain.ended_at is null and session.chain_started_at > ${now - limits.sessionMaxMs}::int8
      and ${sql.raw(isActive(String(BigInt(now))))}))::int4 as sessions_active
  from (
    select chain_id, chain_started_at from session where session.user_id = app_user.id and session.state = 'live'
    order by chain_started_at desc, chain_id desc limit ${most}
  ) as session join session_chain as chain on chain.id = session.chain_id`;

/** SQL: the addresses of accounts that belong to an `app_user`, or that a wallet of theirs signs for. */
const accountsOfUser = sql`(select coalesce(json_agg(mine.address order by mine.address), '[]') from (
    (select account.address from account where account.user_id = app_user.id and account.tenant_id = app_user.tenant_id
      and account.environment = app_user.environment limit ${most})
    union
    (select signer.account_address from wallet join account_signer as signer on signer.wallet_id = wallet.id
      join account on account.environment = signer.environment and account.address = signer.account_address
      where wallet.owner_id = app_user.id and account.tenant_id = app_user.tenant_id
        and account.environment = app_user.environment limit ${most})
    limit ${most}
  ) as mine)`;

/** SQL: how many passkeys command the wallets of an `app_user`; they stand at the first wallet of each custodian. */
const passkeysOfUser = sql`(select count(*)::int4 from (
    select from wallet join passkey on passkey.wallet_id = wallet.id
    where wallet.owner_id = app_user.id and wallet.commanded_by is null and passkey.removed_at is null limit ${most}
  ) as mine)`;
