import { releaseAccount } from "./account-releases/release-account.js";
import { createAccount } from "./accounts/create-account.js";
import { createCustomAccount } from "./accounts/create-custom-account.js";
import { getAccount } from "./accounts/get-account.js";
import { importAccount } from "./accounts/import-account.js";
import { listAccounts } from "./accounts/list-accounts.js";
import { verifyAccount } from "./accounts/verify-account.js";
import { getAuditEvent } from "./audit/get-audit-event.js";
import { listAuditEvents } from "./audit/list-audit-events.js";
import { createWebhookEndpoint } from "./events/create-webhook-endpoint.js";
import { deleteWebhookEndpoint } from "./events/delete-webhook-endpoint.js";
import { getEvent } from "./events/get-event.js";
import { getWebhookEndpoint } from "./events/get-webhook-endpoint.js";
import { listEvents } from "./events/list-events.js";
import { listWebhookAttempts } from "./events/list-webhook-attempts.js";
import { listWebhookEndpoints } from "./events/list-webhook-endpoints.js";
import { replayEvents } from "./events/replay-events.js";
import { rotateWebhookSecret } from "./events/rotate-webhook-secret.js";
import { testWebhookEndpoint } from "./events/test-webhook-endpoint.js";
import { updateWebhookEndpoint } from "./events/update-webhook-endpoint.js";
import { getBalanceHistory } from "./history/get-balance-history.js";
import { getBalances } from "./history/get-balances.js";
import { listTransactions } from "./history/list-transactions.js";
import { listTransfers } from "./history/list-transfers.js";
import { listAccountLabels, listLabels } from "./labels/list-labels.js";
import { putAccountLabel, putLabel } from "./labels/put-label.js";
import { removeAccountLabel, removeLabel } from "./labels/remove-label.js";
import { confirmLegacyPaymentIntent } from "./legacy/confirm-legacy-payment-intent.js";
import { createLegacyPaymentIntent } from "./legacy/create-legacy-payment-intent.js";
import { getLatestLegacyKyc, getLegacyKyc, startLegacyKyc } from "./legacy/legacy-kyc.js";
import { listLegacyVirtualAccounts, requestLegacyVirtualAccount } from "./legacy/legacy-virtual-accounts.js";
import { getLegacyPaymentIntent, listLegacyPaymentIntents } from "./legacy/read-legacy-payment-intents.js";
import { startLegacyAuthentication } from "./legacy/start-legacy-authentication.js";
import { verifyLegacyAuthentication } from "./legacy/verify-legacy-authentication.js";
import { acceptLink } from "./members/accept-link.js";
import { addMemberPasskey } from "./members/add-member-passkey.js";
import { beginConsolePasskey } from "./members/begin-console-passkey.js";
import { beginMemberPasskey } from "./members/begin-member-passkey.js";
import { endConsoleSessions, signOut } from "./members/end-console-sessions.js";
import { getConsoleSession } from "./members/get-console-session.js";
import { inviteMember } from "./members/invite-member.js";
import { listMemberPasskeys } from "./members/list-member-passkeys.js";
import { listMembers } from "./members/list-members.js";
import { deleteProposalMails, getProposalMails, setProposalMails } from "./members/proposal-mails.js";
import { removeMember } from "./members/remove-member.js";
import { removeMemberPasskey } from "./members/remove-member-passkey.js";
import { renameMemberPasskey } from "./members/rename-member-passkey.js";
import { requestSignIn } from "./members/request-sign-in.js";
import { signInWithConsolePasskey } from "./members/sign-in-with-console-passkey.js";
import { updateMember } from "./members/update-member.js";
import { updateOwnMember } from "./members/update-own-member.js";
import { verifySignIn } from "./members/verify-sign-in.js";
import { addAccountPasskey } from "./passkey-signers/add-account-passkey.js";
import { beginPasskeyApproval } from "./passkey-signers/begin-passkey-approval.js";
import { beginPasskeySession } from "./passkey-signers/begin-passkey-session.js";
import { beginPasskeySigner } from "./passkey-signers/begin-passkey-signer.js";
import { completePasskeyCeremony } from "./passkey-signers/complete-passkey-ceremony.js";
import { createPasskeyAccount } from "./passkey-signers/create-passkey-account.js";
import { findPasskeySigner } from "./passkey-signers/find-passkey-signer.js";
import { getAccountPasskey } from "./passkey-signers/get-account-passkey.js";
import { getPasskeyCeremony } from "./passkey-signers/get-passkey-ceremony.js";
import { getPasskeyCeremonyOutcome } from "./passkey-signers/get-passkey-ceremony-outcome.js";
import { getPasskeySigner } from "./passkey-signers/get-passkey-signer.js";
import { removeAccountPasskey } from "./passkey-signers/remove-account-passkey.js";
import { submitPasskeyCeremony } from "./passkey-signers/submit-passkey-ceremony.js";
import { addPasskey } from "./passkeys/add-passkey.js";
import { beginPasskey } from "./passkeys/begin-passkey.js";
import { cancelGuardianChange } from "./passkeys/cancel-guardian-change.js";
import { getGuardianPolicy } from "./passkeys/get-guardian-policy.js";
import { listGuardianChanges } from "./passkeys/list-guardian-changes.js";
import { listPasskeys } from "./passkeys/list-passkeys.js";
import { getRelyingParty, setRelyingParty } from "./passkeys/relying-party.js";
import { removePasskey } from "./passkeys/remove-passkey.js";
import { renamePasskey } from "./passkeys/rename-passkey.js";
import { setGuardianPolicy } from "./passkeys/set-guardian-policy.js";
import { setPasskeyRequirement } from "./passkeys/set-passkey-requirement.js";
import { getPaymentIntent } from "./payments/get-payment-intent.js";
import { listAllPaymentIntents } from "./payments/list-all-payment-intents.js";
import { listPaymentIntents } from "./payments/list-payment-intents.js";
import { preparePayment } from "./payments/prepare-payment.js";
import { readOutbox } from "./people/sandbox-outbox.js";
import { protectAccount } from "./policy-changes/protect-account.js";
import { renewWallets } from "./policy-changes/renew-wallets.js";
import { updateAccount } from "./policy-changes/update-account.js";
import { closeTransactionBuffers } from "./proposals/close-buffers.js";
import { createProposal } from "./proposals/create-proposal.js";
import { executeProposal } from "./proposals/execute-proposal.js";
import { getProposal } from "./proposals/get-proposal.js";
import { listAllProposals } from "./proposals/list-all-proposals.js";
import { listProposals } from "./proposals/list-proposals.js";
import { voteAndExecuteProposal } from "./proposals/vote-and-execute.js";
import { voteOnProposal } from "./proposals/vote-on-proposal.js";
import { addExternalAccount } from "./rails/add-external-account.js";
import { deleteRailData } from "./rails/delete-rail-data.js";
import { getKyc } from "./rails/get-kyc.js";
import { listAllVerifications } from "./rails/list-all-verifications.js";
import { listAllVirtualAccounts } from "./rails/list-all-virtual-accounts.js";
import { listDeposits } from "./rails/list-deposits.js";
import { listVirtualAccounts } from "./rails/list-virtual-accounts.js";
import { getExternalAccount, listExternalAccounts } from "./rails/read-external-accounts.js";
import { removeExternalAccount } from "./rails/remove-external-account.js";
import { requestVirtualAccount } from "./rails/request-virtual-account.js";
import { startKyc } from "./rails/start-kyc.js";
import { getRequest } from "./requests/get-request.js";
import { listRequests } from "./requests/list-requests.js";
import { advanceClock } from "./sandbox-controls/advance-clock.js";
import { airdrop } from "./sandbox-controls/airdrop.js";
import { closePayoutAddresses } from "./sandbox-controls/close-payout-addresses.js";
import { moveSandboxTransfer } from "./sandbox-controls/move-transfer.js";
import { readClock } from "./sandbox-controls/read-clock.js";
import { readFaults } from "./sandbox-controls/read-faults.js";
import { setFaults } from "./sandbox-controls/set-faults.js";
import { setKyc } from "./sandbox-controls/set-kyc.js";
import { setVirtualAccountStatus } from "./sandbox-controls/set-virtual-account-status.js";
import { simulateDeposit } from "./sandbox-controls/simulate-deposit.js";
import { triggerEvent } from "./sandbox-controls/trigger-event.js";
import { beginPasskeySignIn } from "./sign-in/begin-passkey-sign-in.js";
import { beginWalletSignIn } from "./sign-in/begin-wallet-sign-in.js";
import { endAllSessions, endSession } from "./sign-in/end-session.js";
import { endUserSession, endUserSessions } from "./sign-in/end-user-session.js";
import { getUser } from "./sign-in/get-user.js";
import { issueIdentityToken } from "./sign-in/issue-identity-token.js";
import { listIdentityKeys } from "./sign-in/list-identity-keys.js";
import { listSessions } from "./sign-in/list-sessions.js";
import { listUserSessions } from "./sign-in/list-user-sessions.js";
import { listUsers } from "./sign-in/list-users.js";
import { refreshSession } from "./sign-in/refresh-session.js";
import { getSessionPolicy, setSessionPolicy } from "./sign-in/session-policy.js";
import { signInWithPasskey } from "./sign-in/sign-in-with-passkey.js";
import { signInWithWallet } from "./sign-in/sign-in-with-wallet.js";
import { initAuthentication, startAuthentication } from "./sign-in/start-authentication.js";
import { verifyAuthentication } from "./sign-in/verify-authentication.js";
import { createSpendingLimit } from "./spending-limits/create-spending-limit.js";
import { deleteSpendingLimit } from "./spending-limits/delete-spending-limit.js";
import { getSpendingLimit } from "./spending-limits/get-spending-limit.js";
import { listAllSpendingLimits } from "./spending-limits/list-all-spending-limits.js";
import { listSpendingLimits } from "./spending-limits/list-spending-limits.js";
import { prepareLimitPayment } from "./spending-limits/prepare-limit-payment.js";
import { updateSpendingLimit } from "./spending-limits/update-spending-limit.js";
import { getBudgets } from "./sponsorship/get-budgets.js";
import { cancelStandingOrder } from "./standing-orders/cancel-standing-order.js";
import { createStandingOrder } from "./standing-orders/create-standing-order.js";
import { getStandingOrder } from "./standing-orders/get-standing-order.js";
import { listAllStandingOrders } from "./standing-orders/list-all-standing-orders.js";
import { listStandingOrderRuns } from "./standing-orders/list-runs.js";
import { listStandingOrders } from "./standing-orders/list-standing-orders.js";
import { resumeStandingOrder } from "./standing-orders/resume-standing-order.js";
import { getStatus } from "./status/get-status.js";
import { createApiKey } from "./tenants/create-api-key.js";
import { createTenant } from "./tenants/create-tenant.js";
import { createTenantApiKey } from "./tenants/create-tenant-api-key.js";
import { listApiKeys } from "./tenants/list-api-keys.js";
import { listTenants } from "./tenants/list-tenants.js";
import { revokeApiKey } from "./tenants/revoke-api-key.js";
import { disableTenant, enableTenant } from "./tenants/switch-tenant.js";
import { deleteTreasuryPage, getTreasuryPage, openTreasuryPage, setTreasuryPage } from "./tenants/treasury-page.js";
import { prepareTransaction } from "./transactions/prepare-transaction.js";
import { submitTransactions } from "./transactions/submit-transactions.js";
import { beginWalletExport } from "./wallet-exports/begin-wallet-export.js";
import { cancelWalletExport } from "./wallet-exports/cancel-wallet-export.js";
import { getWalletExportTerms, setWalletExportTerms } from "./wallet-exports/export-terms.js";
import { getWalletExport } from "./wallet-exports/get-wallet-export.js";
import { listWalletExports } from "./wallet-exports/list-wallet-exports.js";
import { requestWalletExport } from "./wallet-exports/request-wallet-export.js";
import { beginWalletImport } from "./wallet-imports/begin-wallet-import.js";
import { importWallet } from "./wallet-imports/import-wallet.js";

/** Every endpoint, in the interface's order: the map of the house. */
export const endpoints = [
  createAccount, // interface 4.1
  verifyAccount, // interface 4.2
  createCustomAccount, // interface 4.3
  importAccount, // gap 114
  releaseAccount, // gap 196
  getAccount, // interface 4.4
  listAccounts, // gap 204
  updateAccount, // interface 4.5
  protectAccount, // gap 176
  renewWallets, // gap 193
  submitTransactions, // interface 4.6
  verifyAuthentication, // interface 4.7
  createStandingOrder, // interface 4.8
  listStandingOrders, // interface 4.9
  listAllStandingOrders, // gap 207
  getStandingOrder, // gap 42
  listStandingOrderRuns, // gap 69
  cancelStandingOrder, // gap 42
  resumeStandingOrder, // gap 71
  listProposals, // interface 4.10
  listAllProposals, // gap 209
  getProposal, // interface 4.11
  voteOnProposal, // interface 4.12
  createProposal, // gap 36
  closeTransactionBuffers, // gap 110
  executeProposal, // gap 39
  voteAndExecuteProposal, // gap 39
  startAuthentication, // gap 21
  initAuthentication, // gap 21
  beginPasskeySignIn, // gap 163
  signInWithPasskey, // gap 163
  beginWalletSignIn, // gap 221
  signInWithWallet, // gap 221
  refreshSession, // gap 20
  listSessions, // gap 158
  endSession, // gap 158
  endAllSessions, // gap 158
  listUsers, // gap 205
  getUser, // gap 205
  listUserSessions, // gap 205
  endUserSession, // gap 205
  endUserSessions, // gap 205
  getSessionPolicy, // gap 159
  setSessionPolicy, // gap 159
  beginPasskey, // gap 161
  addPasskey, // gap 161
  listPasskeys, // gap 161
  renamePasskey, // gap 161
  removePasskey, // gap 161
  setPasskeyRequirement, // gap 164
  getGuardianPolicy, // gap 190
  setGuardianPolicy, // gap 190
  listGuardianChanges, // gap 199
  cancelGuardianChange, // gap 199
  beginWalletExport, // gap 182
  requestWalletExport, // gap 182
  listWalletExports, // gap 182
  getWalletExport, // gap 182
  cancelWalletExport, // gap 182
  beginWalletImport, // gap 194
  importWallet, // gap 194
  beginPasskeySigner, // gap 233
  beginPasskeySession, // gap 233
  beginPasskeyApproval, // gap 249
  getPasskeyCeremony, // gap 233
  completePasskeyCeremony, // gap 243
  getPasskeyCeremonyOutcome, // gap 257
  submitPasskeyCeremony, // gap 234
  findPasskeySigner, // gap 234
  getPasskeySigner, // gap 235
  createPasskeyAccount, // gap 236
  getAccountPasskey, // gap 237
  addAccountPasskey, // gap 238
  removeAccountPasskey, // gap 238
  getRelyingParty, // gap 162
  setRelyingParty, // gap 162
  getWalletExportTerms, // gap 183
  setWalletExportTerms, // gap 183
  issueIdentityToken, // gap 124
  listIdentityKeys, // gap 124
  prepareTransaction, // gap 32
  preparePayment, // gap 33
  listPaymentIntents, // gap 78
  listAllPaymentIntents, // gap 206
  getPaymentIntent, // gap 78
  addExternalAccount, // gap 101
  listExternalAccounts, // gap 101
  getExternalAccount, // gap 101
  removeExternalAccount, // gap 101
  getBalances, // gap 34
  getBalanceHistory, // gap 211
  createSpendingLimit, // gap 41
  updateSpendingLimit, // gap 41
  deleteSpendingLimit, // gap 41
  prepareLimitPayment, // gap 41
  listSpendingLimits, // gap 41
  listAllSpendingLimits, // gap 208
  getSpendingLimit, // gap 41
  listTransfers, // gap 34
  listTransactions, // gap 34
  listLabels, // gap 213
  putLabel, // gap 213
  removeLabel, // gap 213
  listAccountLabels, // gap 213
  putAccountLabel, // gap 213
  removeAccountLabel, // gap 213
  startKyc, // gap 43
  getKyc, // interface 4.15
  listAllVerifications, // gap 227
  deleteRailData, // gap 97
  requestVirtualAccount, // interface 4.13
  listVirtualAccounts, // interface 4.14
  listAllVirtualAccounts, // gap 228
  listDeposits, // gap 99
  createLegacyPaymentIntent, // gap 79
  listLegacyPaymentIntents, // gap 79
  getLegacyPaymentIntent, // gap 79
  confirmLegacyPaymentIntent, // interface 4.16
  startLegacyKyc, // gap 95
  getLatestLegacyKyc, // gap 95
  getLegacyKyc, // gap 95
  requestLegacyVirtualAccount, // interface 4.16
  listLegacyVirtualAccounts, // gap 44
  startLegacyAuthentication, // interface 4.16
  verifyLegacyAuthentication, // interface 4.16
  listEvents, // gap 89
  getEvent, // gap 89
  createWebhookEndpoint, // gap 91
  listWebhookEndpoints, // gap 91
  getWebhookEndpoint, // gap 91
  updateWebhookEndpoint, // gap 91
  deleteWebhookEndpoint, // gap 91
  rotateWebhookSecret, // gap 91
  testWebhookEndpoint, // gap 92
  listWebhookAttempts, // gap 92
  replayEvents, // gap 92
  listAuditEvents, // gap 180
  getAuditEvent, // gap 180
  listRequests, // gap 218
  getRequest, // gap 218
  getStatus, // gap 219
  createApiKey, // gap 122
  listApiKeys, // gap 122
  revokeApiKey, // gap 122
  openTreasuryPage, // gap 220
  getTreasuryPage, // gap 220
  setTreasuryPage, // gap 220
  deleteTreasuryPage, // gap 220
  createTenant, // gap 122
  listTenants, // gap 122
  disableTenant, // gap 122
  enableTenant, // gap 122
  createTenantApiKey, // gap 122
  listMembers, // gap 215
  inviteMember, // gap 215
  updateMember, // gap 215
  removeMember, // gap 215
  getProposalMails, // gap 210
  setProposalMails, // gap 210
  deleteProposalMails, // gap 210
  requestSignIn, // gap 216
  verifySignIn, // gap 216
  acceptLink, // gap 216
  beginConsolePasskey, // gap 225
  signInWithConsolePasskey, // gap 225
  getConsoleSession, // gap 216
  updateOwnMember, // gap 210
  signOut, // gap 216
  endConsoleSessions, // gap 216
  listMemberPasskeys, // gap 225
  beginMemberPasskey, // gap 225
  addMemberPasskey, // gap 225
  renameMemberPasskey, // gap 225
  removeMemberPasskey, // gap 225
  getBudgets, // gap 214
  readOutbox, // gap 49
  airdrop, // gap 49
  advanceClock, // gap 49
  readClock, // gap 229
  setKyc, // gap 49
  simulateDeposit, // gap 49
  setVirtualAccountStatus, // gap 100
  triggerEvent, // gap 94
  moveSandboxTransfer, // gap 104
  closePayoutAddresses, // gap 133
  setFaults, // gap 126
  readFaults, // gap 126
];
