/** Checkpoints (C2SP tlog-checkpoint): a signed note that says how large a log is, and its root. */
import { Buffer } from "node:buffer";
import { hashBytes, type TreeHead } from "./merkle.js";
import {
  decodeBase64,
  findSignature,
  joinNote,
  type Note,
  type NoteSigner,
  type NoteVerifier,
  parseNote,
  signNote,
} from "./note.js";

/** What a checkpoint says. */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
  /** With its signatures. */
  readonly note: Note;
}

/** The text that is signed. */
export function checkpointText(origin: string, { size, root }: TreeHead): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString("base64")}\n`;
}

/** A checkpoint of the signer's own log, whose origin is the name of its key. */
export function signCheckpoint(signer: NoteSigner, head: TreeHead): string {
  const text = checkpointText(signer.name, head);
  return joinNote(text, [signNote(text, signer)]);
}

/** Undefined for what is no checkpoint. No signature is verified. */
export function parseCheckpoint(signed: string): Checkpoint | undefined {
  const note = parseNote(signed);
  const [origin = "", decimal = "", base64 = "", ...extensions] = note?.text.split("\n") ?? [];
  const root = decodeBase64(base64);
  const isOne =
    note !== undefined && origin !== "" && /^(0|[1-9][0-9]{0,15})$/.test(decimal) && root?.length === hashBytes;
  // The text ends with a line end; every extension line has something in it.
  if (!isOne || extensions.slice(0, -1).includes("")) return undefined;
  const size = Number(decimal);
  return Number.isSafeInteger(size) ? { origin, size, root: new Uint8Array(root), note } : undefined;
}

/** A checkpoint that this log has signed; undefined for anything else. */
export function openCheckpoint(signed: string, log: NoteVerifier, origin = log.name): Checkpoint | undefined {
  const checkpoint = parseCheckpoint(signed);
  if (checkpoint?.origin !== origin) return undefined;
  return findSignature(checkpoint.note, log) === undefined ? undefined : checkpoint;
}
