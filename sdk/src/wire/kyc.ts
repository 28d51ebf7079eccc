/** Gap 43. */
export type KycStatus = "not_started" | "incomplete" | "under_review" | "approved" | "rejected";

/** Gap 43: whom to check, and for what. */
export type StartKycRequest = {
  readonly type: "individual" | "business";
  readonly email: string;
  readonly full_name: string;
  /** Default: `base`, which is also written `ach`. */
  readonly endorsements?: readonly ("base" | "ach" | "sepa" | "faster_payments" | "spei" | "pix")[];
  /** https; where the browser goes from the partner's page. */
  readonly redirect_uri?: string;
};

type KycReason = { readonly code: string; readonly message: string };

type Endorsements = { readonly [name: string]: "incomplete" | "approved" | "revoked" };

/** Gap 43. The links live 24 hours; `kyc.get` gives fresh ones. */
export type KycLink = {
  readonly id: string;
  readonly full_name: string;
  readonly email: string;
  readonly type: "individual" | "business";
  /** Absent where nothing is left to do there. */
  readonly kyc_link?: string;
  readonly tos_link?: string;
  readonly kyc_status: KycStatus;
  readonly tos_status: "pending" | "approved";
  readonly rejection_reasons: readonly KycReason[];
  readonly endorsements: Endorsements;
  readonly created_at: string;
  readonly customer_id?: string;
};

/** Interface 2.13. */
export type KycRecord = {
  readonly id: string;
  readonly account?: string;
  readonly status: KycStatus;
  readonly tos_status: "pending" | "approved";
  readonly type: "individual" | "business";
  readonly kyc_continuation_link?: string;
  readonly tos_link?: string;
  readonly rejection_reasons?: readonly KycReason[];
  readonly requirements_due?: readonly string[];
  readonly endorsements: Endorsements;
  readonly created_at: string;
  readonly updated_at: string;
};

/** Gap 97. */
export type DeletedRailData = {
  readonly address: string;
  readonly deleted: boolean;
  readonly kept_by_partner: string;
};

/** Gap 49: what the sandbox's partner is to think of somebody. */
export type SetKycRequest = {
  readonly status: KycStatus;
  readonly tos_status?: "pending" | "approved";
  readonly rejection_reasons?: readonly KycReason[];
  readonly revoked_endorsements?: readonly string[];
};
