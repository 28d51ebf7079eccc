import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** What both ends of the custodian protocol hold themselves to (docs/custodian-protocol.md). */
export const frame = {
  timeHeader: "x-trellis-time",
  nonceHeader: "x-trellis-nonce",
  signatureHeader: "x-trellis-signature",
  /** How far the clock of the other side may be off. */
  toleranceMs: 60_000,
  /** How long a nonce is remembered: longer than a request with it is taken. */
  nonceKeptMs: 180_000,
  nonceBytes: 16,
  requestBytesMax: 32 * 1024,
  answerBytesMax: 64 * 1024,
} as const;

/** A request as it is signed. */
export interface FramedRequest {
  readonly method: string;
  /** With everything behind it. */
  readonly path: string;
  /** Real time, Unix milliseconds. */
  readonly time: string;
  /** Base64url of 16 bytes. */
  readonly nonce: string;
  readonly body: Uint8Array;
  /** The identity of the custodian that it is for, 32 bytes: no other one can be given it. */
  readonly recipient: Uint8Array;
}

/** The bytes that the service signs. */
export function requestToSign({ method, path, time, nonce, body, recipient }: FramedRequest): Uint8Array {
  const lines = ["trellis-custodian/1", method, path, time, nonce, base64Url(recipient), hashOf(body)];
  return Buffer.from(lines.join("\n"), "utf8");
}

/** The bytes that the custodian signs: its answer to this one request. */
export function answerToSign(answer: {
  readonly status: number;
  readonly nonce: string;
  readonly body: Uint8Array;
}): Uint8Array {
  const lines = ["trellis-custodian/1 answer", String(answer.status), answer.nonce, hashOf(answer.body)];
  return Buffer.from(lines.join("\n"), "utf8");
}

/** Whether a text is base64url of exactly so many bytes, in its one spelling. */
export function isBase64UrlOf(text: string, bytes: number): boolean {
  const read = Buffer.from(text, "base64url");
  return read.length === bytes && read.toString("base64url") === text;
}

const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The name of a custodian's own log: its identity is in it, so that one identity has one log. */
export const logOriginOf = (identity: string): string => `trellis-custodian/${identity}`;

/** The name of the key that it cosigns logs of others with. */
export const witnessNameOf = (origin: string): string => `${origin}/witness`;
