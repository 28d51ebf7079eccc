import type { KeyStamp } from "@trellis/kernel/ports/custodian.js";
import type { CustodianForm } from "../custodian-form.js";
import { decodeBase64 } from "../encodings.js";
import { kmsA } from "../kms-a/kms-a.js";

export interface KmsCStamp extends KeyStamp {
  readonly form: "kms_c";
  /** Base64 DER. */
  readonly signature: string;
}

/** The custodian that is there only as a process of its own. Its holders sign the canonical JSON of the payload's document. */
export const kmsC = {
  name: "kms_c",
  sessionKey: "KmsC",
  // Written the same way.
  signedPayload: kmsA.signedPayload,
  encoding: "base64",
  howToSign: kmsA.howToSign,

  parseEntry({ signed, signature: bare }) {
    if (bare !== undefined || (signed !== undefined && Object.keys(signed).length > 1)) {
      return { wrong: "kms_c takes kms_signed_payload with `signature` alone." };
    }
    return signed?.signature === undefined ? undefined : { form: "kms_c", signature: signed.signature };
  },

  decode: ({ signature }) => ({ signature: decodeBase64(signature), named: undefined }),
  documentToSign: (payload) => payload,
  partsOf: ({ form, signature }) => [form, signature],
  keysFor: (_, points) => points,
  documentsByMistake: () => [],
  explain: () => undefined,
} as const satisfies CustodianForm<KmsCStamp>;
