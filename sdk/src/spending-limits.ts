import { type AccountHolder, addressesOfHolder } from "./account-holder.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import {
  assertLimitChangeMatches,
  assertLimitPaymentMatches,
  type ExpectedLimitChange,
  type ExpectedLimitPayment,
  type SpendingLimitTerms,
} from "./assert-spending-limit.js";
import { type GivenAmount, type MaybeAmount, toBaseUnits } from "./base-units.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import type { Currencies } from "./mints.js";
import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type { Confirmation, SubmitOptions } from "./submission.js";
import type {
  CreateSpendingLimitRequest,
  ListSpendingLimitsQuery,
  PayFromSpendingLimitRequest,
  PreparedSpendingLimit,
  PreparedTransaction,
  RequestedPeriod,
  SpendingLimit,
  SpendingLimitPeriod,
  UpdateSpendingLimitRequest,
} from "./wire.js";

/** What a limit is to allow, in the caller's words. */
export type NewSpendingLimit = GivenAmount & LimitTerms;

type LimitTerms = {
  /** Symbol (`sol`, `usdc`, …) or mint address. The amount is so much a period. */
  readonly currency: string;
  /** Of the mint, for a `uiAmount` where the client does not know them. */
  readonly decimals?: number;
  readonly period: RequestedPeriod;
  /** Who may use it, one to ten addresses. */
  readonly signers: readonly string[];
  /** Owners that may be paid; absent or empty: anybody. */
  readonly destinations?: readonly string[];
  /** When it ends; absent or null: never. Counts in whole seconds. */
  readonly expiration?: Date | null;
};

type AboutLimits = AccountHolder & {
  /** The smart account. */
  readonly account: string;
  /** True: the admin makes the change, whose key is the one in `keys`. */
  readonly admin?: boolean;
  /** Further demands on the transaction; see `ExpectedLimitChange`. */
  readonly limits?: Pick<ExpectedLimitChange, "settings" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports">;
};

/** A limit to be prepared, checked, signed and submitted in one go. */
export type CreateSpendingLimit = AboutLimits & { readonly limit: NewSpendingLimit };

/** A limit to be exchanged for one with other terms; what is absent stays as the service says it is. */
export type UpdateSpendingLimit = AboutLimits & {
  readonly spendingLimit: string;
  readonly changes: LimitChanges;
};

/** What is to become otherwise. A `uiAmount` names its currency, as it means nothing without. */
type LimitChanges = Partial<LimitTerms> & MaybeAmount;

/** A limit to be removed. */
export type RemoveSpendingLimit = AboutLimits & { readonly spendingLimit: string };

/** A payment out of a limit; the holder is one of the limit's signers. */
export type PayFromSpendingLimit = AccountHolder & GivenAmount & LimitPaymentOrder;

type LimitPaymentOrder = {
  /** The smart account the money leaves. */
  readonly account: string;
  readonly spendingLimit: string;
  /** Who signs; default: the only address the holder can sign for. */
  readonly signer?: string;
  /** Symbol (`sol`, `usdc`, …) or mint address. */
  readonly currency: string;
  /** An owner's address, never a token account. */
  readonly recipient: string;
  /** True: `recipient` is an address that a program signs for, such as a vault that was never used (gap 147). */
  readonly confirmProgramAddress?: boolean;
  /** Further demands on the transaction; see `ExpectedLimitPayment`. */
  readonly limits?: Pick<
    ExpectedLimitPayment,
    "settings" | "decimals" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports"
  >;
};

/** Where the new limit is. */
export type SpendingLimitReceipt = { readonly spendingLimit: string };

/** One page of limits; without `nextCursor` it is the last. */
export type SpendingLimitPage = { readonly spendingLimits: readonly SpendingLimit[]; readonly nextCursor?: string };

/** What these calls need of the client they are part of. */
type SpendingLimitNeeds = Currencies &
  ServiceCalls & {
    readonly act: Act;
    /** Who of a holder a request about this account names. */
    readonly addressesFor: (holder: AccountHolder, account: string) => Promise<readonly string[]>;
  };

type AdminQuery = { readonly admin?: boolean };

/**
 * The calls of a client about spending limits (gap 41). Those that act make sure that the prepared bytes do what was asked
 * for and nothing else; they reject with `TransactionMismatchError` otherwise, before anything is signed, and with
 * `OutcomeUnknownError` when what was signed may have taken effect. Where an account's signers cannot act at once they
 * reject with `proposal_required`: propose the action with `proposals.create`.
 */
export function createSpendingLimitCalls(needs: SpendingLimitNeeds) {
  const { act, call, get, getPage, post } = needs;
  /** The admin is known from the chain; members are named. */
  const signersOf = async (about: AboutLimits) =>
    about.admin === true ? {} : { transaction_signers: await needs.addressesFor(about, about.account) };
  const pathOf = (account: string, limit?: string, rest = ""): string =>
    `/accounts/${encodeURIComponent(account)}/spending-limit${limit === undefined ? "" : `/${encodeURIComponent(limit)}`}${rest}`;

  const pageOf = (account: string, query: ListSpendingLimitsQuery) =>
    getPage<SpendingLimit>(`/accounts/${encodeURIComponent(account)}/spending-limits`, query);

  const spendingLimits = {
    /** Prepares a limit. Check it before signing, or use `create`, which does. */
    prepareCreate: (
      account: string,
      body: CreateSpendingLimitRequest,
      query: AdminQuery = {},
      callOptions: CallOptions = {},
    ) => call<PreparedSpendingLimit>({ method: "POST", path: pathOf(account), query, body, ...callOptions }),
    /** Grants a limit at once. */
    create: async (
      creation: CreateSpendingLimit,
      submitOptions: SubmitOptions<SpendingLimitReceipt> = {},
    ): Promise<SpendingLimitReceipt & Confirmation> => {
      const account = requireAddress(creation.account);
      const terms = termsOf(creation.limit, needs);
      return act(submitOptions, {
        account,
        holder: creation,
        prepare: async (options) => {
          const request = { ...requestOf(terms), ...(await signersOf(creation)) };
          return spendingLimits.prepareCreate(account, request, queryOf(creation), options);
        },
        check: (prepared) => {
          const add = { ...terms, spendingLimit: requireAddress(prepared.spending_limit_address) };
          const members = assertLimitChangeMatches(decodeTransaction(prepared.transaction), frameOf(creation, { add }));
          return { members, receipt: { spendingLimit: add.spendingLimit } };
        },
      });
    },
    /** Prepares the exchange of a limit. Check it before signing, or use `update`, which does. */
    prepareUpdate: (
      account: string,
      limit: string,
      body: UpdateSpendingLimitRequest,
      query: AdminQuery = {},
      callOptions: CallOptions = {},
    ) => call<PreparedSpendingLimit>({ method: "PATCH", path: pathOf(account, limit), query, body, ...callOptions }),
    /**
     * Exchanges a limit for one with other terms, at another address and with the whole amount left. What is not named is
     * taken from what the service says of the old limit: name every term whose value the service is not trusted with.
     */
    update: async (
      update: UpdateSpendingLimit,
      submitOptions: SubmitOptions<SpendingLimitReceipt> = {},
    ): Promise<SpendingLimitReceipt & Confirmation> => {
      const account = requireAddress(update.account);
      const remove = requireAddress(update.spendingLimit);
      const changes = changesOf(update.changes, needs);
      return act(submitOptions, {
        account,
        holder: update,
        prepare: async (options) => {
          const terms = { ...termsShown(await spendingLimits.get(account, remove)), ...changes };
          const request = { ...requestOf(terms), ...(await signersOf(update)) };
          return { ...(await spendingLimits.prepareUpdate(account, remove, request, queryOf(update), options)), terms };
        },
        check: (prepared) => {
          const add = { ...prepared.terms, spendingLimit: requireAddress(prepared.spending_limit_address) };
          const expected = frameOf(update, { add, remove });
          const members = assertLimitChangeMatches(decodeTransaction(prepared.transaction), expected);
          return { members, receipt: { spendingLimit: add.spendingLimit } };
        },
      });
    },
    /** Prepares the removal of a limit. Check it before signing, or use `remove`, which does. */
    prepareRemoval: (
      account: string,
      limit: string,
      body: Pick<UpdateSpendingLimitRequest, "transaction_signers" | "provider"> = {},
      query: AdminQuery = {},
      callOptions: CallOptions = {},
    ) => call<PreparedTransaction>({ method: "DELETE", path: pathOf(account, limit), query, body, ...callOptions }),
    /** Removes a limit at once: nobody can use it any more. */
    remove: async (
      removal: RemoveSpendingLimit,
      submitOptions: SubmitOptions<SpendingLimitReceipt> = {},
    ): Promise<SpendingLimitReceipt & Confirmation> => {
      const account = requireAddress(removal.account);
      const remove = requireAddress(removal.spendingLimit);
      return act(submitOptions, {
        account,
        holder: removal,
        prepare: async (options) => {
          const signers = await signersOf(removal);
          return spendingLimits.prepareRemoval(account, remove, signers, queryOf(removal), options);
        },
        check: ({ transaction }) => {
          const members = assertLimitChangeMatches(decodeTransaction(transaction), frameOf(removal, { remove }));
          return { members, receipt: { spendingLimit: remove } };
        },
      });
    },
    /** Reads a limit as the chain has it now. */
    get: (account: string, limit: string) => get<SpendingLimit>(pathOf(account, limit)),
    /** Reads one page of an account's limits. */
    page: async (account: string, query: ListSpendingLimitsQuery = {}): Promise<SpendingLimitPage> => {
      const { items, ...rest } = await pageOf(account, query);
      return { spendingLimits: items, ...rest };
    },
    /** All of an account's limits that the query asks for, page by page as they are read. */
    all: (account: string, query: ListSpendingLimitsQuery = {}) => paginate(query, (next) => pageOf(account, next)),
    /** The same, read to the end. */
    list: async (
      account: string,
      query: Omit<ListSpendingLimitsQuery, "cursor"> = {},
    ): Promise<readonly SpendingLimit[]> => {
      const limits: SpendingLimit[] = [];
      for await (const limit of spendingLimits.all(account, query)) limits.push(limit);
      return limits;
    },
    /** Prepares a payment out of a limit. Check it before signing, or use `pay`, which does. */
    preparePayment: (
      account: string,
      limit: string,
      body: PayFromSpendingLimitRequest,
      callOptions: CallOptions = {},
    ) => post<PreparedTransaction>(pathOf(account, limit, "/transactions"), body, callOptions),
    /** Pays out of a limit, signed by one of its signers alone. */
    pay: async (payment: PayFromSpendingLimit, submitOptions: SubmitOptions = {}): Promise<Confirmation> => {
      const account = requireAddress(payment.account);
      const signer = requireAddress(payment.signer ?? onlyOf(payment));
      const mint = needs.mintOf(payment.currency);
      const expected: ExpectedLimitPayment = {
        ...payment.limits,
        ...needs.exactAmount(payment, mint, payment.limits?.decimals),
        account,
        spendingLimit: requireAddress(payment.spendingLimit),
        signer,
        to: requireAddress(payment.recipient),
        mint,
      };
      const request = {
        amount: expected.amount.toString(),
        signer_address: signer,
        recipient_address: expected.to,
        ...(payment.confirmProgramAddress === true ? { confirm_program_address: true } : {}),
      };
      return act(submitOptions, {
        account,
        holder: payment,
        prepare: (options) => spendingLimits.preparePayment(account, expected.spendingLimit, request, options),
        check: ({ transaction }) => {
          assertLimitPaymentMatches(decodeTransaction(transaction), expected);
          return { members: [signer], membersOnly: true, receipt: {} };
        },
      });
    },
  };
  return spendingLimits;
}

const periods: Readonly<Record<RequestedPeriod, SpendingLimitPeriod>> = {
  one_time: "one_time",
  day: "day",
  daily: "day",
  week: "week",
  weekly: "week",
  month: "month",
  monthly: "month",
};

function termsOf(limit: NewSpendingLimit, { mintOf, exactAmount }: Currencies): SpendingLimitTerms {
  const mint = mintOf(limit.currency);
  return {
    mint,
    amount: exactAmount(limit, mint, limit.decimals).amount,
    period: periods[limit.period],
    signers: limit.signers,
    destinations: limit.destinations ?? [],
    expiration: secondsOf(limit.expiration ?? null),
  };
}

function changesOf(changes: LimitChanges, { mintOf, exactAmount }: Currencies): Partial<SpendingLimitTerms> {
  const { currency, period, signers, destinations, expiration, decimals } = changes;
  const mint = currency === undefined ? null : mintOf(currency);
  if (changes.uiAmount !== undefined && currency === undefined) {
    // Else whoever says what the limit was of would say how much it is.
    throw new TypeError("a uiAmount needs its currency beside it");
  }
  const hasAmount = changes.amount !== undefined || changes.uiAmount !== undefined;
  return {
    ...(currency === undefined ? {} : { mint }),
    ...(hasAmount ? { amount: exactAmount(changes, mint, decimals).amount } : {}),
    ...(period === undefined ? {} : { period: periods[period] }),
    ...(signers === undefined ? {} : { signers }),
    ...(destinations === undefined ? {} : { destinations }),
    ...(expiration === undefined ? {} : { expiration: secondsOf(expiration) }),
  };
}

function termsShown(limit: SpendingLimit): SpendingLimitTerms {
  return {
    mint: limit.mint === null ? null : requireAddress(limit.mint),
    amount: toBaseUnits(limit.amount),
    period: limit.period,
    signers: limit.signers,
    destinations: limit.destinations,
    expiration: limit.expiration === null ? null : secondsOf(new Date(limit.expiration)),
  };
}

function secondsOf(instant: Date | null): number | null {
  if (instant === null) return null;
  const ms = instant.getTime();
  if (Number.isNaN(ms)) throw new TypeError("the expiration is no date");
  return Math.floor(ms / 1000);
}

function requestOf({ mint, amount, period, signers, destinations, expiration }: SpendingLimitTerms) {
  return {
    mint,
    amount: amount.toString(),
    period,
    spending_limit_signers: signers,
    destinations,
    expiration,
  };
}

function queryOf({ admin }: AboutLimits): AdminQuery {
  return admin === true ? { admin } : {};
}

function frameOf(
  { account, admin, limits }: AboutLimits,
  change: Pick<ExpectedLimitChange, "add" | "remove">,
): ExpectedLimitChange {
  return { ...limits, ...change, account: requireAddress(account), by: admin === true ? "admin" : "members" };
}

function onlyOf(holder: AccountHolder): string {
  const [first, second] = addressesOfHolder(holder);
  if (first !== undefined && second === undefined) return first;
  throw new TypeError("several addresses could sign: name the one in `signer`");
}
