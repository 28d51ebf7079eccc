import type { Address } from "@solana/kit";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";

/** A wallet whose signature is asked for. A guarded one obeys passkeys, a session one obeys keys of sessions. */
export interface PolicyWallet {
  readonly id: string;
  readonly address: Address;
  readonly environment: EnvironmentName;
  readonly kind: "session" | "guarded";
}

/** What commands the wallet this time. It was verified before the policy is asked. */
export type PolicyAuthority =
  | { readonly kind: "session"; readonly authorizationKeyId: string }
  | {
      readonly kind: "passkey";
      readonly passkeyId: string;
      /** Whether the holder approved on a page of the custodian's own, which shows what the bytes do. */
      readonly isOwnPage?: boolean;
    };

export interface SigningRequest {
  readonly wallet: PolicyWallet;
  /** The message that the signature would be over. */
  readonly message: Uint8Array;
  readonly authority: PolicyAuthority;
  /** Of the payload that the authority signed, in hex. */
  readonly payloadHash: string;
  /** Unix milliseconds of the environment's time. */
  readonly now: number;
}

/** Why a wallet does not sign. */
export const refusalReasons = [
  "opaque",
  "unseen_vote",
  "account_not_allowed",
  "passkey_needed",
  "mint_not_allowed",
  "over_transaction_limit",
  "over_period_limit",
  "destination_not_allowed",
  "destination_needs_own_page",
  "settings_change_beside_payment",
  "settings_change_delayed",
  "too_many_changes",
  "spending_limit_not_allowed",
  "altered_record",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export type Refusal = {
  readonly kind: "refuse";
  readonly reason: RefusalReason;
  readonly text: string;
  /** Of what is delayed: Unix milliseconds of the environment's time from which it is signed. */
  readonly notBefore?: number;
  /** Of the same: what it is listed and cancelled by. */
  readonly changeId?: string;
};

export type Decision = { readonly kind: "allow" } | Refusal;

/** Decides on the bytes alone whether a wallet signs. An allowed message counts against the wallet's limits from then on. */
export interface SigningPolicy {
  decide(request: SigningRequest): Promise<Decision>;
}
