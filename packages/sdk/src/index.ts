/** Client library of Trellis; see `createTrellisClient`. */

export { isAddress } from "@solana/addresses";
export { type AccountHolder, addressesOfHolder, type PasskeySession } from "./account-holder.js";
export type { AccountPage, UpdateAccount, UpdatedAccount, UpdateReceipt } from "./accounts.js";
export {
  type Allowance,
  type AllowancePage,
  type AllowanceReceipt,
  type AllowancesQuery,
  type CreateAllowance,
  limitOfAllowance,
  type NewAllowance,
  type PayFromAllowance,
  type RevokeAllowance,
} from "./allowances.js";
export type { ApiKeyPage, MemberPage, TenantPage } from "./api-keys.js";
export { receiveApproval } from "./approval-redirect.js";
export { assertExecutionMatches, type ExpectedExecution } from "./assert-execution.js";
export { assertPayloadMatches, type ExpectedPayload } from "./assert-payload.js";
export { assertProposalCreationMatches } from "./assert-proposal-creation.js";
export {
  assertSettingsChangeMatches,
  type ExpectedSettingsChange,
  signersOfSettingsChange,
} from "./assert-settings-change.js";
export type { ShownProposal } from "./assert-shown.js";
export {
  assertLimitChangeMatches,
  assertLimitPaymentMatches,
  type ExpectedLimitChange,
  type ExpectedLimitPayment,
  type SpendingLimitTerms,
} from "./assert-spending-limit.js";
export {
  assertStoredContentMatches,
  decodeStoredBatchTransaction,
  decodeStoredTransaction,
  type StoredBatchTransaction,
  type StoredTransaction,
} from "./assert-stored-content.js";
export { assertSummaryIs } from "./assert-summary.js";
export { assertTransferMatches, type ExpectedTransfer, type FeeCaps } from "./assert-transfer.js";
export { assertVotesMatch, type ExpectedVotes } from "./assert-votes.js";
export type { AuditEventPage } from "./audit-events.js";
export type { BankPayment } from "./bank-payments.js";
export type { GivenAmount, MaybeAmount } from "./base-units.js";
export { type HeldAccounts, placesOfCreation, type ReadAccounts } from "./begun-earlier.js";
export { createBrowserStorage } from "./browser-storage.js";
export { createTrellisClient, type TrellisClient, type TrellisClientOptions } from "./client.js";
export type { BuffersClosed, CloseBuffers } from "./close-buffers.js";
export type { ExpectedProtection, ProtectionReport } from "./compare-protection.js";
export { openCredentialBundle, openLegacySession } from "./credential-bundle.js";
export { dueAt } from "./due-dates.js";
export type { AttemptPage, EventPage } from "./events.js";
export type { ExpectedProposalCreation } from "./expected-proposal-creation.js";
export type { CancelGuardianChange, WaitingChanges } from "./guardian-changes.js";
export {
  ApprovalDeclinedError,
  type ApprovalOutcome,
  type ApprovalRedirect,
  type GuardianPage,
  type GuardianPageCode,
  GuardianPageError,
  type GuardianWindow,
} from "./guardian-page.js";
export type { CertifiedPolicy, GuardedWallet, SetGuardianPolicy, WalletPolicy } from "./guardian-policy.js";
export type { PinnedGuardian } from "./guardian-receipt.js";
export { openGuardianWindow } from "./guardian-window.js";
export type { HistoryPage } from "./history.js";
export type {
  BufferCall,
  CloseBufferCall,
  CreateBufferCall,
  CreateFromBufferCall,
  ExtendBufferCall,
} from "./inspect/decode-buffer-call.js";
export type { ComputeBudget } from "./inspect/decode-compute-budget.js";
export type {
  AssociatedTokenCreation,
  DecodedInstruction,
  RawInstruction,
  SystemTransfer,
  TokenTransferChecked,
  UnknownInstruction,
} from "./inspect/decode-instruction.js";
export type { ChainPolicy } from "./inspect/decode-settings.js";
export type { SettingsCall, SettingsChangeAction } from "./inspect/decode-settings-change.js";
export type { SyncCall } from "./inspect/decode-sync-call.js";
export { type DecodedTransaction, decodeTransaction } from "./inspect/decode-transaction.js";
export type { LookupTables, TableLookup, WrappedMessage } from "./inspect/decode-wrapped-message.js";
export type {
  ActivateProposalCall,
  AddToBatchCall,
  CreateBatchCall,
  CreateProposalCall,
  CreateSettingsTransactionCall,
  CreateTransactionCall,
  ExecuteBatchTransactionCall,
  ExecuteSettingsTransactionCall,
  ExecuteTransactionCall,
  ProposalCall,
  VoteCall,
} from "./inspect/proposal-call.js";
export type { PasskeySessionUse } from "./inspect/unwrap-passkey-sessions.js";
export { InvalidInputError } from "./invalid-input-error.js";
export { type EncryptionKeyPair, generateEncryptionKeyPair } from "./key-pair.js";
export { signKmsAPayload } from "./kms-a.js";
export { signKmsBPayload } from "./kms-b.js";
export type { LabelBook, LabelPage, PutLabel, ShownLabels } from "./labels.js";
export { signLegacyPaymentIntent } from "./legacy.js";
export { type DecimalsTable, type KnownCurrency, knownCurrencies, knownMints, type MintTable } from "./mints.js";
export { type AccountMove, type MovedAccount, moveAccount } from "./move-account.js";
export { type MoveRefusal, MoveRefusedError } from "./move-refused-error.js";
export type { OfflineKey } from "./offline-key.js";
export { fetchInOldNames } from "./old-names.js";
export { type AuthorizationKey, openAuthorizationKey } from "./open-authorization-key.js";
export { OutcomeUnknownError } from "./outcome-unknown-error.js";
export { InvalidKeyError } from "./p256-private-key.js";
export {
  type ApprovedAct,
  challengeOfApproval,
  readApproval,
  type ShownApproval,
  type SignedApproval,
} from "./passkey-approval.js";
export { challengeOfCeremony, type SignedCeremony } from "./passkey-ceremony.js";
export {
  type AskedApproval,
  type AskedSession,
  type AwaitedReturn,
  askPasskeyApproval,
  askPasskeyPage,
  PasskeyPageError,
  type PasskeySessionOutcome,
  readPasskeyApprovalReturn,
  readPasskeyReturn,
} from "./passkey-page.js";
export type { PasskeySignInOptions } from "./passkey-sign-in.js";
export { type CredentialsApi, type PasskeySigner, signPayloadByPasskey } from "./passkey-signer.js";
export type {
  AddPasskeySigner,
  BeginPasskeyApproval,
  BeginPasskeySession,
  BegunCeremony,
  BegunPasskeyApproval,
  BegunPasskeySession,
  ChangePasskeySigner,
} from "./passkey-signers.js";
export type { AddPasskey, RemovePasskey, RequirePasskey } from "./passkeys.js";
export type { PaymentIntentPage } from "./payment-intents.js";
export { actionsToPolicy, type SignersChange } from "./policy-actions.js";
export {
  deriveAssociatedTokenAddress,
  deriveBatchTransactionAddress,
  deriveProposalAddress,
  deriveSmartAccountAddress,
  deriveTransactionAddress,
  deriveTransactionBufferAddress,
  smartAccountProgramAddress,
  token2022ProgramAddress,
  tokenProgramAddress,
} from "./program-address.js";
export type { ProposalContent } from "./proposal-content.js";
export { type ExpectedProposal, type ProposalCalls, type ProposalLimits, readProposalCalls } from "./proposal-frame.js";
export type { AccountProposalPage, ProposalPage } from "./proposal-requests.js";
export type {
  CastVotes,
  CreateProposal,
  ExecuteProposal,
  Participation,
  ProposalPlace,
  ProposalReceipt,
  VoteAndExecute,
  VoteReceipt,
} from "./proposals.js";
export type { ProposedContent, ProposedTransfer } from "./proposed-content.js";
export type { ProtectAccount, ProtectedAccount, ProtectionReceipt } from "./protect-account.js";
export type { VerificationPage } from "./rails.js";
export { type RequestSenderOptions, randomIdempotencyKey } from "./request-sender.js";
export type { RequestPage } from "./requests.js";
export { createSecureStorage, type SecureStore } from "./secure-storage.js";
export type { CallOptions } from "./service-calls.js";
export { openSession, type SigningSession, sessionTokenOf, type TrellisSession } from "./session.js";
export {
  createSessionKeeper,
  type SessionKeeper,
  type SessionKeeperOptions,
  SessionNotEndedError,
  SignedOutError,
} from "./session-keeper.js";
export { createMemoryStorage, type KeyValueStorage, type SessionStorage } from "./session-storage.js";
export { decodePayload } from "./sign-document.js";
export type { SignedInAccount, SignInBegun, SignInOptions } from "./sign-in.js";
export { signKeyChange, signPayload } from "./sign-payload.js";
export { addressOfKey, type SignerKey, signTransaction } from "./sign-transaction.js";
export type { SignedSubmission, SignedTransaction } from "./signed-submission.js";
export { proveSigner, type SignerConsent } from "./signer-proof.js";
export type { SpendingLimitPage } from "./spending-limit-requests.js";
export type { NewSpendingLimit } from "./spending-limit-terms.js";
export type {
  CreateSpendingLimit,
  PayFromSpendingLimit,
  RemoveSpendingLimit,
  SpendingLimitReceipt,
  UpdateSpendingLimit,
} from "./spending-limits.js";
export type { StandingOrderPage, StandingOrderRunPage } from "./standing-order-requests.js";
export type { BankPayee, StandingOrderTerms } from "./standing-order-terms.js";
export type {
  CancelStandingOrder,
  CreateStandingOrder,
  ResumeStandingOrder,
  StandingOrderChange,
  StandingOrderReceipt,
} from "./standing-orders.js";
export type {
  Confirmation,
  ResumeOptions,
  SubmitOptions,
  SubmitStep,
} from "./submission.js";
export { type TransactionDifference, TransactionMismatchError } from "./transaction-mismatch-error.js";
export { type SendTransfer, type SentTransfer, signPreparedTransfer, type TransferReceipt } from "./transfers.js";
export { TrellisApiError, TrellisNetworkError } from "./trellis-api-error.js";
export { formatUnits, parseUnits } from "./units.js";
export type { UserPage } from "./users.js";
export { AuditProofError, type PinnedLog, type VerifiedAuditEvent, verifyAuditEvent } from "./verify-audit-event.js";
export { type IncomingWebhook, verifyWebhook, WebhookVerificationError } from "./verify-webhook.js";
export type { DepositPage, VirtualAccountPage } from "./virtual-accounts.js";
export type { DepositWanted } from "./wait-for-deposit.js";
export { type CancelWalletExport, type OrderWalletExport, openExportedKey } from "./wallet-exports.js";
export { type CompleteWalletImport, type ImportedKey, sealKeyForImport } from "./wallet-imports.js";
export {
  connectWallet,
  isUsableWallet,
  type StandardWallet,
  type WalletAccount,
  WalletError,
  walletKey,
  walletMessageSigner,
} from "./wallet-key.js";
export type { SignedInWallet, WalletSignInOptions } from "./wallet-sign-in.js";
export type * from "./wire.js";
export type { PaidRequest, PaidResponse } from "./x402.js";
export { NotPaidError, type NotPaidReason, PaymentUnconfirmedError } from "./x402-errors.js";
export type { Settlement, SignedPayment } from "./x402-messages.js";
