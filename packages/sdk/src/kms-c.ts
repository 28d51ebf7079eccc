import type { CustodyForm } from "./custody-form.js";
import { signKmsAPayload } from "./kms-a.js";

/** Its holders sign the document of a payload, and nothing else, written as for `kms_a`. */
export const kmsC = {
  provider: "kms_c",
  sessionKey: "KmsC",
  sign: (payload, key) => ({ provider: "kms_c", kms_signed_payload: signKmsAPayload(payload, key) }),
} as const satisfies CustodyForm;
