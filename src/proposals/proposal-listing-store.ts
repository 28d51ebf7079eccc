import type { DbOrTrx, ProposalTable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { CompiledQuery } from "kysely";
import type { WireRow } from "./proposal-store.js";

/** A place in a list across accounts. */
export interface ListingPlace {
  /** Unix seconds. */
  readonly listedAt: bigint;
  readonly settings: string;
  readonly index: bigint;
}

/** Which proposals of a tenant to list. */
export interface TenantListing {
  readonly environment: EnvironmentName;
  readonly tenantId: string;
  /** Only those whose vote is or was up to this signer. */
  readonly signer?: string;
  /** True: only those that wait for the signer's vote; they are all Active. */
  readonly waits?: boolean;
  /** Those in the response; none named: all of them. */
  readonly statuses: readonly NonNullable<ProposalTable["status"]>[];
  /** Only those behind this place. */
  readonly before?: ListingPlace | undefined;
  readonly limit: number;
}

/** A row of a list across accounts: what responses show, and whose it is. */
export type ListedRow = WireRow & {
  readonly listed_at: number;
  readonly settings_address: string;
  readonly account_address: string;
  readonly stale_transaction_index: number;
};

const order = "listed_at desc, settings_address desc, transaction_index desc";
const stretch = `environment = $1 and tenant_id = $2 and signer_address = $3
  and (listed_at, settings_address, transaction_index) < ($4::int8, $5::text, $6::int8)`;
const stretchOf = (condition: string) => `select listed_at, settings_address, transaction_index from proposal_listing
  where ${stretch} and ${condition} order by ${order} limit $7`;

// Plain texts: a server keeps the plan of a text.
const pageOf = (chosen: string) => `select coalesce(json_agg(page order by ${order}), '[]'::json) as page from (
    select chosen.listed_at, proposal.settings_address, account.address as account_address,
      coalesce(subscription.stale_transaction_index, 0) as stale_transaction_index,
      proposal.proposal_address, proposal.transaction_index, proposal.kind, proposal.status, proposal.chain_status,
      proposal.status_timestamp, proposal.approved::json as approved, proposal.rejected::json as rejected,
      proposal.cancelled::json as cancelled, proposal.creator, proposal.opened_at, proposal.last_modified_signature,
      proposal.last_modified_at, proposal.reclaimed_lamports::text as reclaimed_lamports, proposal.batch_size,
      proposal.batch_executed
    from (select * from (${chosen}) as listed order by ${order} limit $7) as chosen
    join proposal on proposal.environment = $1 and proposal.settings_address = chosen.settings_address
      and proposal.transaction_index = chosen.transaction_index
    join account on account.environment = $1 and account.settings_address = chosen.settings_address
    left join proposal_watch as subscription on subscription.environment = $1
      and subscription.settings_address = chosen.settings_address
  ) as page`;

const allQuery = pageOf(stretchOf("true"));
const waitingQuery = pageOf(stretchOf("waits"));
// Each status has its own stretch of the index; the newest of all of them are the newest of each, merged.
const someQuery = pageOf(`select stretch.* from json_array_elements_text($8::json) as wanted (name)
  cross join lateral (${stretchOf("proposal_listing.status = wanted.name")}) as stretch`);

/** Behind no place. */
const newest: ListingPlace = { listedAt: 9_223_372_036_854_775_807n, settings: "", index: 0n };

/** Lists a tenant's proposals, the newest first, as the index has them: the chain is not asked. */
export async function listOfTenant(db: DbOrTrx, listing: TenantListing): Promise<readonly ListedRow[]> {
  const { environment, tenantId, signer = "", waits = false, statuses, before = newest, limit } = listing;
  const values = [environment, tenantId, signer, before.listedAt, before.settings, before.index, limit];
  const query = waits
    ? CompiledQuery.raw(waitingQuery, values)
    : statuses.length === 0
      ? CompiledQuery.raw(allQuery, values)
      : CompiledQuery.raw(someQuery, [...values, JSON.stringify([...new Set(statuses)])]);
  const [found] = (await db.executeQuery<{ page: readonly ListedRow[] }>(query)).rows;
  return found?.page ?? [];
}
