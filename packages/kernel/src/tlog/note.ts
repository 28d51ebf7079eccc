/** Signed notes (C2SP signed-note): a text, and signatures of named keys below it. Ed25519; cosignatures with their time (tlog-cosignature). */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { ed25519PublicKeyOf, signEd25519, verifyEd25519 } from "../crypto/ed25519.js";

/** What a key signs: notes of its own, or with the time checkpoints of others. */
export type NoteKeyKind = "ed25519" | "cosignature/v1";

/** A key that verifies, as a vkey names it. */
export interface NoteVerifier {
  readonly name: string;
  readonly kind: NoteKeyKind;
  readonly publicKey: Uint8Array;
}

/** A key that signs. */
export interface NoteSigner {
  readonly name: string;
  /** 32 bytes, secret. */
  readonly seed: Uint8Array;
}

/** One signature of a note. */
export interface NoteSignature {
  readonly name: string;
  /** Four bytes in hex. */
  readonly keyId: string;
  readonly bytes: Uint8Array;
  /** The line as it stands, without its end. */
  readonly line: string;
}

export interface Note {
  /** Ends with a line end. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const types: Readonly<Record<NoteKeyKind, number>> = { ed25519: 1, "cosignature/v1": 4 };
const timeBytes = 8;
const nameForm = /^[^\s+]{1,255}$/u;
const linesMax = 100;

/** Whether a key may have this name. */
export const isKeyName = (name: string): boolean => nameForm.test(name);

/** The verifying half of a signer, for notes of its own or for cosignatures. */
export function verifierOf(signer: NoteSigner, kind: NoteKeyKind): NoteVerifier {
  return { name: signer.name, kind, publicKey: ed25519PublicKeyOf(signer.seed) };
}

/** `name+keyid+base64(type, key)`: what verifiers are configured with. */
export function formatVkey(verifier: NoteVerifier): string {
  const key = Buffer.concat([Buffer.of(types[verifier.kind]), verifier.publicKey]);
  return `${verifier.name}+${keyIdOf(verifier)}+${key.toString("base64")}`;
}

/** Undefined for what is no vkey of a kind that is known here. */
export function parseVkey(text: string): NoteVerifier | undefined {
  const found = /^([^\s+]{1,255})\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/u.exec(text);
  const [, name, keyId, base64] = found ?? [];
  if (name === undefined || base64 === undefined) return undefined;
  const bytes = decodeBase64(base64);
  const kind = bytes === undefined ? undefined : kindOf(bytes[0]);
  if (bytes?.length !== 33 || kind === undefined) return undefined;
  const verifier = { name, kind, publicKey: new Uint8Array(bytes.subarray(1)) };
  return keyIdOf(verifier) === keyId ? verifier : undefined;
}

/** The line that signs a note's text. */
export function signNote(text: string, signer: NoteSigner): string {
  const signature = signEd25519(signer.seed, Buffer.from(text));
  return signatureLine(verifierOf(signer, "ed25519"), signature);
}

/** The line of a witness that has seen a checkpoint's text. `time` is real time in Unix seconds. */
export function cosign(text: string, signer: NoteSigner, time: number): string {
  const stamp = Buffer.alloc(timeBytes);
  stamp.writeBigUInt64BE(BigInt(time));
  const signature = signEd25519(signer.seed, cosigned(text, time));
  return signatureLine(verifierOf(signer, "cosignature/v1"), Buffer.concat([stamp, signature]));
}

/** A note from its text and the lines of its signatures. */
export const joinNote = (text: string, lines: readonly string[]): string =>
  `${text}\n${lines.map((line) => `${line}\n`).join("")}`;

/** Undefined for what is no note. No signature is verified. */
export function parseNote(note: string): Note | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the format forbids them.
  if (/[\u0000-\u0009\u000b-\u001f]/.test(note)) return undefined;
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || !note.endsWith("\n")) return undefined;
  const lines = note.slice(end + 2, -1).split("\n");
  if (lines.length > linesMax) return undefined;
  const signatures = lines.map(parseSignatureLine);
  if (signatures.some((each) => each === undefined)) return undefined;
  return { text: note.slice(0, end + 1), signatures: signatures.filter((each) => each !== undefined) };
}

/** One line of a note's signatures; undefined for anything else. */
export function parseSignatureLine(line: string): NoteSignature | undefined {
  const [, name, base64] = /^— ([^\s+]{1,255}) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? [];
  if (name === undefined || base64 === undefined) return undefined;
  const bytes = decodeBase64(base64);
  if (bytes === undefined || bytes.length < 5) return undefined;
  return { name, keyId: bytes.subarray(0, 4).toString("hex"), bytes: new Uint8Array(bytes.subarray(4)), line };
}

/** The signature of a note by this key, verified; undefined where there is none that holds. `time`: of a cosignature, Unix seconds. */
export function findSignature(
  { text, signatures }: Note,
  verifier: NoteVerifier,
): { readonly signature: NoteSignature; readonly time?: number } | undefined {
  const keyId = keyIdOf(verifier);
  for (const signature of signatures) {
    if (signature.name !== verifier.name || signature.keyId !== keyId) continue;
    if (verifier.kind === "ed25519") {
      if (verifyEd25519(verifier.publicKey, Buffer.from(text), signature.bytes)) return { signature };
      continue;
    }
    if (signature.bytes.length !== timeBytes + 64) continue;
    const time = Number(Buffer.from(signature.bytes).readBigUInt64BE());
    if (!Number.isSafeInteger(time)) continue;
    if (verifyEd25519(verifier.publicKey, cosigned(text, time), signature.bytes.subarray(timeBytes))) {
      return { signature, time };
    }
  }
  return undefined;
}

const cosigned = (text: string, time: number): Uint8Array => Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);

function signatureLine(verifier: NoteVerifier, signature: Uint8Array): string {
  if (!isKeyName(verifier.name)) throw new RangeError("the name of a note's key has no spaces and no plus");
  return `— ${verifier.name} ${Buffer.concat([Buffer.from(keyIdOf(verifier), "hex"), signature]).toString("base64")}`;
}

function keyIdOf({ name, kind, publicKey }: NoteVerifier): string {
  return createHash("sha256")
    .update(`${name}\n`)
    .update(Uint8Array.of(types[kind]))
    .update(publicKey)
    .digest("hex")
    .slice(0, 8);
}

function kindOf(type: number | undefined): NoteKeyKind | undefined {
  return (Object.keys(types) as NoteKeyKind[]).find((kind) => types[kind] === type);
}

/** Standard base64 in its one spelling. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
