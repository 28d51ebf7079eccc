import { assertOurs } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { isBefore } from "@trellis/kernel/page.js";
import type { AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { type RawBuilder, sql } from "kysely";
import { type KnownAccount, type KnownAccountRow, knownAccountColumns, toKnownAccount } from "./account-store.js";

/** Which accounts of a tenant are meant. Without `address`, at most one of `userId`, `memo` and `signer` is given. */
export interface AccountFilter {
  readonly tenantId: string;
  readonly environment: EnvironmentName;
  readonly type?: AccountTable["type"] | undefined;
  readonly address?: string | undefined;
  readonly userId?: string | undefined;
  readonly memo?: string | undefined;
  readonly signer?: string | undefined;
}

/** A place in the list, newest first. */
export interface AccountPlace {
  readonly createdAt: bigint;
  readonly address: string;
}

interface AccountPage {
  readonly limit: number;
  readonly behind?: AccountPlace | undefined;
}

export const accountTypes: readonly AccountTable["type"][] = ["email", "signers", "custom"];

/**
 * So many accounts one statement reads: as numbers in its text. With a parameter there the server plans it anew each time where there are many
 * accounts, which takes longer than running it. They are few, as every text has its own plan.
 */
const pageSizes = [11, 21, 51, limits.accountPageMax + 1] as const;

/**
 * Lists accounts with all that is known of them, newest first. However many there are: of each type the newest few are one range of an index,
 * and those are merged.
 */
export async function listKnownAccounts(
  db: Db,
  filter: AccountFilter,
  page: AccountPage,
): Promise<readonly KnownAccount[]> {
  const size = pageSizes.find((most) => page.limit <= most);
  assertOurs(size, "no page is longer than the longest");
  const most = sql.raw(String(size));
  const types = filter.type === undefined ? accountTypes : [filter.type];
  const { rows } = await sql<KnownAccountRow>`select ${sql.raw(knownAccountColumns)} from (
      select found.* from unnest(${[...types]}::text[]) as wanted (type)
      cross join lateral (${newestOfType(filter, page, most)}) as found
      order by found.created_at desc, found.address desc limit ${most}
    ) as account left join app_user on app_user.id = account.user_id
    order by account.created_at desc, account.address desc`.execute(db);
  return rows.slice(0, page.limit).map(toKnownAccount);
}

/** SQL: the newest accounts of the type `wanted`. */
function newestOfType(
  filter: AccountFilter,
  { behind: place }: Pick<AccountPage, "behind">,
  most: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (filter.address === undefined && filter.signer !== undefined)
    return newestOfSigner(filter, filter.signer, place, most);
  const behind =
    place === undefined
      ? sql``
      : sql`and ${isBefore({ "account.created_at": place.createdAt, "account.address": place.address })}`;
  return sql`select account.* from account where account.tenant_id = ${filter.tenantId}
    and account.environment = ${filter.environment}::text and account.type = wanted.type ${besides(filter)} ${behind}
    order by account.created_at desc, account.address desc limit ${most}`;
}

function besides({ address, userId, memo, signer }: AccountFilter): RawBuilder<unknown> {
  const conditions = [
    ...(address === undefined ? [] : [sql`and account.address = ${address}`]),
    ...(userId === undefined ? [] : [sql`and account.user_id = ${userId}`]),
    // The index has the hash of a memo, which may be longer than an index takes.
    ...(memo === undefined
      ? []
      : [sql`and hashtextextended(account.memo, 0) = hashtextextended(${memo}::text, 0) and account.memo = ${memo}`]),
    ...(signer === undefined
      ? []
      : [
          sql`and exists (select from account_signer as known where known.environment = account.environment
            and known.account_address = account.address and known.signer_address = ${signer})`,
        ]),
  ];
  return sql.join(conditions, sql` `);
}

/** The same for whom a key signs: the rows are found before they are read. */
function newestOfSigner(
  filter: AccountFilter,
  signer: string,
  place: AccountPlace | undefined,
  most: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const behind =
    place === undefined
      ? sql``
      : sql`and ${isBefore({ "signed.created_at": place.createdAt, "signed.account_address": place.address })}`;
  return sql`select account.* from (
      select signed.environment, signed.account_address from signed_account as signed
      where signed.tenant_id = ${filter.tenantId} and signed.environment = ${filter.environment}::text
        and signed.signer_address = ${signer} and signed.type = wanted.type ${behind}
      order by signed.created_at desc, signed.account_address desc limit ${most}
    ) as signed join account on account.environment = signed.environment and account.address = signed.account_address`;
}

/** Addresses of the newest accounts that a key signs for, of all types, at most `limit`. */
export async function findAccountsOfSigner(
  db: Db,
  whose: { readonly tenantId: string; readonly environment: EnvironmentName; readonly signer: string },
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ account_address: string }>`
    select found.account_address from unnest(${[...accountTypes]}::text[]) as wanted (type)
    cross join lateral (
      select account_address, created_at from signed_account
      where tenant_id = ${whose.tenantId} and environment = ${whose.environment}::text
        and signer_address = ${whose.signer} and type = wanted.type
      order by created_at desc, account_address desc limit ${limit}
    ) as found
    order by found.created_at desc, found.account_address desc limit ${limit}`.execute(db);
  return rows.map(({ account_address }) => account_address);
}
