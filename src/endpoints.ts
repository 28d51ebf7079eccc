import { createAccount } from "./rooms/accounts/create-account.js";
import { createCustomAccount } from "./rooms/accounts/create-custom-account.js";
import { getAccount } from "./rooms/accounts/get-account.js";
import { importAccount } from "./rooms/accounts/import-account.js";
import { verifyAccount } from "./rooms/accounts/verify-account.js";
import { createApiKey } from "./rooms/api-keys/create-api-key.js";
import { createTenant } from "./rooms/api-keys/create-tenant.js";
import { createTenantApiKey } from "./rooms/api-keys/create-tenant-api-key.js";
import { listApiKeys } from "./rooms/api-keys/list-api-keys.js";
import { listTenants } from "./rooms/api-keys/list-tenants.js";
import { revokeApiKey } from "./rooms/api-keys/revoke-api-key.js";
import { disableTenant, enableTenant } from "./rooms/api-keys/switch-tenant.js";
import { endAllSessions, endSession } from "./rooms/auth/end-session.js";
import { issueIdentityToken } from "./rooms/auth/issue-identity-token.js";
import { listIdentityKeys } from "./rooms/auth/list-identity-keys.js";
import { listSessions } from "./rooms/auth/list-sessions.js";
import { refreshSession } from "./rooms/auth/refresh-session.js";
import { getSessionPolicy, setSessionPolicy } from "./rooms/auth/session-policy.js";
import { initAuthentication, startAuthentication } from "./rooms/auth/start-authentication.js";
import { verifyAuthentication } from "./rooms/auth/verify-authentication.js";
import { getBalances } from "./rooms/balances/get-balances.js";
import { addExternalAccount } from "./rooms/external-accounts/add-external-account.js";
import { getExternalAccount, listExternalAccounts } from "./rooms/external-accounts/read-external-accounts.js";
import { removeExternalAccount } from "./rooms/external-accounts/remove-external-account.js";
import { listTransactions } from "./rooms/history/list-transactions.js";
import { listTransfers } from "./rooms/history/list-transfers.js";
import { deleteRailData } from "./rooms/kyc/delete-rail-data.js";
import { getKyc } from "./rooms/kyc/get-kyc.js";
import { startKyc } from "./rooms/kyc/start-kyc.js";
import { confirmLegacyPaymentIntent } from "./rooms/legacy/confirm-legacy-payment-intent.js";
import { createLegacyPaymentIntent } from "./rooms/legacy/create-legacy-payment-intent.js";
import { getLatestLegacyKyc, getLegacyKyc, startLegacyKyc } from "./rooms/legacy/legacy-kyc.js";
import { listLegacyVirtualAccounts, requestLegacyVirtualAccount } from "./rooms/legacy/legacy-virtual-accounts.js";
import { getLegacyPaymentIntent, listLegacyPaymentIntents } from "./rooms/legacy/read-legacy-payment-intents.js";
import { startLegacyAuthentication } from "./rooms/legacy/start-legacy-authentication.js";
import { verifyLegacyAuthentication } from "./rooms/legacy/verify-legacy-authentication.js";
import { readOutbox } from "./rooms/mail/sandbox-outbox.js";
import { getPaymentIntent } from "./rooms/payment-intents/get-payment-intent.js";
import { listPaymentIntents } from "./rooms/payment-intents/list-payment-intents.js";
import { preparePayment } from "./rooms/payment-intents/prepare-payment.js";
import { closeTransactionBuffers } from "./rooms/proposals/close-buffers.js";
import { createProposal } from "./rooms/proposals/create-proposal.js";
import { executeProposal } from "./rooms/proposals/execute-proposal.js";
import { getProposal } from "./rooms/proposals/get-proposal.js";
import { listProposals } from "./rooms/proposals/list-proposals.js";
import { voteAndExecuteProposal } from "./rooms/proposals/vote-and-execute.js";
import { voteOnProposal } from "./rooms/proposals/vote-on-proposal.js";
import { advanceClock } from "./rooms/sandbox/advance-clock.js";
import { airdrop } from "./rooms/sandbox/airdrop.js";
import { closePayoutAddresses } from "./rooms/sandbox/close-payout-addresses.js";
import { moveSandboxTransfer } from "./rooms/sandbox/move-transfer.js";
import { readFaults } from "./rooms/sandbox/read-faults.js";
import { setFaults } from "./rooms/sandbox/set-faults.js";
import { setKyc } from "./rooms/sandbox/set-kyc.js";
import { setVirtualAccountStatus } from "./rooms/sandbox/set-virtual-account-status.js";
import { simulateDeposit } from "./rooms/sandbox/simulate-deposit.js";
import { triggerEvent } from "./rooms/sandbox/trigger-event.js";
import { updateAccount } from "./rooms/settings-changes/update-account.js";
import { createSpendingLimit } from "./rooms/spending-limits/create-spending-limit.js";
import { deleteSpendingLimit } from "./rooms/spending-limits/delete-spending-limit.js";
import { getSpendingLimit } from "./rooms/spending-limits/get-spending-limit.js";
import { listSpendingLimits } from "./rooms/spending-limits/list-spending-limits.js";
import { prepareLimitPayment } from "./rooms/spending-limits/prepare-limit-payment.js";
import { updateSpendingLimit } from "./rooms/spending-limits/update-spending-limit.js";
import { cancelStandingOrder } from "./rooms/standing-orders/cancel-standing-order.js";
import { createStandingOrder } from "./rooms/standing-orders/create-standing-order.js";
import { getStandingOrder } from "./rooms/standing-orders/get-standing-order.js";
import { listStandingOrderRuns } from "./rooms/standing-orders/list-runs.js";
import { listStandingOrders } from "./rooms/standing-orders/list-standing-orders.js";
import { resumeStandingOrder } from "./rooms/standing-orders/resume-standing-order.js";
import { prepareTransaction } from "./rooms/transactions/prepare-transaction.js";
import { submitTransactions } from "./rooms/transactions/submit-transactions.js";
import { listDeposits } from "./rooms/virtual-accounts/list-deposits.js";
import { listVirtualAccounts } from "./rooms/virtual-accounts/list-virtual-accounts.js";
import { requestVirtualAccount } from "./rooms/virtual-accounts/request-virtual-account.js";
import { createWebhookEndpoint } from "./rooms/webhooks/create-webhook-endpoint.js";
import { deleteWebhookEndpoint } from "./rooms/webhooks/delete-webhook-endpoint.js";
import { getEvent } from "./rooms/webhooks/get-event.js";
import { getWebhookEndpoint } from "./rooms/webhooks/get-webhook-endpoint.js";
import { listEvents } from "./rooms/webhooks/list-events.js";
import { listWebhookAttempts } from "./rooms/webhooks/list-webhook-attempts.js";
import { listWebhookEndpoints } from "./rooms/webhooks/list-webhook-endpoints.js";
import { replayEvents } from "./rooms/webhooks/replay-events.js";
import { rotateWebhookSecret } from "./rooms/webhooks/rotate-webhook-secret.js";
import { testWebhookEndpoint } from "./rooms/webhooks/test-webhook-endpoint.js";
import { updateWebhookEndpoint } from "./rooms/webhooks/update-webhook-endpoint.js";

/** Every endpoint, in the interface's order: the map of the house. */
export const endpoints = [
  createAccount, // interface 4.1
  verifyAccount, // interface 4.2
  createCustomAccount, // interface 4.3
  importAccount, // gap 114
  getAccount, // interface 4.4
  updateAccount, // interface 4.5
  submitTransactions, // interface 4.6
  verifyAuthentication, // interface 4.7
  createStandingOrder, // interface 4.8
  listStandingOrders, // interface 4.9
  getStandingOrder, // gap 42
  listStandingOrderRuns, // gap 69
  cancelStandingOrder, // gap 42
  resumeStandingOrder, // gap 71
  listProposals, // interface 4.10
  getProposal, // interface 4.11
  voteOnProposal, // interface 4.12
  createProposal, // gap 36
  closeTransactionBuffers, // gap 110
  executeProposal, // gap 39
  voteAndExecuteProposal, // gap 39
  startAuthentication, // gap 21
  initAuthentication, // gap 21
  refreshSession, // gap 20
  listSessions, // gap 158
  endSession, // gap 158
  endAllSessions, // gap 158
  getSessionPolicy, // gap 159
  setSessionPolicy, // gap 159
  issueIdentityToken, // gap 124
  listIdentityKeys, // gap 124
  prepareTransaction, // gap 32
  preparePayment, // gap 33
  listPaymentIntents, // gap 78
  getPaymentIntent, // gap 78
  addExternalAccount, // gap 101
  listExternalAccounts, // gap 101
  getExternalAccount, // gap 101
  removeExternalAccount, // gap 101
  getBalances, // gap 34
  createSpendingLimit, // gap 41
  updateSpendingLimit, // gap 41
  deleteSpendingLimit, // gap 41
  prepareLimitPayment, // gap 41
  listSpendingLimits, // gap 41
  getSpendingLimit, // gap 41
  listTransfers, // gap 34
  listTransactions, // gap 34
  startKyc, // gap 43
  getKyc, // interface 4.15
  deleteRailData, // gap 97
  requestVirtualAccount, // interface 4.13
  listVirtualAccounts, // interface 4.14
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
  createApiKey, // gap 122
  listApiKeys, // gap 122
  revokeApiKey, // gap 122
  createTenant, // gap 122
  listTenants, // gap 122
  disableTenant, // gap 122
  enableTenant, // gap 122
  createTenantApiKey, // gap 122
  readOutbox, // gap 49
  airdrop, // gap 49
  advanceClock, // gap 49
  setKyc, // gap 49
  simulateDeposit, // gap 49
  setVirtualAccountStatus, // gap 100
  triggerEvent, // gap 94
  moveSandboxTransfer, // gap 104
  closePayoutAddresses, // gap 133
  setFaults, // gap 126
  readFaults, // gap 126
];
