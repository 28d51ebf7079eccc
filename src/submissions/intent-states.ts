import { limits } from "@trellis/kernel/limits.js";
import type { Db, PaymentIntentTable, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { type RailTransferState, railTransferStates } from "@trellis/kernel/ports/rails.js";
import { anyOf, anyOfText } from "@trellis/kernel/states.js";
import { type RawBuilder, sql } from "kysely";

/**
 * Where a payment intent can stand (gap 45). A payment on chain knows five of them; the others are a bank's. Of one with a
 * bank, its transaction decides only that it will never be; the rest is its partner's to report (`rails/transfers.ts`).
 */
export const paymentIntentStates = railTransferStates;

export type PaymentIntentState = RailTransferState;

/**
 * What a transaction may make of a state: a part of the table that holds for every intent (`rails/transfer-states.ts`). A state may
 * be passed over, and none returns.
 */
export const movesByTransaction: Readonly<Partial<Record<PaymentIntentState, readonly PaymentIntentState[]>>> = {
  awaiting_funds: ["payment_submitted", "payment_processed", "error", "canceled"],
  // Of one with a bank: no coins are known to be with its partner yet.
  in_review: ["error", "canceled"],
  payment_submitted: ["payment_processed", "error", "canceled"],
};

/** Where an intent waits for coins: from there its transaction, or the clock, can end it. */
export const waitingStates = ["awaiting_funds", "in_review"] as const satisfies readonly PaymentIntentState[];

/** What an intent's state follows from, once its transaction was submitted. What expired never happened. */
const stateBySubmission: Readonly<Record<SubmissionTable["state"], PaymentIntentState>> = {
  signed: "payment_submitted",
  sent: "payment_submitted",
  landed: "payment_processed",
  failed: "error",
  expired: "canceled",
};

const followed = (state: string) =>
  `case ${state} ${Object.entries(stateBySubmission)
    .map(([submission, intent]) => `when '${submission}' then '${intent}'`)
    .join(" ")} end`;

/**
 * The one place where the state of payment intents changes: SQL that moves the intent of every row of the query named
 * `moves`, as far as its present state allows; one row of the intent comes out when it did. `moves` has the columns
 * `prepared_id` (the identity of its transaction), `state` (where it is to go) and `moved_at` (environment time).
 *
 * It belongs into the very statement that makes the change the state reports. What is not a submission's doing names the
 * states it may start from: the statement may have begun before a submission that it then waited for. What waits
 * for an intent's row holds the row of its transaction in `prepared_transaction` or `submission`, and what holds an
 * intent's row waits for neither (`cancelOverdue`): so no statements wait in a circle.
 */
export function moveIntents(only?: readonly PaymentIntentState[]): string {
  const from = Object.entries(movesByTransaction).filter(
    ([state]) => only === undefined || only.some((one) => one === state),
  );
  const allowed = from.map(([state, next]) => `(intent.state = '${state}' and moves.state in ${anyOfText(next)})`);
  return `update payment_intent as intent set state = moves.state, updated_at = moves.moved_at
    from moves where intent.prepared_id = moves.prepared_id and (${allowed.join(" or ")})
      and (intent.rail is null or moves.state in ('error', 'canceled'))
    returning intent.*`;
}

/** SQL of such a query: what the submissions of the query `rows` (id, state, updated_at) mean for their intents. */
export const movesOfSubmissions = (rows: string): string =>
  `select id as prepared_id, ${followed("state")} as state, updated_at as moved_at from ${rows}`;

/** What was created no later than this has run out, if it was not submitted: environment time, Unix milliseconds. */
export const overdueSince = (now: number): number => now - limits.preparedLifetimeMs;

/** Intents cancelled in one statement, at most, and statements in one pass. */
const batch = 300;
const batchesMax = 20;

/**
 * The pass over intents whose transaction ran out before anybody submitted it: they are canceled, and their transactions
 * refused from then on (`prepared_transaction.refused_at`), so that no canceled payment is ever made. Returns how many.
 * What can land without the service's key waits until it is proven that it has not (`searchSelfPaid`). What another process
 * has at hand is left for the next pass.
 */
export async function cancelOverdueIntents(db: Db, network: Pick<Network, "name" | "clock">): Promise<number> {
  let canceled = 0;
  for (let round = 0; round < batchesMax; round += 1) {
    const now = network.clock.now();
    const moved = await cancelOverdue(
      db,
      now,
      sql`environment = ${network.name} and created_at <= ${overdueSince(now)}
      order by created_at limit ${batch}`,
    );
    canceled += moved;
    if (moved < batch) break;
  }
  return canceled;
}

/** The same for those of these intents that have run out: for a caller that is about to say so. */
export async function cancelIfOverdue(db: Db, intents: readonly Pick<PaymentIntentTable, "id">[], now: number) {
  return cancelOverdue(db, now, sql`id = any(${intents.map(({ id }) => id)}::text[])`);
}

/** `which` is SQL: the rest of a condition, and of an order. Where there is a submission after all, that counts. */
async function cancelOverdue(db: Db, now: number, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with due as materialized (
      select prepared_id from payment_intent where state in ${anyOf(waitingStates)}
        -- What can land without the service is the chain's to decide (search-self-paid.ts).
        and open_until_height is null
        -- What was paid to a partner waits for it, however long.
        and (rail is null or (rail = 'out' and not exists (
          select from submission where submission.id = payment_intent.prepared_id)))
        and ${which} for update skip locked
    ), held as materialized (
      select id, expires_at from prepared_transaction where id = any(array(select prepared_id from due))
      for update skip locked
    ), refused as (
      update prepared_transaction set refused_at = ${now}::int8
      from held where prepared_transaction.id = held.id and held.expires_at <= ${now} and refused_at is null
    ), moves as (
      select due.prepared_id, coalesce(${sql.raw(followed("submission.state"))}, 'canceled') as state,
        ${now}::int8 as moved_at
      from due left join submission on submission.id = due.prepared_id
      where exists (select from held where held.id = due.prepared_id and held.expires_at <= ${now})
        -- Long forgotten: nothing can be recorded under it any more.
        or not exists (select from prepared_transaction where prepared_transaction.id = due.prepared_id)
    ), moved as (${sql.raw(moveIntents(waitingStates))})
    select count(*)::int4 as count from moved`.execute(db);
  return rows[0]?.count ?? 0;
}
