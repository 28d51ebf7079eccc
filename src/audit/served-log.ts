import type { Db } from "@trellis/kernel/ports/database.js";
import { findCheckpoint, readTiles } from "@trellis/kernel/tlog/log-store.js";
import { hashBytes } from "@trellis/kernel/tlog/merkle.js";
import { formatVkey, type NoteSigner, verifierOf } from "@trellis/kernel/tlog/note.js";
import { parseTilePath, tileWidth } from "@trellis/kernel/tlog/tile.js";
import type { WitnessAnswer } from "@trellis/kernel/tlog/witness.js";
import { auditLog } from "./log-key.js";

/** What anybody may read of the log: hashes, and what is signed of them. */
export interface ServedLog {
  /** The key that verifies its checkpoints, as tools of others take it. */
  readonly vkey: string;
  /** Answers `add-checkpoint` of logs of others; undefined where none is configured. */
  readonly addCheckpoint?: ((body: string) => Promise<WitnessAnswer>) | undefined;
  /** Undefined before the first one. */
  checkpoint(): Promise<string | undefined>;
  /** A tile by its path; undefined: there is none, or not as wide yet. */
  tile(path: string): Promise<{ readonly bytes: Uint8Array; readonly isFull: boolean } | undefined>;
}

export function createServedLog(db: Db, signer: NoteSigner): ServedLog {
  return {
    vkey: formatVkey(verifierOf(signer, "ed25519")),
    checkpoint: () => findCheckpoint(db, auditLog),
    async tile(path) {
      const wanted = parseTilePath(path);
      if (wanted === undefined) return undefined;
      const [tile] = await readTiles(db, auditLog)([{ level: wanted.level, index: wanted.index }]);
      const bytes = tile?.hashes.subarray(0, wanted.width * hashBytes);
      if (bytes?.length !== wanted.width * hashBytes) return undefined;
      return { bytes, isFull: wanted.width === tileWidth };
    },
  };
}
