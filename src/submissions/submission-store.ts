import { getBase58Decoder } from "@solana/kit";
import { groupCommit } from "@trellis/kernel/group-commit.js";
import type { Db, DbOrTrx, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { anyOf } from "@trellis/kernel/states.js";
import { chooseInTurns } from "@trellis/kernel/tenant-turns.js";
import { namesOf, type RowOf, typedRows, typedValues } from "@trellis/kernel/typed-rows.js";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { moveIntents, movesOfSubmissions } from "./intent-states.js";
import type { FinalOutcome, SignedSubmission } from "./submission.js";
import { submissionStates } from "./submission-states.js";

const openStates = anyOf(submissionStates.open);
const sendableStates = anyOf(submissionStates.statesBefore("sent"));

const signedColumns = {
  id: "text",
  tenant_id: "text",
  environment: "text",
  account_address: "text",
  purpose: "text",
  signature: "text",
  wire_transaction: "bytea",
  last_valid_block_height: "int8",
  recorded_slot: "int8",
  reserved_lamports: "int8",
  reserved_on: "int4",
  changes_settings: "boolean",
  carried: "boolean",
} as const;

const signedRow = (signed: SignedSubmission): RowOf<typeof signedColumns> => ({
  id: signed.id,
  tenant_id: signed.tenantId,
  environment: signed.environment,
  account_address: signed.accountAddress,
  purpose: signed.purpose,
  signature: signed.signature,
  wire_transaction: signed.wireTransaction,
  last_valid_block_height: signed.lastValidBlockHeight,
  recorded_slot: signed.recordedSlot,
  reserved_lamports: signed.reservedLamports,
  reserved_on: signed.reservedLamports > 0n ? signed.reservedOn : null,
  changes_settings: signed.changesSettings === true ? true : null,
  carried: signed.carried === true,
});

/**
 * SQL that stores signed bytes, before anything is sent; of each one row (`id`, `state`, `updated_at`) comes out when it did.
 * None comes out when this identity is known already: the process that recorded it first owns the outcome, and only those first bytes
 * are ever sent. Nor where its signature belongs to another one. Of several only those are stored whose ids are among the
 * `id`s of the query `per`; one alone is stored for the one row of `per`, or always where none is named. Always in the same
 * order, so that no two statements wait for each other. `now` is environment time in Unix milliseconds.
 */
export function storeSigned(all: readonly SignedSubmission[], now: number, per?: string): RawBuilder<unknown> {
  const rows = all.map(signedRow);
  const [first, ...others] = rows;
  const names = namesOf(signedColumns);
  // One alone without a table of rows: all payments of accounts are, and it is a tenth faster.
  const isOne = first !== undefined && others.length === 0;
  const values = isOne ? typedValues(signedColumns, first) : names;
  const from = per === undefined ? sql`` : sql`from ${sql.ref(per)}`;
  const joined = isOne ? sql`` : sql`join ${typedRows("signed", signedColumns, rows)} using (id)`;
  return sql`insert into submission (${names}, state, created_at, updated_at, looked_at)
    select ${values}, 'signed', ${now}::int8, ${now}::int8, 0 ${from} ${joined} ${isOne ? sql`` : sql`order by id`}
    on conflict do nothing
    returning id, state, updated_at`;
}

/** Plain text, as every submit asks it. */
const submissionQuery = "select * from submission where id = $1";

/** The submission of this identity, if there is one. */
export async function findSubmission(db: DbOrTrx, id: string): Promise<SubmissionTable | undefined> {
  const { rows } = await db.executeQuery<SubmissionTable>(CompiledQuery.raw(submissionQuery, [id]));
  return rows[0];
}

/** The submission that exactly these bytes have carried out, which are another message than its own (gap 143). */
export async function findCarried(db: DbOrTrx, wire: Uint8Array): Promise<SubmissionTable | undefined> {
  const [first] = Object.values(readTransaction(wire)?.transaction.signatures ?? {});
  if (!first) return undefined;
  return db
    .selectFrom("submission")
    .selectAll()
    .where("signature", "=", getBase58Decoder().decode(first))
    .where("carried", "=", true)
    .where("wire_transaction", "=", wire)
    .executeTakeFirst();
}

/**
 * Takes open submissions of an environment to check: tenants take turns, and of each those are first whose last check
 * is longest ago. Each goes to one caller, whatever passes run elsewhere, and counts as checked from now on as far as the order is
 * concerned. Instants are environment time, Unix milliseconds.
 */
export async function claimOpenSubmissions(
  db: Db,
  environment: string,
  claim: {
    readonly recordedBefore: number;
    readonly readBefore: number;
    readonly now: number;
    readonly limit: number;
  },
): Promise<readonly SubmissionTable[]> {
  const { rows } = await sql<SubmissionTable>`
    with recursive ${chooseInTurns({
      table: "submission",
      turnsKey: `submissions.turn.${environment}`,
      environment,
      open: sql`state in ${openStates}`,
      since: "looked_at",
      due: sql`looked_at <= ${claim.readBefore}::int8 and created_at <= ${claim.recordedBefore}::int8`,
      limit: claim.limit,
    })}
    -- Those that were read in this very moment, but not by this pass, are before them.
    update submission set looked_at = greatest(${claim.now}::int8, looked_at + 1)
    where id = any(array(select id from chosen))
    returning *`.execute(db);
  return rows;
}

/**
 * Marks submissions as reported at `now`, and returns those for which it was time: once until `againMs` have passed
 * since, for all processes together. Milliseconds of environment time.
 */
export async function claimAlarms(
  db: Db,
  ids: readonly string[],
  { now, againMs }: { readonly now: number; readonly againMs: number },
): Promise<readonly Pick<SubmissionTable, "id" | "signature" | "recorded_slot" | "created_at">[]> {
  const { rows } = await sql<Pick<SubmissionTable, "id" | "signature" | "recorded_slot" | "created_at">>`
    update submission set alarmed_at = ${now}::int8 from (
      select id from submission where id = any(${ids}::text[]) and (alarmed_at is null or alarmed_at <= ${now - againMs}::int8)
      order by id for no key update
    ) as due where submission.id = due.id
    returning submission.id, submission.signature, submission.recorded_slot, submission.created_at`.execute(db);
  return rows;
}

/**
 * Notes that the bytes of submissions went out. A final state is never left again. Of several the rows are locked in one order,
 * so that no processes that do this wait for each other.
 */
export async function markSent(db: DbOrTrx, ids: readonly string[], now: number): Promise<void> {
  const open =
    ids.length === 1
      ? sql`select ${ids[0]}::text as id`
      : sql`select id from submission where id = any(${ids}::text[]) and state in ${sendableStates} order by id for update`;
  await sql`with open as (${open})
    update submission set state = 'sent', updated_at = ${now}::int8
    from open where submission.id = open.id and submission.state in ${sendableStates}`.execute(db);
}

interface Sending {
  readonly id: string;
  readonly network: Pick<Network, "name" | "clock">;
}

const markTogether = groupCommit<Db, Sending, void>(
  { laneOf: ({ network }) => network.name, keyOf: ({ id }) => id },
  async (db, all) => {
    const [first] = all;
    const ids = all.map(({ id }) => id);
    if (first !== undefined) await markSent(db, ids, first.network.clock.now());
    return all.map(() => undefined);
  },
);

/** Notes that the bytes of one submission went out, together with others that are sent at that moment. */
export function recordSent(db: Db, network: Sending["network"], id: string): Promise<void> {
  return markTogether(db, { id, network });
}

/** A submission, and what the chain decided about it. */
export interface Decided {
  readonly id: string;
  readonly outcome: FinalOutcome;
}

const finalColumns = {
  id: "text",
  state: "text",
  failure: "text",
  slot: "int8",
  block_time: "int8",
} as const;

const finalRow = ({ id, outcome }: Decided): RowOf<typeof finalColumns> => ({
  id,
  state: outcome.state,
  failure: outcome.state === "failed" ? JSON.stringify(outcome.failure) : null,
  slot: outcome.state === "landed" ? outcome.slot : null,
  block_time: outcome.state === "landed" ? BigInt(outcome.blockTime) : null,
});

/**
 * SQL that writes down what became of submissions that are still open: members of a statement that continues from `final`
 * (`id`, `state`, `updated_at`), the submissions that ended by this. The first to record an outcome wins; the others got
 * the same from the chain. Of several the rows are locked in one order, so that two of these never wait for each other's. `now`
 * is environment time in Unix milliseconds. `beside` is what else is returned of each.
 */
export function finalMembers(decided: readonly Decided[], now: number, beside = sql``): RawBuilder<unknown> {
  const rows = decided.map(finalRow);
  const [first, ...others] = rows;
  // One alone, as every payment of an account is, without a table of rows and the lock: it is a tenth faster.
  if (first !== undefined && others.length === 0) {
    return sql`final as (
      update submission set state = ${first.state}, failure = ${first.failure}, slot = ${first.slot}::int8,
        block_time = ${first.block_time}::int8, updated_at = ${now}::int8
      where id = ${first.id} and state in ${openStates}
      returning id, state, updated_at ${beside}
    )`;
  }
  return sql`decided as materialized (
      select decided.* from ${typedRows("decided", finalColumns, rows)} join submission on submission.id = decided.id
      where submission.state in ${openStates} order by submission.id for update of submission
    ), final as (
      update submission set state = decided.state, failure = decided.failure, slot = decided.slot,
        block_time = decided.block_time, updated_at = ${now}::int8
      from decided where submission.id = decided.id and submission.state in ${openStates}
      returning submission.id, submission.state, submission.updated_at ${beside}
    )`;
}

const intentsMoved = sql.raw(`, moves as (${movesOfSubmissions("final")}) ${moveIntents()}`);

/** Records what the chain decided, and what that means for payment intents, in one statement: all or nothing. */
export async function markFinal(db: DbOrTrx, decided: readonly Decided[], now: number): Promise<void> {
  if (decided.length === 0) return;
  await sql`with ${finalMembers(decided, now)} ${intentsMoved}`.execute(db);
}

type Deciding = Decided & { readonly network: Pick<Network, "name" | "clock"> };

/**
 * Has the commit of its statement wait for no disk. Everybody sees it at once, and the next commit that waits makes it last: what a delivery
 * or another request builds on it is never there without it.
 */
const withoutWaiting = sql.raw(", set_config('synchronous_commit', 'off', true)");

/**
 * A server that dies in that moment forgets an outcome that was answered. Of what has landed the chain says the same again, and the
 * submission is open until it does. Any other outcome is a reason to pay anew, so it is kept first.
 */
const recordTogether = groupCommit<Db, Deciding, void>(
  { laneOf: ({ network, outcome }) => `${network.name} ${outcome.state === "landed"}`, keyOf: ({ id }) => id },
  async (db, all) => {
    const [first] = all;
    if (first !== undefined) {
      const beside = first.outcome.state === "landed" ? withoutWaiting : undefined;
      await sql`with ${finalMembers(all, first.network.clock.now(), beside)} ${intentsMoved}`.execute(db);
    }
    return all.map(() => undefined);
  },
);

/** Records what the chain decided of one submission, together with others that are decided at that moment. */
export function recordOutcome(db: Db, network: Pick<Network, "name" | "clock">, decided: Decided): Promise<void> {
  return recordTogether(db, { ...decided, network });
}

/** The outcome a row holds, or undefined while it is open. */
export function toOutcome(
  row: Pick<SubmissionTable, "state" | "signature" | "failure" | "slot" | "block_time">,
): FinalOutcome | undefined {
  switch (row.state) {
    case "landed":
      return {
        state: "landed",
        signature: row.signature,
        slot: row.slot ?? 0n,
        blockTime: Number(row.block_time ?? 0n),
      };
    case "failed":
      return { state: "failed", signature: row.signature, failure: JSON.parse(row.failure ?? "{}") };
    case "expired":
      return { state: "expired", signature: row.signature };
    default:
      return undefined;
  }
}
