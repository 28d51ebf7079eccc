import type { KeyStamp } from "@trellis/kernel/ports/custodian.js";
import type { CustodianForm } from "../custodian-form.js";
import { kmsA } from "../kms-a/kms-a.js";

export interface KmsCStamp extends KeyStamp {
  readonly form: "kms_c";
  /** Base64 DER. */
  readonly signature: string;
}

/**
 * A custodian that is always a process of its own (gap 35). Its holders sign as those of `kms_a` do; where it is the guardian, with
 * passkeys alone.
 */
export const kmsC = {
  ...kmsA,
  name: "kms_c",
  sessionKey: "KmsC",

  parseEntry({ signed, signature: bare }) {
    if (bare !== undefined || (signed !== undefined && Object.keys(signed).length > 1)) {
      return { wrong: "kms_c takes kms_signed_payload with `signature` alone." };
    }
    return signed?.signature === undefined ? undefined : { form: "kms_c", signature: signed.signature };
  },

  decode: ({ signature }) => kmsA.decode({ form: "kms_a", signature }),
  partsOf: ({ form, signature }) => [form, signature],
  keysFor: (_, points) => points,
  explain: () => undefined,
} as const satisfies CustodianForm<KmsCStamp>;
