import { sql } from "kysely";
import { limits } from "../kernel/limits.js";
import type { Clock } from "../ports/clock.js";
import type { DatabaseSchema, Db } from "../ports/database.js";
import type { Network } from "../ports/network.js";

/** What is removed of a table, found by an index that begins with exactly these columns and holds exactly `only`. */
interface Rule {
  readonly table: keyof DatabaseSchema;
  /** The instant it counts from. */
  readonly since: string;
  readonly keptMs: number;
  /** Environment time: there is a column `environment`, and each environment has its own present. */
  readonly clock: "environment" | "real";
  /** Real time, in days since 1970 instead of milliseconds. */
  readonly unit?: "day";
  /** SQL: which rows at all. */
  readonly only?: string;
  /** SQL over the rows found, as `old`: those that still have to stay, for a while: meanwhile they hide what is behind them. */
  readonly except?: string;
  /** SQL: what is set instead of removing the row. */
  readonly set?: string;
}

const { kept } = limits;
const isOver = "state in ('landed', 'failed', 'expired')";

/**
 * In the order of what depends on what. Rows without an environment are judged by real time: environment time is never
 * behind it, so nothing goes too early.
 */
const rules: readonly Rule[] = [
  { table: "idempotency_record", since: "expires_at", keptMs: 0, clock: "real" },
  { table: "identity_key", since: "retires_at", keptMs: 0, clock: "real" },
  // Its payloads go with it.
  {
    table: "prepared_transaction",
    since: "expires_at",
    keptMs: kept.preparedTransactionMs,
    clock: "environment",
    // What the chain's history is still searched for is compared with it.
    except: `(coalesce((select true from payment_intent where prepared_id = old.id and attempt_at is not null limit 1), false)
      or coalesce((select state in ('signed', 'sent') from submission where submission.id = old.id), false))`,
  },
  { table: "one_time_code", since: "expires_at", keptMs: kept.oneTimeCodeMs, clock: "environment" },
  { table: "otp_failure", since: "failed_at", keptMs: kept.otpFailureMs, clock: "environment" },
  { table: "pending_account", since: "created_at", keptMs: kept.pendingAccountMs, clock: "environment" },
  {
    // What a crash left queued: the codes in it are out of date, and nobody will send it any more.
    table: "mail",
    since: "queued_at_real",
    keptMs: limits.otpLifetimeMs,
    clock: "real",
    only: "state = 'queued'",
    set: "state = 'refused', message = null",
  },
  { table: "mail", since: "queued_at_real", keptMs: kept.mailMs, clock: "real" },
  { table: "session", since: "chain_started_at", keptMs: kept.sessionMs, clock: "real" },
  // Its sessions are over, and gone.
  { table: "session_chain", since: "refreshed_since", keptMs: kept.sessionMs, clock: "real" },
  {
    table: "kms_authorization_key",
    since: "expires_at",
    keptMs: kept.authorizationKeyMs,
    clock: "real",
    // Where sessions could not be removed in one pass, their keys wait for the next.
    except: "coalesce((select true from session where session.authorization_key_id = old.id limit 1), false)",
  },
  {
    table: "submission",
    since: "updated_at",
    keptMs: kept.submissionBytesMs,
    clock: "environment",
    only: `${isOver} and wire_transaction <> ''`,
    set: "wire_transaction = ''",
  },
  {
    table: "submission",
    since: "updated_at",
    keptMs: kept.submissionMs,
    clock: "environment",
    only: `${isOver} and wire_transaction = ''`,
  },
  {
    table: "account_creation",
    since: "created_at",
    keptMs: kept.accountCreationMs,
    clock: "environment",
    only: "state <> 'pending'",
  },
  {
    // Nothing was signed for it, and the key under which it might have gone on is forgotten.
    table: "account_creation",
    since: "looked_at",
    keptMs: kept.unsignedCreationMs,
    clock: "real",
    only: "state = 'pending' and submission_id is null and type <> 'email'",
  },
  { table: "payment_intent", since: "created_at", keptMs: kept.paymentIntentMs, clock: "environment" },
  // Their deliveries go with them.
  { table: "event", since: "placed_at", keptMs: kept.eventMs, clock: "environment" },
  { table: "webhook_attempt", since: "attempted_at", keptMs: kept.webhookAttemptMs, clock: "environment" },
  {
    table: "webhook_endpoint",
    since: "created_at",
    keptMs: kept.intentEndpointMs,
    clock: "environment",
    only: "object_id is not null",
  },
  {
    table: "webhook_endpoint",
    since: "updated_at",
    keptMs: kept.deletedEndpointMs,
    clock: "environment",
    only: "status = 'deleted'",
    // However many there were, they go with their events, a few at a time. In their order one is found by the key.
    except: "coalesce((select true from webhook_delivery where endpoint_id = old.id order by event_id limit 1), false)",
  },
  // Done or not: what it is about is looked at from time to time anyhow.
  { table: "rail_notice", since: "received_at", keptMs: kept.railNoticeMs, clock: "real" },
  {
    table: "rail_verification",
    since: "created_at",
    keptMs: kept.unansweredVerificationMs,
    clock: "environment",
    only: "partner_ref is null",
  },
  {
    table: "rail_virtual_account",
    since: "created_at",
    keptMs: kept.unansweredVerificationMs,
    clock: "environment",
    only: "partner_ref is null",
  },
  {
    table: "rail_payout_address",
    since: "created_at",
    keptMs: kept.unansweredVerificationMs,
    clock: "environment",
    only: "partner_ref is null",
  },
  { table: "rail_payout", since: "created_at", keptMs: kept.railTransferMs, clock: "environment" },
  {
    table: "simulated_deposit",
    since: "updated_at",
    keptMs: kept.simulatedDepositMs,
    clock: "environment",
    only: "due_at is null",
  },
  {
    table: "rail_external_account",
    since: "operation_begun_at",
    keptMs: kept.unansweredExternalAccountMs,
    clock: "real",
    only: "partner_ref is null",
  },
  { table: "rail_transfer", since: "created_at", keptMs: kept.railTransferMs, clock: "environment" },
  { table: "simulated_transfer", since: "created_at", keptMs: kept.railTransferMs, clock: "environment" },
  { table: "simulated_news", since: "happened_at", keptMs: kept.simulatedNewsMs, clock: "environment" },
  {
    table: "sponsored_cost",
    since: "reserved_on",
    keptMs: kept.sponsoredCostMs,
    clock: "real",
    unit: "day",
    // Not rent that is still out.
    only: "not (is_recoverable and returned_at is null and spent_lamports is distinct from 0)",
  },
  { table: "tenant_writes", since: "day", keptMs: kept.tenantWritesMs, clock: "real", unit: "day" },
  { table: "sponsorship_budget", since: "day", keptMs: kept.sponsorshipBudgetMs, clock: "real", unit: "day" },
];

/** The tables that have a rule. */
export const sweptTables: ReadonlySet<keyof DatabaseSchema> = new Set(rules.map(({ table }) => table));

/**
 * Removes what has served its time, in all environments given, and says how many rows that were, by table. Any number of
 * processes may do this at once: each takes what no other one has at hand. Batches are small, and found by an index, so
 * that no statement takes longer when there is more; what one pass does not get to waits for the next.
 */
export async function removeOutdated(
  needs: { readonly db: Db; readonly realClock: Clock },
  networks: Iterable<Pick<Network, "name" | "clock">>,
): Promise<Readonly<Partial<Record<keyof DatabaseSchema, number>>>> {
  const environments = [...networks];
  const removed: Partial<Record<keyof DatabaseSchema, number>> = {};
  for (const rule of rules) {
    const places =
      rule.clock === "real"
        ? [{ environment: undefined, now: needs.realClock.now() }]
        : environments.map(({ name, clock }) => ({ environment: name, now: clock.now() }));
    for (const { environment, now } of places) {
      const count = await applyRule(needs.db, rule, environment, now - rule.keptMs);
      removed[rule.table] = (removed[rule.table] ?? 0) + count;
    }
  }
  return removed;
}

const dayMs = 86_400_000;

async function applyRule(db: Db, rule: Rule, environment: string | undefined, before: number): Promise<number> {
  const statement = statementOf(
    rule,
    environment,
    rule.unit === "day" ? Math.floor(before / dayMs) : Math.floor(before),
  );
  let removed = 0;
  while (removed < limits.sweptInOnePass) {
    const { numAffectedRows = 0n } = await statement.execute(db);
    removed += Number(numAffectedRows);
    if (numAffectedRows < BigInt(limits.sweptInOneStatement)) break;
  }
  return removed;
}

/** By their place in the table, as joining them again by key is up to statistics. They are locked, so they stay there. */
function statementOf({ table, since, only, except, set }: Rule, environment: string | undefined, before: number) {
  const time = sql.ref(since);
  // What stays is passed over before anything is counted: however much of it is oldest, all behind it goes.
  const places = sql`select old.ctid from ${sql.table(table)} as old
    where ${environment === undefined ? sql`` : sql`old.environment = ${environment} and`} old.${time} <= ${before}
      ${only === undefined ? sql`` : sql`and ${sql.raw(only)}`}
      ${except === undefined ? sql`` : sql`and not ${sql.raw(except)}`}
    order by old.${time} limit ${sql.lit(limits.sweptInOneStatement)}
    for update skip locked`;
  return sql`${
    set === undefined ? sql`delete from ${sql.table(table)}` : sql`update ${sql.table(table)} set ${sql.raw(set)}`
  } where ctid = any(array(${places}))`;
}
