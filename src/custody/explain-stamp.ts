import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { canonicalJson } from "../kernel/crypto/canonical-json.js";
import {
  longestSignatureBytes,
  parseP256Point,
  verifyP256Sha256Der,
  verifyP256Sha256Raw,
} from "../kernel/crypto/p256.js";
import { limits } from "../kernel/limits.js";
import type { Stamp } from "../ports/custodian.js";
import { decodePayloadJson, parsePayload } from "./payload.js";

/** What somebody did instead of signing a payload, and what to do. */
export interface StampExplanation {
  readonly message: string;
  readonly suggestion?: string;
}

/** One way to read the bytes of a signature, and what is wrong with it. */
interface Reading {
  readonly bytes: Buffer;
  readonly isRaw: boolean;
  readonly wrong: readonly string[];
}

/** Something that may have been signed instead. */
interface Signed {
  readonly bytes: Uint8Array;
  /** Undefined: what should be signed. */
  readonly wrong?: string;
}

/**
 * Says what is wrong with a stamp that does not verify over a payload, by the mistakes that are known to happen: the
 * signature in another encoding, or over another text. Undefined where none of them explains it. `publicKeys` are points.
 *
 * Costs at most two readings of the signature, each against some ten texts with every key it can be of.
 */
export function explainStamp(
  payloadBase64: string,
  stamp: Stamp,
  publicKeys: readonly Uint8Array[],
  { realNow }: { readonly realNow: number },
): StampExplanation | undefined {
  const readings = readingsOf(stamp);
  const texts = textsOf(payloadBase64, stamp);
  const named = stamp.form === "kms_b" ? namedPoint(stamp.publicKey) : undefined;
  // A stamp that names its key is held against no other.
  const keys = publicKeys
    .filter((point) => stamp.form === "kms_a" || (named !== undefined && Buffer.compare(point, named) === 0))
    .flatMap((point) => parseP256Point(point) ?? []);
  for (const { bytes, isRaw, wrong } of readings) {
    const verify = isRaw ? verifyP256Sha256Raw : verifyP256Sha256Der;
    for (const text of texts) {
      const all = [...wrong, ...(text.wrong === undefined ? [] : [text.wrong])];
      if (all.length === 0 || !keys.some((key) => verify(key, text.bytes, bytes))) continue;
      return { message: `This signature is of the right key, but ${all.join(", and ")}.`, ...howToSign(stamp) };
    }
  }
  return explainForm(stamp, readings, keys, realNow);
}

/** What can be seen without any key. */
function explainForm(
  stamp: Stamp,
  readings: readonly Reading[],
  keys: readonly object[],
  realNow: number,
): StampExplanation | undefined {
  const [only, ...others] = readings;
  if (readings.length === 0) {
    return {
      message: `The signature is not ${stamp.form === "kms_a" ? "base64" : "hex"} of a DER signature.`,
      ...howToSign(stamp),
    };
  }
  if (only !== undefined && others.length === 0 && only.wrong.length > 0) {
    return { message: `The signature ${only.wrong.join(", and ").replace(/^it /, "")}.`, ...howToSign(stamp) };
  }
  if (stamp.form === "kms_a") return undefined;
  const wrongTime = explainTimestamp(stamp.timestampMs, realNow);
  if (wrongTime !== undefined) {
    return {
      message: wrongTime,
      suggestion: "Send the Unix time in milliseconds at which it was signed, as a string of digits.",
    };
  }
  if (keys.length > 0) return undefined;
  return {
    message: "public_key is not the authorization key of any live session of this wallet.",
    suggestion: "Name the public key of the key inside encrypted_authorization_key: the point, in hex.",
  };
}

/** What is wrong with the time a stamp names, by the mistakes that are known to happen. */
function explainTimestamp(text: string, realNow: number): string | undefined {
  const tolerance = limits.kmsTimestampToleranceMs;
  if (!/^(0|[1-9][0-9]*)$/.test(text)) {
    const isDate = /^[0-9]{4}-|[A-Za-z]{3}/.test(text) && !Number.isNaN(Date.parse(text));
    const what = isDate
      ? "a date"
      : /^[0-9]+[.eE]/.test(text)
        ? "a number with a fraction or an exponent"
        : "no number";
    return `timestamp_ms is ${what}, not the Unix time in whole milliseconds.`;
  }
  const milliseconds = Number(text);
  const isNear = (time: number) => Math.abs(time - realNow) <= tolerance;
  if (isNear(milliseconds)) return undefined;
  if (isNear(milliseconds * 1_000)) return "timestamp_ms is in seconds, not in milliseconds.";
  if (isNear(milliseconds / 1_000)) return "timestamp_ms is in microseconds, not in milliseconds.";
  if (isNear(milliseconds / 1_000_000)) return "timestamp_ms is in nanoseconds, not in milliseconds.";
  const off = Math.round((milliseconds - realNow) / 1_000);
  const seconds = `${Math.abs(off)} seconds ${off < 0 ? "before" : "after"} the service's clock`;
  return `timestamp_ms lies more than five minutes from now: ${seconds}.`;
}

function namedPoint(hex: string): Uint8Array | undefined {
  return /^([0-9a-fA-F]{2})+$/.test(hex) ? parseP256Point(Buffer.from(hex, "hex"))?.point : undefined;
}

/** What is to be signed, and in which form it is sent. */
export function howToSign({ form }: Stamp): Pick<StampExplanation, "suggestion"> {
  const text =
    form === "kms_a"
      ? "the canonical JSON of the payload's document (decoded from base64, members sorted), and send the DER signature in base64"
      : 'the canonical JSON of {"payload": <the decoded document>, "timestamp_ms": "<as sent>"}, and send the DER signature in hex';
  return { suggestion: `Sign with ECDSA P-256 and SHA-256 ${text}.` };
}

function readingsOf(stamp: Stamp): Reading[] {
  const text = stamp.signature;
  if (text.length > 4 * longestSignatureBytes) return [];
  const hex = /^(0x)?([0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text.replace(/^0x/, ""), "hex") : undefined;
  const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;
  const isPlainBase64 = base64?.toString("base64") === text;
  const encodings = [
    { bytes: hex, wrong: stamp.form === "kms_b" && !text.startsWith("0x") ? [] : ["it is hex"] },
    {
      bytes: base64,
      wrong: stamp.form === "kms_a" && isPlainBase64 ? [] : [isPlainBase64 ? "it is base64" : "it is base64url"],
    },
  ];
  return encodings.flatMap(({ bytes, wrong }): Reading[] => {
    if (bytes?.length === 64 && !isDer(bytes)) {
      return [
        {
          bytes,
          isRaw: true,
          wrong: [...wrong, "it is r and s as they are (64 bytes, as WebCrypto makes them), not DER"],
        },
      ];
    }
    return bytes !== undefined && isDer(bytes) ? [{ bytes, isRaw: false, wrong }] : [];
  });
}

/** A sequence of just this length. Of the signatures that are r and s as they are one in 256 begins as if it were one, too. */
const isDer = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x30 && bytes[1] === bytes.length - 2 && bytes.length <= longestSignatureBytes;

function textsOf(payloadBase64: string, stamp: Stamp): Signed[] {
  const document = decodePayloadJson(payloadBase64);
  if (document === undefined) return [];
  const stamped = (payload: unknown) =>
    stamp.form === "kms_a" ? payload : { payload, timestamp_ms: stamp.timestampMs };
  const canonical = Buffer.from(canonicalJson(stamped(document)), "utf8");
  const unsorted = "it is over JSON whose members are not sorted by name";
  const transaction = Buffer.from(parsePayload(payloadBase64)?.params.transaction ?? "", "base64");
  // A count of signatures below 128 is one byte; each has 64.
  const message = transaction.subarray(1 + 64 * (transaction[0] ?? 0));
  const overTransaction = "it is over the transaction instead of the payload";
  return [
    { bytes: canonical },
    { bytes: Buffer.from(JSON.stringify(stamped(document)), "utf8"), wrong: unsorted },
    {
      bytes: Buffer.from(JSON.stringify(stamped(document), null, 2), "utf8"),
      wrong: "it is over JSON with blanks in it",
    },
    ...spacedTexts(stamped(document)),
    { bytes: createHash("sha256").update(canonical).digest(), wrong: "its text was hashed twice" },
    { bytes: Buffer.from(payloadBase64, "utf8"), wrong: "it is over the base64 text of the payload" },
    ...(stamp.form === "kms_a"
      ? []
      : [
          { bytes: Buffer.from(canonicalJson(document), "utf8"), wrong: "it is over the payload without timestamp_ms" },
        ]),
    { bytes: message, wrong: overTransaction },
    { bytes: transaction, wrong: overTransaction },
    { bytes: Buffer.from(transaction.toString("base64"), "utf8"), wrong: overTransaction },
  ];
}

/** The same JSON with white space behind its separators, as `json.dumps` of Python writes it by default. */
function spacedTexts(value: unknown): Signed[] {
  const wrong = "it is over JSON with white space behind its separators (commas and colons)";
  return [spaced(JSON.parse(canonicalJson(value))), spaced(value)].map((text) => ({
    bytes: Buffer.from(text, "utf8"),
    wrong,
  }));
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`);
  return `{${members.join(", ")}}`;
}
