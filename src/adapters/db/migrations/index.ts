import type { Migration } from "kysely/migration";
import * as core from "./0001-core.js";
import * as sandboxChain from "./0002-sandbox-chain.js";
import * as proposals from "./0003-proposals.js";
import * as refusals from "./0004-refusals.js";
import * as sessionKeys from "./0005-session-keys.js";
import * as looks from "./0006-looks.js";
import * as creationLooks from "./0007-creation-looks.js";
import * as sessionChains from "./0008-session-chains.js";
import * as sponsoredCosts from "./0009-sponsored-costs.js";
import * as retention from "./0010-retention.js";
import * as awakeWatches from "./0011-awake-watches.js";
import * as standingOrders from "./0012-standing-orders.js";
import * as paymentIntentStates from "./0013-payment-intent-states.js";
import * as history from "./0014-history.js";
import * as events from "./0015-events.js";
import * as railVerifications from "./0016-rail-verifications.js";
import * as virtualAccounts from "./0017-virtual-accounts.js";
import * as railTransfers from "./0018-rail-transfers.js";
import * as partnerWebhooks from "./0019-partner-webhooks.js";
import * as batches from "./0020-batches.js";
import * as ordersAndEvents from "./0021-orders-and-events.js";
import * as bankOrders from "./0022-bank-orders.js";
import * as railsRest from "./0023-rails-rest.js";
import * as buffers from "./0024-buffers.js";
import * as apiKeys from "./0025-api-keys.js";
import * as railEnds from "./0026-rail-ends.js";
import * as codeShares from "./0027-code-shares.js";
import * as refundsSeenTo from "./0028-refunds-seen-to.js";
import * as tenantsOverHttp from "./0029-tenants-over-http.js";
import * as closedAt from "./0030-closed-at.js";
import * as tenantTurns from "./0034-tenant-turns.js";
import * as sessionEnds from "./0036-session-ends.js";
import * as tenantWrites from "./0037-tenant-writes.js";
import * as selfPaidIntents from "./0038-self-paid-intents.js";
import * as partnerWords from "./0039-partner-words.js";
import * as carriedPayments from "./0040-carried-payments.js";
import * as unwantedLimits from "./0041-unwanted-limits.js";
import * as payoutsAndKeys from "./0042-payouts-and-keys.js";
import * as watchTenants from "./0043-watch-tenants.js";
import * as stateChecks from "./0044-state-checks.js";
import * as passkeys from "./0045-passkeys.js";
import * as walletDirectory from "./0046-wallet-directory.js";
import * as auditLog from "./0049-audit-log.js";
import * as passkeyRequirement from "./0051-passkey-requirement.js";
import * as guardedAccounts from "./0052-guarded-accounts.js";
import * as derivedSecrets from "./0053-derived-secrets.js";
import * as walletExports from "./0054-wallet-exports.js";
import * as walletRoots from "./0055-wallet-roots.js";
import * as guardianWallets from "./0056-guardian-wallets.js";
import * as frozenTenants from "./0057-frozen-tenants.js";
import * as moreAuditEntries from "./0058-more-audit-entries.js";
import * as accountDefaults from "./0060-account-defaults.js";
import * as auditOfDefaults from "./0061-audit-of-defaults.js";
import * as numberedWallets from "./0062-numbered-wallets.js";
import * as walletImports from "./0063-wallet-imports.js";
import * as accountReleases from "./0064-account-releases.js";
import * as refusedLogs from "./0065-refused-logs.js";
import * as guardianChanges from "./0066-guardian-changes.js";
import * as writesOfFrozen from "./0068-writes-of-frozen.js";
import * as listsOfAccounts from "./0069-lists-of-accounts.js";
import * as tenantLists from "./0070-tenant-lists.js";
import * as proposalListings from "./0071-proposal-listings.js";
import * as historySums from "./0073-history-sums.js";
import * as labels from "./0074-labels.js";
import * as members from "./0076-members.js";
import * as requestRecords from "./0078-request-records.js";
import * as treasuryPages from "./0080-treasury-pages.js";
import * as lastLocks from "./0081-last-locks.js";
import * as spendingLimitLists from "./0082-spending-limit-lists.js";
import * as proposalMails from "./0083-proposal-mails.js";
import * as walletSessions from "./0084-wallet-sessions.js";
import * as memberPasskeys from "./0085-member-passkeys.js";
import * as bankRailLists from "./0086-bank-rail-lists.js";
import * as passkeyCeremonies from "./0087-passkey-ceremonies.js";
import * as creationWrites from "./0088-creation-writes.js";
import * as agentKeys from "./0090-agent-keys.js";
import * as passkeyApprovals from "./0092-passkey-approvals.js";
import * as passkeySessions from "./0094-passkey-sessions.js";
import * as oneEmailCreation from "./0095-one-email-creation.js";

/** Every migration by name, in order. A migration that was ever released is never edited: write the next one. */
export const migrations: Record<string, Migration> = {
  "0001-core": core,
  "0002-sandbox-chain": sandboxChain,
  "0003-proposals": proposals,
  "0004-refusals": refusals,
  "0005-session-keys": sessionKeys,
  "0006-looks": looks,
  "0007-creation-looks": creationLooks,
  "0008-session-chains": sessionChains,
  "0009-sponsored-costs": sponsoredCosts,
  "0010-retention": retention,
  "0011-awake-watches": awakeWatches,
  "0012-standing-orders": standingOrders,
  "0013-payment-intent-states": paymentIntentStates,
  "0014-history": history,
  "0015-events": events,
  "0016-rail-verifications": railVerifications,
  "0017-virtual-accounts": virtualAccounts,
  "0018-rail-transfers": railTransfers,
  "0019-partner-webhooks": partnerWebhooks,
  "0020-batches": batches,
  "0021-orders-and-events": ordersAndEvents,
  "0022-bank-orders": bankOrders,
  "0023-rails-rest": railsRest,
  "0024-buffers": buffers,
  "0025-api-keys": apiKeys,
  "0026-rail-ends": railEnds,
  "0027-code-shares": codeShares,
  "0028-refunds-seen-to": refundsSeenTo,
  "0029-tenants-over-http": tenantsOverHttp,
  "0030-closed-at": closedAt,
  "0034-tenant-turns": tenantTurns,
  "0036-session-ends": sessionEnds,
  "0037-tenant-writes": tenantWrites,
  "0038-self-paid-intents": selfPaidIntents,
  "0039-partner-words": partnerWords,
  "0040-carried-payments": carriedPayments,
  "0041-unwanted-limits": unwantedLimits,
  "0042-payouts-and-keys": payoutsAndKeys,
  "0043-watch-tenants": watchTenants,
  "0044-state-checks": stateChecks,
  "0045-passkeys": passkeys,
  "0046-wallet-directory": walletDirectory,
  "0049-audit-log": auditLog,
  "0051-passkey-requirement": passkeyRequirement,
  "0052-guarded-accounts": guardedAccounts,
  "0053-derived-secrets": derivedSecrets,
  "0054-wallet-exports": walletExports,
  "0055-wallet-roots": walletRoots,
  "0056-guardian-wallets": guardianWallets,
  "0057-frozen-tenants": frozenTenants,
  "0058-more-audit-entries": moreAuditEntries,
  "0060-account-defaults": accountDefaults,
  "0061-audit-of-defaults": auditOfDefaults,
  "0062-numbered-wallets": numberedWallets,
  "0063-wallet-imports": walletImports,
  "0064-account-releases": accountReleases,
  "0065-refused-logs": refusedLogs,
  "0066-guardian-changes": guardianChanges,
  "0068-writes-of-frozen": writesOfFrozen,
  "0069-lists-of-accounts": listsOfAccounts,
  "0070-tenant-lists": tenantLists,
  "0071-proposal-listings": proposalListings,
  "0073-history-sums": historySums,
  "0074-labels": labels,
  "0076-members": members,
  "0078-request-records": requestRecords,
  "0080-treasury-pages": treasuryPages,
  "0081-last-locks": lastLocks,
  "0082-spending-limit-lists": spendingLimitLists,
  "0083-proposal-mails": proposalMails,
  "0084-wallet-sessions": walletSessions,
  "0085-member-passkeys": memberPasskeys,
  "0086-bank-rail-lists": bankRailLists,
  "0087-passkey-ceremonies": passkeyCeremonies,
  "0088-creation-writes": creationWrites,
  "0090-agent-keys": agentKeys,
  "0092-passkey-approvals": passkeyApprovals,
  "0094-passkey-sessions": passkeySessions,
  "0095-one-email-creation": oneEmailCreation,
};
