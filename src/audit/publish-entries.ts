import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, Trx } from "@trellis/kernel/ports/database.js";
import { append, checkpointLog, lockLog } from "@trellis/kernel/tlog/log-store.js";
import type { NoteSigner } from "@trellis/kernel/tlog/note.js";
import { sql } from "kysely";
import { type AuditEntry, hashOfLeaf, leafOf } from "./audit-leaf.js";
import { auditLog } from "./log-key.js";

/** Entries that get their place in one transaction, at most, and transactions of one call. */
const batch = 500;
const batchesMax = 20;

/** What giving entries their leaves asks of the world. */
export interface PublishNeeds {
  readonly db: Db;
  readonly realClock: Clock;
}

/** What signing asks besides. */
export interface LogNeeds extends PublishNeeds {
  /** What signs its checkpoints. */
  readonly auditSigner: NoteSigner;
}

/**
 * Gives every entry that is committed its leaf in the log, in order and without gaps. One process at a time holds the log, until its
 * transaction is committed, and the tree grows in the same transaction: after a crash both are there or neither. Returns how
 * many got one.
 */
export async function publishEntries({ db, realClock }: PublishNeeds): Promise<number> {
  let published = 0;
  for (let round = 0; round < batchesMax; round += 1) {
    // Most of the time there is nothing, and no process waits for the log.
    const { rows } = await sql`select from audit_entry where place is null limit 1`.execute(db);
    if (rows.length === 0) break;
    const count = await db.transaction().execute((trx) => publishSome(trx, realClock.now()));
    published += count;
    if (count < batch) break;
  }
  return published;
}

async function publishSome(trx: Trx, now: number): Promise<number> {
  const { size } = await lockLog(trx, auditLog);
  // A statement of its own, so that it sees what the holder before has committed.
  const { rows } = await sql<Pick<AuditEntry, "sequence" | "at" | "kind" | "subject_hash" | "body_hash">>`
    select sequence, at, kind, subject_hash, body_hash from audit_entry where place is null
    order by sequence limit ${sql.lit(batch)}`.execute(trx);
  if (rows.length === 0) return 0;
  const leaves = rows.map((entry, i) => hashOfLeaf(leafOf(entry, size + i)));
  const places = JSON.stringify(rows.map(({ sequence }, i) => ({ sequence: String(sequence), place: size + i })));
  await sql`update audit_entry set place = given.place, published_at = ${now}::int8
    from json_to_recordset(${places}::text::json) as given (sequence int8, place int8)
    where audit_entry.sequence = given.sequence`.execute(trx);
  await append(trx, auditLog, size, leaves);
  return rows.length;
}

/** Publishes what there is, and signs a checkpoint where the log has grown since the last one; undefined where it has not. */
export async function signLog(needs: LogNeeds): Promise<string | undefined> {
  await publishEntries(needs);
  const { db, auditSigner, realClock } = needs;
  return db.transaction().execute((trx) => checkpointLog(trx, auditLog, auditSigner, realClock.now()));
}
