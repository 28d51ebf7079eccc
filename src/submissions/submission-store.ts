import { getBase58Decoder } from "@solana/kit";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { chooseInTurns } from "../kernel/tenant-turns.js";
import type { Db, DbOrTrx, SubmissionTable } from "../ports/database.js";
import { readTransaction } from "../solana/transaction-bytes.js";
import { moveIntents, movesOfSubmissions } from "./intent-states.js";
import type { FinalOutcome, SignedSubmission } from "./submission.js";

/**
 * SQL that stores signed bytes, before anything is sent, for every row of the query `per`; one row (`id`, `state`,
 * `updated_at`) comes out when it did. None comes out when this identity is known already: whoever recorded it first owns
 * the outcome, and only those first bytes are ever sent. Nor where its signature belongs to another one. `now` is
 * environment time in Unix milliseconds.
 */
export function storeSigned(signed: SignedSubmission, now: number, per: RawBuilder<unknown>): RawBuilder<unknown> {
  const reservedOn = signed.reservedLamports > 0n ? signed.reservedOn : null;
  return sql`insert into submission (id, tenant_id, environment, account_address, purpose, signature, wire_transaction,
      last_valid_block_height, recorded_slot, state, failure, slot, block_time, reserved_lamports, reserved_on,
      spent_lamports, created_at, updated_at, looked_at, changes_settings, carried)
    select ${signed.id}::text, ${signed.tenantId}::text, ${signed.environment}::text, ${signed.accountAddress}::text,
      ${signed.purpose}::text, ${signed.signature}::text, ${signed.wireTransaction}::bytea,
      ${signed.lastValidBlockHeight}::int8, ${signed.recordedSlot}::int8, 'signed', null, null, null,
      ${signed.reservedLamports}::int8, ${reservedOn}::int4, null, ${now}::int8, ${now}::int8, 0,
      ${signed.changesSettings === true ? true : null}::boolean, ${signed.carried === true}::boolean
    from ${per}
    on conflict do nothing
    returning id, state, updated_at`;
}

/**
 * The same for many: SQL that stores those whose id is among the `id`s of the query `per`, and gives the ids of those that
 * it stored.
 */
export function storeAllSigned(signed: readonly SignedSubmission[], now: number, per: string): RawBuilder<unknown> {
  const column = (type: string, read: (one: SignedSubmission) => unknown) =>
    sql`${signed.map(read)}::${sql.raw(type)}[]`;
  return sql`insert into submission (id, tenant_id, environment, account_address, purpose, signature, wire_transaction,
      last_valid_block_height, recorded_slot, state, failure, slot, block_time, reserved_lamports, reserved_on,
      spent_lamports, created_at, updated_at, looked_at)
    select signed.id, signed.tenant_id, signed.environment, signed.account_address, signed.purpose, signed.signature,
      signed.wire_transaction, signed.last_valid_block_height, signed.recorded_slot, 'signed', null, null, null,
      signed.reserved_lamports, signed.reserved_on, null, ${now}::int8, ${now}::int8, 0
    from ${sql.ref(per)} join unnest(${column("text", ({ id }) => id)}, ${column("text", ({ tenantId }) => tenantId)},
      ${column("text", ({ environment }) => environment)}, ${column("text", ({ accountAddress }) => accountAddress)},
      ${column("text", ({ purpose }) => purpose)}, ${column("text", ({ signature }) => signature)},
      ${column("bytea", ({ wireTransaction }) => wireTransaction)},
      ${column("int8", ({ lastValidBlockHeight }) => lastValidBlockHeight)},
      ${column("int8", ({ recordedSlot }) => recordedSlot)},
      ${column("int8", ({ reservedLamports }) => reservedLamports)},
      ${column("int4", ({ reservedLamports, reservedOn }) => (reservedLamports > 0n ? reservedOn : null))})
      as signed (id, tenant_id, environment, account_address, purpose, signature, wire_transaction,
        last_valid_block_height, recorded_slot, reserved_lamports, reserved_on) on signed.id = ${sql.ref(`${per}.id`)}
    on conflict (id) do nothing
    returning id`;
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
 * Takes open submissions of an environment to look at: tenants take turns, and of each those come first whose last look
 * is longest ago. Each goes to one caller, whatever passes run elsewhere, and is looked at from now on as far as the order is
 * concerned. Instants are environment time, Unix milliseconds.
 */
export async function claimOpenSubmissions(
  db: Db,
  environment: string,
  claim: {
    readonly recordedBefore: number;
    readonly lookedBefore: number;
    readonly now: number;
    readonly limit: number;
  },
): Promise<readonly SubmissionTable[]> {
  const { rows } = await sql<SubmissionTable>`
    with recursive ${chooseInTurns({
      table: "submission",
      turnsKey: `submissions.turn.${environment}`,
      environment,
      open: sql`state in ('signed', 'sent')`,
      since: "looked_at",
      due: sql`looked_at <= ${claim.lookedBefore}::int8 and created_at <= ${claim.recordedBefore}::int8`,
      limit: claim.limit,
    })}
    -- Those that were looked at in this very moment, but not by this pass, come before them.
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
  return db
    .updateTable("submission")
    .set({ alarmed_at: BigInt(now) })
    .where("id", "in", ids)
    .where(({ or, eb }) => or([eb("alarmed_at", "is", null), eb("alarmed_at", "<=", BigInt(now - againMs))]))
    .returning(["id", "signature", "recorded_slot", "created_at"])
    .execute();
}

/** Notes that the bytes went out. A final state is never left again. */
export async function markSent(db: DbOrTrx, id: string, now: number): Promise<void> {
  await db
    .updateTable("submission")
    .set({ state: "sent", updated_at: BigInt(now) })
    .where("id", "=", id)
    .where("state", "=", "signed")
    .execute();
}

/** The same for several, in an order in which nobody who does this waits for another in turn. */
export async function markAllSent(db: Db, ids: readonly string[], now: number): Promise<void> {
  await sql`
    with open as materialized (
      select id from submission where id = any(${ids}::text[]) and state = 'signed' order by id for update
    )
    update submission set state = 'sent', updated_at = ${now}::int8
    from open where submission.id = open.id and submission.state = 'signed'`.execute(db);
}

/** Does what markFinal does to the submission alone: for a statement that goes on from there. */
export const finalStatement = `update submission
  set state = $2::text, failure = $3::text, slot = $4::int8, block_time = $5::int8, updated_at = $6::int8
  where id = $1 and state in ('signed', 'sent')`;

/** Plain text, as every submit runs it. */
const finalWithIntent = `with final as (${finalStatement} returning id, state, updated_at),
  moves as (${movesOfSubmissions("final")})
  ${moveIntents()}`;

/**
 * Records what the chain decided, and what that means for a payment intent. The first to record it wins; the others were
 * told the same by the chain.
 */
export async function markFinal(db: DbOrTrx, id: string, outcome: FinalOutcome, now: number): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(finalWithIntent, [...finalParameters(id, outcome, now)]));
}

/** The same for many, in one statement. */
export async function markAllFinal(
  db: DbOrTrx,
  decided: readonly { readonly id: string; readonly outcome: FinalOutcome }[],
  now: number,
): Promise<void> {
  if (decided.length === 0) return;
  // Always in the same order, so that two of these never wait for each other's rows.
  const rows = [...decided]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, outcome }) => finalParameters(id, outcome, now));
  const column = (at: number) => rows.map((row) => row[at]);
  await sql`
    with told as (
      select told.* from unnest(${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[], ${column(3)}::int8[],
        ${column(4)}::int8[]) as told (id, state, failure, slot, block_time)
      join submission as open on open.id = told.id
      where open.state in ('signed', 'sent')
      order by open.id for update of open
    ), final as (
      update submission
      set state = told.state, failure = told.failure, slot = told.slot, block_time = told.block_time,
        updated_at = ${now}::int8
      from told where submission.id = told.id and submission.state in ('signed', 'sent')
      returning submission.id, submission.state, submission.updated_at
    ), moves as (${sql.raw(movesOfSubmissions("final"))})
    ${sql.raw(moveIntents())}`.execute(db);
}

/** What `finalStatement` takes as $1 to $6. `now` is environment time in Unix milliseconds. */
export function finalParameters(id: string, outcome: FinalOutcome, now: number): readonly unknown[] {
  return [
    id,
    outcome.state,
    outcome.state === "failed" ? JSON.stringify(outcome.failure) : null,
    outcome.state === "landed" ? outcome.slot : null,
    outcome.state === "landed" ? BigInt(outcome.blockTime) : null,
    BigInt(now),
  ];
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
