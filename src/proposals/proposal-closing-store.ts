import { limits } from "@trellis/kernel/limits.js";
import type { DbOrTrx, ProposalTable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { anyOf } from "@trellis/kernel/states.js";
import { chooseAtBothEnds } from "@trellis/kernel/tenant-turns.js";
import { sql } from "kysely";
import { closingDelay } from "../following/proposal-subscriptions.js";
import { endedStates, undecidedStates } from "./proposal-states.js";
import { unfinished } from "./proposal-store.js";

/** Which proposals' rent may be reclaimed now. Instants: environment time, Unix milliseconds. */
export interface Closable {
  /** Who paid the rent of both accounts. */
  readonly rentCollector: string;
  readonly now: number;
}

// Which may be closed at all: program spec 4.16. One that was tried waits as long as one that has just finished.
const waitedSince = (row: string) => `coalesce(${row}.close_tried_at, ${row}.status_timestamp * 1000)`;

const ofCollector = (
  row: string,
  rentCollector: string,
) => sql`${sql.ref(`${row}.proposal_rent_collector`)} = ${rentCollector}
  and ${sql.ref(`${row}.transaction_rent_collector`)} = ${rentCollector}
  and ${sql.ref(`${row}.kind`)} in ('transaction', 'settings', 'batch')`;

type Claimed = Pick<ProposalTable, "settings_address" | "transaction_index">;

/** Those that have finished, tenants in turns. `before`: they have waited since then. */
async function claimEnded(
  db: DbOrTrx,
  environment: EnvironmentName,
  { rentCollector, now }: Closable,
  before: bigint,
): Promise<readonly Claimed[]> {
  const { rows } = await sql<Claimed>`with ${chooseAtBothEnds({
    table: sql`proposal`,
    key: "proposal_address",
    tenant: sql`(select tenant_id from proposal_watch as subscription where subscription.environment = waiting.environment
      and subscription.settings_address = waiting.settings_address)`,
    due: sql`waiting.environment = ${environment} and ${ofCollector("waiting", rentCollector)}
      and waiting.chain_status in ${anyOf(endedStates)}
      and ${sql.raw(waitedSince("waiting"))} <= ${before}::int8`,
    since: sql.raw(waitedSince("waiting")),
    limit: 100,
  })} update proposal set close_tried_at = ${BigInt(now)}::int8
    where environment = ${environment} and proposal_address = any(array(select id from chosen))
    returning settings_address, transaction_index`.execute(db);
  return rows;
}

/** Those that a change of settings has made stale, of a few accounts, tenants in turns. */
async function claimStale(
  db: DbOrTrx,
  environment: EnvironmentName,
  { rentCollector, now }: Closable,
  before: bigint,
): Promise<readonly Claimed[]> {
  const { rows } = await sql<Claimed>`with ${chooseAtBothEnds({
    table: sql`proposal_watch`,
    key: "settings_address",
    tenant: sql`waiting.tenant_id`,
    due: sql`waiting.environment = ${environment} and waiting.stale_due_at <= ${BigInt(now)}::int8`,
    since: sql`waiting.stale_due_at`,
    limit: 10,
  })}, due as (
      select settings_address, stale_transaction_index from proposal_watch
      where environment = ${environment} and settings_address = any(array(select id from chosen))
    ), closed as (
      select stale.settings_address, stale.transaction_index from due cross join lateral (
        select settings_address, transaction_index from proposal
        where proposal.environment = ${environment} and proposal.settings_address = due.settings_address
          and ${sql.raw(unfinished)} and proposal.transaction_index <= due.stale_transaction_index
          and ${ofCollector("proposal", rentCollector)}
          and (proposal.chain_status in ${anyOf(undecidedStates)}
            or (proposal.chain_status = 'approved' and proposal.kind = 'settings'))
          and ${sql.raw(waitedSince("proposal"))} <= ${before}::int8
        order by proposal.transaction_index limit 20
      ) as stale
    ), gone_through as (
      update proposal_watch set stale_due_at = case when due.settings_address in (select settings_address from closed)
          then ${BigInt(now)}::int8 + ${sql.raw(closingDelay)} end
      from due
      where proposal_watch.environment = ${environment} and proposal_watch.settings_address = due.settings_address
    ) update proposal set close_tried_at = ${BigInt(now)}::int8 from closed
    where proposal.environment = ${environment} and proposal.settings_address = closed.settings_address
      and proposal.transaction_index = closed.transaction_index
    returning proposal.settings_address, proposal.transaction_index`.execute(db);
  return rows;
}

/**
 * Takes proposals to close, for this call alone: another one at the same time takes others. They have been finished or
 * stale for as long as closing waits, and were not tried for as long.
 */
export async function claimClosable(
  db: DbOrTrx,
  environment: EnvironmentName,
  closable: Closable,
): Promise<readonly Claimed[]> {
  const before = BigInt(closable.now - limits.proposalClosingDelayMs);
  const ended = await claimEnded(db, environment, closable, before);
  return [...ended, ...(await claimStale(db, environment, closable, before))];
}
