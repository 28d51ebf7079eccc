import type { Generated } from "kysely";

/**
 * Something that happened to a key, a session, a policy or a grant, written by the statement that changed it. Its hashes are for good;
 * what they are over can be deleted.
 */
export interface AuditEntryTable {
  /** In the order in which they were written, with gaps. */
  sequence: Generated<bigint>;
  /** Null: it is the service's own. */
  tenant_id: string | null;
  /** Null: of all environments. */
  environment: string | null;
  kind: string;
  /** What it is about, such as `session/<id>`; null once the body was deleted, as are `user_id`, `salt` and `body`. */
  subject: string | null;
  /** Whose it is. */
  user_id: string | null;
  /** By the database's clock: real time. */
  at: bigint;
  /** 32 random bytes, in front of what is hashed. */
  salt: Uint8Array | null;
  /** JSON, hashed byte for byte. */
  body: string | null;
  subject_hash: Uint8Array;
  body_hash: Uint8Array;
  /** Its leaf in the log, counted from 0; null until `publishEntries` gives it one. */
  place: bigint | null;
  /** When it got it. Real time. */
  published_at: bigint | null;
}

/** A log's tree: see `tlog/log-store.ts`, which alone reads and writes these. */
export interface TlogTable {
  name: string;
  size: bigint;
  checkpoint: string | null;
  checkpoint_size: bigint;
  /** Real time, as below. */
  signed_at: bigint | null;
}

export interface TlogTileTable {
  log: string;
  level: number;
  index: bigint;
  hashes: Uint8Array;
}

/** Checkpoints that were signed, for a while. */
export interface TlogCheckpointTable {
  log: string;
  size: bigint;
  note: string;
  signed_at: bigint;
}

/** What each witness has cosigned last. */
export interface TlogCosignatureTable {
  log: string;
  witness: string;
  size: bigint;
  line: string;
  checkpoint: string;
  signed_at: bigint;
}

/** Of logs of others: the last tree that was cosigned here. */
export interface TlogWitnessedTable {
  origin: string;
  size: bigint;
  root: Uint8Array;
  /** The checkpoint as it was signed; null: it was cosigned before these were kept. */
  note: string | null;
  /** When it was seen, real time in Unix milliseconds; null: before that was kept. */
  seen_at: bigint | null;
}

/** Logs of others that were refused, with what was seen of them before: kept for good (`tlog/refused-logs.ts`). */
export interface TlogRefusedTable {
  sequence: Generated<bigint>;
  origin: string;
  log_key: string;
  size: bigint;
  root: Uint8Array;
  note: string;
  seen_origin: string;
  seen_size: bigint;
  seen_root: Uint8Array;
  seen_note: string | null;
  seen_at: bigint | null;
  reason: "shorter" | "other" | "renamed";
  first_at: bigint;
  last_at: bigint;
  accepted_at: bigint | null;
}
