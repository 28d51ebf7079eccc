/** Has a witness (C2SP tlog-witness) cosign a log's last checkpoint, and keeps what it said. */
import type { QueryExecutorProvider } from "kysely";
import { parseCheckpoint } from "./checkpoint.js";
import { findCosigned, findLog, keepCosignature, proveConsistency, readTree } from "./log-store.js";
import { findSignature, type NoteVerifier, parseSignatureLine } from "./note.js";
import { formatAddCheckpoint } from "./witness.js";

/** Sends the body of `add-checkpoint`; throws where no answer comes. */
export type SendToWitness = (body: string) => Promise<{ readonly status: number; readonly body: string }>;

/** What became of it. */
export type WitnessVerdict =
  | { readonly kind: "cosigned" | "up_to_date"; readonly size: number }
  /** It has seen a log that this one is not: longer, or with another history. Or it answers what is no cosignature of its. */
  | { readonly kind: "refused"; readonly reason: string };

/** A witness that has seen another size than we know says so once; what it says then is final. */
const attempts = 2;

/** `now` is real time in Unix milliseconds. Any number of processes may ask at once. */
export async function askWitness(
  db: QueryExecutorProvider,
  log: string,
  { verifier, send, now }: { readonly verifier: NoteVerifier; readonly send: SendToWitness; readonly now: number },
): Promise<WitnessVerdict> {
  const { checkpoint, checkpointSize: size = 0 } = (await findLog(db, log)) ?? {};
  const known = await findCosigned(db, log, verifier.name);
  if (checkpoint === undefined || known?.size === size) return { kind: "up_to_date", size };
  let old = Math.min(known?.size ?? 0, size);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const proof = await proveConsistency(readTree(db, log), old, size);
    const answer = await send(formatAddCheckpoint({ old, proof, checkpoint }));
    if (answer.status === 200) {
      const line = findLine(checkpoint, answer.body, verifier);
      if (line === undefined) return { kind: "refused", reason: "it answered no cosignature of its key" };
      await keepCosignature(db, log, { witness: verifier.name, size, line, checkpoint }, now);
      return { kind: "cosigned", size };
    }
    const seen = answer.status === 409 ? /^(0|[1-9][0-9]{0,14})\n$/.exec(answer.body)?.[1] : undefined;
    if (seen === undefined) return { kind: "refused", reason: `it answered ${answer.status}` };
    if (Number(seen) > size) return { kind: "refused", reason: `it has seen ${seen} entries, and here are ${size}` };
    if (Number(seen) === old) return { kind: "refused", reason: `it has seen another log of ${seen} entries` };
    old = Number(seen);
  }
  return { kind: "refused", reason: "it names another size each time" };
}

/** The line of an answer that is this witness's cosignature of exactly this checkpoint. */
function findLine(checkpoint: string, body: string, verifier: NoteVerifier): string | undefined {
  const text = parseCheckpoint(checkpoint)?.note.text;
  if (text === undefined) return undefined;
  const signatures = body.split("\n").flatMap((line) => parseSignatureLine(line) ?? []);
  return findSignature({ text, signatures }, verifier)?.signature.line;
}
