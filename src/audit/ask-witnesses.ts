import { allOf } from "@trellis/kernel/each-of.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { askWitness, type SendToWitness } from "@trellis/kernel/tlog/ask-witness.js";
import type { NoteVerifier } from "@trellis/kernel/tlog/note.js";
import { auditLog } from "./log-key.js";
import type { PublishNeeds } from "./publish-entries.js";

/** A witness of the audit log, and the way to it. */
export interface LogWitness {
  readonly verifier: NoteVerifier;
  readonly send: SendToWitness;
}

/** What having the log cosigned asks of the world. */
export interface WitnessNeeds extends PublishNeeds {
  readonly log: Log;
  readonly auditWitnesses: readonly LogWitness[];
}

/** Has every witness cosign the last checkpoint that has not done so. One that does not answer holds up no other. */
export async function askWitnesses({ db, realClock, log, auditWitnesses }: WitnessNeeds): Promise<void> {
  await allOf(
    auditWitnesses.map(async ({ verifier, send }) => {
      const witness = verifier.name;
      try {
        const verdict = await askWitness(db, auditLog, { verifier, send, now: realClock.now() });
        if (verdict.kind !== "refused") return;
        // operator: run trellis audit verify. The witness has seen another log than this one, or is another witness.
        log.error({ event: "audit_witness_refused", witness, reason: verdict.reason }, "audit log was not cosigned");
      } catch (error) {
        log.warn(
          { event: "audit_witness_unreachable", err: error, witness },
          "witness of the audit log did not answer",
        );
      }
    }),
  );
}
