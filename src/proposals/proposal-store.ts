import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { DbOrTrx, ProposalTable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { anyOfText } from "@trellis/kernel/states.js";
import { CompiledQuery } from "kysely";
import type { FollowedRow } from "./proposal-row.js";
import { approvedStates, endedStates, undecidedStates } from "./proposal-states.js";
import { columns } from "./proposal-write-store.js";

/** A row, and the index up to which its account's proposals are stale. */
export type ProposalRow = ProposalTable & { readonly stale_transaction_index: bigint };

/** Which proposals to list. */
export interface ProposalListing {
  readonly environment: EnvironmentName;
  readonly tenantId: string;
  readonly accountAddress: string;
  /** Those in the response; none named: all of them. */
  readonly statuses: readonly NonNullable<ProposalTable["status"]>[];
  /** Only those with a smaller index. */
  readonly before?: bigint;
  readonly limit: number;
}

/** The part of a row that responses show, in plain values. Instants are Unix seconds. */
export interface WireRow {
  readonly proposal_address: string;
  readonly transaction_index: number;
  readonly kind: ProposalTable["kind"];
  readonly status: ProposalTable["status"];
  readonly chain_status: ProposalTable["chain_status"];
  readonly status_timestamp: number | null;
  readonly approved: readonly string[];
  readonly rejected: readonly string[];
  readonly cancelled: readonly string[];
  readonly creator: string | null;
  readonly opened_at: number | null;
  readonly last_modified_signature: string | null;
  readonly last_modified_at: number | null;
  /** Decimal. */
  readonly reclaimed_lamports: string | null;
  readonly batch_size: number | null;
  readonly batch_executed: number | null;
}

// Plain texts: lists are asked for often, and a server keeps the plan of a text.
const fields = `proposal.*, coalesce(subscription.stale_transaction_index, 0) as stale_transaction_index`;

const withSubscription = `left join proposal_watch as subscription on subscription.environment = proposal.environment
  and subscription.settings_address = proposal.settings_address`;

// A page leaves the database as one JSON text: taking 50 rows of 16 columns apart costs more than finding them.
const pageOf = (from: string) => `select account.settings_address,
    coalesce((select stale_transaction_index from proposal_watch as subscription
      where subscription.environment = account.environment and subscription.settings_address = account.settings_address), 0)::int8
      as stale_transaction_index,
    (select looked_at from proposal_watch as subscription
      where subscription.environment = account.environment and subscription.settings_address = account.settings_address) as looked_at,
    coalesce((select json_agg(page) from (
      select proposal_address, transaction_index, kind, status, chain_status, status_timestamp, approved::json as approved,
        rejected::json as rejected, cancelled::json as cancelled, creator, opened_at, last_modified_signature,
        last_modified_at, reclaimed_lamports::text as reclaimed_lamports, batch_size, batch_executed
      from ${from} order by transaction_index desc limit $5
    ) as page), '[]'::json) as page
  from account where environment = $1 and address = $2 and tenant_id = $3`;

const ofAccount = `proposal.environment = account.environment and proposal.settings_address = account.settings_address
  and proposal.transaction_index < $4`;

const pageOfAllQuery = pageOf(`proposal where ${ofAccount} and status is not null`);

// Each status has its own stretch of the index; the newest of all of them are the newest of each, merged.
const pageOfSomeQuery = pageOf(`json_array_elements_text($6::json) as wanted (name) cross join lateral (
    select * from proposal where ${ofAccount} and proposal.status = wanted.name
    order by proposal.transaction_index desc limit $5
  ) as chosen`);

const findQuery = `select ${fields} from proposal ${withSubscription}
  where proposal.environment = $1 and proposal.proposal_address = $2`;

const findIndexQuery = `select ${fields} from proposal ${withSubscription}
  where proposal.environment = $1 and proposal.settings_address = $2 and proposal.transaction_index = $3`;

const countOpenQuery = `select count(*)::int4 as open from proposal ${withSubscription}
  where proposal.environment = $1 and proposal.settings_address = $2 and proposal.proposal_rent_collector = $3
    and ((proposal.chain_status in ${anyOfText(undecidedStates)}
          and proposal.transaction_index > coalesce(subscription.stale_transaction_index, 0))
      or proposal.chain_status in ${anyOfText(approvedStates)})`;

/** Higher than any index. */
const newest = 9_223_372_036_854_775_807n;

/** Proposals of one account. */
export interface ProposalPage {
  readonly settingsAddress: string;
  /** Those up to this index are stale. */
  readonly staleTransactionIndex: number;
  /** When the account was last refreshed: environment time, Unix milliseconds; null: never yet. */
  readonly refreshedAt: number | null;
  readonly rows: readonly WireRow[];
}

/**
 * Lists an account's proposals, the newest index first, as the index has them: the chain is not asked. Undefined when the
 * tenant has no such account.
 */
export async function listProposals(db: DbOrTrx, listing: ProposalListing): Promise<ProposalPage | undefined> {
  const { environment, tenantId, accountAddress, statuses, before = newest, limit } = listing;
  const values = [environment, accountAddress, tenantId, before, limit];
  const query =
    statuses.length === 0
      ? CompiledQuery.raw(pageOfAllQuery, values)
      : CompiledQuery.raw(pageOfSomeQuery, [...values, JSON.stringify([...new Set(statuses)])]);
  const [found] = (await db.executeQuery<FoundPage>(query)).rows;
  return (
    found && {
      settingsAddress: found.settings_address,
      staleTransactionIndex: Number(found.stale_transaction_index),
      refreshedAt: found.looked_at === null ? null : Number(found.looked_at),
      rows: found.page,
    }
  );
}

interface FoundPage {
  readonly settings_address: string;
  readonly stale_transaction_index: bigint;
  readonly looked_at: bigint | null;
  readonly page: readonly WireRow[];
}

/** The part of a whole row that responses show. */
export function toViewRow(row: ProposalRow): WireRow {
  const list = (json: string): readonly string[] => JSON.parse(json);
  const number = (value: bigint | null) => (value === null ? null : Number(value));
  return {
    proposal_address: row.proposal_address,
    transaction_index: Number(row.transaction_index),
    kind: row.kind,
    status: row.status,
    chain_status: row.chain_status,
    status_timestamp: number(row.status_timestamp),
    approved: list(row.approved),
    rejected: list(row.rejected),
    cancelled: list(row.cancelled),
    creator: row.creator,
    opened_at: number(row.opened_at),
    last_modified_signature: row.last_modified_signature,
    last_modified_at: number(row.last_modified_at),
    reclaimed_lamports: row.reclaimed_lamports?.toString() ?? null,
    batch_size: row.batch_size,
    batch_executed: row.batch_executed,
  };
}

/** The row of a proposal by its address, whichever account it belongs to. */
export async function findProposalByAddress(
  db: DbOrTrx,
  environment: EnvironmentName,
  proposalAddress: string,
): Promise<ProposalRow | undefined> {
  const { rows } = await db.executeQuery<ProposalRow>(CompiledQuery.raw(findQuery, [environment, proposalAddress]));
  return rows[0];
}

/** The row of a transaction index, also where no signer has opened a vote on it. */
export async function findProposalByIndex(
  db: DbOrTrx,
  environment: EnvironmentName,
  settingsAddress: string,
  transactionIndex: bigint,
): Promise<ProposalRow | undefined> {
  const values = [environment, settingsAddress, transactionIndex];
  return (await db.executeQuery<ProposalRow>(CompiledQuery.raw(findIndexQuery, values))).rows[0];
}

/** How many proposals can still be voted on or executed whose rent `rentCollector` paid. */
export async function countOpenProposals(
  db: DbOrTrx,
  environment: EnvironmentName,
  settingsAddress: string,
  rentCollector: string,
): Promise<number> {
  const values = [environment, settingsAddress, rentCollector];
  const { rows } = await db.executeQuery<{ open: number }>(CompiledQuery.raw(countOpenQuery, values));
  return rows[0]?.open ?? 0;
}

// Word for word the conditions of the two partial indexes.
export const unfinished = `(proposal.chain_status is null
  or proposal.chain_status in ${anyOfText([...undecidedStates, ...approvedStates])}
  or (proposal.chain_status = 'closed' and proposal.reclaimed_lamports is null))`;
const ended = `proposal.chain_status in ${anyOfText(endedStates)}`;

const watchableQuery = `with subscribed as materialized (
    select settings_address, stale_transaction_index from proposal_watch
    where environment = $1 and due_at is not null
    order by active_at desc limit ${limits.subscribedAccountsMax}
  )
  select settings_address as address from subscribed
  union all (
    select open.proposal_address from subscribed cross join lateral (
      select proposal_address from proposal
      where proposal.environment = $1 and proposal.settings_address = subscribed.settings_address
        and ${unfinished} and (proposal.chain_status is not null or proposal.transaction_index > subscribed.stale_transaction_index)
      order by proposal.transaction_index desc limit 20
    ) as open limit ${limits.subscribedProposalsMax}
  )`;

/** Of the accounts that are not asleep the latest active ones, with the newest of their open proposals. */
export async function findWatchable(db: DbOrTrx, environment: EnvironmentName): Promise<Address[]> {
  const query = CompiledQuery.raw(watchableQuery, [environment]);
  return (await db.executeQuery<{ address: Address }>(query)).rows.map(({ address }) => address);
}

/** The settings addresses of every account of an environment. */
export async function findFollowedSettings(db: DbOrTrx, environment: EnvironmentName): Promise<string[]> {
  const rows = await db
    .selectFrom("account")
    .select("settings_address")
    .where("environment", "=", environment)
    .orderBy("settings_address")
    .execute();
  return rows.map(({ settings_address }) => settings_address);
}

/** Whose rows are read again, and from which indexes downwards beside the newest. */
export interface Turn {
  readonly settingsAddress: string;
  readonly staleTransactionIndex: bigint;
  /** Where this turn continues among those there are too many of to read each time. */
  readonly from: bigint;
  /** The one index that may have been opened again. */
  readonly again: bigint;
}

/** How many rows of one account are read again in one turn. */
const openEach = { newest: 100, further: 50 } as const;

const endedEach = { newest: 10, further: 5 } as const;

const followed = columns
  .map((name) =>
    name === "content" ? "case when proposal.kind = 'batch' then proposal.content end as content" : `proposal.${name}`,
  )
  .join(", ");

const ofTurn = "proposal.environment = $1 and proposal.settings_address = turn.settings_address";

const canChange = "(proposal.chain_status is not null or proposal.transaction_index > turn.stale)";

const pick = (condition: string, count: number) => `(select ${followed} from proposal where ${ofTurn} and ${condition}
  order by proposal.transaction_index desc limit ${count})`;

const turnQuery = `select distinct proposal.* from json_to_recordset($2::json)
    as turn (settings_address text, stale int8, "from" int8, again int8)
  cross join lateral (
    ${pick(`${unfinished} and ${canChange}`, openEach.newest)}
    union all ${pick(`${unfinished} and ${canChange} and proposal.transaction_index <= turn."from"`, openEach.further)}
    union all ${pick(ended, endedEach.newest)}
    union all ${pick(`${ended} and proposal.transaction_index <= turn."from"`, endedEach.further)}
    union all ${pick("proposal.transaction_index = turn.again and proposal.chain_status = 'closed'", 1)}
  ) as proposal
  order by settings_address, transaction_index`;

/** The rows of these accounts that may have changed on chain and are to be read again now. */
export async function findRowsOfTurn(
  db: DbOrTrx,
  environment: EnvironmentName,
  turns: readonly Turn[],
): Promise<FollowedRow[]> {
  if (turns.length === 0) return [];
  const json = JSON.stringify(
    turns.map(({ settingsAddress, staleTransactionIndex, from, again }) => ({
      settings_address: settingsAddress,
      stale: staleTransactionIndex.toString(),
      from: from.toString(),
      again: again.toString(),
    })),
  );
  return (await db.executeQuery<FollowedRow>(CompiledQuery.raw(turnQuery, [environment, json]))).rows;
}

const unvotableQuery = `select ${followed} from proposal
  where environment = $1 and settings_address = $2 and transaction_index > $3 and transaction_index <= $4
    and (chain_status is null or chain_status = 'closed')
  order by transaction_index desc limit $5`;

/** The rows between two indexes that have no vote at present. */
export async function findUnvotable(
  db: DbOrTrx,
  environment: EnvironmentName,
  settingsAddress: string,
  bounds: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<FollowedRow[]> {
  const values = [environment, settingsAddress, bounds.after, bounds.upTo, bounds.limit];
  return (await db.executeQuery<FollowedRow>(CompiledQuery.raw(unvotableQuery, values))).rows;
}
