import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, decodeBase64, encodeHex, encodeUtf8, equalBytes } from "./encoding.js";
import { hexBytes, openNote, type PinnedKey, parseKey } from "./signed-note.js";
import type { AuditEvent, ProvenAuditEvent } from "./wire.js";

/** The keys of the log, as their holders print them: the service is not asked. */
export type PinnedLog = {
  /** What `trellis audit key` prints. */
  readonly log: string;
  /** The key of a witness that has to have cosigned, as its holder prints it. */
  readonly witness?: string;
};

/** An entry of the audit log whose proof was verified here. */
export type VerifiedAuditEvent = {
  /** Read off what is proven, and not off the rest of the answer. */
  readonly event: AuditEvent;
  /** The signed checkpoint that it is under. Keep it: a later log that does not begin with it was rewritten. */
  readonly checkpoint: string;
  /** How many entries that log has. */
  readonly size: number;
};

/** Thrown where an entry of the audit log is not proven by its answer. */
export class AuditProofError extends Error {
  override readonly name = "AuditProofError";
  constructor(reason: string) {
    super(`The entry of the audit log is not proven: ${reason}.`);
  }
}

const fail = (reason: string) => new AuditProofError(reason);

/**
 * Verifies what `GET /audit-events/{index}` answers against pinned keys: the entry's hashes, its way to the root, and the signatures over that.
 * Undefined: there is no proof yet, which takes ten seconds. Throws `AuditProofError`.
 */
export function verifyAuditEvent(
  answer: ProvenAuditEvent,
  index: number,
  pinned: PinnedLog,
): VerifiedAuditEvent | undefined {
  const event = readEvent(answer, index);
  const { proof } = answer;
  if (proof === undefined) return undefined;
  const { size, root } = openCheckpoint(proof.checkpoint, keyOf(pinned.log, "log"), pinned);
  const leaf = sha256(concatBytes(Uint8Array.of(0), encodeUtf8(answer.leaf)));
  const hashes = proof.hashes.map(decodeBase64);
  if (!isIncluded({ index, size, leaf, root }, hashes)) throw fail("its leaf is not in the log of the checkpoint");
  return { event, checkpoint: proof.checkpoint, size };
}

type Leaf = { readonly seq: number; readonly at: number; readonly kind: string; readonly body_hash: string };
type Body = {
  environment?: string;
  subject?: string;
  user?: string;
  actor?: string;
  details?: Record<string, unknown>;
};

function readEvent({ leaf: text, salt, body: bodyText }: ProvenAuditEvent, index: number): AuditEvent {
  const leaf = readJson(text) as Leaf | undefined;
  if (leaf?.seq !== index) throw fail("it is another entry than was asked for");
  let body: Body = {};
  if (bodyText !== undefined) {
    const hash = sha256(concatBytes(hexBytes(salt ?? ""), encodeUtf8(bodyText)));
    if (encodeHex(hash) !== leaf.body_hash) throw fail("its body is not what was logged");
    body = (readJson(bodyText) as Body | undefined) ?? {};
  }
  const { environment, subject, user: user_id, actor, details } = body;
  return {
    index,
    type: leaf.kind as AuditEvent["type"],
    occurred_at: new Date(leaf.at).toISOString(),
    ...(environment === undefined ? {} : { environment: environment as NonNullable<AuditEvent["environment"]> }),
    ...(subject === undefined ? {} : { subject }),
    ...(user_id === undefined ? {} : { user_id }),
    ...(actor === undefined ? {} : { actor }),
    ...(details === undefined ? {} : { details }),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is no JSON is one of the answers of a service in wrong hands.
    return undefined;
  }
}

function keyOf(vkey: string, whose: string): PinnedKey {
  const key = parseKey(vkey);
  if (key?.kind !== (whose === "log" ? "ed25519" : "cosignature")) throw fail(`the pinned key of the ${whose} is none`);
  return key;
}

function openCheckpoint(signed: string, log: PinnedKey, { witness }: PinnedLog) {
  const text = openNote(signed, log);
  if (text === undefined) throw fail("its checkpoint is not signed by the pinned key of the log");
  if (witness !== undefined && openNote(signed, keyOf(witness, "witness")) === undefined) {
    throw fail("the pinned witness has not cosigned its checkpoint");
  }
  const [origin, decimal = "", base64 = ""] = text.split("\n");
  const size = Number(decimal);
  const root = /^[A-Za-z0-9+/]{43}=$/.test(base64) ? decodeBase64(base64) : undefined;
  if (origin !== log.name || !/^[1-9][0-9]{0,14}$/.test(decimal) || root === undefined) {
    throw fail("its checkpoint is one of another log");
  }
  return { size, root };
}

/** RFC 9162, 2.1.3.2. */
function isIncluded(
  at: { readonly index: number; readonly size: number; readonly leaf: Uint8Array; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  let [node, last, hash] = [at.index, at.size - 1, at.leaf];
  if (node > last) return false;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      hash = hashNode(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else hash = hashNode(hash, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && equalBytes(hash, at.root);
}

const hashNode = (left: Uint8Array, right: Uint8Array) => sha256(concatBytes(Uint8Array.of(1), left, right));
