import type { Generated, Kysely, Transaction } from "kysely";

/**
 * The one database schema, as the code sees it. PGlite and PostgreSQL both speak it; the migrations in
 * `adapters/db/migrations` create it.
 *
 * Conventions: instants are `int8` Unix milliseconds and arrive as `bigint`; which clock wrote them (environment or
 * real time) is said at the column. JSON that must survive byte for byte is `text`. `bytea` arrives as `Uint8Array`.
 */
export interface DatabaseSchema {
  meta: MetaTable;
  tenant: TenantTable;
  api_key: ApiKeyTable;
  identity_key: IdentityKeyTable;
  idempotency_record: IdempotencyRecordTable;
  app_user: UserTable;
  kms_wallet: KmsWalletTable;
  kms_authorization_key: KmsAuthorizationKeyTable;
  account: AccountTable;
  account_signer: AccountSignerTable;
  account_creation: AccountCreationTable;
  pending_account: PendingAccountTable;
  one_time_code: OneTimeCodeTable;
  otp_failure: OtpFailureTable;
  session: SessionTable;
  session_chain: SessionChainTable;
  mail: MailTable;
  prepared_transaction: PreparedTransactionTable;
  kms_payload: KmsPayloadTable;
  submission: SubmissionTable;
  sponsorship_budget: SponsorshipBudgetTable;
  sponsored_cost: SponsoredCostTable;
  sponsored_opening: SponsoredOpeningTable;
  payment_intent: PaymentIntentTable;
  standing_order: StandingOrderTable;
  standing_order_run: StandingOrderRunTable;
  proposal: ProposalTable;
  proposal_watch: ProposalWatchTable;
  history_transaction: HistoryTransactionTable;
  history_transfer: HistoryTransferTable;
  history_unread: HistoryUnreadTable;
  history_address: HistoryAddressTable;
  history_watch: HistoryWatchTable;
  event: EventTable;
  event_feed: EventFeedTable;
  webhook_endpoint: WebhookEndpointTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_attempt: WebhookAttemptTable;
  rail_verification: RailVerificationTable;
  rail_owner: RailOwnerTable;
  rail_external_account: RailExternalAccountTable;
  rail_transfer: RailTransferTable;
  rail_payout_address: RailPayoutAddressTable;
  rail_payout: RailPayoutTable;
  rail_notice: RailNoticeTable;
  rail_feed: RailFeedTable;
  simulated_verification: SimulatedVerificationTable;
  simulated_bank_account: SimulatedBankAccountTable;
  simulated_transfer: SimulatedTransferTable;
  simulated_payout_address: SimulatedPayoutAddressTable;
  simulated_feed: SimulatedFeedTable;
  simulated_news: SimulatedNewsTable;
  rail_virtual_account: RailVirtualAccountTable;
  rail_deposit: RailDepositTable;
  simulated_virtual_account: SimulatedVirtualAccountTable;
  simulated_deposit: SimulatedDepositTable;
  chain_state: ChainStateTable;
  chain_account: ChainAccountTable;
  chain_transaction: ChainTransactionTable;
  chain_address_signature: ChainAddressSignatureTable;
}

/**
 * The database did not answer, or gave a statement up: it is down, restarting, overloaded, or out of reach. A statement
 * that only reads may be asked again. Of one that writes, and whose connection was lost, nobody knows here whether it was
 * carried out.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  constructor(options: { readonly cause: unknown }) {
    super("the database does not answer", options);
  }
}

/** The database outside any transaction. */
export type Db = Kysely<DatabaseSchema>;
/** The database inside one transaction. */
export type Trx = Transaction<DatabaseSchema>;
/** Either: what a store function takes when it does not care. */
export type DbOrTrx = Db | Trx;

export interface MetaTable {
  key: string;
  value: string;
}

export interface TenantTable {
  id: string;
  name: string;
  /** Real time, as the next. */
  created_at: bigint;
  /** Its keys are dead while this is set. */
  disabled_at: Generated<bigint | null>;
}

export interface ApiKeyTable {
  id: string;
  tenant_id: string;
  name: string;
  /** What it is for: a server, or the browsers of an application (gap 123). */
  kind: Generated<"secret" | "publishable">;
  /** `sk_test_…` or `pk_live_…` with the first characters, for people to recognise a key by. */
  visible_prefix: string;
  /** HMAC-SHA256 of the whole key under a secret outside the database. */
  key_hash: Uint8Array;
  /** JSON array of scope names. */
  scopes: string;
  /** JSON array of environment names. */
  environments: string;
  /** How it came to be: `created`, `first_start`, or `configured` (from TRELLIS_API_KEY). */
  origin: "created" | "first_start" | "configured";
  /** Of a publishable key: the origins of pages that may use it. */
  allowed_origins: Generated<string[]>;
  /** CIDR ranges of remote addresses that may use it; none: all. */
  allowed_addresses: Generated<string[]>;
  /** Real time, as all that follow. */
  created_at: bigint;
  expires_at: bigint | null;
  disabled_at: bigint | null;
  /** With `disabled_at`: for good, also where it is the configured key. */
  revoked_at: Generated<bigint | null>;
  /** To the minute. */
  last_used_at: Generated<bigint | null>;
}

/** What signs identity tokens (gap 124). */
export interface IdentityKeyTable {
  /** The public half's thumbprint (RFC 7638). */
  id: string;
  /** The public half, base64url. */
  x: string;
  y: string;
  /** PKCS #8, envelope-encrypted. */
  private_key: Uint8Array;
  /** Real time, as the next: it is published before. */
  signs_from: bigint;
  /** From then on it is not published any more. Null while it has no successor. */
  retires_at: bigint | null;
}

export interface IdempotencyRecordTable {
  tenant_id: string;
  environment: string;
  method: string;
  path: string;
  idempotency_key: string;
  fingerprint: Uint8Array;
  state: "running" | "answered";
  /** Who runs it: a fresh value per attempt, so that a late finisher cannot overwrite a newer attempt. */
  attempt_id: string;
  /** Real time, as the next. A running record whose lease has passed may be taken over. */
  leased_until: bigint;
  expires_at: bigint;
  status: number | null;
  /** The stored answer, envelope-encrypted: gap 6. */
  answer: Uint8Array | null;
}

export interface UserTable {
  /** The wire's `grid_user_id`. */
  id: string;
  tenant_id: string;
  environment: string;
  email: string;
  /** Environment time. */
  created_at: bigint;
}

export interface KmsWalletTable {
  id: string;
  /** `kms_a` or `kms_b`. */
  provider: string;
  /** The custodian's name for whoever owns the wallet: the user's id. */
  owner_id: string;
  environment: string;
  /** Base58 Ed25519 public key. */
  address: string;
  /** The 32-byte Ed25519 seed, envelope-encrypted, bound to this row. */
  secret: Uint8Array;
  created_at: bigint;
}

export interface KmsAuthorizationKeyTable {
  id: string;
  wallet_id: string;
  /** 65-byte uncompressed P-256 point. The private half was sealed to the client and forgotten. */
  public_key: Uint8Array;
  /** Environment time, as the next two. */
  created_at: bigint;
  expires_at: bigint;
  revoked_at: bigint | null;
  /** HMAC over id, wallet, key and end, under a secret outside the database. */
  binding: Uint8Array;
}

export interface AccountTable {
  environment: string;
  /** The smart account: vault 0. */
  address: string;
  tenant_id: string;
  settings_address: string;
  type: "email" | "signers" | "custom";
  user_id: string;
  memo: string | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
  /** A change of its settings landed in this slot, and who its members are since has not been read. Null: nothing of that. */
  members_due: bigint | null;
}

export interface AccountSignerTable {
  environment: string;
  account_address: string;
  signer_address: string;
  role: "primary" | "backup";
  provider: string;
  /** The custodian's wallet, where a built-in custodian holds the key. */
  wallet_id: string | null;
  /** List order. */
  position: number;
}

export interface AccountCreationTable {
  id: string;
  tenant_id: string;
  environment: string;
  user_id: string;
  type: "email" | "signers" | "custom";
  /** JSON: what is to be created (signers with roles, threshold, time lock, admin, memo). */
  plan: string;
  state: "pending" | "landed" | "failed";
  /** The one-time code that proved the address, and the fingerprint of the public key it came with. */
  one_time_code_id: string | null;
  client_key_fingerprint: Uint8Array | null;
  /** The submission that carries it at present. */
  submission_id: string | null;
  account_address: string | null;
  /** Set once a session was issued for it: from then on the code is spent for good. Environment time. */
  answered_at: bigint | null;
  /** Environment time. */
  created_at: bigint;
  /** When somebody last took it up, or said that it is still at it: passes leave it alone for a while. Real time. */
  looked_at: bigint;
}

export interface PendingAccountTable {
  tenant_id: string;
  environment: string;
  email: string;
  memo: string | null;
  created_at: bigint;
}

export interface OneTimeCodeTable {
  /** The wire's `otp_id`. */
  id: string;
  tenant_id: string;
  environment: string;
  email: string;
  purpose: "create" | "authenticate";
  provider: string;
  code_hmac: Uint8Array;
  attempts: number;
  state: "live" | "spent" | "void";
  /** Seconds of session life asked for when the code was requested, if any. */
  requested_session_seconds: bigint | null;
  /** Environment time. */
  created_at: bigint;
  expires_at: bigint;
}

export interface OtpFailureTable {
  id: string;
  tenant_id: string;
  environment: string;
  email: string;
  /** Environment time. */
  failed_at: bigint;
}

export interface SessionTable {
  id: string;
  user_id: string;
  provider: string;
  wallet_id: string;
  authorization_key_id: string;
  /** Its 65-byte point: by which a signature is matched to a session. The custodian obeys its own record of the key. */
  authorization_public_key: Uint8Array;
  /** 65-byte point of the client's encryption key: gap 20. */
  client_public_key: Uint8Array;
  token_hash: Uint8Array;
  access_token_hash: Uint8Array;
  refresh_token_hash: Uint8Array;
  state: "live" | "rotated" | "revoked";
  /** All refreshed sessions that go back to one code share the chain. */
  chain_id: string;
  parent_id: string | null;
  /** The session whose place it took, because the answer with that one was lost. */
  replaces_id: string | null;
  /** Environment time, all below. */
  chain_started_at: bigint;
  created_at: bigint;
  expires_at: bigint;
  rotated_at: bigint | null;
  /** When its authorization key or refresh token was first used. */
  used_at: bigint | null;
  /** Since when the custodian has known its authorization key as revoked. */
  key_revoked_at: bigint | null;
}

/** What the sessions of one code have in common. Whoever opens or ends one of them locks this row. */
export interface SessionChainTable {
  id: string;
  /** From then on none of its sessions is good for anything, whatever their own state. Environment time, as the next. */
  ended_at: bigint | null;
  /** When the minute began in which `refreshes` are counted. */
  refreshed_since: bigint;
  refreshes: number;
}

export interface MailTable {
  id: string;
  tenant_id: string;
  environment: string;
  /** What the code in it is for: shares are counted apart. Null in rows from before there were shares. */
  purpose: "create" | "authenticate" | null;
  /** HMAC of the address: what the mail limits count by. */
  recipient_hash: Uint8Array;
  /** Envelope-encrypted JSON message; wiped after sending, kept in the sandbox's outbox. */
  message: Uint8Array | null;
  state: "queued" | "sent" | "refused";
  /** Environment time. */
  created_at: bigint;
  /** Real time: limits count on it. */
  queued_at_real: bigint;
}

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
  /** Environment time. */
  created_at: bigint;
  expires_at: bigint;
  /** The prepared transaction that has to land before it; null: none. */
  follows: string | null;
  /** JSON of `BufferStep`: what it leaves of a message in a transaction buffer; null: it has nothing to do with one. */
  buffer_step: string | null;
  /** When somebody was told that it can no longer land: from then on its bytes are not recorded. Environment time. */
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
  purpose: "transaction" | "account_creation" | "proposal_close" | "standing_order" | "token_account" | "faucet";
  /** Base58 transaction signature. */
  signature: string;
  /** The signed bytes; nothing else is ever sent under this identity. Empty once they were wiped, long after the end. */
  wire_transaction: Uint8Array;
  last_valid_block_height: bigint;
  /** A slot at which it had not landed: read just before the bytes were recorded. Null in rows of earlier releases. */
  recorded_slot: bigint | null;
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
  /** When a recovery pass last looked at it; zero before the first look. Environment time, as the next. */
  looked_at: bigint;
  /** When it was last reported that nobody can tell what became of it. */
  alarmed_at: bigint | null;
}

export interface SponsorshipBudgetTable {
  environment: string;
  /** `environment`, `tenant:<id>` or `account:<address>`; with `given:` before it for rent that somebody else can cash in. */
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
  /** Within the submission; the fee comes first. */
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
    | "spending_limit_rent";
  /** The account on chain in which it lies; null where it lies in none, or its address was not known yet. */
  held_at: string | null;
  /** Whom closing that account enriches. Null: nobody can close it, or the chain itself was paid. */
  beneficiary: string | null;
  /** Whether it comes back to the service's fee payer. */
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

export interface PaymentIntentTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  /** Null where money comes from a bank: nothing is signed for that. */
  prepared_id: string | null;
  /** Which end is a bank's; then a transfer of a partner has the same id. Null: both are on chain. */
  rail: "in" | "out" | null;
  /** Decimal string: base units, of money from a bank in its currency. */
  amount: string;
  currency: string;
  /** JSON endpoint objects. */
  source: string;
  destination: string;
  /**
   * Moves with the submission of its prepared transaction, in the same statements: `core/payment-intents/intent-states.ts`.
   */
  state:
    | "awaiting_funds"
    | "in_review"
    | "funds_received"
    | "payment_submitted"
    | "payment_processed"
    | "canceled"
    | "error"
    | "undeliverable"
    | "returned"
    | "refunded";
  /** Environment time, as the next: when the state last moved. */
  updated_at: bigint;
  created_at: bigint;
}

/** A payment that is made again and again, within a spending limit that the account gave the executor on chain (gap 42). */
export interface StandingOrderTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  settings_address: string;
  status: "pending" | "active" | "inactive" | "completed" | "cancelled";
  /** Why it is inactive or was cancelled, as clients see it; null otherwise. */
  reason: string | null;
  /** Why the operator has suspended it, for operators alone; null: he has not. */
  suspended_for: string | null;
  /** Of one that was inactive before that: the reason it had. */
  suspended_from: string | null;
  /** Decimal string in base units, of one payment. */
  amount: string;
  /** As it was asked for: a symbol, or a mint. */
  currency: string;
  /** Null is SOL. */
  mint: string | null;
  frequency: "daily" | "weekly" | "monthly";
  /** JSON endpoint objects, as answered. */
  source: string;
  destination: string;
  /** The owner that is paid. */
  payee: string;
  /** Where the payee is a bank account: the address on chain that passes coins on to it. */
  payout_address_id: string | null;
  /** The first due date: environment time, Unix milliseconds, as every instant here. */
  start_at: bigint;
  /** Inclusive; null: without end. */
  end_at: bigint | null;
  /** How many due dates there are; null without an end. */
  occurrences: number | null;
  /** The key of the service that may draw on the limit. */
  executor_address: string;
  spending_limit_address: string;
  /** When the limit on chain ends, Unix seconds; null: never. */
  limit_expires_at: bigint | null;
  /** The latest transaction that was prepared to give the limit, or to renew it. */
  prepared_id: string;
  /** Where the limit has to be voted on; null where it is given at once. */
  proposal_address: string | null;
  /** The latest transaction that was prepared to take the limit away again. */
  removal_prepared_id: string | null;
  /** The limit that would replace the present one, where the order was offered a new one; null once it has. */
  renewal_limit_address: string | null;
  /** Of the bounded number of open orders an account may have, the one this takes while it is pending or active. */
  place: number;
  /** Until when a pending order waits for its limit. */
  valid_until: bigint;
  /** What stands on chain: not given yet, given, given and no longer wanted, gone. */
  mandate: "awaited" | "active" | "revocation_pending" | "revoked";
  /** When the limit was first seen on chain. */
  mandated_at: bigint | null;
  /**
   * The next due date that has no end yet: its number, counted from zero, and its instant. Null: none is left. What was
   * cancelled or is inactive keeps the one it had.
   */
  next_index: number | null;
  next_due_at: bigint | null;
  /** When the scheduler looks at this order next; null: not before something changes it. */
  attempt_at: bigint | null;
  /** Until when whoever looks at it has it to himself, a name for that look at once: real time. Null: nobody does. */
  leased_until: bigint | null;
  missed_in_a_row: number;
  last_paid_at: bigint | null;
  created_at: bigint;
  updated_at: bigint;
}

/** One due date of a standing order that has come: paid, or given up, at most once. */
export interface StandingOrderRunTable {
  order_id: string;
  /** Environment time, Unix milliseconds, as every instant here. With `order_id` the key. */
  due_at: bigint;
  environment: string;
  /** `sending`: signed bytes are stored. `retrying`: something stood in the way, and it is tried again. */
  state: "scheduled" | "sending" | "retrying" | "paid" | "missed";
  /** How many transactions were signed for it, or found to fail before. */
  attempts: number;
  /** How often something stood in the way that time or the account's people have to remove: what back-off counts by. */
  refusals: Generated<number>;
  /** When it was paid, by the block it landed in. */
  paid_at: bigint | null;
  /** The submission that carries it, the latest one. */
  submission_id: string | null;
  /** Of the payment that landed, or that is under way. */
  signature: string | null;
  /** What stood in the way last; null once it is paid. */
  error: string | null;
  created_at: bigint;
  updated_at: bigint;
}

/**
 * One transaction index of an account's settings, and the vote on it, as the chain has them or last had them. Everything
 * but the last three columns follows from the chain alone. Instants are Unix seconds of blocks.
 */
export interface ProposalTable {
  environment: string;
  settings_address: string;
  transaction_index: bigint;
  proposal_address: string;
  transaction_address: string;
  /** What is voted on. `unknown`: its account is gone, or of a kind this client does not read. */
  kind: "transaction" | "settings" | "batch" | "unknown";
  /** What clients see; for a closed proposal the last known outcome. Null: nobody has opened a vote on it. */
  status: "Active" | "Approved" | "Executed" | "Rejected" | "Cancelled" | null;
  /** As the chain has it. Null together with `status`. */
  chain_status: "draft" | "active" | "rejected" | "approved" | "executing" | "executed" | "cancelled" | "closed" | null;
  /** When the last status before closing was set. */
  status_timestamp: bigint | null;
  /** JSON arrays of signer addresses. */
  approved: string;
  rejected: string;
  cancelled: string;
  /** JSON: every signer's last vote of each action, `[{signer, action, at, signature}]`, oldest first. */
  votes: string;
  /** Of the transaction. */
  creator: string | null;
  /** Who gets the rent of the two accounts back. */
  proposal_rent_collector: string | null;
  transaction_rent_collector: string | null;
  /** What would be executed: see `proposal-index/proposal-content.ts`. Null where it is not known. */
  content: Uint8Array | null;
  /** Of a batch: how many transactions were put into it, and how many of them were executed. Null for anything else. */
  batch_size: number | null;
  batch_executed: number | null;
  /** What closing its transactions gave back before the batch itself was closed. */
  batch_reclaimed_lamports: bigint | null;
  opened_at: bigint | null;
  /** The last transaction that changed the proposal. */
  last_modified_signature: string | null;
  last_modified_at: bigint | null;
  /** Whether a transaction that changed it lived by a durable nonce instead of a recent blockhash. */
  uses_durable_nonce: boolean;
  /** What closing gave back to the rent collectors; null while it is open, or while nobody can tell. */
  reclaimed_lamports: bigint | null;
  /** The newest signature of its history that was read. */
  seen_signature: string | null;
  /** The slot at which it was read; an older reading never replaces a newer one. */
  read_slot: bigint;
  /**
   * When the service last set out to close it: environment time, Unix milliseconds. Null again once the budgets have got
   * back what closing brought.
   */
  close_tried_at: bigint | null;
}

/** How far the index has followed an account. */
export interface ProposalWatchTable {
  environment: string;
  settings_address: string;
  /** Up to which index there are rows. */
  transaction_index: bigint;
  /** Of the settings account, at `read_slot`. */
  stale_transaction_index: bigint;
  read_slot: bigint;
  /** When something last happened here, as far as was seen: environment time, Unix milliseconds, as all that follow. */
  active_at: bigint;
  /** When its settings were last read; null: never yet. */
  looked_at: bigint | null;
  /** When it is looked at next; null: it sleeps until it is touched. */
  due_at: bigint | null;
  /** When it is looked through for stale proposals to close; null: there are none. */
  stale_due_at: bigint | null;
}

/**
 * A transaction of an account, as the chain has it: everything but the last column follows from the chain alone. Its
 * instants are Unix seconds of blocks.
 */
export interface HistoryTransactionTable {
  environment: string;
  account_address: string;
  signature: string;
  slot: bigint;
  confirmed_at: bigint;
  /** False: the cluster has confirmed it, and may still drop it. */
  finalized: boolean;
  failed: boolean;
  /** JSON of the chain's error, where it failed. */
  error: string | null;
  /** See `history-index/transaction-kind.ts`. */
  kind: string;
  /** By which of the account's addresses it was found first. */
  found_at: string;
}

/** One movement of money in such a transaction. */
export interface HistoryTransferTable {
  environment: string;
  account_address: string;
  signature: string;
  /** Within the transaction. */
  position: number;
  /** As in its transaction. */
  slot: bigint;
  confirmed_at: bigint;
  /** Instructions are counted in the order they began, called ones included; one more than the last: none of them. */
  instruction_index: number;
  direction: "inflow" | "outflow";
  /** The smart account, or the token account it owns, that gained or lost. */
  own_address: string;
  /** The system program's address is SOL. */
  mint: string;
  is_token_2022: boolean;
  decimals: number;
  from_address: string;
  to_address: string;
  /** Decimal string in base units. */
  amount: string;
  /** Whether it is the transaction's first of this mint. */
  is_first_of_mint: boolean;
}

/** A transaction that a node has listed and nobody has read yet. */
export interface HistoryUnreadTable {
  environment: string;
  account_address: string;
  signature: string;
  slot: bigint;
  /** Unix seconds, where the list told it. */
  confirmed_at: bigint | null;
  finalized: boolean;
  found_at: string;
  /** How often it was asked for in vain. */
  tries: number;
  /** When it is asked for next: environment time, Unix milliseconds. Before the first try the slot, negative: newest first. */
  due_at: bigint;
}

/** How far one address of an account was followed. */
export interface HistoryAddressTable {
  environment: string;
  account_address: string;
  address: string;
  role: "vault" | "settings" | "token";
  /** Decimal string: what all its movements come to. It is the balance where nothing is missing. */
  total: string;
  /** Every transaction up to this finalized one is in the index, or among the unread. Null: nothing is sure yet. */
  frontier: string | null;
  /** While a list is gone through: its newest finalized signature, and the last one that was taken in. */
  scan_top: string | null;
  scan_before: string | null;
}

/** When an account's history is looked at. Environment time, Unix milliseconds. */
export interface HistoryWatchTable {
  environment: string;
  account_address: string;
  /** When something last happened here, as far as was seen. */
  active_at: bigint;
  /** Since when its history is followed, where that was not from its creation on (null): what is older is not reported. */
  followed_since: bigint | null;
  /** When it was last looked at, and when its lists of signatures were last read; null: never yet. */
  looked_at: bigint | null;
  read_at: bigint | null;
  /** As of when everything was in the index; null: never yet. */
  complete_at: bigint | null;
  /** When it is looked at next; null: it sleeps until it is touched. */
  due_at: bigint | null;
  /** What its accounts held when everything about them was known; null: something is missing. */
  fingerprint: string | null;
}

/** Something that happened to an object of a tenant's, written together with the change it reports (gap 89). */
export interface EventTable {
  /** `evt_…`: what receivers tell repetitions by. */
  id: string;
  tenant_id: string;
  environment: string;
  type: string;
  /** Of what: an id, an address, or whatever else names the object. */
  object_id: string;
  /** Of two events about one object the later one has the greater number. */
  sequence: Generated<bigint>;
  /** JSON: the object as it was after the change. */
  data: string;
  /** Of what has a state: the one before. */
  previous_status: string | null;
  /** Made up, to try a receiver with. */
  is_example: Generated<boolean>;
  /** Names what is reported once only, whoever notices it. */
  once: string | null;
  /** When what it reports happened, which may be long before it was noticed. Environment time. */
  created_at: bigint;
  /** Its place in the feed, the same for good; null until `publishEvents` gives it one. */
  place: bigint | null;
  /** When it got it: what keeping and replaying count from. Environment time. */
  placed_at: bigint | null;
}

/** One row: whoever holds it gives out places in the feed. */
export interface EventFeedTable {
  /** Always 1. */
  id: number;
  next_place: bigint;
}

/** Where events are sent to (gap 91). */
export interface WebhookEndpointTable {
  id: string;
  tenant_id: string;
  environment: string;
  url: string;
  /** Types, or beginnings of types; `*` is all of them. */
  types: string[];
  /** Only events about this object; null: about all. An endpoint that came with an intent is for that one. */
  object_id: string | null;
  description: string | null;
  /** `deleted`: kept so that deleting it again is the same, and so that its attempts have a place. */
  status: "enabled" | "disabled" | "deleted";
  /** `gone`, `failing` or `paused`. */
  disabled_reason: string | null;
  /** Envelope-encrypted bytes that events are signed with; null once it was deleted. */
  secret: Uint8Array | null;
  /** The one before, which signs too for a while after a rotation. */
  previous_secret: Uint8Array | null;
  /** Until when. Real time. */
  previous_secret_until: bigint | null;
  /** Since when nothing has arrived; null: the last attempt succeeded. Environment time. */
  failing_since: bigint | null;
  /** When there is something to be sent; null: there is nothing, or somebody has it at hand. Environment time. */
  next_due_at: bigint | null;
  /** Until when one process has all its deliveries to itself. Real time. */
  leased_until: bigint | null;
  /** Environment time, as the next. */
  created_at: bigint;
  updated_at: bigint;
}

/** An event on its way to an endpoint. */
export interface WebhookDeliveryTable {
  endpoint_id: string;
  event_id: string;
  environment: string;
  state: "pending" | "delivered" | "failed";
  /** Since it was scheduled last. */
  attempts: Generated<number>;
  /** Environment time. */
  next_attempt_at: bigint | null;
  /** How far environment time was ahead of real time when that was set. */
  ahead_ms: bigint | null;
  /** Of its event. Environment time. */
  created_at: bigint;
}

/** One try at a delivery, and how it went. */
export interface WebhookAttemptTable {
  id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  environment: string;
  /** Counted from one. */
  attempt: number;
  is_delivered: boolean;
  response_status: number | null;
  /** Why there was no answer, in a word. */
  fault: string | null;
  /** Cut. */
  response_body: string | null;
  duration_ms: number;
  /** Environment time. */
  attempted_at: bigint;
}

/** A partner's check of the person or business behind an account (gap 43). */
export interface RailVerificationTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  /** Who checks: its refs are valid under this name alone. */
  partner: string;
  /** Null until the partner has told. */
  partner_ref: string | null;
  /** Null until the partner has told. */
  customer_ref: string | null;
  /** What the partner knows this operation by, stored before the first call; and since when (real time). */
  operation_key: string;
  operation_begun_at: bigint;
  /** Whether the partner has not answered it yet: then it is begun again, and not only read. */
  operation_open: Generated<boolean>;
  type: "individual" | "business";
  /** HMAC of the address: the same person of the same account is one row. */
  email_key: Uint8Array;
  /** Sealed JSON: e-mail address, full name, where the browser goes afterwards. */
  person: Uint8Array;
  /** Endorsements asked for, sorted. */
  wanted: string[];
  status: string;
  terms: string;
  /** JSON: endorsement -> where it stands; sorted. */
  endorsements: string;
  /** Sealed JSON: links, reasons of a rejection, what is asked for. */
  told: Uint8Array | null;
  /** When the partner told last: environment time, and real time. */
  told_at: bigint | null;
  told_at_real: bigint | null;
  /** Counts what was written: what was read before another one wrote is read again. */
  version: Generated<bigint>;
  /** Somebody asked for it, or it changed: looks are close together afterwards. Real time. */
  active_since: bigint;
  /** Real time. */
  look_at: bigint | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** Whose a partner's customer is: two tenants never share one. */
export interface RailOwnerTable {
  environment: string;
  partner: string;
  /** Of a verification or a customer. */
  ref: string;
  tenant_id: string;
}

/** A bank account that a partner can pay. Its numbers are sealed until the partner has them, and are nowhere afterwards. */
export interface RailExternalAccountTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  partner: string;
  /** Null until the partner has told. */
  partner_ref: string | null;
  customer_ref: string;
  /** What the partner knows the operation by, stored before the first call; and since when (real time). */
  operation_key: string;
  operation_begun_at: bigint;
  /** HMAC of all details: the same ones of one account are one row. */
  fingerprint: Uint8Array;
  /** Sealed JSON; null once the partner has them. */
  details: Uint8Array | null;
  /** Sealed JSON of what is shown: the owner's name, the bank's. */
  shown: Uint8Array;
  kind: string;
  currency: string;
  last4: string;
  active: Generated<boolean>;
  removal_key: string;
  /** When somebody asked for its removal, which the partner has not answered yet: environment time. */
  removed_at: bigint | null;
  /** When the partner refused that. Real time, as the next. */
  removal_refused_at: bigint | null;
  look_at: bigint | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** Money that a partner moves between a bank and the chain; a payment intent with a bank has the same id. */
export interface RailTransferTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  user_id: string;
  partner: string;
  /** Null until the partner has told. */
  partner_ref: string | null;
  customer_ref: string;
  /** By which a repetition finds it: the operation of an idempotency key; null without one, and once it was given up. */
  operation_id: string | null;
  /** What the partner knows it by, stored before the first call; and since when (real time). */
  operation_key: string;
  operation_begun_at: bigint;
  cancel_key: string;
  direction: "in" | "out";
  external_account_id: string | null;
  external_account_ref: string | null;
  coin: string;
  mint: string;
  decimals: number;
  /** What is moved on chain, where it is known beforehand: decimal string. */
  base_units: string;
  fiat: string;
  rail: string;
  /** As the partner was told. */
  amount: string;
  /** In clear in rows of earlier releases only, as `receipt`: they are sealed soon. */
  reference: string | null;
  /** Sealed text. */
  sealed_reference: Uint8Array | null;
  /** Where the coins of a pay-out go. */
  to_address: string | null;
  /** Sealed JSON: where the payer of a pay-in sends the money. */
  instructions: Uint8Array | null;
  /** Folded by rank; a pay-in is processed once it was seen on chain. */
  state: string;
  /** As the partner says. */
  told: string;
  receipt: string | null;
  /** Sealed JSON. */
  sealed_receipt: Uint8Array | null;
  return_reason: string | null;
  /** Of the payment to the account; of a pay-out: that of its refund, as the partner says. */
  signature: string | null;
  /** What that brought, in base units. */
  received: string | null;
  /** When that was seen on chain: environment time. */
  credited_at: bigint | null;
  /** JSON of the prepared transaction as it was answered, so that a repetition is answered the same. */
  answer: string | null;
  /** When it was decided that nobody will pay it, which nothing undoes; then it is cancelled at the partner. Real time. */
  given_up_at: bigint | null;
  /** When the partner would not cancel it. Real time. */
  cancel_refused_at: bigint | null;
  /** Counts what was written: what was read before another one wrote is read again. */
  version: Generated<bigint>;
  /** Since when looks are close together. Real time, as the next. */
  active_since: bigint;
  look_at: bigint | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** An address on chain at which a partner takes coins and pays them out to one bank account. */
export interface RailPayoutAddressTable {
  id: string;
  tenant_id: string;
  environment: string;
  /** Whose orders pay there, and whom coins go back to. */
  account_address: string;
  partner: string;
  /** Null until the partner has told, as the address and the status. */
  partner_ref: string | null;
  customer_ref: string;
  /** What the partner knows the operation by, stored before the first call; and since when (real time). */
  operation_key: string;
  operation_begun_at: bigint;
  external_account_id: string;
  external_account_ref: string;
  coin: string;
  mint: string;
  fiat: string;
  rail: string;
  /** What the customer needs for it. */
  endorsement: string;
  /** The owner that is paid on chain: never changes once it is known. */
  address: string | null;
  status: "activated" | "deactivated" | null;
  /** Since when looks are close together; null: since the next one. Real time, as the next. */
  active_since: bigint | null;
  look_at: bigint | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** What became at the bank of one payment of a standing order. */
export interface RailPayoutTable {
  id: string;
  payout_address_id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  /** The due date that it was paid for. */
  order_id: string;
  due_at: bigint;
  partner_ref: string;
  /** Of the payment on chain. */
  signature: string;
  /** As the partner says, folded by rank. */
  state: string;
  /** Of the coin, decimal, as the partner says. */
  amount: string;
  /** Sealed JSON. */
  receipt: Uint8Array | null;
  return_reason: string | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** An address at which the simulated partner takes coins. */
export interface SimulatedPayoutAddressTable {
  ref: string;
  environment: string;
  customer_ref: string;
  operation_key: string;
  bank_account_ref: string;
  coin: string;
  mint: string;
  fiat: string;
  rail: string;
  address: string;
  /** Base units that were seen there, all of which became payouts or were too few for one. */
  held: Generated<string>;
  /** The last payment on chain that was looked at. */
  seen_signature: string | null;
  looked_at: Generated<bigint>;
  created_at: bigint;
}

/** What the simulated partner knows of a bank account: no number. */
export interface SimulatedBankAccountTable {
  ref: string;
  customer_ref: string;
  operation_key: string;
  /** HMAC of its numbers. */
  fingerprint: Uint8Array;
  currency: string;
  last4: string;
  bank_name: string | null;
  created_at: bigint;
}

/** What the simulated partner moves. */
export interface SimulatedTransferTable {
  ref: string;
  environment: string;
  customer_ref: string;
  operation_key: string;
  client_reference: string;
  direction: "in" | "out";
  amount: string;
  coin: string;
  mint: string;
  base_units: string;
  /** JSON. */
  from_leg: string;
  to_leg: string;
  /** The address where the coins of a pay-out are taken. */
  watched: string | null;
  /** Of coins that came to a payout address: which. */
  payout_address_ref: string | null;
  state: string;
  /** JSON: where it comes to next, and how long that takes. */
  steps: Generated<string>;
  /** Environment time. */
  due_at: bigint | null;
  /** How often the chain refused the payment of a pay-in. */
  tries: Generated<number>;
  /** Base units of a pay-out that were seen there. */
  held: string | null;
  source_signature: string | null;
  destination_signature: string | null;
  looked_at: Generated<bigint>;
  created_at: bigint;
  updated_at: bigint;
}

/** News of a partner: something to read again, nothing more. */
export interface RailNoticeTable {
  environment: string;
  partner: string;
  event_id: string;
  kind: string;
  ref: string;
  /** As the partner says. */
  happened_at: bigint;
  /** Real time. */
  received_at: bigint;
  tries: Generated<number>;
  /** Real time; null: done. */
  look_at: bigint | null;
}

/** How far the news of a partner have been asked for. */
export interface RailFeedTable {
  environment: string;
  partner: string;
  cursor: string | null;
  /** Real time. */
  asked_at: bigint;
}

/** What the simulated partner knows of a person. */
export interface SimulatedVerificationTable {
  ref: string;
  owner: string;
  /** HMAC of the address. */
  email_key: Uint8Array;
  type: string;
  customer_ref: string;
  status: string;
  terms: string;
  /** JSON. */
  rejections: string;
  /** JSON: endorsement -> wanted or revoked. */
  endorsements: string;
  /** Sealed. */
  redirect_uri: Uint8Array | null;
  /** Environment time, as all that is simulated. */
  due_at: bigint | null;
  due_status: string | null;
  created_at: bigint;
  updated_at: bigint;
}

export interface SimulatedFeedTable {
  id: number;
  next_place: bigint;
}

/** News of the simulated partner, in the order in which it tells them. */
export interface SimulatedNewsTable {
  place: bigint;
  environment: string;
  event_id: string;
  kind: string;
  ref: string;
  happened_at: bigint;
}

/** Bank details under which money for an account arrives (gap 44). */
export interface RailVirtualAccountTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  user_id: string;
  /** Whose: its refs are valid under this name alone. */
  partner: string;
  /** Null until the partner has told. */
  partner_ref: string | null;
  customer_ref: string;
  /** What the partner knows this operation by, stored before the first call; and since when (real time). */
  operation_key: string;
  operation_begun_at: bigint;
  /** The name of the request that asked for it, from its idempotency key; null without one. */
  asked_as: string | null;
  /** Of the bank, and what arrives on chain. */
  currency: string;
  coin: string;
  mint: string;
  /** Null until the partner has told. */
  status: "activated" | "deactivated" | null;
  /** JSON array. */
  rails: string;
  /** Sealed JSON: names and values as a payer needs them. */
  instructions: Uint8Array | null;
  last4: string | null;
  fee_percent: string | null;
  /** Where the next look goes on that reads deposits, in the partner's words; null: nothing is left over. */
  deposits_after: string | null;
  /** Counts what was written: what was read before another one wrote is read again. */
  version: Generated<bigint>;
  /** Something happened here: looks are close together afterwards. Real time. */
  active_since: bigint;
  /** Real time. */
  look_at: bigint | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** Money that came to a virtual account: where its partner has it, and what the chain says. */
export interface RailDepositTable {
  id: string;
  virtual_account_id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  partner_ref: string;
  /** Only ever rises, by the database's `deposit_rank`. */
  state: "scheduled" | "received" | "in_review" | "submitted" | "processed" | "not_credited" | "refunded";
  /** Decimal, in the currency of the bank. */
  amount: string;
  currency: string;
  /** What it becomes on chain. */
  coin: string;
  mint: string;
  decimals: number;
  /** JSON: developer_fee, exchange_fee, gas_fee. */
  fees: string | null;
  /** Sealed: who sent it. */
  sender: Uint8Array | null;
  rail: string | null;
  /** Of its payment, as the partner says. */
  signature: string | null;
  /** What that payment brought, base units, and when (Unix seconds): from the chain, once it is final there. */
  received: string | null;
  confirmed_at: bigint | null;
  /** As the partner says, Unix milliseconds. */
  happened_at: bigint;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** A virtual account of the simulated partner. */
export interface SimulatedVirtualAccountTable {
  ref: string;
  customer_ref: string;
  operation_key: string;
  currency: string;
  coin: string;
  address: string;
  status: "activated" | "deactivated";
  /** Its bank details follow from it. */
  number: Generated<bigint>;
  /** Environment time. */
  created_at: bigint;
}

/** Money that somebody pretends to have sent. */
export interface SimulatedDepositTable {
  ref: string;
  account_ref: string;
  /** What asked for it, from an idempotency key. */
  asked_as: string | null;
  amount: string;
  rail: string;
  state: string;
  /** JSON: the states it comes to, and after how long. */
  steps: string;
  /** How many of them it has come to. */
  step: number;
  /** Environment time, as all that is simulated; null: nothing happens to it any more. */
  due_at: bigint | null;
  /** Its payment may have been sent. */
  is_paying: Generated<boolean>;
  /** How often the chain refused it. */
  tries: Generated<number>;
  signature: string | null;
  /** Rises with every change. */
  changed: Generated<bigint>;
  environment: string;
  created_at: bigint;
  updated_at: bigint;
}

export interface ChainStateTable {
  /** Always 1. */
  id: number;
  /** Secret from which the chain's blockhashes and faucet keys are derived; envelope-encrypted. */
  seed: Uint8Array;
  /** Environment time of slot zero's start, Unix milliseconds. */
  genesis_at: bigint;
  /** How far environment time runs ahead of real time. */
  clock_offset_ms: bigint;
  /** Fencing token: raised whenever a process takes the chain over; a commit under an older one fails. */
  writer_epoch: bigint;
}

export interface ChainAccountTable {
  address: Uint8Array;
  lamports: bigint;
  owner: Uint8Array;
  executable: boolean;
  data: Uint8Array;
  slot: bigint;
}

export interface ChainTransactionTable {
  signature: Uint8Array;
  slot: bigint;
  /** Position within the slot. */
  position: number;
  /** Unix seconds. */
  block_time: bigint;
  wire_transaction: Uint8Array;
  /** JSON: error, fee, logs, balances, inner instructions: what getTransaction tells. */
  meta: string;
  /** JSON of the error alone, null for a success. */
  error: string | null;
  /** Its memos, as getSignaturesForAddress shows them. */
  memo: string | null;
}

export interface ChainAddressSignatureTable {
  address: Uint8Array;
  slot: bigint;
  position: number;
  signature: Uint8Array;
}
