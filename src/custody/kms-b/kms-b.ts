import { Buffer } from "node:buffer";
import { parseP256Point } from "@trellis/kernel/crypto/p256.js";
import { documented } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import type { KeyStamp } from "@trellis/kernel/ports/custodian.js";
import { hexSignatureText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import type { CustodianForm } from "../custodian-form.js";
import { decodeHex } from "../encodings.js";
import { explainTimestamp } from "./explain-timestamp.js";

export interface KmsBStamp extends KeyStamp {
  readonly form: "kms_b";
  /** Hex, compressed or uncompressed point. */
  readonly publicKey: string;
  /** Hex DER. */
  readonly signature: string;
  /** Unix milliseconds of signing, as a string. */
  readonly timestampMs: string;
}

/** Its holders sign the canonical JSON of `{"payload": <document>, "timestamp_ms": "<...>"}`, and name their key (gap 28). */
export const kmsB = {
  name: "kms_b",
  sessionKey: "KmsB",
  signedPayload: Type.Object(
    {
      public_key: Type.String({
        description: "The point of the P-256 key, in hex.",
        ...documented({ pattern: "^([0-9a-fA-F]{2})+$", minLength: 66, maxLength: 130 }),
      }),
      signature: hexSignatureText({ description: "Over the canonical JSON of payload and timestamp_ms." }),
      timestamp_ms: Type.String({
        description: "Unix milliseconds of signing.",
        ...documented({ pattern: "^(0|[1-9][0-9]{0,15})$" }),
      }),
    },
    { $id: "KmsBSignedPayload", additionalProperties: false },
  ),
  encoding: "hex",
  howToSign:
    'the canonical JSON of {"payload": <the decoded document>, "timestamp_ms": "<as sent>"}, and send the DER signature in hex',

  parseEntry({ signed }) {
    const { public_key: publicKey, signature, timestamp_ms: timestampMs } = signed ?? {};
    return publicKey === undefined || signature === undefined || timestampMs === undefined
      ? { wrong: "kms_b needs kms_signed_payload with public_key, signature and timestamp_ms." }
      : { form: "kms_b", publicKey, signature, timestampMs };
  },

  decode({ publicKey, signature, timestampMs }, { realNow }) {
    const point = decodeHex(publicKey);
    const named = point === undefined ? undefined : parseP256Point(point)?.point;
    const timestamp = /^(0|[1-9]\d{0,15})$/.test(timestampMs) ? Number(timestampMs) : undefined;
    if (named === undefined || timestamp === undefined) return "malformed_stamp";
    if (Math.abs(timestamp - realNow) > limits.kmsTimestampToleranceMs) return "timestamp_out_of_range";
    return { signature: decodeHex(signature), named };
  },

  documentToSign: (payload, { timestampMs }) => ({ payload, timestamp_ms: timestampMs }),
  partsOf: ({ form, publicKey, signature, timestampMs }) => [form, publicKey, signature, timestampMs],

  keysFor({ publicKey }, points) {
    const named = namedPoint(publicKey);
    return named === undefined ? [] : points.filter((point) => Buffer.compare(point, named) === 0);
  },

  documentsByMistake: (payload) => [{ document: payload, wrong: "it is over the payload without timestamp_ms" }],

  explain({ timestampMs }, { hasKey, realNow }) {
    const wrongTime = explainTimestamp(timestampMs, realNow);
    if (wrongTime !== undefined) {
      return {
        message: wrongTime,
        suggestion: "Send the Unix time in milliseconds at which it was signed, as a string of digits.",
      };
    }
    if (hasKey) return undefined;
    return {
      message: "public_key is not the authorization key of any live session of this wallet.",
      suggestion: "Name the public key of the key inside encrypted_authorization_key: the point, in hex.",
    };
  },
} as const satisfies CustodianForm<KmsBStamp>;

function namedPoint(hex: string): Uint8Array | undefined {
  return /^([0-9a-fA-F]{2})+$/.test(hex) ? parseP256Point(Buffer.from(hex, "hex"))?.point : undefined;
}
