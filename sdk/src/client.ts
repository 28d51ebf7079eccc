import type { Address } from "@solana/addresses";
import {
  type AccountHolder,
  addressesInAccount,
  addressesOfHolder,
  type Signable,
  signAs,
  signPayloads,
} from "./account-holder.js";
import { createAct } from "./act.js";
import { requireAddress } from "./address.js";
import { createApiKeyCalls, createTenantCalls } from "./api-keys.js";
import { assertProposalCreationMatches } from "./assert-proposal-creation.js";
import {
  assertSettingsChangeMatches,
  type ExpectedSettingsChange,
  signersOfSettingsChange,
} from "./assert-settings-change.js";
import { assertTransferMatches, type ExpectedTransfer } from "./assert-transfer.js";
import { type BankPayment, createExternalAccountCalls, payOutAddressOf } from "./bank-payments.js";
import type { ExactAmount, GivenAmount } from "./base-units.js";
import type { ReadAccounts } from "./begun-earlier.js";
import { createEventCalls, createWebhookEndpointCalls } from "./events.js";
import { createHistoryCalls } from "./history.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import { createCurrencies, type DecimalsTable, type MintTable } from "./mints.js";
import { createPaymentIntentCalls } from "./payment-intents.js";
import { createProposalCalls } from "./proposals.js";
import { createKycCalls } from "./rails.js";
import { createRequestSender, type RequestSenderOptions, wait } from "./request-sender.js";
import { type CallOptions, createServiceCalls, paginate } from "./service-calls.js";
import type { SigningSession } from "./session.js";
import { createSessionCalls } from "./sessions.js";
import { createSignIn } from "./sign-in.js";
import type { SignedSubmission } from "./signed-submission.js";
import { createSpendingLimitCalls } from "./spending-limits.js";
import { createStandingOrderCalls } from "./standing-orders.js";
import { type Confirmation, createSubmitter, type ResumeOptions, type SubmitOptions } from "./submission.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import { createVirtualAccountCalls } from "./virtual-accounts.js";
import { type DepositWanted, waitForDeposit } from "./wait-for-deposit.js";
import type {
  Account,
  AdvancedClock,
  Airdropped,
  AirdropRequest,
  Authentication,
  Balances,
  ConfirmLegacyPaymentIntentRequest,
  CreateAccountRequest,
  CreateCustomAccountRequest,
  CreatedAccount,
  CustomAccount,
  Deposit,
  IdentityToken,
  ImportAccountRequest,
  ImportedAccount,
  KycRecord,
  LegacyAuthRequest,
  LegacyPaymentIntent,
  LegacyPaymentIntentRequest,
  LegacyStartedAuth,
  LegacyVerified,
  LegacyVerifyRequest,
  ListPaymentIntentsQuery,
  OpenedPayIn,
  OutboxMail,
  PaymentIntentState,
  Policies,
  PolicyChange,
  PrepareBankPaymentRequest,
  PreparedCustomTransaction,
  PreparedLegacyPaymentIntent,
  PreparedTransfer,
  PreparedUpdate,
  PrepareTransactionRequest,
  PrepareTransferRequest,
  ReceiveFromBankRequest,
  RefreshedSession,
  RefreshSessionRequest,
  SandboxDepositRequest,
  SandboxFaults,
  SetKycRequest,
  SplTransfer,
  StartAuthRequest,
  StartedAuth,
  SubmitKmsPayload,
  SubmitTransactionRequest,
  SubmitTransactionsRequest,
  Submitted,
  TokenBalance,
  TriggeredEvent,
  UpdateAccountRequest,
  VerifyAccountRequest,
  VerifyAuthRequest,
  VirtualAccount,
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

/** A change of policy to be prepared, checked, signed and submitted in one go. */
export type UpdateAccount = AccountHolder & {
  /** The smart account. */
  readonly account: string;
  readonly changes: PolicyChange;
  /** The policy as it is, where it is known from somebody who is believed more than this service. Default: it is asked. */
  readonly current?: Policies;
  /** True: the admin makes the change, whose key is the one in `keys`. */
  readonly admin?: boolean;
  /** True: spending limits that a removed signer could still use are removed too. */
  readonly removeSpendingLimits?: boolean;
  /** Addresses of policies to be removed; `changes` may be empty then (gap 140). */
  readonly removePolicies?: readonly string[];
  /** Further demands on the transaction; see `ExpectedSettingsChange`. */
  readonly limits?: Pick<
    ExpectedSettingsChange,
    "settings" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports"
  >;
};

/** What an update answers besides its confirmation. */
export type UpdateReceipt = {
  /** Spending limits that a removed signer can still use. */
  readonly remainingSpendingLimits: readonly string[];
  /** Where the change was put to a vote: nothing has changed yet. */
  readonly proposal?: { readonly proposalAddress: string; readonly transactionIndex: number };
};

export type UpdatedAccount = UpdateReceipt & Confirmation;

/** A transfer to be prepared, checked, signed and submitted in one go. */
export type SendTransfer = AccountHolder & GivenAmount & TransferOrder;

type TransferOrder = {
  /** The smart account the money leaves. */
  readonly account: string;
  /** Symbol (`sol`, `usdc`, …) or mint address. */
  readonly currency: string;
  /** An owner's address, or a token account when `destinationIsTokenAccount` is set. */
  readonly destination: string;
  readonly destinationIsTokenAccount?: boolean;
  /** True: `destination` is an address that a program signs for, such as a vault that was never used (gap 147). */
  readonly confirmProgramAddress?: boolean;
  /** What the payee is to read with it, at most 256 bytes: an exchange tells its customers apart by it. */
  readonly memo?: string;
  /** Further demands on the transaction; see `ExpectedTransfer`. */
  readonly limits?: Pick<
    ExpectedTransfer,
    "settings" | "decimals" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports"
  >;
};

/** What a transfer answers besides its confirmation. */
export type TransferReceipt = {
  /** The payment intent: `paymentIntents.get` reads it. */
  readonly id: string;
};

export type SentTransfer = TransferReceipt & Confirmation;

/** The service as functions; see `createTrellisClient`. */
export type TrellisClient = ReturnType<typeof createTrellisClient>;

type LegacyPaymentIntentsQuery = Pick<ListPaymentIntentsQuery, "state" | "limit" | "cursor">;

/** As many as one answer holds. */
const tokensPerPage = 100;
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
  const { call, get, post } = service;
  const legacyService = createServiceCalls(send, legacyPath);

  const sign = (holder: AccountHolder, account: string, prepared: Signable, members: readonly string[]) =>
    signAs(holder, prepared, members, { account, environment: options.environment, nowMs: now() });

  const addressesFor = (holder: AccountHolder, account: string): Promise<readonly string[]> =>
    addressesInAccount(holder, async () => {
      const { policies } = await accounts.get(account);
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

  const accounts = {
    /** Creates an account: pending for an e-mail, at once for signers (interface 4.1; gaps 13, 14). */
    create: <Request extends CreateAccountRequest>(request: Request, callOptions?: CallOptions) =>
      post<CreatedAccount<Request>>("/accounts", request, callOptions),
    /** Creates an account with any policy, of keys and of wallets for e-mail addresses (interface 4.3, gap 17). */
    createCustom: (request: CreateCustomAccountRequest, callOptions?: CallOptions) =>
      post<CustomAccount>("/accounts:custom", request, callOptions),
    /** Reads an account that was made elsewhere, and has it served here once a signer has proven itself (gap 114). */
    import: (request: ImportAccountRequest) => post<ImportedAccount>("/accounts:import", request),
    /** Prepares a change of policy (interface 4.5, gap 23). Check it before signing, or use `update`, which does. */
    prepareUpdate: (
      address: string,
      request: UpdateAccountRequest,
      query: { readonly admin?: boolean; readonly remove_spending_limits?: boolean } = {},
      callOptions: CallOptions = {},
    ) => call<PreparedUpdate>({ method: "PATCH", path: accountPath(address), query, body: request, ...callOptions }),
    /**
     * Reads the policy, prepares a change of it, makes sure that the prepared bytes make exactly this change, signs and
     * submits. Where the holder's signers cannot make it at once, it is put to a vote instead: then the answer has a
     * `proposal`. Rejects with `TransactionMismatchError`, before anything is signed, when the service prepared
     * something else; and with `OutcomeUnknownError` when what was signed may have taken effect.
     */
    update: async (
      update: UpdateAccount,
      submitOptions: SubmitOptions<UpdateReceipt> = {},
    ): Promise<UpdatedAccount> => {
      const account = requireAddress(update.account);
      const policies = (update.removePolicies ?? []).map((policy) => requireAddress(policy));
      return act(submitOptions, {
        account,
        holder: update,
        prepare: async (options) => {
          const transaction_signers = await addressesFor(update, account);
          const current = update.current ?? (await accounts.get(account)).policies;
          const prepared = await accounts.prepareUpdate(
            account,
            { ...update.changes, ...(policies.length === 0 ? {} : { remove_policies: policies }), transaction_signers },
            { admin: update.admin ?? false, remove_spending_limits: update.removeSpendingLimits ?? false },
            options,
          );
          return { ...prepared, current };
        },
        check: ({ current, ...prepared }) => {
          const expected = {
            ...update.limits,
            account,
            changes: update.changes,
            removeSpendingLimits: update.removeSpendingLimits ?? false,
            removePolicies: policies,
            current,
          };
          const isProposed = prepared.proposal_address !== undefined;
          const members = isProposed
            ? checkProposedChange(prepared, expected, addressesOfHolder(update), update.admin === true)
            : checkSettingsChange(prepared, { ...expected, by: update.admin === true ? "admin" : "members" });
          const receipt = { remainingSpendingLimits: prepared.remaining_spending_limits, ...proposalOf(prepared) };
          return { members, membersOnly: isProposed, receipt };
        },
      });
    },
    /** Completes an e-mail account with its code (interface 4.2). */
    verify: (request: VerifyAccountRequest, callOptions?: CallOptions) =>
      post<Authentication>("/accounts/verify", request, callOptions),
    /** Reads an account (interface 4.4, gap 24). */
    get: (address: string) => get<Account>(accountPath(address)),
    /** Reads what an account holds (gap 34). */
    balances: (address: string, page: { readonly limit?: number; readonly page?: number } = {}) =>
      get<Balances>(accountPath(address, "/balances"), page),
    /** Everything an account holds, SOL first, page by page as it is read. What comes or goes meanwhile may be missed. */
    tokens: async function* (address: string): AsyncGenerator<TokenBalance, void, undefined> {
      const seen = new Set<string>();
      for (let page = 1; ; page += 1) {
        const { tokens } = await accounts.balances(address, { limit: tokensPerPage, page });
        for (const token of tokens) {
          if (!seen.has(token.token_address)) yield token;
          seen.add(token.token_address);
        }
        if (tokens.length < tokensPerPage) return;
      }
    },
  };

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

  const legacyIntentsOf = (account: string, query: LegacyPaymentIntentsQuery) =>
    legacyService.getPage<LegacyPaymentIntent>(legacyIntentPath(account), query);
  const legacy = {
    /** Sends a code to the e-mail of an existing account, in the older form (interface 4.16). */
    auth: (request: LegacyAuthRequest, callOptions?: CallOptions) =>
      legacyService.post<LegacyStartedAuth>("/auth", request, callOptions),
    /** Signs in with the code, in the older form (interface 4.16); see `openLegacySession`. */
    verifyOtp: (request: LegacyVerifyRequest, callOptions?: CallOptions) =>
      legacyService.post<LegacyVerified>("/verify-otp", request, callOptions),
    /** Prepares a payment, in the older form (gap 79). Check it before signing: `signLegacyPaymentIntent` does. */
    createPaymentIntent: (account: string, request: LegacyPaymentIntentRequest, callOptions?: CallOptions) =>
      legacyService.post<PreparedLegacyPaymentIntent>(legacyIntentPath(account), request, callOptions),
    /** Pays what was prepared and signed (interface 4.16). Confirming again answers the same. */
    confirmPaymentIntent: (
      account: string,
      id: string,
      request: ConfirmLegacyPaymentIntentRequest,
      callOptions?: CallOptions,
    ) => legacyService.post<LegacyPaymentIntent>(`${legacyIntentPath(account, id)}/confirm`, request, callOptions),
    /** Reads a payment intent in the older form (gap 79). */
    paymentIntent: (account: string, id: string) =>
      legacyService.get<LegacyPaymentIntent>(legacyIntentPath(account, id)),
    /** Reads an account's latest payment intents in the older form, newest first (gap 79). */
    paymentIntents: async (account: string, query: LegacyPaymentIntentsQuery = {}) =>
      (await legacy.paymentIntentsPage(account, query)).paymentIntents,
    /** The same, with the cursor that leads to the next page. */
    paymentIntentsPage: async (account: string, query: LegacyPaymentIntentsQuery = {}) => {
      const { items: paymentIntents, ...rest } = await legacyIntentsOf(account, query);
      return { paymentIntents, ...rest };
    },
    /** All of an account's payment intents in the older form, newest first, page by page as they are read. */
    allPaymentIntents: (account: string, query: LegacyPaymentIntentsQuery = {}) =>
      paginate(query, (next) => legacyIntentsOf(account, next)),
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

  const transfers = {
    /** Prepares a transfer (gap 33). Check it before signing, or use `send`, which does. */
    prepare: (address: string, request: PrepareTransferRequest, callOptions?: CallOptions) =>
      post<PreparedTransfer>(accountPath(address, "/payment-intent"), request, callOptions),
    /**
     * Prepares a transfer, makes sure that the prepared bytes and payloads do exactly this transfer, signs and submits.
     * Rejects with `TransactionMismatchError`, before anything is signed, when the service prepared something else; with a
     * `TypeError` for a currency whose mint is not known here, and for an amount that is not exact; and with
     * `OutcomeUnknownError` when what was signed may have been paid.
     */
    send: async (transfer: SendTransfer, submitOptions: SubmitOptions<TransferReceipt> = {}): Promise<SentTransfer> => {
      const { account } = transfer;
      const mint = mintOf(transfer.currency);
      const expected = expectedTransfer(transfer, mint, exactAmount(transfer, mint, transfer.limits?.decimals));
      return act(submitOptions, {
        account,
        holder: transfer,
        prepare: async (options) => {
          const request = {
            amount: expected.amount.toString(),
            source: { account, currency: transfer.currency },
            destination: {
              address: transfer.destination,
              currency: transfer.currency,
              ...(transfer.confirmProgramAddress === true ? { confirm_program_address: true } : {}),
            },
            ...(transfer.memo === undefined ? {} : { memo: transfer.memo }),
            transaction_signers: await addressesFor(transfer, account),
          };
          return transfers.prepare(account, request, options);
        },
        check: (prepared) => ({ members: checkTransfer(prepared, expected), receipt: { id: prepared.id } }),
      });
    },
    /**
     * The same for a bank account (gap 102): makes sure that the prepared bytes pay exactly the amount asked for, in that
     * coin, to the address that the answer says its partner watches. What becomes of it, `paymentIntents.get` tells.
     */
    sendToBank: async (
      payment: BankPayment & AccountHolder & Pick<TransferOrder, "limits">,
      submitOptions: SubmitOptions<TransferReceipt> = {},
    ): Promise<SentTransfer> => {
      const { account, currency, to } = payment;
      const mint = mintOf(currency);
      const exact = exactAmount(payment, mint, payment.limits?.decimals);
      return act(submitOptions, {
        account,
        holder: payment,
        prepare: async (options) => {
          const request: PrepareBankPaymentRequest = {
            amount: exact.amount.toString(),
            source: { account, currency },
            destination: {
              payment_rail: to.rail,
              currency: to.currency,
              external_account_id: to.externalAccountId,
              ...(to.reference === undefined ? {} : { reference: to.reference }),
            },
            transaction_signers: await addressesFor(payment, account),
          };
          return post<PreparedTransfer>(accountPath(account, "/payment-intent"), request, options);
        },
        check: (prepared) => {
          const destination = payOutAddressOf(prepared, { account, to, baseUnits: exact.amount });
          const expected = expectedTransfer({ ...payment, destination }, mint, exact);
          return { members: checkTransfer(prepared, expected), receipt: { id: prepared.id } };
        },
      });
    },
    /** Opens a payment from a bank (gap 103): the answer says where the money has to be sent, and nothing is signed. */
    receiveFromBank: (account: string, request: ReceiveFromBankRequest, callOptions?: CallOptions) =>
      post<OpenedPayIn>(accountPath(account, "/payment-intent"), request, callOptions),
  };

  const historyLists = createHistoryCalls(service);
  const history = {
    ...historyLists,
    /** Waits until money has come to an account; see `DepositWanted`. */
    waitForDeposit: (account: string, wanted: DepositWanted = {}): Promise<SplTransfer> =>
      waitForDeposit({ ...historyLists, mintOf, exactAmount, pause: options.pause ?? wait }, account, wanted),
  };

  const sandbox = {
    /** The mails the sandbox would have sent, newest first (gap 49). */
    outbox: (email: string) => get<readonly OutboxMail[]>("/sandbox/outbox", { email }),
    /** Gives an address money of the sandbox (gap 49). */
    airdrop: (request: AirdropRequest, callOptions?: CallOptions) =>
      post<Airdropped>("/sandbox/airdrop", request, callOptions),
    /** Moves the sandbox's time forward (gap 49); open prepared transactions expire. */
    advanceClock: (seconds: number, callOptions?: CallOptions) =>
      post<AdvancedClock>("/sandbox/clock/advance", { seconds }, callOptions),
    /** Pretends that somebody has paid into a virtual account (gap 49). */
    deposit: (virtualAccountId: string, request: SandboxDepositRequest, callOptions?: CallOptions) =>
      post<Deposit>(`/sandbox/virtual-accounts/${encodeURIComponent(virtualAccountId)}/deposits`, request, callOptions),
    /** Activates or deactivates a virtual account as its partner would (gap 100). */
    setVirtualAccountStatus: (virtualAccountId: string, status: VirtualAccount["status"], callOptions?: CallOptions) =>
      post<VirtualAccount>(
        `/sandbox/virtual-accounts/${encodeURIComponent(virtualAccountId)}`,
        { status },
        callOptions,
      ),
    /** Puts the documented example of a type into the feed, marked (gap 94). */
    triggerEvent: (type: string, callOptions?: CallOptions) =>
      post<TriggeredEvent>("/sandbox/events", { type }, callOptions),
    /** Has the simulated partner move a payment from or to a bank, by the id of its payment intent (gap 104). */
    moveTransfer: (id: string, state: PaymentIntentState, callOptions?: CallOptions) =>
      post<{ readonly id: string; readonly state: PaymentIntentState }>(
        `/sandbox/transfers/${encodeURIComponent(id)}`,
        { state },
        callOptions,
      ),
    /** Closes the addresses behind a bank account, as its partner would (gap 133): the next standing order has another one. */
    closePayoutAddresses: (externalAccountId: string, callOptions?: CallOptions) =>
      post<readonly { readonly address: string; readonly status: "activated" | "deactivated" }[]>(
        `/sandbox/external-accounts/${encodeURIComponent(externalAccountId)}/payout-addresses`,
        { status: "deactivated" },
        callOptions,
      ),
    /** Has this go wrong on the sandbox chain from now on, and nothing else (gap 126): `{}` ends it. Everybody there meets it. */
    setFaults: (faults: Partial<SandboxFaults>, callOptions?: CallOptions) =>
      post<SandboxFaults>("/sandbox/faults", faults, callOptions),
    /** What goes wrong on the sandbox chain on purpose (gap 126). */
    faults: () => get<SandboxFaults>("/sandbox/faults"),
    /** Has the sandbox's partner decide a verification; approving accepts its terms, too (gap 49). */
    setKyc: (id: string, request: SetKycRequest, callOptions?: CallOptions) =>
      post<KycRecord>(`/sandbox/kyc/${encodeURIComponent(id)}`, request, callOptions),
  };

  return {
    accounts,
    auth,
    legacy,
    transactions,
    transfers,
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
    sandbox,
  };
}

/** Throws `TransactionMismatchError` unless the transaction makes the change; returns those who sign for it. */
function checkSettingsChange(
  prepared: Pick<PreparedUpdate, "transaction">,
  expected: ExpectedSettingsChange,
): readonly Address[] {
  const decoded = decodeTransaction(prepared.transaction);
  assertSettingsChangeMatches(decoded, expected);
  return signersOfSettingsChange(decoded);
}

/** Throws `TransactionMismatchError` unless the transaction puts the change to a vote; returns those who sign for it. */
function checkProposedChange(
  prepared: PreparedUpdate,
  expected: ExpectedSettingsChange,
  holders: readonly string[],
  isByAdmin: boolean,
): readonly Address[] {
  const { proposal } = proposalOf(prepared);
  if (proposal === undefined || isByAdmin) {
    throw new TransactionMismatchError("proposal", "a vote is opened where none was asked for", {
      actual: prepared.proposal_address,
    });
  }
  const decoded = decodeTransaction(prepared.transaction);
  const signers = holders.map(requireAddress);
  assertProposalCreationMatches([decoded], {
    ...expected,
    proposal: requireAddress(proposal.proposalAddress),
    transactionIndex: proposal.transactionIndex,
    creators: signers,
    approvers: signers,
    content: { ...expected, type: "policy" },
  });
  return signers.filter((signer) => decoded.requiredSigners.includes(signer));
}

function proposalOf({
  proposal_address: proposalAddress,
  transaction_index: transactionIndex,
}: PreparedUpdate): Pick<UpdatedAccount, "proposal"> {
  if (proposalAddress === undefined || transactionIndex === undefined) return {};
  return { proposal: { proposalAddress, transactionIndex } };
}

/**
 * Checks a prepared transfer against what was asked for and signs its payloads with the session's key. Throws
 * `TransactionMismatchError` when the transaction or a payload differs; nothing is signed then.
 * `nowMs` is real time, for the `kms_b` form (gap 28).
 */
export function signPreparedTransfer(
  prepared: Pick<PreparedTransfer, "transaction" | "kms_payloads">,
  expected: ExpectedTransfer,
  session: SigningSession,
  environment: WireEnvironment,
  nowMs: number,
): readonly SubmitKmsPayload[] {
  const members = checkTransfer(prepared, expected);
  return signPayloads(prepared, members, [session], { account: expected.from, environment, nowMs });
}

/**
 * The same for a payment intent of the older form (gap 79): returns what confirming it takes. Throws
 * `TransactionMismatchError` when the transaction or the payload differs; nothing is signed then.
 */
export function signLegacyPaymentIntent(
  prepared: Pick<PreparedLegacyPaymentIntent, "intent_payload" | "mpc_payload">,
  expected: ExpectedTransfer,
  session: SigningSession,
  environment: WireEnvironment,
): ConfirmLegacyPaymentIntentRequest {
  const { intent_payload: transaction, mpc_payload: payload } = prepared;
  if (transaction === null)
    throw new TypeError("money from a bank has nothing to sign: confirm it without intent_payload");
  const members = checkTransfer({ transaction }, expected);
  const kms_payloads =
    payload === null ? [] : members.map((address) => ({ address, payload, provider: "kms_a" }) as const);
  const place = { account: expected.from, environment, nowMs: 0 };
  const [signed] = signPayloads({ transaction, kms_payloads }, members, [session], place);
  return { intent_payload: transaction, mpc_payload: JSON.stringify(signed) };
}

/** Throws `TransactionMismatchError` unless the transaction is the transfer; returns the members who sign for it. */
function checkTransfer(
  prepared: Pick<PreparedTransfer, "transaction">,
  expected: ExpectedTransfer,
): readonly Address[] {
  const decoded = decodeTransaction(prepared.transaction);
  assertTransferMatches(decoded, expected);
  return decoded.syncCalls.flatMap((syncCall) => syncCall.members);
}

function expectedTransfer(transfer: TransferOrder, mint: Address | null, exact: ExactAmount): ExpectedTransfer {
  return {
    ...transfer.limits,
    ...exact,
    from: requireAddress(transfer.account),
    to: requireAddress(transfer.destination),
    mint,
    toIsTokenAccount: transfer.destinationIsTokenAccount ?? false,
    ...(transfer.memo === undefined ? {} : { memo: transfer.memo }),
  };
}

function accountPath(address: string, rest = ""): string {
  return `/accounts/${encodeURIComponent(address)}${rest}`;
}

function legacyIntentPath(account: string, id?: string): string {
  const rest = id === undefined ? "" : `/${encodeURIComponent(id)}`;
  return `/${encodeURIComponent(account)}/payment-intents${rest}`;
}
