/** Logs of others that contradict what was seen of them. Both are kept for good, as evidence, whatever an operator accepts later. */
import { type QueryExecutorProvider, sql } from "kysely";
import type { TreeHead } from "./merkle.js";

/** Their table. What has been released is never edited: a migration makes it by these statements. */
export const refusedLogTables: readonly string[] = [
  `alter table tlog_witnessed add column seen_at int8`,
  `create table tlog_refused (
    sequence int8 generated always as identity primary key,
    origin text not null,
    log_key text not null,
    size int8 not null,
    root bytea not null,
    note text not null,
    seen_origin text not null,
    seen_size int8 not null,
    seen_root bytea not null,
    seen_note text,
    seen_at int8,
    reason text not null check (reason in ('shorter', 'other', 'renamed')),
    first_at int8 not null,
    last_at int8 not null,
    accepted_at int8
  )`,
  `create unique index tlog_refused_open on tlog_refused (origin, seen_root, root) where accepted_at is null`,
];

/**
 * `shorter`: it has fewer entries than were seen. `other`: its key has signed two histories. `renamed`: it is a log of another name or key
 * than the one that is cosigned here.
 */
export type RefusalReason = "shorter" | "other" | "renamed";

/** What was shown, and what had been seen before. */
export interface ShownLog extends TreeHead {
  readonly origin: string;
  /** Verifies the checkpoint. */
  readonly logKey: string;
  /** The checkpoint as it was signed. */
  readonly note: string;
}

/** What was seen of a log last, and cosigned. */
export interface SeenLog extends TreeHead {
  readonly origin: string;
  /** Undefined: from before these were kept. */
  readonly note: string | undefined;
  /** Real time, Unix milliseconds. */
  readonly at: number | undefined;
}

/** A log that was refused, and for which no operator has decided. */
export interface RefusedLog {
  readonly shown: ShownLog;
  readonly seen: SeenLog;
  readonly reason: RefusalReason;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** A log that is shown every ten seconds, and grows: the first refusal and the latest ones say all of it. */
const openMax = 50;

/**
 * Notes that a log was refused, unless what was seen of it has changed meanwhile. `now` is real time in Unix milliseconds.
 */
export async function noteRefused(
  db: QueryExecutorProvider,
  { shown, seen, reason }: Pick<RefusedLog, "shown" | "reason"> & { readonly seen: TreeHead & { origin: string } },
  now: number,
): Promise<void> {
  await sql`
    insert into tlog_refused (origin, log_key, size, root, note, seen_origin, seen_size, seen_root, seen_note, seen_at,
      reason, first_at, last_at)
    select ${shown.origin}, ${shown.logKey}, ${shown.size}::int8, ${shown.root}::bytea, ${shown.note}, was.origin,
      was.size, was.root, was.note, was.seen_at, ${reason}, ${now}::int8, ${now}::int8
    from (select * from tlog_witnessed where origin = ${seen.origin} and root = ${seen.root}::bytea for share) as was
    on conflict (origin, seen_root, root) where accepted_at is null do update set last_at = excluded.last_at`.execute(
    db,
  );
  await sql`
    with open as (select sequence, row_number() over (order by sequence desc) as behind,
        row_number() over (order by sequence) as place from tlog_refused
      where origin = ${shown.origin} and accepted_at is null)
    delete from tlog_refused using open
    where tlog_refused.sequence = open.sequence and open.place > 1 and open.behind >= ${openMax}::int4`.execute(db);
}

/** Forgets that a log was shorter, once it is what it was: fewer entries of one history contradict nothing. */
export async function forgetShorter(db: QueryExecutorProvider, origin: string): Promise<void> {
  await sql`delete from tlog_refused where origin = ${origin} and reason = 'shorter' and accepted_at is null`.execute(
    db,
  );
}

/** Those that no operator has decided about, the oldest first. */
export const listRefused = (db: QueryExecutorProvider): Promise<readonly RefusedLog[]> => readOpen(db, sql``);

/** The same, held until the transaction `trx` has ended: of two that decide at once the second finds none. */
export const lockRefused = (trx: QueryExecutorProvider): Promise<readonly RefusedLog[]> =>
  readOpen(trx, sql`for update`);

async function readOpen(db: QueryExecutorProvider, lock: ReturnType<typeof sql>): Promise<readonly RefusedLog[]> {
  const { rows } = await sql<RefusedRow>`
    select * from tlog_refused where accepted_at is null order by sequence ${lock}`.execute(db);
  return rows.map(toRefused);
}

/** Marks all that was refused of a log as decided. It stays. */
export async function closeRefused(trx: QueryExecutorProvider, seenOrigin: string, now: number): Promise<void> {
  await sql`update tlog_refused set accepted_at = ${now}::int8
    where seen_origin = ${seenOrigin} and accepted_at is null`.execute(trx);
}

/** From now on this is what was seen of a log. What was seen before stands in what was refused. */
export async function takeAsSeen(trx: QueryExecutorProvider, { shown, seen }: RefusedLog, now: number): Promise<void> {
  if (seen.origin !== shown.origin) {
    await sql`delete from tlog_witnessed where origin = ${seen.origin}`.execute(trx);
  }
  await sql`insert into tlog_witnessed (origin, size, root, note, seen_at)
    values (${shown.origin}, ${shown.size}::int8, ${shown.root}::bytea, ${shown.note}, ${now}::int8)
    on conflict (origin) do update set size = excluded.size, root = excluded.root, note = excluded.note,
      seen_at = excluded.seen_at`.execute(trx);
}

interface RefusedRow {
  readonly origin: string;
  readonly log_key: string;
  readonly size: bigint;
  readonly root: Uint8Array;
  readonly note: string;
  readonly seen_origin: string;
  readonly seen_size: bigint;
  readonly seen_root: Uint8Array;
  readonly seen_note: string | null;
  readonly seen_at: bigint | null;
  readonly reason: RefusalReason;
  readonly first_at: bigint;
  readonly last_at: bigint;
}

const toRefused = (row: RefusedRow): RefusedLog => ({
  shown: {
    origin: row.origin,
    logKey: row.log_key,
    size: Number(row.size),
    root: new Uint8Array(row.root),
    note: row.note,
  },
  seen: {
    origin: row.seen_origin,
    size: Number(row.seen_size),
    root: new Uint8Array(row.seen_root),
    note: row.seen_note ?? undefined,
    at: row.seen_at === null ? undefined : Number(row.seen_at),
  },
  reason: row.reason,
  firstAt: Number(row.first_at),
  lastAt: Number(row.last_at),
});
