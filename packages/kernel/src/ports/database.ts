import type { Kysely, Transaction } from "kysely";
import type {
  AccountCreationTable,
  AccountSignerTable,
  AccountTable,
  LabelTable,
  PendingAccountTable,
  SignedAccountTable,
} from "./tables/accounts.js";
import type {
  AuditEntryTable,
  TlogCheckpointTable,
  TlogCosignatureTable,
  TlogRefusedTable,
  TlogTable,
  TlogTileTable,
  TlogWitnessedTable,
} from "./tables/audit.js";
import type {
  GuardianChangeTable,
  KmsAuthorizationKeyTable,
  KmsCeremonyTable,
  KmsPasskeyTable,
  KmsWalletExportTable,
  KmsWalletImportTable,
  KmsWalletTable,
  PasskeyApprovalTable,
  PasskeyCeremonyTable,
  PasskeySignerTable,
  PasskeySignInTable,
  PasskeyTable,
  WalletExportTable,
  WalletImportTable,
  WalletRootTable,
  WalletTable,
} from "./tables/custody.js";
import type {
  EventFeedTable,
  EventTable,
  WebhookAttemptTable,
  WebhookDeliveryTable,
  WebhookEndpointTable,
} from "./tables/events.js";
import type {
  HistoryAddressTable,
  HistorySumTable,
  HistoryTransactionTable,
  HistoryTransferTable,
  HistoryUnreadTable,
  HistoryWatchTable,
} from "./tables/history.js";
import type {
  MemberNonceTable,
  MemberPasskeyTable,
  MemberSecretTable,
  MemberSessionTable,
  MemberTable,
  ProposalMailCountTable,
  ProposalMailFeedTable,
  ProposalMailTable,
} from "./tables/members.js";
import type { PaymentIntentTable, StandingOrderRunTable, StandingOrderTable } from "./tables/payments.js";
import type {
  KeyRemovalTable,
  MailTable,
  OneTimeCodeTable,
  OtpFailureTable,
  SessionChainTable,
  SessionTable,
  UserTable,
  WalletSessionTable,
} from "./tables/people.js";
import type { ProposalListingTable, ProposalTable, ProposalWatchTable } from "./tables/proposals.js";
import type {
  RailDepositTable,
  RailExternalAccountTable,
  RailFeedTable,
  RailNoticeTable,
  RailOwnerTable,
  RailPayoutAddressTable,
  RailPayoutTable,
  RailTransferTable,
  RailVerificationTable,
  RailVirtualAccountTable,
} from "./tables/rails.js";
import type { RequestCountTable, RequestRecordTable } from "./tables/requests.js";
import type {
  ChainAccountTable,
  ChainAddressSignatureTable,
  ChainStateTable,
  ChainTransactionTable,
} from "./tables/sandbox-chain.js";
import type {
  SimulatedBankAccountTable,
  SimulatedDepositTable,
  SimulatedFeedTable,
  SimulatedNewsTable,
  SimulatedPayoutAddressTable,
  SimulatedTransferTable,
  SimulatedVerificationTable,
  SimulatedVirtualAccountTable,
} from "./tables/simulated-partner.js";
import type { SpendingLimitListingTable, SpendingLimitWatchTable } from "./tables/spending-limits.js";
import type {
  ApiKeyTable,
  DerivedSecretTable,
  IdempotencyRecordTable,
  IdentityKeyTable,
  MetaTable,
  TenantTable,
  TenantWritesTable,
} from "./tables/tenants.js";
import type {
  KmsPayloadTable,
  PreparedTransactionTable,
  SponsoredCostTable,
  SponsoredOpeningTable,
  SponsorshipBudgetTable,
  SubmissionTable,
} from "./tables/transactions.js";

export type * from "./tables/accounts.js";
export type * from "./tables/audit.js";
export type * from "./tables/custody.js";
export type * from "./tables/events.js";
export type * from "./tables/history.js";
export type * from "./tables/members.js";
export type * from "./tables/payments.js";
export type * from "./tables/people.js";
export type * from "./tables/proposals.js";
export type * from "./tables/rails.js";
export type * from "./tables/requests.js";
export type * from "./tables/sandbox-chain.js";
export type * from "./tables/simulated-partner.js";
export type * from "./tables/tenants.js";
export type * from "./tables/transactions.js";

/**
 * The one database schema, as the code sees it. PGlite and PostgreSQL both speak it; the migrations in
 * `adapters/db/migrations` create it.
 *
 * Conventions: instants are `int8` Unix milliseconds and arrive as `bigint`; which clock wrote them (environment or
 * real time) is said at the column. JSON that must survive byte for byte is `text`. `bytea` arrives as `Uint8Array`.
 */
export interface DatabaseSchema {
  meta: MetaTable;
  derived_secret: DerivedSecretTable;
  tenant: TenantTable;
  api_key: ApiKeyTable;
  member: MemberTable;
  proposal_mail: ProposalMailTable;
  proposal_mail_count: ProposalMailCountTable;
  proposal_mail_feed: ProposalMailFeedTable;
  member_secret: MemberSecretTable;
  member_session: MemberSessionTable;
  member_passkey: MemberPasskeyTable;
  member_nonce: MemberNonceTable;
  identity_key: IdentityKeyTable;
  idempotency_record: IdempotencyRecordTable;
  app_user: UserTable;
  wallet: WalletTable;
  wallet_root: WalletRootTable;
  kms_wallet: KmsWalletTable;
  kms_authorization_key: KmsAuthorizationKeyTable;
  kms_passkey: KmsPasskeyTable;
  kms_ceremony: KmsCeremonyTable;
  kms_wallet_export: KmsWalletExportTable;
  wallet_export: WalletExportTable;
  guardian_change: GuardianChangeTable;
  kms_wallet_import: KmsWalletImportTable;
  wallet_import: WalletImportTable;
  passkey: PasskeyTable;
  passkey_sign_in: PasskeySignInTable;
  passkey_ceremony: PasskeyCeremonyTable;
  passkey_approval: PasskeyApprovalTable;
  passkey_signer: PasskeySignerTable;
  account: AccountTable;
  label: LabelTable;
  account_signer: AccountSignerTable;
  signed_account: SignedAccountTable;
  account_creation: AccountCreationTable;
  pending_account: PendingAccountTable;
  one_time_code: OneTimeCodeTable;
  otp_failure: OtpFailureTable;
  session: SessionTable;
  session_chain: SessionChainTable;
  wallet_session: WalletSessionTable;
  key_removal: KeyRemovalTable;
  mail: MailTable;
  prepared_transaction: PreparedTransactionTable;
  kms_payload: KmsPayloadTable;
  submission: SubmissionTable;
  tenant_writes: TenantWritesTable;
  request_record: RequestRecordTable;
  request_count: RequestCountTable;
  sponsorship_budget: SponsorshipBudgetTable;
  sponsored_cost: SponsoredCostTable;
  sponsored_opening: SponsoredOpeningTable;
  payment_intent: PaymentIntentTable;
  standing_order: StandingOrderTable;
  standing_order_run: StandingOrderRunTable;
  proposal: ProposalTable;
  proposal_watch: ProposalWatchTable;
  proposal_listing: ProposalListingTable;
  spending_limit_watch: SpendingLimitWatchTable;
  spending_limit_listing: SpendingLimitListingTable;
  history_transaction: HistoryTransactionTable;
  history_transfer: HistoryTransferTable;
  history_sum: HistorySumTable;
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
  audit_entry: AuditEntryTable;
  tlog: TlogTable;
  tlog_tile: TlogTileTable;
  tlog_checkpoint: TlogCheckpointTable;
  tlog_cosignature: TlogCosignatureTable;
  tlog_witnessed: TlogWitnessedTable;
  tlog_refused: TlogRefusedTable;
  chain_state: ChainStateTable;
  chain_account: ChainAccountTable;
  chain_transaction: ChainTransactionTable;
  chain_address_signature: ChainAddressSignatureTable;
}

/**
 * The database did not answer, or gave a statement up: it is down, restarting, overloaded, or out of reach. A statement
 * that only reads may be asked again. Of one that writes, and whose connection was lost, it is not known here whether it was
 * carried out.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  /** Whether it cannot be reached at all: the adapter reports that once, and once that it is back. */
  readonly isLost: boolean;
  constructor({ cause, isLost = false }: { readonly cause: unknown; readonly isLost?: boolean }) {
    super("the database does not answer", { cause });
    this.isLost = isLost;
  }
}

/** The database outside any transaction. */
export type Db = Kysely<DatabaseSchema>;

/** The database inside one transaction. */
export type Trx = Transaction<DatabaseSchema>;

/** Either: what a store function takes when it does not care. */
export type DbOrTrx = Db | Trx;

/** A name held by this process. */
export interface Lease {
  release(): Promise<void>;
}
