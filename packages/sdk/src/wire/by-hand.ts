/** What the library has besides the document, or says otherwise than it; each says why. Everything else is generated. */
import type {
  BankCurrency,
  BankRail,
  CreateEmailAccountRequest,
  CustodyProvider,
  KmsASignedPayload,
  KmsBSignedPayload,
  LimitDecision,
  PasskeySignedPayload,
  PendingAccount,
  Permission,
  PolicySigner,
  RailMovement,
  ResponseMetadata,
  SignersAccount,
  SpendingLimitPeriod,
  SplTransfer,
  StandingOrderFrequency,
  SubmitTransactionRequest,
  SubmitTransactionsRequest,
  SubmittedTransaction,
  SubmittedTransactions,
  TransfersQuery,
  UpdateAccountRequest,
} from "./generated/types.js";

/** Every answer (interface 2.1). The document has one for each kind of data. */
export type Envelope<Data> = { readonly data: Data; readonly metadata: ResponseMetadata };

/** Gap 30. Open, as a newer service knows further types. For reading; what is signed is judged by the decoded transaction. */
export type SummaryEntry = { readonly type: string; readonly [member: string]: unknown };

/**
 * Which power a `set_authority` hands over; one that the token programs get later is `number_` with its number. The document
 * has no list of them, as it grows with those programs.
 */
export type AuthorityType =
  | "owner_program"
  | "nonce"
  | "staker"
  | "withdrawer"
  | "program_upgrade"
  | "mint_tokens"
  | "freeze_account"
  | "account_owner"
  | "close_account"
  | "transfer_fee_config"
  | "withheld_withdraw"
  | "close_mint"
  | "interest_rate"
  | "permanent_delegate"
  | "confidential_transfer_mint"
  | "transfer_hook_program"
  | "confidential_transfer_fee_config"
  | "metadata_pointer"
  | "group_pointer"
  | "group_member_pointer"
  | "scaled_ui_amount"
  | "pause";

/** Something to think about before voting. Open, as a newer service knows further codes. */
export type ProposalWarning = { readonly code: string; readonly message: string; readonly [fact: string]: unknown };

/** Interface 2.10: what either custodian takes, of a session's key or of a passkey. The service also reads a form of before. */
export type SubmitKmsPayload =
  | { readonly provider: CustodyProvider; readonly kms_signed_payload: PasskeySignedPayload }
  | { readonly provider: "kms_a" | "kms_c"; readonly kms_signed_payload: KmsASignedPayload }
  | { readonly provider: "kms_b"; readonly kms_signed_payload: KmsBSignedPayload };

/** What submit answers, by the form of the request. */
export type Submitted<Request extends SubmitTransactionRequest | SubmitTransactionsRequest> =
  Request extends SubmitTransactionRequest ? SubmittedTransaction : SubmittedTransactions;

/** Interface 4.1, signer form with plain keys, which get all three permissions (gap 14). */
export type CreateSignersAccountRequest = {
  readonly type: "signers";
  readonly signers: readonly string[];
  readonly threshold: number;
  readonly memo?: string;
};

/** Interface 4.1, signer form with policies (gap 14). */
export type CreatePoliciesAccountRequest = {
  readonly type: "signers";
  readonly policies: {
    readonly signers: readonly PolicySigner[];
    readonly threshold: number;
    /** Seconds; 0 when absent. */
    readonly time_lock?: number;
    /** Who alone may change the settings. Absent: the signers decide, for good. */
    readonly admin_address?: string;
  };
  readonly memo?: string;
};

/** The document has both forms of signers in one. */
export type CreateAccountRequest =
  | CreateEmailAccountRequest
  | CreateSignersAccountRequest
  | CreatePoliciesAccountRequest;

/** What create answers, by the form of the request. */
export type CreatedAccount<Request extends CreateAccountRequest> = Request extends CreateEmailAccountRequest
  ? PendingAccount
  : SignersAccount;

/** What a policy is to become; absent stays as it is (interface 4.5, gap 23). */
export type PolicyChange = Pick<UpdateAccountRequest, "signers" | "threshold" | "time_lock" | "admin_address">;

/** How it moved is the key; the other one is there as `undefined`, so that both can be read. */
export type Transfer =
  | { readonly Spl: SplTransfer; readonly Bridge?: never }
  | { readonly Bridge: RailMovement; readonly Spl?: never };

/** What lists of transfers and transactions are asked with, besides a type and a status (gap 82). */
export type HistoryQuery = Omit<TransfersQuery, "type" | "status">;

/** Gap 33; `amount` in base units. The document has this request and the next two in one. */
export type PrepareTransferRequest = {
  readonly amount: string;
  readonly source: { readonly account: string; readonly currency: string };
  readonly destination: {
    readonly address: string;
    readonly currency: string;
    readonly confirm_program_address?: boolean;
  };
  /** What the payee is to read with it, at most 256 bytes of UTF-8 (gap 151). */
  readonly memo?: string;
  readonly provider?: CustodyProvider;
  readonly transaction_signers?: readonly string[];
  /** True: a passkey among the signers approves it itself (gap 248). */
  readonly passkey_approval?: boolean;
  readonly grid_user_id?: string;
  readonly webhook_url?: string;
};

/** Gap 102; `amount` in base units, whole cents. */
export type PrepareBankPaymentRequest = {
  readonly amount: string;
  readonly source: { readonly account: string; readonly currency: string };
  readonly destination: {
    readonly payment_rail: BankRail;
    readonly currency: BankCurrency;
    readonly external_account_id: string;
    /** What the payee's statement says. */
    readonly reference?: string;
  };
  readonly provider?: CustodyProvider;
  readonly transaction_signers?: readonly string[];
  readonly webhook_url?: string;
};

/** Gap 103; `amount` is a decimal in the bank's currency. */
export type ReceiveFromBankRequest = {
  readonly amount: string;
  readonly source: { readonly payment_rail: BankRail; readonly currency: BankCurrency };
  /** The coin; the partner's usual one if absent. */
  readonly destination: { readonly address?: string; readonly currency?: string };
  readonly webhook_url?: string;
};

/** Gap 79; `amount` in base units (gap 80). Of the payments the document has in one, the one on chain. */
export type LegacyPaymentIntentRequest = {
  readonly amount: string;
  readonly source: { readonly currency: string; readonly account?: string; readonly payment_rail?: string };
  readonly destination: {
    readonly address: string;
    readonly confirm_program_address?: boolean;
    readonly currency?: string;
    readonly payment_rail?: string;
  };
  /** What the payee is to read with it, at most 256 bytes of UTF-8 (gap 151). */
  readonly memo?: string;
  readonly transaction_signers?: readonly string[];
  readonly grid_user_id?: string;
  readonly webhook_url?: string;
};

/**
 * One change of the settings, to be put to a vote (gap 36). The service reads further spellings; these are the ones that
 * the library can hold the prepared transaction against.
 */
export type ProposedAction =
  | {
      readonly type: "AddSigner";
      readonly newSigner: { readonly address: string; readonly permissions: readonly Permission[] };
    }
  | { readonly type: "RemoveSigner"; readonly oldSigner: string }
  | { readonly type: "ChangeThreshold"; readonly newThreshold: number }
  /** Seconds. */
  | { readonly type: "SetTimeLock"; readonly newTimeLock: number }
  | {
      readonly type: "AddSpendingLimit";
      /** Null is SOL. */
      readonly mint: string | null;
      /** Base units per period. */
      readonly amount: string;
      readonly period: SpendingLimitPeriod;
      readonly signers: readonly string[];
      /** Absent or empty: anybody may be paid. */
      readonly destinations?: readonly string[];
      /** Unix seconds; absent: never. */
      readonly expiration?: number;
    }
  | { readonly type: "RemoveSpendingLimit"; readonly spendingLimit: string }
  /** Ends a policy: signers of its own, who act for the account without its signers' vote (gap 140). */
  | { readonly type: "PolicyRemove"; readonly policy: string };

/** Gap 36: what is common to all that can be proposed. */
type ProposalOpening = Pick<LimitDecision, "fee_config" | "payer_address"> & {
  /** Who proposes; holds CAN_INITIATE. */
  readonly signer: string;
  /** True: the proposer approves in the same transaction. */
  readonly approve?: boolean;
  /** True: a passkey that proposes approves it itself (gap 248). */
  readonly passkey_approval?: boolean;
};

/** Gap 36; of each content the one form that the library prepares and checks. */
export type CreateProposalRequest = ProposalOpening &
  (
    | { readonly type: "custom"; readonly transaction: string }
    /** Two to twenty, voted on together and executed one after the other (gap 109). */
    | { readonly type: "custom"; readonly transactions: readonly string[] }
    | { readonly type: "settings"; readonly actions: readonly ProposedAction[] }
    | ({ readonly type: "transfer" } & RequestedTransfer)
    /** Two to twenty, voted on together and paid one after the other (gap 224). */
    | { readonly type: "transfers"; readonly transfers: readonly RequestedTransfer[] }
  );

type RequestedTransfer = {
  /** Base units. */
  readonly amount: string;
  readonly currency?: string;
  readonly mint?: string;
  readonly destination: string | { readonly address: string; readonly confirm_program_address?: boolean };
  readonly memo?: string;
};

/** Interface 4.8, gap 66. The document has both payees in one. */
export type CreateStandingOrderRequest = LimitDecision & {
  readonly amount: string;
  readonly frequency: StandingOrderFrequency;
  readonly source: { readonly account: string; readonly currency: string };
  readonly destination:
    | { readonly address: string; readonly currency: string; readonly confirm_program_address?: boolean }
    | { readonly external_account_id: string; readonly payment_rail: string; readonly currency?: string };
  readonly start_date?: string;
  readonly end_date?: string | null;
};
