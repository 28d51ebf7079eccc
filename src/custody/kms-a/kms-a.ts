import type { KeyStamp } from "@trellis/kernel/ports/custodian.js";
import { base64SignatureText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import type { CustodianForm } from "../custodian-form.js";
import { decodeBase64 } from "../encodings.js";

export interface KmsAStamp extends KeyStamp {
  readonly form: "kms_a";
  /** Base64 DER. */
  readonly signature: string;
}

/** Its holders sign the canonical JSON of the payload's document, and nothing else (interface 5.6). */
export const kmsA = {
  name: "kms_a",
  sessionKey: "KmsA",
  signedPayload: Type.Object(
    { signature: base64SignatureText({ description: "Over the canonical JSON of the payload." }) },
    { $id: "KmsASignedPayload", additionalProperties: false },
  ),
  encoding: "base64",
  howToSign:
    "the canonical JSON of the payload's document (decoded from base64, members sorted), and send the DER signature in base64",

  parseEntry({ signed, signature: bare }) {
    const signature = signed?.signature ?? bare;
    if (signed !== undefined && Object.keys(signed).length > 1) {
      return { wrong: "kms_a takes kms_signed_payload with `signature` alone." };
    }
    return signature === undefined ? undefined : { form: "kms_a", signature };
  },

  decode: ({ signature }) => ({ signature: decodeBase64(signature), named: undefined }),
  documentToSign: (payload) => payload,
  partsOf: ({ form, signature }) => [form, signature],
  keysFor: (_, points) => points,
  documentsByMistake: () => [],
  explain: () => undefined,
} as const satisfies CustodianForm<KmsAStamp>;
