import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { returnToBudgets } from "./sponsorship.js";

/** Proposals in one statement, at most. */
const batch = 200;

/**
 * Gives rent that was returned by closing proposals to the budgets it was taken from, and notes in the ledger what was
 * returned. Every proposal that the service set out to close is settled once, however many processes do this, also when the
 * one that closed it died; in one statement each `batch`. What is returned is no more than what was paid: anybody may
 * have added to it.
 */
export async function returnReclaimedRent(db: Db, network: Pick<Network, "name" | "clock">): Promise<void> {
  let found: number;
  do {
    const { rows } = await sql<{ count: number }>`
      with due as (
        select settings_address, transaction_index, proposal_address, reclaimed_lamports from proposal
        where environment = ${network.name} and close_tried_at is not null and reclaimed_lamports is not null
        order by settings_address, transaction_index limit ${batch} for update skip locked
      ), noted as (
        update proposal set close_tried_at = null from due
        where proposal.environment = ${network.name} and proposal.settings_address = due.settings_address
          and proposal.transaction_index = due.transaction_index
      ), paid as (
        select cost.submission_id, cost.position, due.proposal_address, due.reclaimed_lamports,
          coalesce(cost.spent_lamports, cost.reserved_lamports) as lamports
        from due join sponsored_cost as cost on cost.environment = ${network.name}
          and cost.held_at = due.proposal_address and cost.is_recoverable and cost.returned_at is null
      ), shares as (
        select submission_id, position, least(lamports, greatest(0, reclaimed_lamports - (sum(lamports)
          over (partition by proposal_address order by submission_id, position) - lamports)))::int8 as lamports
        from paid
      ), rests as (
        update sponsored_cost as cost
        set returned_lamports = shares.lamports, returned_at = ${network.clock.now()}::int8
        from shares where (cost.submission_id, cost.position) = (shares.submission_id, shares.position)
        returning cost.environment, cost.tenant_id, cost.account_address, cost.reserved_on, false as is_opening,
          shares.lamports as rest
      ), returned as (${returnToBudgets("rests")})
      select count(*)::int4 as count from due`.execute(db);
    found = rows[0]?.count ?? 0;
  } while (found === batch);
}
