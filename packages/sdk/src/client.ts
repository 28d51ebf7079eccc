import { type AccountHolder, addressesInAccount, signAs } from "./account-holder.js";
import { createAccountCalls } from "./accounts.js";
import { createAct } from "./act.js";
import { createAllowanceCalls } from "./allowances.js";
import { createApiKeyCalls, createMemberCalls, createTenantCalls } from "./api-keys.js";
import { createAuditEventCalls } from "./audit-events.js";
import { createAuthCalls } from "./auth.js";
import { createExternalAccountCalls } from "./bank-payments.js";
import type { ReadAccounts } from "./begun-earlier.js";
import { createBudgetCalls } from "./budgets.js";
import { createEventCalls, createWebhookEndpointCalls } from "./events.js";
import { createGuardianChangeCalls } from "./guardian-changes.js";
import { createGuardianPolicyCalls } from "./guardian-policy.js";
import { createHistoryCalls } from "./history.js";
import { createLabelCalls } from "./labels.js";
import { createLegacyCalls } from "./legacy.js";
import { type Currencies, createCurrencies, type DecimalsTable, type MintTable } from "./mints.js";
import { createPasskeySignerCalls } from "./passkey-signers.js";
import { createPasskeyCalls } from "./passkeys.js";
import { createPaymentIntentCalls } from "./payment-intents.js";
import { createProposalMailCalls } from "./proposal-mails.js";
import { createProposalCalls } from "./proposals.js";
import { createKycCalls } from "./rails.js";
import { createRequestSender, type RequestSender, type RequestSenderOptions, wait } from "./request-sender.js";
import { createRequestCalls } from "./requests.js";
import { createSandboxCalls } from "./sandbox.js";
import { accountPath, createServiceCalls, type ServiceCalls } from "./service-calls.js";
import { createSessionCalls } from "./sessions.js";
import { createSpendingLimitCalls } from "./spending-limits.js";
import { createStandingOrderCalls } from "./standing-orders.js";
import { createStatusCalls } from "./status.js";
import { createSubmitter } from "./submission.js";
import { createTransactionCalls } from "./transactions.js";
import { createTransferCalls } from "./transfers.js";
import { createTreasuryPageCalls } from "./treasury-page.js";
import { createUserCalls } from "./users.js";
import { createVirtualAccountCalls } from "./virtual-accounts.js";
import { type DepositWanted, waitForDeposit } from "./wait-for-deposit.js";
import { createWalletExportCalls } from "./wallet-exports.js";
import { createWalletImportCalls } from "./wallet-imports.js";
import type { Account, SplTransfer, WireEnvironment } from "./wire.js";
import { createX402Calls } from "./x402.js";

export type TrellisClientOptions = Omit<RequestSenderOptions, "environment"> & {
  readonly environment: WireEnvironment;
  /** Mints by lower-case symbol, laid over the ones this library knows. */
  readonly mints?: MintTable;
  /** Decimals of further mints, by symbol or address, for `uiAmount`. */
  readonly decimals?: DecimalsTable;
  /** Real time in Unix milliseconds; default `Date.now`. */
  readonly now?: () => number;
  /**
   * Reads accounts from a node of your own. With it, `proposals.create` proves what several transactions build on before it
   * signs them; without it, that is the service's word. The README says what depends on it.
   */
  readonly readAccounts?: ReadAccounts;
};

/** The service as functions; see `createTrellisClient`. */
export type TrellisClient = ReturnType<typeof createTrellisClient>;

const apiPath = "/api/service/v1";
const legacyPath = "/api/v0/service/smart-accounts";

/**
 * Makes a client for one service, API key and environment. Every call rejects with `TrellisApiError` when the service
 * refuses, and with `TrellisNetworkError` when it does not answer; retries and idempotency keys are handled.
 *
 * @example
 * const trellis = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
 * const sent = await trellis.transfers.send({ account, session, currency: "usdc", destination, uiAmount: "12.5" });
 */
export function createTrellisClient(options: TrellisClientOptions) {
  const send = createRequestSender(options);
  const service = createServiceCalls(send, apiPath);
  const { resume, ...acting } = createActing(options, send, service);
  const needs = { ...service, ...acting };
  const passkeys = createPasskeyCalls({
    ...service,
    environment: options.environment,
    now: options.now ?? Date.now,
  });
  const spendingLimits = createSpendingLimitCalls(needs);
  const accounts = createAccountCalls({ ...needs, passkeys, readAccounts: options.readAccounts });
  return {
    accounts,
    auth: createAuthCalls({ post: service.post, accounts, environment: options.environment }),
    legacy: createLegacyCalls(createServiceCalls(send, legacyPath)),
    transactions: createTransactionCalls({ post: service.post, resume }),
    transfers: createTransferCalls(needs),
    externalAccounts: createExternalAccountCalls(service),
    paymentIntents: createPaymentIntentCalls(service),
    proposals: createProposalCalls({ ...needs, readAccounts: options.readAccounts }),
    spendingLimits,
    allowances: createAllowanceCalls(spendingLimits),
    standingOrders: createStandingOrderCalls(needs),
    virtualAccounts: createVirtualAccountCalls(service),
    history: createHistoryAndWaiting({ ...needs, pause: options.pause ?? wait }),
    labels: createLabelCalls(service),
    events: createEventCalls(service),
    webhookEndpoints: createWebhookEndpointCalls(service),
    sessions: createSessionCalls(service),
    users: createUserCalls(service),
    passkeys,
    passkeySigners: createPasskeySignerCalls({
      ...needs,
      baseUrl: options.baseUrl,
      environment: options.environment,
      now: options.now ?? Date.now,
    }),
    guardianChanges: createGuardianChangeCalls({
      ...service,
      environment: options.environment,
      now: options.now ?? Date.now,
    }),
    guardianPolicy: createGuardianPolicyCalls({
      ...service,
      environment: options.environment,
      now: options.now ?? Date.now,
    }),
    walletExports: createWalletExportCalls({
      ...service,
      environment: options.environment,
      now: options.now ?? Date.now,
    }),
    walletImports: createWalletImportCalls({
      ...service,
      environment: options.environment,
      now: options.now ?? Date.now,
    }),
    apiKeys: createApiKeyCalls(service),
    auditEvents: createAuditEventCalls(service),
    budgets: createBudgetCalls(service),
    treasuryPage: createTreasuryPageCalls(service),
    proposalMails: createProposalMailCalls(service),
    requests: createRequestCalls(service),
    status: createStatusCalls(service),
    members: createMemberCalls(service),
    tenants: createTenantCalls(service),
    kyc: createKycCalls(service),
    sandbox: createSandboxCalls(service),
    x402: createX402Calls({ ...needs, ...spendingLimits, environment: options.environment }),
  };
}

/** What those calls need that sign and submit. */
function createActing(options: TrellisClientOptions, send: RequestSender, { get }: ServiceCalls) {
  const { environment } = options;
  const { mintOf, exactAmount } = createCurrencies(environment, options);
  const now = options.now ?? Date.now;
  const { carryOut, resume } = createSubmitter({
    send,
    pathOf: (account) => apiPath + accountPath(account, "/submit"),
    environment,
    pause: options.pause ?? wait,
    maxRetries: options.maxRetries,
    sessionToken: options.sessionToken,
  });
  const act = createAct({
    carryOut,
    sign: (holder, account, prepared, members) =>
      signAs(holder, prepared, members, { account, environment, nowMs: now() }),
  });
  const addressesFor = (holder: AccountHolder, account: string): Promise<readonly string[]> =>
    addressesInAccount(holder, async () => {
      const { policies } = await get<Account>(accountPath(account));
      return policies.signers.map(({ address }) => address);
    });
  return { act, resume, addressesFor, mintOf, exactAmount };
}

function createHistoryAndWaiting(needs: ServiceCalls & Currencies & { readonly pause: typeof wait }) {
  const lists = createHistoryCalls(needs);
  return {
    ...lists,
    /** Waits until an account has received money; see `DepositWanted`. */
    waitForDeposit: (account: string, wanted: DepositWanted = {}): Promise<SplTransfer> =>
      waitForDeposit({ ...needs, ...lists }, account, wanted),
  };
}
