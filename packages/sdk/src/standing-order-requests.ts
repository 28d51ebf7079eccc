import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type {
  ChangedStandingOrder,
  CreateStandingOrderRequest,
  ListAllStandingOrdersQuery,
  ListStandingOrdersQuery,
  PreparedStandingOrder,
  StandingOrder,
  StandingOrderRun,
} from "./wire.js";

/** One page of orders; without `nextCursor` it is the last. */
export type StandingOrderPage = { readonly standingOrders: readonly StandingOrder[]; readonly nextCursor?: string };

type RunsQuery = { readonly limit?: number; readonly cursor?: string };
/** One page of what became of due dates; without `nextCursor` it is the last. */
export type StandingOrderRunPage = { readonly runs: readonly StandingOrderRun[]; readonly nextCursor?: string };

export type AdminQuery = { readonly admin?: boolean };

function pathOf(account: string, id: string, rest = ""): string {
  return `/accounts/${encodeURIComponent(account)}/standing-order/${encodeURIComponent(id)}${rest}`;
}

/** The calls that read orders. */
export function createOrderLists({ get, getPage }: ServiceCalls) {
  const pageOf = (account: string, query: ListStandingOrdersQuery) =>
    getPage<StandingOrder>(`/accounts/${encodeURIComponent(account)}/standing-orders`, query);
  const pageOfTenant = (query: ListAllStandingOrdersQuery) => getPage<StandingOrder>("/standing-orders", query);
  const runsOf = (account: string, id: string, query: RunsQuery) =>
    getPage<StandingOrderRun>(pathOf(account, id, "/runs"), query);

  const lists = {
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
      for await (const order of lists.all(account, query)) orders.push(order);
      return orders;
    },
    /**
     * Reads one page of the orders of all accounts, newest first; with `due_before` of the active ones whose next due date is before
     * that, by this date. Takes a secret key.
     */
    pageOfTenant: async (query: ListAllStandingOrdersQuery = {}): Promise<StandingOrderPage> => {
      const { items, ...rest } = await pageOfTenant(query);
      return { standingOrders: items, ...rest };
    },
    /** All of them that the query asks for, page by page as they are read. */
    allOfTenant: (query: ListAllStandingOrdersQuery = {}) => paginate(query, pageOfTenant),
    /** Reads an order. */
    get: (account: string, id: string) => get<StandingOrder>(pathOf(account, id)),
    /** Reads one page of what became of an order's due dates that were reached, oldest first. */
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
      for await (const run of lists.allRuns(account, id)) runs.push(run);
      return runs;
    },
  };
  return lists;
}

/** The calls that prepare what acts on an order. */
export function createOrderPreparations({ call }: ServiceCalls) {
  return {
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
    /** Stops an order and prepares the removal of its limit. Check it before signing, or use `cancel`, which does. */
    prepareCancel: (
      account: string,
      id: string,
      body: Pick<CreateStandingOrderRequest, "transaction_signers" | "provider"> = {},
      query: AdminQuery = {},
      callOptions: CallOptions = {},
    ) => call<ChangedStandingOrder>({ method: "DELETE", path: pathOf(account, id), query, body, ...callOptions }),
    /** Resumes an inactive order, or prepares a new limit for it. Check that before signing, or use `resume`, which does. */
    prepareResume: (
      account: string,
      id: string,
      body: Pick<CreateStandingOrderRequest, "transaction_signers" | "provider"> = {},
      query: AdminQuery = {},
      callOptions: CallOptions = {},
    ) =>
      call<ChangedStandingOrder>({ method: "POST", path: pathOf(account, id, "/resume"), query, body, ...callOptions }),
  };
}
