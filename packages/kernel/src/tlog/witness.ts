/** A witness (C2SP tlog-witness): it cosigns a checkpoint once it has seen that the log has only grown since the last one. */

import { openCheckpoint } from "./checkpoint.js";
import { isConsistent, isSame, type TreeHead } from "./merkle.js";
import { cosign, decodeBase64, type NoteSigner, type NoteVerifier } from "./note.js";

/** A checkpoint as it was signed, and when it was seen: real time, Unix milliseconds. */
interface KeptCheckpoint {
  readonly note: string;
  readonly at: number;
}

/** What a witness keeps: of each log the last tree that it has cosigned. */
export interface WitnessStore {
  /** Size 0 where it has seen none. */
  readonly find: (origin: string) => Promise<TreeHead>;
  /** Keeps the next tree, with its checkpoint, where the last one is still this size, for good before it returns; false: it is not. */
  readonly advance: (origin: string, from: TreeHead, to: TreeHead, kept: KeptCheckpoint) => Promise<boolean>;
}

/** Whom it knows, and how it signs. `origin` is the first line of the log's checkpoints. */
export interface Witness {
  readonly signer: NoteSigner;
  readonly logs: readonly { readonly origin: string; readonly verifier: NoteVerifier }[];
  readonly store: WitnessStore;
  /** Real time, Unix milliseconds. */
  readonly now: () => number;
}

/** An answer over HTTP. */
export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly contentType: string;
  readonly body: string;
}

/** What the log sends: the size that it believes the witness has seen, the proof from there, and its checkpoint. */
export interface AddCheckpoint {
  readonly old: number;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: string;
}

const proofMax = 63;
/** Longer than any request with such a proof and a checkpoint with a few signatures. */
export const addCheckpointBytesMax = 16_384;

/** The body of `add-checkpoint`. */
export function formatAddCheckpoint({ old, proof, checkpoint }: AddCheckpoint): string {
  const hashes = proof.map((hash) => `${Buffer.from(hash).toString("base64")}\n`).join("");
  return `old ${old}\n${hashes}\n${checkpoint}`;
}

/** Undefined for any other body. */
export function parseAddCheckpoint(body: string): AddCheckpoint | undefined {
  if (body.length > addCheckpointBytesMax) return undefined;
  const end = body.indexOf("\n\n");
  if (end < 0) return undefined;
  const [first = "", ...rest] = body.slice(0, end).split("\n");
  const [, decimal] = /^old (0|[1-9][0-9]{0,15})$/.exec(first) ?? [];
  const proof = rest.map(decodeBase64);
  if (decimal === undefined || proof.length > proofMax || proof.some((hash) => hash?.length !== 32)) return undefined;
  const old = Number(decimal);
  if (!Number.isSafeInteger(old)) return undefined;
  return { old, proof: proof.filter((hash) => hash !== undefined), checkpoint: body.slice(end + 2) };
}

/**
 * Answers `add-checkpoint`. What it has cosigned is kept before the cosignature is given out, and of two requests at once one
 * is first: so it never cosigns two histories of one log.
 */
export async function addCheckpoint(witness: Witness, body: string): Promise<WitnessAnswer> {
  const request = parseAddCheckpoint(body);
  if (request === undefined) return answer(400, "no request of tlog-witness");
  const origin = request.checkpoint.slice(0, Math.max(0, request.checkpoint.indexOf("\n")));
  const log = witness.logs.find((each) => each.origin === origin);
  if (log === undefined) return answer(404, "unknown log");
  const checkpoint = openCheckpoint(request.checkpoint, log.verifier, origin);
  if (checkpoint === undefined) return answer(403, "no signature of this log's key");
  if (request.old > checkpoint.size) return answer(400, "the old size is larger than the checkpoint's");
  const seen = await witness.store.find(origin);
  if (request.old !== seen.size) return sizeAnswer(seen);
  if (checkpoint.size === seen.size && seen.size > 0 && !isSame(seen.root, checkpoint.root)) return sizeAnswer(seen);
  // A witness that has seen nothing takes the first tree as it is.
  const isGrown = seen.size === 0 ? request.proof.length === 0 : isConsistent(seen, checkpoint, request.proof);
  if (!isGrown) return answer(422, "the proof does not hold");
  if (!(await witness.store.advance(origin, seen, checkpoint, { note: request.checkpoint, at: witness.now() }))) {
    return sizeAnswer(await witness.store.find(origin));
  }
  const line = cosign(checkpoint.note.text, witness.signer, Math.floor(witness.now() / 1000));
  return { status: 200, contentType: "text/plain; charset=utf-8", body: `${line}\n` };
}

const answer = (status: WitnessAnswer["status"], text: string): WitnessAnswer => ({
  status,
  contentType: "text/plain; charset=utf-8",
  body: `${text}\n`,
});

const sizeAnswer = ({ size }: TreeHead): WitnessAnswer => ({
  status: 409,
  contentType: "text/x.tlog.size",
  body: `${size}\n`,
});
