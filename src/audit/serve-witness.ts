import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { createWitnessStore } from "@trellis/kernel/tlog/log-store.js";
import type { NoteSigner, NoteVerifier } from "@trellis/kernel/tlog/note.js";
import { addCheckpoint, type WitnessAnswer } from "@trellis/kernel/tlog/witness.js";

/** Cosigns checkpoints of logs of others, by the log's own key and name; undefined where none is configured. */
export function createServedWitness(
  { db, realClock }: { readonly db: Db; readonly realClock: Clock },
  signer: NoteSigner,
  verifiers: readonly NoteVerifier[],
): ((body: string) => Promise<WitnessAnswer>) | undefined {
  if (verifiers.length === 0) return undefined;
  const logs = verifiers.map((verifier) => ({ origin: verifier.name, verifier }));
  const witness = { signer, logs, store: createWitnessStore(db), now: () => realClock.now() };
  return (body) => addCheckpoint(witness, body);
}
