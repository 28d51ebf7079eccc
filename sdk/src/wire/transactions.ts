import type { CustodyProvider, Provider } from "./common.js";

/** Interface 2.8. */
export type KmsPayload = {
  readonly address: string;
  readonly payload: string;
  readonly provider: Provider;
};

/** Gap 51; lamports as decimal strings (gap 9). */
export type TransactionFee = {
  readonly lamports: string;
  readonly rent_lamports: string;
  readonly paid_by: string;
};

/** Gap 30. For reading; what is signed is judged by the decoded transaction. */
export type SummaryEntry = { readonly type: string; readonly [member: string]: unknown };

/** Interface 2.8, gap 25. */
export type PreparedTransaction = {
  readonly transaction: string;
  readonly transaction_signers: readonly string[];
  readonly kms_payloads: readonly KmsPayload[];
  readonly expires_at: string;
  readonly summary: readonly SummaryEntry[];
  readonly fee: TransactionFee;
};

/** Gap 32. */
export type PrepareTransactionRequest = {
  readonly transaction: string;
  readonly account_signers?: readonly string[];
  readonly provider?: CustodyProvider;
  readonly fee_config?: { readonly self_managed_fees?: boolean; readonly [member: string]: unknown };
  readonly payer_address?: string;
};

/** Gap 32. */
export type PreparedCustomTransaction = PreparedTransaction & { readonly simulation_logs: readonly string[] };

/** Interface 2.10. */
export type KmsASignedPayload = { readonly signature: string };

/** Interface 2.10, gap 28. */
export type KmsBSignedPayload = {
  readonly public_key: string;
  readonly signature: string;
  readonly timestamp_ms: string;
};

/** Interface 2.10. */
export type SubmitKmsPayload =
  | { readonly provider: "kms_a"; readonly kms_signed_payload: KmsASignedPayload }
  | { readonly provider: "kms_b"; readonly kms_signed_payload: KmsBSignedPayload };

/** Interface 4.6, single form. */
export type SubmitTransactionRequest = {
  readonly transaction: string;
  readonly kms_payloads?: readonly SubmitKmsPayload[];
};

/** Interface 4.6, multiple form. */
export type SubmitTransactionsRequest = {
  readonly transactions: readonly string[];
  readonly kms_payloads: readonly (readonly SubmitKmsPayload[])[];
};

/** Interface 4.6. */
export type SubmittedTransaction = { readonly transaction_signature: string; readonly confirmed_at: string };

/** Interface 2.10 and 4.6. */
export type SubmittedTransactions = {
  readonly results: readonly (SubmittedTransaction & { readonly index: number })[];
  readonly partial_failure?: {
    readonly failed_at_index: number;
    readonly error_message: string;
    readonly error_code: string;
  } | null;
};

/** What submit answers, by the form of the request. */
export type Submitted<Request extends SubmitTransactionRequest | SubmitTransactionsRequest> =
  Request extends SubmitTransactionRequest ? SubmittedTransaction : SubmittedTransactions;
