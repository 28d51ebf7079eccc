import {
  type Deposit,
  SignedOutError,
  type SpendingLimit,
  type StandingOrder,
  type StandingOrderTerms,
  type Transfer,
  type TransfersQuery,
  type VirtualAccount,
} from "@trellis/sdk";
import { useSyncExternalStore } from "react";
import { useChosenAccount } from "./account-provider.js";
import { explainError } from "./explain-error.js";
import type { OrderAction, OrderState } from "./order-acts.js";
import { useConnection } from "./provider.js";
import { type List, type ListOptions, useList } from "./use-list.js";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

/** Which transfers: by direction or way, currency (a symbol or a mint), and days (UTC, both included) or instants. */
export type TransferFilter = Pick<TransfersQuery, "type" | "currency" | "start_date" | "end_date">;

/** What the chosen account received and sent, newest first. A publishable key needs `accounts:read` for it. */
export function useHistory({ limit, pollMs, ...filter }: ListOptions & TransferFilter = {}): List<Transfer> {
  return useList(
    `history ${JSON.stringify(filter)}`,
    (client, account, query) => client.history.transfersPage(account, { ...filter, ...query }),
    { ...(limit === undefined ? {} : { limit }), ...(pollMs === undefined ? {} : { pollMs }) },
  );
}

/** Who may pay how much from the account without a vote. A publishable key needs `accounts:read` for it. */
export function useSpendingLimits(options: ListOptions = {}): List<SpendingLimit> {
  return useList(
    "spending limits",
    async (client, account, query) => {
      const { spendingLimits: items, ...rest } = await client.spendingLimits.page(account, query);
      return { items, ...rest };
    },
    options,
  );
}

/** The account's standing orders, and what one does about them. No function rejects. */
export type StandingOrders = List<StandingOrder> & {
  /** Where the last thing that was done about an order stands; without an id, what was created last. */
  readonly stateOf: (id?: string) => OrderState;
  /** Gives an order its limit; puts that to a vote where the user cannot give it alone: then `proposal` is the vote's. */
  readonly create: (order: StandingOrderTerms) => Promise<OrderState>;
  /** Stops an order for good, at once, and removes its limit, or puts the removal to a vote. */
  readonly cancel: (id: string) => Promise<OrderState>;
  /**
   * Lets an inactive order that was displayed go on with its next due date: gives it a new limit of the same terms and removes the old one, or
   * puts that to a vote. What came due while it was inactive is not paid.
   */
  readonly resume: (order: StandingOrder) => Promise<OrderState>;
};

/** The account's standing orders, newest first. A publishable key needs `payments:read` for it, and `payments:write` to change them. */
export function useStandingOrders(options: ListOptions = {}): StandingOrders {
  const connection = useConnection();
  const account = useChosenAccount();
  const acts = account === undefined ? undefined : connection.orderActs(account);
  const { subscribe, get } = acts?.states ?? { subscribe: subscribeToNothing, get: getNothing };
  const states = useSyncExternalStore(subscribe, get, get);
  const list = useList(
    "standing orders",
    async (client, account, query) => {
      const { standingOrders: items, ...rest } = await client.standingOrders.page(account, query);
      return { items, ...rest };
    },
    options,
  );
  return {
    ...list,
    stateOf: (id = "new") => states.get(id) ?? idle,
    create: async (order) => acts?.create(order) ?? noHolder("create"),
    cancel: async (id) => acts?.cancel(id) ?? noHolder("cancel"),
    resume: async (order) => acts?.resume(order) ?? noHolder("resume"),
  };
}

const idle: OrderState = { status: "idle" };
const nothingDone: ReadonlyMap<string, OrderState> = new Map();
const subscribeToNothing = () => () => undefined;
const getNothing = () => nothingDone;

function noHolder(action: OrderAction): OrderState {
  return { status: "refused", action, error: explainError(new SignedOutError("no user is signed in")) };
}

/** The account's virtual accounts, oldest first. A publishable key needs `virtual-accounts:read` for it. */
export function useVirtualAccounts({ pollMs = 0 }: ReadOptions = {}): Read<readonly VirtualAccount[]> {
  return useReading("virtual accounts", (client, account) => client.virtualAccounts.list(account), pollMs);
}

/** What one virtual account received from banks, newest first. A publishable key needs `virtual-accounts:read` for it. */
export function useDeposits(virtualAccount: string, options: ListOptions = {}): List<Deposit> {
  return useList(
    `deposits ${virtualAccount}`,
    async (client, account, query) => {
      const { deposits: items, ...rest } = await client.virtualAccounts.depositsPage(account, virtualAccount, query);
      return { items, ...rest };
    },
    options,
  );
}
