import { isBefore } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Fiat } from "@trellis/kernel/ports/rails.js";
import { type RawBuilder, sql } from "kysely";
import { verificationStates } from "./verification-states.js";
import type { VerificationRow } from "./verification-store.js";
import { virtualAccountStates } from "./virtual-account-states.js";
import type { OpenedVirtualAccount } from "./virtual-account-store.js";

/** Whose rows: of one account of the tenant, or of all. */
export interface RailRowsOf {
  readonly tenantId: string;
  readonly environment: EnvironmentName;
  readonly account: string | undefined;
}

/** A page of a list, newest first: what is strictly behind a place, at most `limit`. */
interface Listing<Status> {
  /** All, if none is named. */
  readonly statuses: readonly Status[];
  readonly before: { readonly createdAt: bigint; readonly id: string } | undefined;
  readonly limit: number;
}

/**
 * Verifications, those of one person by the key of the e-mail address. Each part is a range of an index in this order; of an account
 * and a person together all that the account has of that person are read, one for each partner.
 */
export async function findVerifications(
  db: Db,
  { tenantId, environment, account }: RailRowsOf,
  listing: Listing<VerificationRow["status"]> & { readonly emailKey: Uint8Array | undefined },
): Promise<readonly VerificationRow[]> {
  const { emailKey } = listing;
  const isPerson = emailKey === undefined ? sql`` : sql`and email_key = ${emailKey}::bytea`;
  const isAccount = account === undefined ? sql`` : sql`and account_address = ${account}`;
  const isTheirs = sql`environment = ${environment} and tenant_id = ${tenantId} ${isAccount} ${isPerson}`;
  const source =
    account === undefined || emailKey === undefined
      ? { of: sql`rail_verification`, where: isTheirs }
      : { of: sql`of_person`, where: sql`true`, materialized: sql`select * from rail_verification where ${isTheirs}` };
  const parts = wanted(listing.statuses, verificationStates.all).map((status) => sql`status = ${status}`);
  return findNewest<VerificationRow>(db, source, parts, listing);
}

/** Virtual accounts that their partner has reported, by the bank's currency (all, if none is named) and by the user whose money it is. */
export async function findVirtualAccounts(
  db: Db,
  { tenantId, environment, account }: RailRowsOf,
  listing: Listing<OpenedVirtualAccount["status"]> & {
    readonly currencies: readonly Fiat[];
    readonly userId: string | undefined;
  },
): Promise<readonly OpenedVirtualAccount[]> {
  const { userId } = listing;
  const isUser = userId === undefined ? sql`` : sql`and user_id = ${userId}`;
  const isTheirs = sql`environment = ${environment} and tenant_id = ${tenantId} ${isUser} and partner_ref is not null`;
  const source =
    account === undefined
      ? { of: sql`rail_virtual_account`, where: isTheirs }
      : {
          of: sql`of_account`,
          where: isTheirs,
          // An account has one of a currency with each partner: so all of them are read, and sorted.
          materialized: sql`select * from rail_virtual_account
            where environment = ${environment} and account_address = ${account}`,
        };
  const parts = listing.currencies.flatMap((currency) =>
    wanted(listing.statuses, virtualAccountStates.all).map(
      (status) => sql`currency = ${currency} and status = ${status}`,
    ),
  );
  return findNewest<OpenedVirtualAccount>(db, source, parts, listing);
}

const wanted = <Status>(named: readonly Status[], all: readonly Status[]): readonly Status[] =>
  named.length === 0 ? all : [...new Set(named)];

interface Source {
  /** The table, or what was read before under this name. */
  readonly of: RawBuilder<unknown>;
  readonly materialized?: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
}

async function findNewest<Row>(
  db: Db,
  { of, materialized, where }: Source,
  parts: readonly RawBuilder<unknown>[],
  { before, limit }: Pick<Listing<never>, "before" | "limit">,
): Promise<readonly Row[]> {
  if (parts.length === 0) return [];
  const behind = before === undefined ? sql`` : sql`and ${isBefore({ created_at: before.createdAt, id: before.id })}`;
  const ranges = parts.map(
    (part) => sql`(select * from ${of} where ${where} and ${part} ${behind}
      order by created_at desc, id desc limit ${limit})`,
  );
  const first = materialized === undefined ? sql`` : sql`with ${of} as materialized (${materialized})`;
  const { rows } = await sql<Row>`${first} select * from (${sql.join(ranges, sql` union all `)}) as part
    order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}
