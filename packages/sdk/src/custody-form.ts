import type { AuthorizationKey } from "./open-authorization-key.js";
import type { CustodyProvider, ProviderAuthentication, SubmitKmsPayload } from "./wire.js";

/** All that differs from custodian to custodian here. Each form has a file of its own, and stands in `custody-forms.ts`. */
export type CustodyForm = {
  readonly provider: CustodyProvider;
  /** Under which name its sessions stand in an answer (interface 2.7). */
  readonly sessionKey: Extract<keyof ProviderAuthentication["session"], "KmsA" | "KmsB" | "KmsC">;
  /** Signs a payload, as an entry of submit. `timestampMs` is real time. */
  sign(payloadBase64: string, key: AuthorizationKey, timestampMs: number): SubmitKmsPayload;
};
