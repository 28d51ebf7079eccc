import { type AccountHolder, addressesInAccount, type Signable, signAs } from "./account-holder.js";
import { createAccountCalls } from "./accounts.js";
import { createAct } from "./act.js";
import { createApiKeyCalls, createTenantCalls } from "./api-keys.js";
import { createExternalAccountCalls } from "./bank-payments.js";
import type { ReadAccounts } from "./begun-earlier.js";
import { createEventCalls, createWebhookEndpointCalls } from "./events.js";
import { createHistoryCalls } from "./history.js";
import { createLegacyCalls } from "./legacy.js";
import { createCurrencies, type DecimalsTable, type MintTable } from "./mints.js";
import { createPaymentIntentCalls } from "./payment-intents.js";
import { createProposalCalls } from "./proposals.js";
import { createKycCalls } from "./rails.js";
import { createRequestSender, type RequestSenderOptions, wait } from "./request-sender.js";
import { createSandboxCalls } from "./sandbox.js";
import { accountPath, type CallOptions, createServiceCalls } from "./service-calls.js";
import { createSessionCalls } from "./sessions.js";
import { createSignIn } from "./sign-in.js";
import type { SignedSubmission } from "./signed-submission.js";
import { createSpendingLimitCalls } from "./spending-limits.js";
import { createStandingOrderCalls } from "./standing-orders.js";
import { type Confirmation, createSubmitter, type ResumeOptions } from "./submission.js";
import { createTransferCalls } from "./transfers.js";
import { createVirtualAccountCalls } from "./virtual-accounts.js";
import { type DepositWanted, waitForDeposit } from "./wait-for-deposit.js";
import type {
  Account,
  Authentication,
  IdentityToken,
  PreparedCustomTransaction,
  PrepareTransactionRequest,
  RefreshedSession,
  RefreshSessionRequest,
  SplTransfer,
  StartAuthRequest,
  StartedAuth,
  SubmitTransactionRequest,
  SubmitTransactionsRequest,
  Submitted,
  VerifyAuthRequest,
  WireEnvironment,
} from "./wire.js";

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
 * refuses, and with `TrellisNetworkError` when it does not answer; retries and idempotency keys are taken care of.
 *
 * @example
 * const trellis = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
 * const sent = await trellis.transfers.send({ account, session, currency: "usdc", destination, uiAmount: "12.5" });
 */
export function createTrellisClient(options: TrellisClientOptions) {
  const send = createRequestSender(options);
  const { mintOf, exactAmount } = createCurrencies(options.environment, options);
  const now = options.now ?? Date.now;

  const service = createServiceCalls(send, apiPath);
  const { get, post } = service;

  const sign = (holder: AccountHolder, account: string, prepared: Signable, members: readonly string[]) =>
    signAs(holder, prepared, members, { account, environment: options.environment, nowMs: now() });

  const addressesFor = (holder: AccountHolder, account: string): Promise<readonly string[]> =>
    addressesInAccount(holder, async () => {
      const { policies } = await get<Account>(accountPath(account));
      return policies.signers.map(({ address }) => address);
    });

  const { carryOut, resume } = createSubmitter({
    send,
    pathOf: (account) => apiPath + accountPath(account, "/submit"),
    environment: options.environment,
    pause: options.pause ?? wait,
    maxRetries: options.maxRetries,
    sessionToken: options.sessionToken,
  });

  const act = createAct({ carryOut, sign });
  const needs = { ...service, act, addressesFor, mintOf, exactAmount };

  const accounts = createAccountCalls(needs);

  const startAuth = (request: StartAuthRequest, callOptions?: CallOptions) =>
    post<StartedAuth>("/auth", request, callOptions);
  const verifyAuth = (request: VerifyAuthRequest, callOptions?: CallOptions) =>
    post<Authentication>("/auth/verify", request, callOptions);
  const auth = {
    /**
     * Has a code sent to an e-mail address, whether there is an account for it or it is made with that code, and signs in
     * with it. The keys of the session are made here. Rejects with `TrellisApiError` where no code can be sent.
     *
     * @example
     * const { verify } = await trellis.auth.signIn("ada@example.org");
     * const { account, session } = await verify(await askForTheCode());
     */
    signIn: createSignIn({
      create: (request): Promise<unknown> => accounts.create(request),
      start: (request) => startAuth(request),
      verifyAccount: (request, callOptions) => accounts.verify(request, callOptions),
      verifyAuth: (request, callOptions) => verifyAuth(request, callOptions),
    }),
    /** Sends a code to the e-mail of an existing account (gap 21). */
    start: startAuth,
    /** Signs in with the code (interface 4.7). */
    verify: verifyAuth,
    /** Lengthens a session (gap 20). The old refresh token is void after it. */
    refresh: (request: RefreshSessionRequest, callOptions?: CallOptions) =>
      post<RefreshedSession>("/auth/refresh-session", request, callOptions),
    /** A token that tells the application's own backend who is signed in (gap 124); needs `sessionToken`. */
    identityToken: () => post<IdentityToken>("/auth/token", undefined),
  };

  const transactions = {
    /** Has an arbitrary transaction wrapped for the account (gap 32). Check it before signing. */
    prepare: (address: string, request: PrepareTransactionRequest, callOptions?: CallOptions) =>
      post<PreparedCustomTransaction>(accountPath(address, "/transactions"), request, callOptions),
    /** Submits signed transactions and waits until they are confirmed (interface 4.6, gap 29). */
    submit: <Request extends SubmitTransactionRequest | SubmitTransactionsRequest>(
      address: string,
      request: Request,
      callOptions?: CallOptions,
    ) => post<Submitted<Request>>(accountPath(address, "/submit"), request, callOptions),
    /**
     * Submits once more what a call had signed and handed to `onSigned`, and answers what that call would have answered:
     * these bytes take effect once, however often and wherever this is done. Rejects with a `TrellisApiError` that is the
     * last word on them (`payload_expired`, `blockhash_expired`: they can never land), and otherwise with
     * `OutcomeUnknownError`, after which it can be done again.
     */
    resume: <Receipt extends object>(
      signed: SignedSubmission<Receipt>,
      resumeOptions: ResumeOptions = {},
    ): Promise<Receipt & Confirmation> => resume(signed, resumeOptions),
  };

  const historyLists = createHistoryCalls(service);
  const history = {
    ...historyLists,
    /** Waits until money has come to an account; see `DepositWanted`. */
    waitForDeposit: (account: string, wanted: DepositWanted = {}): Promise<SplTransfer> =>
      waitForDeposit({ ...historyLists, mintOf, exactAmount, pause: options.pause ?? wait }, account, wanted),
  };

  return {
    accounts,
    auth,
    legacy: createLegacyCalls(createServiceCalls(send, legacyPath)),
    transactions,
    transfers: createTransferCalls(needs),
    externalAccounts: createExternalAccountCalls(service),
    paymentIntents: createPaymentIntentCalls(service),
    proposals: createProposalCalls({ ...needs, readAccounts: options.readAccounts }),
    spendingLimits: createSpendingLimitCalls(needs),
    standingOrders: createStandingOrderCalls(needs),
    virtualAccounts: createVirtualAccountCalls(service),
    history,
    events: createEventCalls(service),
    webhookEndpoints: createWebhookEndpointCalls(service),
    sessions: createSessionCalls(service),
    apiKeys: createApiKeyCalls(service),
    tenants: createTenantCalls(service),
    kyc: createKycCalls(service),
    sandbox: createSandboxCalls(service),
  };
}
