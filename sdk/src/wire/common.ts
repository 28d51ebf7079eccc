/** `production` is another word for `mainnet` (gap 1). */
export type WireEnvironment = "sandbox" | "devnet" | "mainnet" | "production";

/** Interface 2.9. */
export type Provider = "kms_a" | "kms_b" | "kms_c" | "passkey" | "external";

/** The providers that hold keys at the service (gap 35). */
export type CustodyProvider = "kms_a" | "kms_b";

/** Interface 2.2. */
export type Permission = "CAN_INITIATE" | "CAN_VOTE" | "CAN_EXECUTE";

/** Interface 2.1. */
export type Envelope<Data> = {
  readonly data: Data;
  readonly metadata: {
    readonly request_id: string;
    readonly timestamp: string;
    readonly next_cursor?: string;
    readonly complete_at?: string;
  };
};

/** Interface 2.3. `role` is `primary` or `backup` (gap 15). */
export type PolicySigner = {
  readonly address: string;
  readonly permissions: readonly Permission[];
  readonly role?: "primary" | "backup";
  readonly provider?: Provider;
};

/** Interface 2.3; `time_lock` in seconds (gap 16). */
export type Policies = {
  readonly signers: readonly PolicySigner[];
  readonly threshold: number;
  readonly admin_address: string | null;
  readonly time_lock: number;
};

/**
 * Gap 152: one difference between a transaction as it was prepared and as it was submitted. `what` is
 * `instructions_added`, `instructions_removed` or `instructions_changed`, each with `program` and `count`; or
 * `instructions_reordered`, `compute_unit_limit`, `compute_unit_price`, `heap_frame`, `compute_budget`, `fee_payer`,
 * `blockhash`, `version`, `signers`, `accounts`, or what a newer service says.
 */
export type TransactionAlteration = {
  readonly what: string;
  readonly program?: string;
  readonly count?: number;
};

/** Gap 3: one finding of an error body. */
export type ErrorDetail = {
  readonly field?: string;
  readonly code: string;
  readonly message: string;
  readonly suggestion?: string;
  readonly documentation?: string;
  /** What whoever signed has changed; with `transaction_not_prepared`. */
  readonly alterations?: readonly TransactionAlteration[];
  /** Further facts a program can use. */
  readonly [fact: string]: unknown;
};

/** Gap 3. */
export type ErrorBody = {
  readonly message: string;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly timestamp: string;
  readonly request_id: string;
};
