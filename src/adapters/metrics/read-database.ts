import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { anyOf } from "@trellis/kernel/states.js";
import { sql } from "kysely";
import { coinsAstray, refundFailed } from "../../rails/failed-refunds.js";
import { unseenMs } from "../../rails/transfer-coins.js";
import { budgetDay } from "../../sponsorship/sponsorship.js";
import { submissionStates } from "../../submissions/submission-states.js";
import { countedMax, type Figure, type FigureName } from "./figures.js";

/** What ended is counted this far back: milliseconds of environment time. */
const latelyMs = 5 * 60_000;

interface Row {
  readonly name: string;
  /** The second label's value; empty: there is none. */
  readonly which: string;
  readonly count: number;
  /** Unix milliseconds of the oldest; null where nothing was counted or no age is asked for. */
  readonly oldest: bigint | null;
}

const most = sql.lit(countedMax);

/**
 * Reads an environment's figures in one statement. Each part goes along an index that holds little but what it counts, and
 * stops at `countedMax` rows: what it costs does not grow with the tables.
 */
export async function readEnvironment(
  db: Db,
  network: Pick<Network, "name" | "clock" | "sponsorship">,
  realClock: Clock,
): Promise<readonly Figure[]> {
  const { name: environment, clock, sponsorship } = network;
  const now = clock.now();
  const realNow = realClock.now();
  const rail = (table: string) => sql`
    select ${table}::text || '/open' as name, '' as which, count(*)::int4 as count, null::int8 as oldest from (
      select 1 from ${sql.table(table)} where environment = ${environment} and look_at is not null limit ${most}) as open
    union all select ${table}::text || '/due', '', count(*)::int4, min(look_at) from (
      select look_at from ${sql.table(table)} where environment = ${environment} and look_at <= ${realNow}::int8
      order by look_at limit ${most}) as due`;
  const stuck = (table: string) => sql`
    select 'refunds_failed', ${table}::text, count(*)::int4, null from (
      select 1 from ${sql.table(table)} where environment = ${environment} and ${refundFailed} limit ${most}) as failed`;
  const { rows } = await sql<Row>`
    select 'submissions_open' as name, state as which, count(*)::int4 as count, min(created_at) as oldest from (
      select state, created_at from submission where environment = ${environment} and state in ${anyOf(submissionStates.open)}
      order by looked_at limit ${most}) as open group by state
    union all select 'submissions_ended', state, count(*)::int4, null from (
      select state from submission where environment = ${environment} and state in ${anyOf(submissionStates.final)}
        and wire_transaction <> '' and updated_at > ${now - latelyMs}::int8
      order by updated_at limit ${most}) as ended group by state
    union all select 'unsettled', '', count(*)::int4, null from (
      select 1 from submission where environment = ${environment} and state in ${anyOf(submissionStates.final)}
        and spent_lamports is null and reserved_lamports > 0 limit ${most}) as unsettled
    union all select 'creations_open', '', count(*)::int4, min(created_at) from (
      select created_at from account_creation where environment = ${environment} and state = 'pending'
        and (submission_id is not null or type = 'email') order by looked_at limit ${most}) as open
    union all select 'creations_ended', state, count(*)::int4, null from (
      select state from account_creation where environment = ${environment} and state <> 'pending'
        and created_at > ${now - latelyMs}::int8 order by created_at limit ${most}) as ended group by state
    union all select 'mails', '', count(*)::int4, min(queued_at_real) from (
      select queued_at_real, environment from mail where state = 'queued' order by queued_at_real limit ${most}) as queued
      where environment = ${environment}
    union all select 'endpoints', '', count(*)::int4, min(next_due_at) from (
      select next_due_at from webhook_endpoint where environment = ${environment} and next_due_at <= ${now}::int8
      order by next_due_at limit ${most}) as due
    union all select 'orders', '', count(*)::int4, min(attempt_at) from (
      select attempt_at from standing_order where environment = ${environment} and attempt_at <= ${now}::int8
      order by attempt_at, id limit ${most}) as due
    union all select 'suspended', '', count(*)::int4, null from (
      select environment from standing_order where reason = 'operator' limit ${most}) as suspended
      where environment = ${environment}
    union all select 'unwanted', '', count(*)::int4, null from (
      select 1 from standing_order where environment = ${environment} and status = 'cancelled' and mandate = 'active'
      limit ${most}) as unwanted
    union all select 'spent', scope, 0, lamports from sponsorship_budget
      where environment = ${environment} and scope in ('environment', 'given:environment') and day = ${budgetDay(realNow)}
    union all ${rail("rail_verification")}
    union all ${rail("rail_virtual_account")}
    union all ${rail("rail_external_account")}
    union all ${rail("rail_transfer")}
    union all ${rail("rail_payout_address")}
    union all select 'astray', 'transfer', count(*)::int4, null from (
      select 1 from rail_transfer where environment = ${environment} and ${coinsAstray} limit ${most}) as astray
    union all select 'astray', 'payout', count(*)::int4, null from (
      select 1 from rail_payout where environment = ${environment} and ${coinsAstray} limit ${most}) as astray
    union all select 'astray', 'deposit', count(*)::int4, null from (
      select 1 from rail_deposit where environment = ${environment} and state = 'processed' and confirmed_at is null
        and updated_at < ${now - unseenMs}::int8 limit ${most}) as unseen
    union all ${stuck("rail_transfer")}
    union all ${stuck("rail_payout")}`.execute(db);

  const figures: Figure[] = [];
  const add = (name: FigureName, value: number, labels: Readonly<Record<string, string>> = {}) =>
    figures.push({ name, labels: { environment, ...labels }, value });
  const find = (name: string, which = "") => rows.find((row) => row.name === name && row.which === which);
  const count = (name: string, which = "") => find(name, which)?.count ?? 0;
  const age = (name: string, at: number, which = "") => {
    const oldest = find(name, which)?.oldest ?? null;
    return oldest === null ? 0 : Math.max(0, at - Number(oldest)) / 1000;
  };

  for (const state of submissionStates.open)
    add("trellis_submissions_open", count("submissions_open", state), { state });
  add(
    "trellis_submissions_oldest_seconds",
    Math.max(...submissionStates.open.map((state) => age("submissions_open", now, state))),
  );
  for (const state of submissionStates.final) {
    add("trellis_submissions_ended_lately", count("submissions_ended", state), { state });
  }
  add("trellis_submissions_unsettled", count("unsettled"));
  add("trellis_creations_open", count("creations_open"));
  add("trellis_creations_oldest_seconds", age("creations_open", now));
  for (const state of ["landed", "failed"]) {
    add("trellis_creations_ended_lately", count("creations_ended", state), { state });
  }
  add("trellis_mails_queued", count("mails"));
  add("trellis_mails_oldest_seconds", age("mails", realNow));
  add("trellis_endpoints_due", count("endpoints"));
  add("trellis_endpoints_oldest_seconds", age("endpoints", now));
  add("trellis_standing_orders_due", count("orders"));
  add("trellis_standing_orders_oldest_seconds", age("orders", now));
  add("trellis_standing_orders_suspended", count("suspended"));
  add("trellis_standing_orders_unwanted_limits", count("unwanted"));
  add("trellis_rail_refunds_failed", count("refunds_failed", "rail_transfer") + count("refunds_failed", "rail_payout"));
  add(
    "trellis_rail_coins_astray",
    ["transfer", "payout", "deposit"].reduce((sum, kind) => sum + count("astray", kind), 0),
  );
  for (const kind of ["verification", "virtual_account", "external_account", "transfer", "payout_address"]) {
    add("trellis_rail_open", count(`rail_${kind}/open`), { kind });
    add("trellis_rail_due", count(`rail_${kind}/due`), { kind });
    add("trellis_rail_oldest_seconds", age(`rail_${kind}/due`, realNow), { kind });
  }
  const budgets = [
    ["plain", "environment", sponsorship.perDay],
    ["openings", "given:environment", sponsorship.openings.perDay],
  ] as const;
  for (const [budget, scope, limit] of budgets) {
    const spent = find("spent", scope)?.oldest ?? 0n;
    add("trellis_budget_limit_lamports", Number(limit), { budget });
    add("trellis_budget_left_lamports", Number(limit > spent ? limit - spent : 0n), { budget });
  }
  return figures;
}

/** Deliveries know no environment. */
export async function readDeliveries(db: Db): Promise<readonly Figure[]> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int4 as count from (
      select 1 from webhook_delivery where state = 'pending' limit ${most}) as pending`.execute(db);
  return [{ name: "trellis_event_deliveries_pending", labels: {}, value: rows[0]?.count ?? 0 }];
}
