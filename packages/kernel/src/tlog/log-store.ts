/** A log in a database, whatever else is in it: its tree in tiles, its last checkpoint, and what witnesses have said of it. */
import { type QueryExecutorProvider, sql } from "kysely";
import { parseCheckpoint, signCheckpoint } from "./checkpoint.js";
import { consistencyRanges, hashRanges, inclusionRanges, isSame, type NodeReader, rootOf } from "./merkle.js";
import { joinNote, type NoteSigner } from "./note.js";
import { appendLeaves, openTiles, readNodes, type Tile, type TileName } from "./tile.js";
import type { WitnessStore } from "./witness.js";

/** Its tables. What has been released is never edited: a migration makes them by these statements. */
export const logTables: readonly string[] = [
  `create table tlog (
    name text primary key,
    size int8 not null,
    checkpoint text,
    checkpoint_size int8 not null,
    signed_at int8
  )`,
  `create table tlog_tile (
    log text not null references tlog (name),
    level int4 not null,
    index int8 not null,
    hashes bytea not null,
    primary key (log, level, index)
  )`,
  `create table tlog_checkpoint (
    log text not null references tlog (name),
    size int8 not null,
    note text not null,
    signed_at int8 not null,
    primary key (log, size)
  )`,
  `create index tlog_checkpoint_signed on tlog_checkpoint (signed_at)`,
  `create table tlog_cosignature (
    log text not null references tlog (name),
    witness text not null,
    size int8 not null,
    line text not null,
    checkpoint text not null,
    signed_at int8 not null,
    primary key (log, witness)
  )`,
  `create table tlog_witnessed (
    origin text primary key,
    size int8 not null,
    root bytea not null
  )`,
];

/** What a log is at. */
export interface LogState {
  readonly size: number;
  /** The last checkpoint, without cosignatures. */
  readonly checkpoint: string | undefined;
  readonly checkpointSize: number;
}

/** Reads it; undefined before the log has begun. */
export async function findLog(db: QueryExecutorProvider, name: string): Promise<LogState | undefined> {
  const { rows } = await sql<StateRow>`select size, checkpoint, checkpoint_size from tlog where name = ${name}`.execute(
    db,
  );
  return rows[0] && toState(rows[0]);
}

/**
 * Reads it and holds it until the transaction `trx` has ended, so that one at a time appends and signs. What others have
 * committed before is in every statement that follows.
 */
export async function lockLog(trx: QueryExecutorProvider, name: string): Promise<LogState> {
  await sql`insert into tlog (name, size, checkpoint_size) values (${name}, 0, 0) on conflict (name) do nothing`.execute(
    trx,
  );
  const { rows } = await sql<StateRow>`
    select size, checkpoint, checkpoint_size from tlog where name = ${name} for update`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error("a log that was begun is there");
  return toState(row);
}

/** Appends leaves to a log that this transaction holds, which has this many. */
export async function append(
  trx: QueryExecutorProvider,
  name: string,
  size: number,
  leaves: readonly Uint8Array[],
): Promise<void> {
  const open = await readTiles(trx, name)(openTiles(size));
  for (const { level, index, hashes } of appendLeaves(size, open, leaves)) {
    await sql`insert into tlog_tile (log, level, index, hashes)
      values (${name}, ${level}::int4, ${index}::int8, ${hashes}::bytea)
      on conflict (log, level, index) do update set hashes = excluded.hashes`.execute(trx);
  }
  await sql`update tlog set size = ${size + leaves.length}::int8 where name = ${name}`.execute(trx);
}

/**
 * Signs a checkpoint of a log that this transaction holds, where it has grown since the last one; undefined where it has not.
 * `now` is real time in Unix milliseconds. Throws where its tree does not begin with what was signed before: nothing is signed
 * then, ever, until an operator has seen to it.
 */
export async function checkpointLog(
  trx: QueryExecutorProvider,
  name: string,
  signer: NoteSigner,
  now: number,
): Promise<string | undefined> {
  const { size, checkpoint, checkpointSize } = await lockLog(trx, name);
  if (size === checkpointSize && checkpoint !== undefined) return undefined;
  const read = readNodes(readTiles(trx, name));
  const former = checkpoint === undefined ? undefined : parseCheckpoint(checkpoint);
  if (former !== undefined) {
    const isOurs = former.size <= size && isSame(await rootOf(former.size, read), former.root);
    if (!isOurs) throw new Error(`the log ${name} does not begin with the ${former.size} entries that were signed`);
  }
  const note = signCheckpoint(signer, { size, root: await rootOf(size, read) });
  await sql`
    with kept as (
      insert into tlog_checkpoint (log, size, note, signed_at)
      values (${name}, ${size}::int8, ${note}, ${now}::int8)
      on conflict (log, size) do update set note = excluded.note, signed_at = excluded.signed_at
    )
    update tlog set checkpoint = ${note}, checkpoint_size = ${size}::int8, signed_at = ${now}::int8
    where name = ${name}`.execute(trx);
  return note;
}

/** The last checkpoint, with the cosignatures that witnesses have given for exactly it. */
export async function findCheckpoint(db: QueryExecutorProvider, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ checkpoint: string; lines: string[] }>`
    select checkpoint, array(
        select line from tlog_cosignature as said where said.log = tlog.name and said.checkpoint = tlog.checkpoint
        order by witness
      ) as lines
    from tlog where name = ${name} and checkpoint is not null`.execute(db);
  const [row] = rows;
  return row && withLines(row.checkpoint, row.lines);
}

/** The checkpoint that a witness has cosigned last. */
export async function findCosigned(
  db: QueryExecutorProvider,
  name: string,
  witness: string,
): Promise<{ readonly size: number; readonly note: string } | undefined> {
  const { rows } = await sql<{ checkpoint: string; line: string; size: bigint }>`
    select checkpoint, line, size from tlog_cosignature where log = ${name} and witness = ${witness}`.execute(db);
  const [row] = rows;
  return row && { size: Number(row.size), note: withLines(row.checkpoint, [row.line]) };
}

/** Keeps what a witness has cosigned, unless a later one of its is known. `now` is real time in Unix milliseconds. */
export async function keepCosignature(
  db: QueryExecutorProvider,
  name: string,
  said: { readonly witness: string; readonly size: number; readonly line: string; readonly checkpoint: string },
  now: number,
): Promise<void> {
  await sql`insert into tlog_cosignature (log, witness, size, line, checkpoint, signed_at)
    values (${name}, ${said.witness}, ${said.size}::int8, ${said.line}, ${said.checkpoint}, ${now}::int8)
    on conflict (log, witness) do update set size = excluded.size, line = excluded.line,
      checkpoint = excluded.checkpoint, signed_at = excluded.signed_at
    where tlog_cosignature.size <= excluded.size`.execute(db);
}

/** Checkpoints that are kept, the oldest first, from behind a size. */
export async function listCheckpoints(
  db: QueryExecutorProvider,
  name: string,
  { behind, limit }: { readonly behind: number; readonly limit: number },
): Promise<readonly { readonly size: number; readonly note: string }[]> {
  const { rows } = await sql<{ size: bigint; note: string }>`
    select size, note from tlog_checkpoint where log = ${name} and size > ${behind}::int8
    order by size limit ${limit}::int4`.execute(db);
  return rows.map(({ size, note }) => ({ size: Number(size), note }));
}

/** Reads tiles of a log, as far as they are. */
export function readTiles(db: QueryExecutorProvider, name: string) {
  return async (names: readonly TileName[]): Promise<readonly Tile[]> => {
    if (names.length === 0) return [];
    const wanted = JSON.stringify(names);
    const { rows } = await sql<{ level: number; index: bigint; hashes: Uint8Array }>`
      select tile.level, tile.index, tile.hashes
      from json_to_recordset(${wanted}::text::json) as wanted (level int4, index int8)
      join tlog_tile as tile on tile.log = ${name} and tile.level = wanted.level and tile.index = wanted.index`.execute(
      db,
    );
    return rows.map(({ level, index, hashes }) => ({ level, index: Number(index), hashes: new Uint8Array(hashes) }));
  };
}

/** Reads hashes of a log's tree. */
export const readTree = (db: QueryExecutorProvider, name: string): NodeReader => readNodes(readTiles(db, name));

/** The proof that the leaf at `index` is in the tree of the first `size` leaves. */
export const proveInclusion = (read: NodeReader, index: number, size: number): Promise<readonly Uint8Array[]> =>
  hashRanges(inclusionRanges(index, size), read);

/** The proof that the tree of `size` leaves begins with that of the first `old` ones. */
export const proveConsistency = (read: NodeReader, old: number, size: number): Promise<readonly Uint8Array[]> =>
  hashRanges(consistencyRanges(old, size), read);

/** What a witness has seen, kept in a database. */
export function createWitnessStore(db: QueryExecutorProvider): WitnessStore {
  return {
    async find(origin) {
      const { rows } = await sql<{ size: bigint; root: Uint8Array }>`
        select size, root from tlog_witnessed where origin = ${origin}`.execute(db);
      const [row] = rows;
      return { size: Number(row?.size ?? 0n), root: new Uint8Array(row?.root ?? []) };
    },
    async advance(origin, from, to, { note, at }) {
      // One statement: of two at once the second finds another size, or the row.
      const { rows } = await sql`
        insert into tlog_witnessed (origin, size, root, note, seen_at)
          values (${origin}, ${to.size}::int8, ${to.root}::bytea, ${note}, ${at}::int8)
        on conflict (origin) do update set size = excluded.size, root = excluded.root, note = excluded.note,
            seen_at = excluded.seen_at
          where tlog_witnessed.size = ${from.size}::int8 and tlog_witnessed.root = ${from.root}::bytea
        returning origin`.execute(db);
      return rows.length > 0;
    },
  };
}

interface StateRow {
  readonly size: bigint;
  readonly checkpoint: string | null;
  readonly checkpoint_size: bigint;
}

const toState = (row: StateRow): LogState => ({
  size: Number(row.size),
  checkpoint: row.checkpoint ?? undefined,
  checkpointSize: Number(row.checkpoint_size),
});

/** A signed note with further signatures. */
function withLines(note: string, lines: readonly string[]): string {
  const end = note.lastIndexOf("\n\n");
  return joinNote(note.slice(0, end + 1), [...note.slice(end + 2, -1).split("\n"), ...lines]);
}
