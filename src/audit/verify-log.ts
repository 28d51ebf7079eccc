import type { Db } from "@trellis/kernel/ports/database.js";
import { type Checkpoint, openCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { findLog, listCheckpoints, readTiles, readTree } from "@trellis/kernel/tlog/log-store.js";
import { createGrowingTree, hashBytes, isSame, rootOf } from "@trellis/kernel/tlog/merkle.js";
import type { NoteVerifier } from "@trellis/kernel/tlog/note.js";
import { tileWidth } from "@trellis/kernel/tlog/tile.js";
import { type AuditEntry, faultOf, hashOfLeaf, leafOf } from "./audit-leaf.js";
import { auditLog } from "./log-key.js";

/** What became of a check of the whole log. */
export interface LogReport {
  readonly size: number;
  /** Entries whose bodies were deleted in time: their hashes were checked, and nothing else can be. */
  readonly withoutBody: number;
  /** Each names its place. */
  readonly faults: readonly string[];
}

/** Faults that are named, at most. */
const faultsMax = 50;
const page = 1_000;

/**
 * Reads the whole log and holds it against the hashes of its tree, against all checkpoints that are kept here, and against
 * those given: what was signed earlier and kept elsewhere. One that a log has not signed is a fault, too.
 */
export async function verifyLog(db: Db, log: NoteVerifier, kept: readonly string[]): Promise<LogReport> {
  const faults: string[] = [];
  const find = (fault: string) => {
    if (faults.length < faultsMax) faults.push(fault);
  };
  const size = (await findLog(db, auditLog))?.size ?? 0;
  const signed = await openAll(db, log, kept, find);
  const tree = createGrowingTree();
  const check = followCheckpoints(signed, find);
  let [count, withoutBody] = [0, 0];
  check(0, tree.root());
  for (;;) {
    const entries = await readEntries(db, count);
    if (entries.length === 0) break;
    const first = count;
    const hashes = await readLeaves(db, first, entries.length);
    for (const entry of entries) {
      const place = Number(entry.place);
      for (; count < place && count < size; count += 1) find(`entry ${count} is missing`);
      const leaf = hashOfLeaf(leafOf(entry, count));
      const known = hashes(count);
      if (place >= size) find(`entry ${place} is behind the end of the log, which has ${size}`);
      else if (known === undefined || !isSame(known, leaf)) find(`entry ${place} is not what its leaf says`);
      const fault = faultOf(entry);
      if (fault !== undefined) find(`entry ${place}: ${fault}`);
      if (entry.body === null) withoutBody += 1;
      tree.add(leaf);
      count = place + 1;
      check(count, tree.root());
    }
  }
  if (count < size) find(`entries from ${count} on are missing: the log has ${size}`);
  await checkTree(db, size, tree.root(), find);
  for (const checkpoint of signed.filter((each) => each.size > count)) {
    find(`a checkpoint has ${checkpoint.size} entries, and here are ${count}: the tail from ${count} on was cut`);
  }
  return { size, withoutBody, faults };
}

/** Every checkpoint that was signed by the log's key, the smallest first. */
async function openAll(
  db: Db,
  log: NoteVerifier,
  kept: readonly string[],
  find: (fault: string) => void,
): Promise<readonly Checkpoint[]> {
  const opened: Checkpoint[] = [];
  const add = (note: string, name: string) => {
    const checkpoint = openCheckpoint(note, log);
    if (checkpoint === undefined) find(`${name} is not signed by the key of this log`);
    else opened.push(checkpoint);
  };
  for (const [i, note] of kept.entries()) add(note, `the given checkpoint ${i + 1}`);
  for (let behind = -1; ; ) {
    const some = await listCheckpoints(db, auditLog, { behind, limit: page });
    const last = some.at(-1);
    if (last === undefined) break;
    for (const { size, note } of some) add(note, `the stored checkpoint of size ${size}`);
    behind = last.size;
  }
  return opened.sort((a, b) => a.size - b.size);
}

/** Holds the root against each checkpoint as its size is reached; what was rewritten stands behind the last that fits. */
function followCheckpoints(signed: readonly Checkpoint[], find: (fault: string) => void) {
  let [next, fits] = [0, 0];
  return (size: number, root: Uint8Array): void => {
    for (; (signed[next]?.size ?? Number.POSITIVE_INFINITY) <= size; next += 1) {
      const checkpoint = signed[next];
      if (checkpoint?.size !== size) continue;
      if (isSame(checkpoint.root, root)) fits = size;
      else find(`the checkpoint of size ${size} has another root: an entry from ${fits} to ${size - 1} was rewritten`);
    }
  };
}

async function readEntries(db: Db, from: number): Promise<readonly AuditEntry[]> {
  return db
    .selectFrom("audit_entry")
    .selectAll()
    .where("place", ">=", BigInt(from))
    .orderBy("place")
    .limit(page)
    .execute();
}

/** The leaves as the tree has them, from a place on. */
async function readLeaves(db: Db, from: number, count: number): Promise<(place: number) => Uint8Array | undefined> {
  const [first, last] = [Math.floor(from / tileWidth), Math.floor((from + count) / tileWidth)];
  const names = Array.from({ length: last - first + 1 }, (_, i) => ({ level: 0, index: first + i }));
  const tiles = new Map((await readTiles(db, auditLog)(names)).map(({ index, hashes }) => [index, hashes]));
  return (place) => {
    const start = (place % tileWidth) * hashBytes;
    const hash = tiles.get(Math.floor(place / tileWidth))?.subarray(start, start + hashBytes);
    return hash?.length === hashBytes ? hash : undefined;
  };
}

/** Whether the tree that is stored has the root of its entries. */
async function checkTree(db: Db, size: number, root: Uint8Array, find: (fault: string) => void): Promise<void> {
  try {
    if (isSame(await rootOf(size, readTree(db, auditLog)), root)) return;
    find(`the tree of ${size} entries has another root than the entries`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    find(`the tree of ${size} entries is incomplete: ${error.message}`);
  }
}
