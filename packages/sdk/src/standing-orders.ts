import type { AccountHolder, Signable } from "./account-holder.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import { type AboutOrders, actionsIn, checkLimitChange, executorIn, renewalIn } from "./assert-order-limit.js";
import type { Currencies } from "./mints.js";
import type { ServiceCalls } from "./service-calls.js";
import { type AdminQuery, createOrderLists, createOrderPreparations } from "./standing-order-requests.js";
import {
  exactOrder,
  requestOf,
  requireStart,
  requireStartOfBounded,
  type StandingOrderTerms,
  sumOf,
  termsOf,
} from "./standing-order-terms.js";
import type { Confirmation, SubmitOptions } from "./submission.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { StandingOrder } from "./wire.js";

/** A standing order to be prepared, checked, signed and submitted in one go. */
export type CreateStandingOrder = AboutOrders & {
  readonly order: StandingOrderTerms;
  /** The service's executor, where the caller knows it: any other is refused. See the README for what that is worth. */
  readonly executor?: string;
};

/** A standing order to be stopped, and its limit removed. */
export type CancelStandingOrder = AboutOrders & {
  readonly id: string;
  /** The order's limit, where the caller knows it: any other is refused. */
  readonly spendingLimit?: string;
};

/** An inactive order to resume; the terms are checked where it takes a new limit. */
export type ResumeStandingOrder = CreateStandingOrder & { readonly id: string };

/** Which order, and what lets the service pay it. */
export type StandingOrderReceipt = {
  readonly id: string;
  readonly spendingLimit: string;
  /** The key of the service that may draw on it. */
  readonly executor: string;
  /** Where the limit was put to a vote: the order is pending until that is executed. */
  readonly proposal?: { readonly proposalAddress: string; readonly transactionIndex: number };
};

/** An order after a call; with a confirmation where something was signed. */
export type StandingOrderChange = { readonly order: StandingOrder } & Partial<Confirmation> &
  Pick<StandingOrderReceipt, "proposal">;

/** What these calls need of the client they are part of. */
type StandingOrderNeeds = Currencies &
  ServiceCalls & {
    readonly act: Act;
    /** Who of a holder a request about this account names. */
    readonly addressesFor: (holder: AccountHolder, account: string) => Promise<readonly string[]>;
  };

/**
 * The calls of a client about standing orders (gaps 42, 66 to 72). Those that act make sure that the prepared bytes give or
 * take exactly the limit that was asked for: for this payee, mint, sum, period and end, and for one key alone. They reject with
 * `TransactionMismatchError` otherwise, before anything is signed, and with `OutcomeUnknownError` when what was signed may
 * have taken effect.
 */
export function createStandingOrderCalls(needs: StandingOrderNeeds) {
  const requests = { ...createOrderPreparations(needs), ...createOrderLists(needs) };
  const parts: Parts = { needs, requests };
  return {
    ...requests,
    /**
     * Creates an order and gives it its limit; puts that to a vote where the holder's signers cannot give it at once, and
     * then the answer has a `proposal`.
     */
    create: (
      creation: CreateStandingOrder,
      submitOptions: SubmitOptions<StandingOrderReceipt> = {},
    ): Promise<StandingOrderReceipt & Confirmation> => createOrder(parts, creation, submitOptions),
    /**
     * Stops an order, for good as soon as the service has heard of it, and takes its limit away, or puts that to a vote.
     * Where there is no limit, nothing is signed.
     */
    cancel: (
      cancellation: CancelStandingOrder,
      submitOptions: SubmitOptions<{ order: StandingOrder }> = {},
    ): Promise<StandingOrderChange> => cancelOrder(parts, cancellation, submitOptions),
    /**
     * Lets an inactive order resume with its next due date. Where that takes a new limit, it gives one for no more payments
     * than the terms name, and removes the old one; where the holder's signers cannot do that at once it is put to a vote,
     * the answer has a `proposal`, and the order resumes once that is executed.
     */
    resume: (
      resumption: ResumeStandingOrder,
      submitOptions: SubmitOptions<{ order: StandingOrder }> = {},
    ): Promise<StandingOrderChange> => resumeOrder(parts, resumption, submitOptions),
  };
}

type Parts = {
  readonly needs: StandingOrderNeeds;
  readonly requests: ReturnType<typeof createOrderPreparations> & ReturnType<typeof createOrderLists>;
};

async function createOrder(
  { needs, requests }: Parts,
  creation: CreateStandingOrder,
  submitOptions: SubmitOptions<StandingOrderReceipt>,
): Promise<StandingOrderReceipt & Confirmation> {
  const account = requireAddress(creation.account);
  const order = exactOrder(creation.order, needs);
  return needs.act(submitOptions, {
    account,
    holder: creation,
    prepare: async (options) => {
      const request = { ...requestOf(account, order), ...(await signersOf(needs, creation)) };
      return requests.prepareCreate(account, request, queryOf(creation), options);
    },
    check: (prepared) => {
      const { id, spending_limit_address: spendingLimit, executor_address: executor } = prepared;
      const start = requireStart(order, prepared.start_date);
      const { members, proposal } = checkLimitChange(creation, prepared, {
        ...termsOf(order, creation.executor, executor, start, prepared.destination),
        amount: sumOf(order, start),
        spendingLimit: requireAddress(spendingLimit),
      });
      const receipt = { id, spendingLimit, executor, ...(proposal === undefined ? {} : { proposal }) };
      return { members, membersOnly: true, receipt };
    },
  });
}

async function cancelOrder(
  { needs, requests }: Parts,
  cancellation: CancelStandingOrder,
  submitOptions: SubmitOptions<{ order: StandingOrder }>,
): Promise<StandingOrderChange> {
  const account = requireAddress(cancellation.account);
  const { id } = cancellation;
  const [body, query] = [await signersOf(needs, cancellation), queryOf(cancellation)];
  const stopped = await requests.prepareCancel(account, id, body, query);
  if (stopped.transaction === undefined) return { order: await requests.get(account, id) };
  const done = await needs.act(submitOptions, {
    account,
    holder: cancellation,
    prepare: async (options) => requireTransaction(await requests.prepareCancel(account, id, body, query, options)),
    check: (prepared) => {
      const { members, proposal } = checkLimitChange(cancellation, prepared, undefined, {
        remove: requireAddress(cancellation.spendingLimit ?? stopped.spending_limit_address),
      });
      const receipt = { order: stopped, ...(proposal === undefined ? {} : { proposal }) };
      return { members, membersOnly: true, receipt };
    },
  });
  return { ...done, order: await requests.get(account, id) };
}

async function resumeOrder(
  { needs, requests }: Parts,
  resumption: ResumeStandingOrder,
  submitOptions: SubmitOptions<{ order: StandingOrder }>,
): Promise<StandingOrderChange> {
  const account = requireAddress(resumption.account);
  const { id } = resumption;
  const terms = exactOrder(resumption.order, needs);
  requireStartOfBounded(terms);
  const [body, query] = [await signersOf(needs, resumption), queryOf(resumption)];
  const resumed = await requests.prepareResume(account, id, body, query);
  if (resumed.transaction === undefined) return { order: await requests.get(account, id) };
  const start = requireStart(terms, resumed.start_date);
  const done = await needs.act(submitOptions, {
    account,
    holder: resumption,
    prepare: async (options) => requireTransaction(await requests.prepareResume(account, id, body, query, options)),
    check: (prepared) => {
      const actions = actionsIn(prepared);
      const { amount, removes } = renewalIn(actions, terms.amount, sumOf(terms, start));
      const add = {
        ...termsOf(terms, resumption.executor, executorIn(actions), start, resumed.destination),
        amount,
        spendingLimit: requireAddress(prepared.renewal_limit_address ?? ""),
      };
      const removal = removes ? { remove: requireAddress(prepared.spending_limit_address) } : {};
      const { members, proposal } = checkLimitChange(resumption, prepared, add, removal);
      const receipt = { order: resumed, ...(proposal === undefined ? {} : { proposal }) };
      return { members, membersOnly: true, receipt };
    },
  });
  return { ...done, order: await requests.get(account, id) };
}

/** The admin is known from the chain; members are named. */
async function signersOf(
  { addressesFor }: Pick<StandingOrderNeeds, "addressesFor">,
  about: AboutOrders,
): Promise<{ readonly transaction_signers?: readonly string[] }> {
  return about.admin === true ? {} : { transaction_signers: await addressesFor(about, about.account) };
}

function queryOf({ admin }: AboutOrders): AdminQuery {
  return admin === true ? { admin } : {};
}

function requireTransaction<Part extends Partial<Signable>>(prepared: Part): Part & Signable {
  const { transaction, kms_payloads = [] } = prepared;
  if (transaction !== undefined) return { ...prepared, transaction, kms_payloads };
  throw new TransactionMismatchError("missing_instruction", "nothing was prepared");
}
