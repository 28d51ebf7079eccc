import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import {
  longestSignatureBytes,
  parseP256Point,
  verifyP256Sha256Der,
  verifyP256Sha256Raw,
} from "@trellis/kernel/crypto/p256.js";
import type { KeyStamp } from "@trellis/kernel/ports/custodian.js";
import type { StampExplanation } from "./custodian-form.js";
import { formOf, howToSign } from "./forms.js";
import { decodePayloadJson, parsePayload } from "./payload.js";

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
  stamp: KeyStamp,
  publicKeys: readonly Uint8Array[],
  { realNow }: { readonly realNow: number },
): StampExplanation | undefined {
  const readings = readingsOf(stamp);
  const texts = textsOf(payloadBase64, stamp);
  const form = formOf(stamp.form);
  // A stamp that names its key is held against no other.
  const keys = form.keysFor(stamp, publicKeys).flatMap((point) => parseP256Point(point) ?? []);
  for (const { bytes, isRaw, wrong } of readings) {
    const verify = isRaw ? verifyP256Sha256Raw : verifyP256Sha256Der;
    for (const text of texts) {
      const all = [...wrong, ...(text.wrong === undefined ? [] : [text.wrong])];
      if (all.length === 0 || !keys.some((key) => verify(key, text.bytes, bytes))) continue;
      return { message: `This signature is of the right key, but ${all.join(", and ")}.`, ...howToSign(stamp) };
    }
  }
  return explainEncoding(stamp, readings) ?? form.explain(stamp, { hasKey: keys.length > 0, realNow });
}

/** What can be seen without any key. */
function explainEncoding(stamp: KeyStamp, readings: readonly Reading[]): StampExplanation | undefined {
  const [only, ...others] = readings;
  if (readings.length === 0) {
    return {
      message: `The signature is not ${formOf(stamp.form).encoding} of a DER signature.`,
      ...howToSign(stamp),
    };
  }
  if (only !== undefined && others.length === 0 && only.wrong.length > 0) {
    return { message: `The signature ${only.wrong.join(", and ").replace(/^it /, "")}.`, ...howToSign(stamp) };
  }
  return undefined;
}

function readingsOf(stamp: KeyStamp): Reading[] {
  const text = stamp.signature;
  const { encoding } = formOf(stamp.form);
  if (text.length > 4 * longestSignatureBytes) return [];
  const hex = /^(0x)?([0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text.replace(/^0x/, ""), "hex") : undefined;
  const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;
  const isPlainBase64 = base64?.toString("base64") === text;
  const encodings = [
    { bytes: hex, wrong: encoding === "hex" && !text.startsWith("0x") ? [] : ["it is hex"] },
    {
      bytes: base64,
      wrong: encoding === "base64" && isPlainBase64 ? [] : [isPlainBase64 ? "it is base64" : "it is base64url"],
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

function textsOf(payloadBase64: string, stamp: KeyStamp): Signed[] {
  const document = decodePayloadJson(payloadBase64);
  if (document === undefined) return [];
  const form = formOf(stamp.form);
  const signed = form.documentToSign(document, stamp);
  const canonical = Buffer.from(canonicalJson(signed), "utf8");
  const unsorted = "it is over JSON whose members are not sorted by name";
  const transaction = Buffer.from(parsePayload(payloadBase64)?.params.transaction ?? "", "base64");
  // A count of signatures below 128 is one byte; each has 64.
  const message = transaction.subarray(1 + 64 * (transaction[0] ?? 0));
  const overTransaction = "it is over the transaction instead of the payload";
  return [
    { bytes: canonical },
    { bytes: Buffer.from(JSON.stringify(signed), "utf8"), wrong: unsorted },
    {
      bytes: Buffer.from(JSON.stringify(signed, null, 2), "utf8"),
      wrong: "it is over JSON with blanks in it",
    },
    ...spacedTexts(signed),
    { bytes: createHash("sha256").update(canonical).digest(), wrong: "its text was hashed twice" },
    { bytes: Buffer.from(payloadBase64, "utf8"), wrong: "it is over the base64 text of the payload" },
    ...form.documentsByMistake(document).map((mistake) => ({
      bytes: Buffer.from(canonicalJson(mistake.document), "utf8"),
      wrong: mistake.wrong,
    })),
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
