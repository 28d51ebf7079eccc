export interface PreparedTransactionTable {
  /** Lower-case hex SHA-256 of the message bytes. */
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  kind: string;
  /** Base64 wire transaction, all signatures zero. */
  transaction: string;
  /** JSON array of the addresses that must sign, the fee payer excluded unless it is the caller's. */
  transaction_signers: string;
  fee_payer: string;
  fee_lamports: bigint;
  rent_lamports: bigint;
  last_valid_block_height: bigint;
  /** Of the state it was simulated on, at which it had not landed. Null: it was not simulated, or it is of an earlier release. */
  simulated_slot: bigint | null;
  /** Environment time. */
  created_at: bigint;
  expires_at: bigint;
  /** The prepared transaction that has to land before it; null: none. */
  follows: string | null;
  /** JSON of `BufferStep`: what it leaves of a message in a transaction buffer; null: it has nothing to do with one. */
  buffer_step: string | null;
  /** When a response reported that it can no longer land: from then on its bytes are not recorded. Environment time. */
  refused_at: bigint | null;
}

export interface KmsPayloadTable {
  /** The payload's nonce. */
  id: string;
  prepared_id: string;
  provider: string;
  wallet_id: string;
  address: string;
  /** Base64, exactly as handed out. */
  payload: string;
  /** Null until consumed, then the submission that consumed it. */
  used_by: string | null;
  /** SHA-256 of the stamp it was consumed with, to recognise that stamp by. */
  stamp_hash: Uint8Array | null;
  expires_at: bigint;
}

export interface SubmissionTable {
  /** Lower-case hex SHA-256 of the message bytes: a transaction's identity. */
  id: string;
  tenant_id: string | null;
  environment: string;
  account_address: string | null;
  purpose:
    | "transaction"
    | "account_creation"
    | "proposal_close"
    | "standing_order"
    | "token_account"
    | "passkey"
    | "faucet";
  /** Base58 transaction signature. Each belongs to one submission that is not `carried`, and to one that is, at most. */
  signature: string;
  /** Whether it landed as another message, which a wallet has made of the one with this id: gap 143. */
  carried: boolean;
  /** The signed bytes; nothing else is ever sent under this identity. Empty once they were wiped, long after the end. */
  wire_transaction: Uint8Array;
  last_valid_block_height: bigint;
  /** A slot at which it had not landed: read just before the bytes were recorded. Null in rows of earlier releases. */
  recorded_slot: bigint | null;
  /** The last signature of the account's history that was searched for another one of the same message, where that search continues. */
  searched_to: string | null;
  state: "signed" | "sent" | "landed" | "failed" | "expired";
  /** JSON of the chain's error and logs, for `failed`. */
  failure: string | null;
  slot: bigint | null;
  /** Unix seconds of the block. */
  block_time: bigint | null;
  /** Lamports reserved against the budgets, and what was really spent. */
  reserved_lamports: bigint;
  /** The budgets' day the reservation counts on; null without one. */
  reserved_on: number | null;
  spent_lamports: bigint | null;
  /** Whether it changes its account's settings. Null: it does not, or it is of an earlier release. */
  changes_settings: boolean | null;
  created_at: bigint;
  updated_at: bigint;
  /** When a recovery pass last checked it; zero before the first check. Environment time, as the next. */
  looked_at: bigint;
  /** When it was last reported that its outcome cannot be determined. */
  alarmed_at: bigint | null;
}

export interface SponsorshipBudgetTable {
  environment: string;
  /** `environment`, `tenant:<id>` or `account:<address>`; with `given:` before it for rent that others can cash in. */
  scope: string;
  /** Days since 1970 in real time. */
  day: number;
  lamports: bigint;
  /**
   * The limit in force when it was last drawn on; the database keeps `lamports` at or below it. Without bound where a
   * tenant drew on the share that is reserved for it.
   */
  ceiling: bigint;
}

/** One cost of a sponsored transaction, and who gains by it: the ledger of what the service pays for others. */
export interface SponsoredCostTable {
  submission_id: string;
  /** Within the submission; the fee is first. */
  position: number;
  environment: string;
  tenant_id: string;
  /** Null while an account is being created. */
  account_address: string | null;
  kind:
    | "fee"
    | "settings_rent"
    | "creation_fee"
    | "proposal_rent"
    | "proposal_growth"
    | "token_account_rent"
    | "spending_limit_rent"
    | "passkey_rent";
  /** The account on chain in which it lies; null where it lies in none, or its address was not known yet. */
  held_at: string | null;
  /** Whom closing that account enriches. Null: it cannot be closed, or the chain itself was paid. */
  beneficiary: string | null;
  /** Whether it returns to the service's fee payer. */
  is_recoverable: boolean;
  reserved_lamports: bigint;
  /** The budgets' day it counts on. */
  reserved_on: number;
  /** Null until the outcome is settled. */
  spent_lamports: bigint | null;
  /** What closing gave back. Environment time. */
  returned_lamports: bigint | null;
  returned_at: bigint | null;
}

/** How many token accounts and spending limits the service has opened for an account in its life. */
export interface SponsoredOpeningTable {
  environment: string;
  account_address: string;
  opened: number;
  /** The limit in force when it was last drawn on; the database keeps `opened` at or below it. */
  ceiling: number;
}
