import type { DbOrTrx, Trx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { ZERO_ADDRESS } from "@trellis/program-client";
import { sql } from "kysely";
import type { LimitSubscription } from "../following/limit-subscriptions.js";
import type { StandingLimit } from "../transactions/read-spending-limits.js";

/** Which limits of a tenant to list: by address, from behind one. */
export interface LimitListing {
  readonly tenantId: string;
  readonly environment: EnvironmentName;
  /** Only those that this address may use. */
  readonly signer: string | undefined;
  /** Only those of this mint; null is SOL. */
  readonly mint: string | null | undefined;
  readonly after: string;
  readonly limit: number;
}

/** A limit that was there when its account was last read, and whose it is. */
export interface ListedLimit {
  readonly address: string;
  readonly settings_address: string;
  readonly account_address: string;
}

/** A tenant's limits, as the index has them. Each combination of filters is a range of an index, which has it in this order. */
export async function findLimits(db: DbOrTrx, listing: LimitListing): Promise<readonly ListedLimit[]> {
  const { tenantId, environment, signer = "", mint, after, limit } = listing;
  const { rows } = await sql<ListedLimit>`
    select chosen.limit_address as address, chosen.settings_address, account.address as account_address from (
      select limit_address, settings_address from spending_limit_listing
      where environment = ${environment} and tenant_id = ${tenantId} and signer_address = ${signer}
        ${mint === undefined ? sql`` : sql`and mint = ${mint ?? ZERO_ADDRESS}`} and limit_address > ${after}
      order by limit_address limit ${limit}
    ) as chosen
    join account on account.environment = ${environment} and account.settings_address = chosen.settings_address
    order by chosen.limit_address`.execute(db);
  return rows;
}

/**
 * Holds an account and what is known of its limits until the transaction ends, in the order in which all hold them. Undefined: it was
 * released, or what is known is newer than `slot`: a later reading, or a change that such a reading must have seen.
 */
export async function holdOlder(
  trx: Trx,
  environment: EnvironmentName,
  { key, accountNumber }: Pick<LimitSubscription, "key" | "accountNumber">,
  slot: bigint,
): Promise<{ readonly tenantId: string } | undefined> {
  const { rows } = await sql<{ tenant_id: string }>`select tenant_id from account
    where environment = ${environment} and settings_address = ${key} and number = ${accountNumber}::int8 for key share`.execute(
    trx,
  );
  const [account] = rows;
  if (account === undefined) return undefined;
  await sql`insert into spending_limit_watch (environment, settings_address, tenant_id, read_slot, active_at)
    values (${environment}, ${key}, ${account.tenant_id}, -1, 0) on conflict (environment, settings_address) do nothing`.execute(
    trx,
  );
  const older = await sql`select from spending_limit_watch
    where environment = ${environment} and settings_address = ${key} and greatest(read_slot, least_slot) <= ${slot}::int8
    for update`.execute(trx);
  return older.rows.length === 0 ? undefined : { tenantId: account.tenant_id };
}

/** Lists exactly these limits of an account that is held. */
export async function replaceLimits(
  trx: Trx,
  account: { readonly environment: EnvironmentName; readonly settings: string; readonly tenantId: string },
  limits: readonly StandingLimit[],
): Promise<void> {
  const { environment, settings, tenantId } = account;
  const addresses = limits.map(({ address }) => address);
  await sql`delete from spending_limit_listing where environment = ${environment} and settings_address = ${settings}
    and limit_address <> all(${addresses}::text[])`.execute(trx);
  const rows = limits.flatMap(({ address, mint, signers }) =>
    ["", ...new Set(signers)].map((signer) => ({ address, mint: mint ?? ZERO_ADDRESS, signer })),
  );
  await sql`insert into spending_limit_listing (environment, limit_address, signer_address, settings_address, tenant_id, mint)
    select ${environment}, address, signer, ${settings}, ${tenantId}, mint
    from json_to_recordset(${JSON.stringify(rows)}::json) as listed (address text, signer text, mint text)
    order by address, signer on conflict (environment, limit_address, signer_address) do nothing`.execute(trx);
}

/** Accounts in one statement. */
const markedAtOnce = 1_000;

/**
 * Has the limits read of the next accounts from before there were lists of limits: of those that were made elsewhere, or whose settings may
 * have changed. False: there are no others, or another process is at it.
 */
export async function markOlder(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ value: string }>`
    select value from meta where key = 'limits_marked' for update skip locked`.execute(trx);
  const [marked] = rows;
  if (marked === undefined) return false;
  const [environment = "", address = ""] = marked.value.split("/");
  const { rows: chunk } = await sql<{ place: string }>`
    with chunk as materialized (
      select * from account where (environment, address) > (${environment}::text, ${address}::text)
      order by environment, address limit ${markedAtOnce}
    ), noted as (
      insert into spending_limit_watch (environment, settings_address, tenant_id, read_slot, active_at, due_at)
      select environment, settings_address, tenant_id, -1, 0, 0 from chunk
      where imported_at is not null or type = 'custom' or coalesce(
        -- Asked by the index for each account: with exists, the planner may gather what all accounts have.
        (select true from history_transaction as change where change.environment = chunk.environment
          and change.account_address = chunk.address and change.kind = 'settings_change' and not change.failed limit 1),
        (select true from history_transaction as change where change.environment = chunk.environment
          and change.account_address = chunk.address and change.kind = 'proposal_execution' and not change.failed limit 1), false)
      order by environment, settings_address on conflict (environment, settings_address) do nothing
    )
    select environment || '/' || address as place from chunk order by environment desc, address desc limit 1`.execute(
    trx,
  );
  const [last] = chunk;
  if (last === undefined) await sql`delete from meta where key = 'limits_marked'`.execute(trx);
  else await sql`update meta set value = ${last.place} where key = 'limits_marked'`.execute(trx);
  return last !== undefined;
}
