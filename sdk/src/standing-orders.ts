import type { Address } from "@solana/addresses";
import { type AccountHolder, addressesOfHolder, type Signable } from "./account-holder.js";
import type { Act } from "./act.js";
import { requireAddress } from "./address.js";
import { assertProposalCreationMatches } from "./assert-proposal-creation.js";
import { readSettingsCalls } from "./assert-settings-change.js";
import {
  assertLimitChangeMatches,
  type ExpectedLimitChange,
  type SpendingLimitTerms,
} from "./assert-spending-limit.js";
import type { GivenAmount } from "./base-units.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import type { Currencies } from "./mints.js";
import { readProposalCalls } from "./proposal-frame.js";
import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type { Confirmation, SubmitOptions } from "./submission.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type {
  ChangedStandingOrder,
  CreateStandingOrderRequest,
  ListStandingOrdersQuery,
  PreparedStandingOrder,
  ProposedAction,
  SpendingLimitPeriod,
  StandingOrder,
  StandingOrderFrequency,
  StandingOrderRun,
} from "./wire.js";

/** A bank account that is paid through an address on chain at which the service's partner takes the coins (gap 119). */
export type BankPayee = {
  readonly externalAccountId: string;
  /** `ach_push`, `wire`, `sepa`, `faster_payments`, `spei` or `pix`. */
  readonly rail: string;
  /** That address, where the caller knows it from an earlier order: any other is refused. */
  readonly address?: string;
};

/** What is to be paid, to whom and when. */
export type StandingOrderTerms = GivenAmount & OrderTerms;

type OrderTerms = {
  /** Symbol (`sol`, `usdc`, …) or mint address. The amount is that of one payment. */
  readonly currency: string;
  /** Of the mint, for a `uiAmount` where the client does not know them. */
  readonly decimals?: number;
  /** An owner's address, never a token account; or a bank account. */
  readonly payee: string | BankPayee;
  /** True: `payee` is an address that a program signs for, such as a vault that was never used (gap 147). */
  readonly confirmProgramAddress?: boolean;
  readonly frequency: StandingOrderFrequency;
  /** The first due date; absent: now. Needed where there is an end, as the sum follows from both. */
  readonly start?: Date;
  /** Inclusive; absent: without end. */
  readonly end?: Date;
};

/** The same with an amount in base units. */
type ExactOrder = OrderTerms & { readonly mint: Address | null; readonly amount: bigint };

type AboutOrders = AccountHolder & {
  /** The smart account. */
  readonly account: string;
  /** True: the admin gives or takes the limit, whose key is the one in `keys`. */
  readonly admin?: boolean;
  /** Further demands on the transaction; see `ExpectedLimitChange`. */
  readonly limits?: Pick<ExpectedLimitChange, "settings" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports">;
};

/** A standing order to be prepared, checked, signed and submitted in one go. */
export type CreateStandingOrder = AboutOrders & {
  readonly order: StandingOrderTerms;
  /** The service's executor, where the caller knows it: any other is refused. See the README for what that is worth. */
  readonly executor?: string;
};

/** A standing order to be stopped, and its limit taken away. */
export type CancelStandingOrder = AboutOrders & {
  readonly id: string;
  /** The order's limit, where the caller knows it: any other is refused. */
  readonly spendingLimit?: string;
};

/** An inactive order to go on; the terms are checked where it takes a new limit. */
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

/** One page of orders; without `nextCursor` it is the last. */
export type StandingOrderPage = { readonly standingOrders: readonly StandingOrder[]; readonly nextCursor?: string };

type RunsQuery = { readonly limit?: number; readonly cursor?: string };
/** One page of what became of due dates; without `nextCursor` it is the last. */
export type StandingOrderRunPage = { readonly runs: readonly StandingOrderRun[]; readonly nextCursor?: string };

/** What these calls need of the client they are part of. */
type StandingOrderNeeds = Currencies &
  ServiceCalls & {
    readonly act: Act;
    /** Who of a holder a request about this account names. */
    readonly addressesFor: (holder: AccountHolder, account: string) => Promise<readonly string[]>;
  };

type AdminQuery = { readonly admin?: boolean };

/** A start that is a little past is now; the service moves it by this at most (gap 66). */
const startMovesMs = 300_000;
const limitOutlivesMs = 7 * 86_400_000;
const dayMs = 86_400_000;

/**
 * The calls of a client about standing orders (gaps 42, 66 to 72). Those that act make sure that the prepared bytes give or
 * take exactly the limit that was asked for: for this payee, mint, sum, period and end, and for one key alone. They reject with
 * `TransactionMismatchError` otherwise, before anything is signed, and with `OutcomeUnknownError` when what was signed may
 * have taken effect.
 */
export function createStandingOrderCalls(needs: StandingOrderNeeds) {
  const { act, call, get, getPage } = needs;
  /** The admin is known from the chain; members are named. */
  const signersOf = async (about: AboutOrders) =>
    about.admin === true ? {} : { transaction_signers: await needs.addressesFor(about, about.account) };
  const pathOf = (account: string, id: string, rest = ""): string =>
    `/accounts/${encodeURIComponent(account)}/standing-order/${encodeURIComponent(id)}${rest}`;

  const pageOf = (account: string, query: ListStandingOrdersQuery) =>
    getPage<StandingOrder>(`/accounts/${encodeURIComponent(account)}/standing-orders`, query);
  const runsOf = (account: string, id: string, query: RunsQuery) =>
    getPage<StandingOrderRun>(pathOf(account, id, "/runs"), query);

  const standingOrders = {
    /** Prepares an order and its limit. Check it before signing, or use `create`, which does. */
    prepareCreate: (
      account: string,
      body: CreateStandingOrderRequest,
      query: AdminQuery = {},
      callOptions: CallOptions = {},
    ) =>
      call<PreparedStandingOrder>({
        method: "POST",
        path: `/accounts/${encodeURIComponent(account)}/standing-order-intent`,
        query,
        body,
        ...callOptions,
      }),
    /**
     * Creates an order and gives it its limit; puts that to a vote where the holder's signers cannot give it at once, and
     * then the answer has a `proposal`.
     */
    create: async (
      creation: CreateStandingOrder,
      submitOptions: SubmitOptions<StandingOrderReceipt> = {},
    ): Promise<StandingOrderReceipt & Confirmation> => {
      const account = requireAddress(creation.account);
      const order = exactOrder(creation.order, needs);
      return act(submitOptions, {
        account,
        holder: creation,
        prepare: async (options) => {
          const request = { ...requestOf(account, order), ...(await signersOf(creation)) };
          return standingOrders.prepareCreate(account, request, queryOf(creation), options);
        },
        check: (prepared) => {
          const { id, spending_limit_address: spendingLimit, executor_address: executor } = prepared;
          const start = requireStart(order, prepared.start_date);
          const { members, proposal } = check(creation, prepared, {
            ...termsOf(order, creation.executor, executor, start, prepared.destination),
            amount: sumOf(order, start),
            spendingLimit: requireAddress(spendingLimit),
          });
          const receipt = { id, spendingLimit, executor, ...(proposal === undefined ? {} : { proposal }) };
          return { members, membersOnly: true, receipt };
        },
      });
    },
    /** Reads one page of an account's orders, newest first (interface 4.9). */
    page: async (account: string, query: ListStandingOrdersQuery = {}): Promise<StandingOrderPage> => {
      const { items, ...rest } = await pageOf(account, query);
      return { standingOrders: items, ...rest };
    },
    /** All of an account's orders that the query asks for, newest first, page by page as they are read. */
    all: (account: string, query: ListStandingOrdersQuery = {}) => paginate(query, (next) => pageOf(account, next)),
    /** The same, read to the end. */
    list: async (
      account: string,
      query: Omit<ListStandingOrdersQuery, "cursor"> = {},
    ): Promise<readonly StandingOrder[]> => {
      const orders: StandingOrder[] = [];
      for await (const order of standingOrders.all(account, query)) orders.push(order);
      return orders;
    },
    /** Reads an order. */
    get: (account: string, id: string) => get<StandingOrder>(pathOf(account, id)),
    /** Reads one page of what became of an order's due dates that have come, oldest first. */
    runsPage: async (account: string, id: string, query: RunsQuery = {}): Promise<StandingOrderRunPage> => {
      const { items: runs, ...rest } = await runsOf(account, id, query);
      return { runs, ...rest };
    },
    /** All of it, page by page as they are read. */
    allRuns: (account: string, id: string, query: RunsQuery = {}) =>
      paginate({ limit: 100, ...query }, (next: RunsQuery) => runsOf(account, id, next)),
    /** The same, read to the end. */
    runs: async (account: string, id: string): Promise<readonly StandingOrderRun[]> => {
      const runs: StandingOrderRun[] = [];
      for await (const run of standingOrders.allRuns(account, id)) runs.push(run);
      return runs;
    },
    /** Stops an order and prepares the removal of its limit. Check it before signing, or use `cancel`, which does. */
    prepareCancel: (
      account: string,
      id: string,
      body: Pick<CreateStandingOrderRequest, "transaction_signers" | "provider"> = {},
      query: AdminQuery = {},
      callOptions: CallOptions = {},
    ) => call<ChangedStandingOrder>({ method: "DELETE", path: pathOf(account, id), query, body, ...callOptions }),
    /**
     * Stops an order, for good as soon as the service has heard of it, and takes its limit away, or puts that to a vote.
     * Where there is no limit, nothing is signed.
     */
    cancel: async (
      cancellation: CancelStandingOrder,
      submitOptions: SubmitOptions<{ order: StandingOrder }> = {},
    ): Promise<StandingOrderChange> => {
      const account = requireAddress(cancellation.account);
      const { id } = cancellation;
      const [body, query] = [await signersOf(cancellation), queryOf(cancellation)];
      const stopped = await standingOrders.prepareCancel(account, id, body, query);
      if (stopped.transaction === undefined) return { order: await standingOrders.get(account, id) };
      const done = await act(submitOptions, {
        account,
        holder: cancellation,
        prepare: async (options) =>
          requireTransaction(await standingOrders.prepareCancel(account, id, body, query, options)),
        check: (prepared) => {
          const { members, proposal } = check(cancellation, prepared, undefined, {
            remove: requireAddress(cancellation.spendingLimit ?? stopped.spending_limit_address),
          });
          const receipt = { order: stopped, ...(proposal === undefined ? {} : { proposal }) };
          return { members, membersOnly: true, receipt };
        },
      });
      return { ...done, order: await standingOrders.get(account, id) };
    },
    /** Lets an inactive order go on, or prepares a new limit for it. Check that before signing, or use `resume`, which does. */
    prepareResume: (
      account: string,
      id: string,
      body: Pick<CreateStandingOrderRequest, "transaction_signers" | "provider"> = {},
      query: AdminQuery = {},
      callOptions: CallOptions = {},
    ) =>
      call<ChangedStandingOrder>({ method: "POST", path: pathOf(account, id, "/resume"), query, body, ...callOptions }),
    /**
     * Lets an inactive order go on with its next due date. Where that takes a new limit, it gives one for no more payments
     * than the terms name, and takes the old one away; where the holder's signers cannot do that at once it is put to a vote,
     * the answer has a `proposal`, and the order goes on once that is executed.
     */
    resume: async (
      resumption: ResumeStandingOrder,
      submitOptions: SubmitOptions<{ order: StandingOrder }> = {},
    ): Promise<StandingOrderChange> => {
      const account = requireAddress(resumption.account);
      const { id } = resumption;
      const terms = exactOrder(resumption.order, needs);
      requireStartOfBounded(terms);
      const [body, query] = [await signersOf(resumption), queryOf(resumption)];
      const resumed = await standingOrders.prepareResume(account, id, body, query);
      if (resumed.transaction === undefined) return { order: await standingOrders.get(account, id) };
      const start = requireStart(terms, resumed.start_date);
      const done = await act(submitOptions, {
        account,
        holder: resumption,
        prepare: async (options) =>
          requireTransaction(await standingOrders.prepareResume(account, id, body, query, options)),
        check: (prepared) => {
          const actions = actionsIn(prepared);
          const { amount, removes } = renewalIn(actions, terms.amount, sumOf(terms, start));
          const add = {
            ...termsOf(terms, resumption.executor, executorIn(actions), start, resumed.destination),
            amount,
            spendingLimit: requireAddress(prepared.renewal_limit_address ?? ""),
          };
          const removal = removes ? { remove: requireAddress(prepared.spending_limit_address) } : {};
          const { members, proposal } = check(resumption, prepared, add, removal);
          const receipt = { order: resumed, ...(proposal === undefined ? {} : { proposal }) };
          return { members, membersOnly: true, receipt };
        },
      });
      return { ...done, order: await standingOrders.get(account, id) };
    },
  };
  return standingOrders;
}

/** What the checked transaction is to do, and who signs it. */
function check(
  about: AboutOrders,
  prepared: Signable & { readonly proposal_address?: string | undefined; readonly transaction_index?: number },
  add: (SpendingLimitTerms & { readonly spendingLimit: Address }) | undefined,
  removal: { readonly remove?: Address } = {},
): { readonly members: readonly string[]; readonly proposal: StandingOrderReceipt["proposal"] } {
  const account = requireAddress(about.account);
  const decoded = decodeTransaction(prepared.transaction);
  const { proposal_address: proposalAddress, transaction_index: transactionIndex } = prepared;
  if (transactionIndex === undefined || proposalAddress === undefined) {
    const by = about.admin === true ? "admin" : "members";
    const expected = { ...about.limits, ...removal, ...(add === undefined ? {} : { add }), account, by } as const;
    return { members: assertLimitChangeMatches(decoded, expected), proposal: undefined };
  }
  if (about.admin === true) {
    throw new TransactionMismatchError("proposal", "a vote is opened where none was asked for", {
      actual: proposalAddress,
    });
  }
  const signers = addressesOfHolder(about).map(requireAddress);
  assertProposalCreationMatches([decoded], {
    ...about.limits,
    account,
    proposal: requireAddress(proposalAddress),
    transactionIndex,
    creators: signers,
    approvers: signers,
    content: {
      type: "settings",
      actions: [
        ...(add === undefined ? [] : [proposedOf(add)]),
        ...(removal.remove === undefined
          ? []
          : [{ type: "RemoveSpendingLimit", spendingLimit: removal.remove } as const]),
      ],
    },
  });
  const members = decoded.requiredSigners.filter((address) => signers.includes(address));
  return { members, proposal: { proposalAddress, transactionIndex } };
}

function proposedOf({ mint, amount, period, signers, destinations, expiration }: SpendingLimitTerms): ProposedAction {
  return {
    type: "AddSpendingLimit",
    mint,
    amount: amount.toString(),
    period,
    signers,
    destinations,
    ...(expiration === null ? {} : { expiration }),
  };
}

const periodOf: Readonly<Record<StandingOrderFrequency, SpendingLimitPeriod>> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
};

function exactOrder(order: StandingOrderTerms, { mintOf, exactAmount }: Currencies): ExactOrder {
  const mint = mintOf(order.currency);
  return { ...order, mint, amount: exactAmount(order, mint, order.decimals).amount };
}

/** The limit that these terms take, but for its sum (gap 42). */
function termsOf(
  order: ExactOrder,
  executor: string | undefined,
  toldExecutor: string,
  start: number,
  told: StandingOrder["destination"],
): Omit<SpendingLimitTerms, "amount"> {
  if (executor !== undefined && executor !== toldExecutor) {
    throw new TransactionMismatchError("settings_change", "another key would pay the order", {
      expected: executor,
      actual: toldExecutor,
    });
  }
  const end = endOf(order);
  const last = end === null ? null : dueAt(order.frequency, start, countDues(order.frequency, start, end) - 1);
  return {
    mint: order.mint,
    period: last === null ? periodOf[order.frequency] : "one_time",
    signers: [requireAddress(toldExecutor)],
    destinations: [payeeOf(order, told)],
    expiration: last === null ? null : Math.ceil((last + limitOutlivesMs) / 1000),
  };
}

/**
 * Whom the limit may pay. Which address leads to a bank account nobody but the service and its partner can say: what is
 * checked is that it is told of this bank account and rail, and is the one the caller knows, if he does.
 */
function payeeOf({ payee }: OrderTerms, told: StandingOrder["destination"]): Address {
  if (typeof payee === "string") return requireAddress(payee);
  const asked = { externalAccountId: payee.externalAccountId, rail: payee.rail === "ach" ? "ach_push" : payee.rail };
  if (told.external_account_id !== asked.externalAccountId || told.payment_rail !== asked.rail) {
    throw new TransactionMismatchError("settings_change", "the order pays another bank account", {
      expected: `${asked.externalAccountId} by ${asked.rail}`,
      actual: `${told.external_account_id} by ${told.payment_rail}`,
    });
  }
  if (payee.address !== undefined && payee.address !== told.address) {
    throw new TransactionMismatchError("settings_change", "the bank account is paid through another address", {
      expected: payee.address,
      actual: told.address,
    });
  }
  return requireAddress(told.address);
}

/** All payments together; twice the amount where there is no end. */
function sumOf({ amount, frequency, ...order }: ExactOrder, start: number): bigint {
  const end = endOf(order);
  return amount * BigInt(end === null ? 2 : countDues(frequency, start, end));
}

function endOf({ end }: Pick<OrderTerms, "end">): number | null {
  return end === undefined ? null : requireInstant(end, "end");
}

/** The start the service names, if it is the one asked for: it moves one that has just passed to now. */
function requireStart(order: OrderTerms, told: string): number {
  const shown = Date.parse(told);
  const asked = order.start === undefined ? shown : requireInstant(order.start, "start");
  if (shown >= asked && shown - asked <= startMovesMs) return shown;
  throw new TransactionMismatchError("settings_change", "the order begins at another time", {
    expected: new Date(asked).toISOString(),
    actual: told,
  });
}

/** Due date `index`, months counted in UTC from the original day (gap 42). */
function dueAt(frequency: StandingOrderFrequency, start: number, index: number): number {
  if (frequency !== "monthly") return start + index * (frequency === "daily" ? 1 : 7) * dayMs;
  const first = new Date(start);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + index];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const timeOfDay = start - Date.UTC(year, first.getUTCMonth(), first.getUTCDate());
  return Date.UTC(year, month, Math.min(first.getUTCDate(), lastDay)) + timeOfDay;
}

/** Nobody has more due dates than this (gap 66). */
const duesMax = 3_654;

function countDues(frequency: StandingOrderFrequency, start: number, end: number): number {
  let count = 0;
  while (count <= duesMax && dueAt(frequency, start, count) <= end) count += 1;
  if (count > 0 && count <= duesMax) return count;
  throw new TypeError(`an order has 1 to ${duesMax} due dates between its start and its end`);
}

/** What a renewal changes, or puts to the vote that it says it opens. */
function actionsIn({ transaction, proposal_address }: Signable & { readonly proposal_address?: string | undefined }) {
  const decoded = decodeTransaction(transaction);
  if (proposal_address === undefined) return readSettingsCalls(decoded).flatMap(({ actions }) => actions);
  return readProposalCalls(decoded).calls.flatMap((call) =>
    call.type === "create_settings_transaction" ? call.actions : [],
  );
}

/** The new limit in a renewal: over whole payments, and no more of them than the order has in all. */
function renewalIn(actions: ReturnType<typeof actionsIn>, amount: bigint, most: bigint) {
  const added = actions.find((action) => action.type === "add_spending_limit");
  const sum = added?.type === "add_spending_limit" ? added.amount : 0n;
  if (sum === 0n || sum > most || sum % amount !== 0n) {
    throw new TransactionMismatchError("settings_change", "the new limit allows another sum", {
      expected: most.toString(),
      actual: sum.toString(),
    });
  }
  return { amount: sum, removes: actions.some(({ type }) => type === "remove_spending_limit") };
}

/** The only key that the new limit in a renewal names. */
function executorIn(actions: ReturnType<typeof actionsIn>): string {
  const added = actions.find((action) => action.type === "add_spending_limit");
  const signers = added?.type === "add_spending_limit" ? added.signers : [];
  const [executor] = signers;
  if (executor !== undefined && signers.length === 1) return executor;
  throw new TransactionMismatchError("settings_change", "others may use the spending limit", {
    actual: signers.join(),
  });
}

function requestOf(account: Address, order: ExactOrder): CreateStandingOrderRequest {
  requireStartOfBounded(order);
  return {
    amount: order.amount.toString(),
    frequency: order.frequency,
    source: { account, currency: order.currency },
    destination:
      typeof order.payee === "string"
        ? {
            address: requireAddress(order.payee),
            currency: order.currency,
            ...(order.confirmProgramAddress === true ? { confirm_program_address: true } : {}),
          }
        : { external_account_id: order.payee.externalAccountId, payment_rail: order.payee.rail },
    ...(order.start === undefined ? {} : { start_date: order.start.toISOString() }),
    ...(order.end === undefined ? {} : { end_date: order.end.toISOString() }),
  };
}

/** Without it, whoever names the start also chooses how many payments there are until the end. */
function requireStartOfBounded({ start, end }: Pick<OrderTerms, "start" | "end">): void {
  if (end === undefined || start !== undefined) return;
  throw new TypeError("an order with an end names its start: what all its payments come to follows from both");
}

function queryOf({ admin }: AboutOrders): AdminQuery {
  return admin === true ? { admin } : {};
}

function requireTransaction<Part extends Partial<Signable>>(prepared: Part): Part & Signable {
  const { transaction, kms_payloads = [] } = prepared;
  if (transaction !== undefined) return { ...prepared, transaction, kms_payloads };
  throw new TransactionMismatchError("missing_instruction", "nothing was prepared");
}

function requireInstant(date: Date, name: string): number {
  const instant = date.getTime();
  if (Number.isNaN(instant)) throw new TypeError(`${name} is no date`);
  return instant;
}
