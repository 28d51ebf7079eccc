import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type {
  CreateSpendingLimitRequest,
  ListAllSpendingLimitsQuery,
  ListSpendingLimitsQuery,
  PayFromSpendingLimitRequest,
  PreparedSpendingLimit,
  PreparedTransaction,
  SpendingLimit,
  UpdateSpendingLimitRequest,
} from "./wire.js";

/** One page of limits; without `nextCursor` it is the last. */
export type SpendingLimitPage = { readonly spendingLimits: readonly SpendingLimit[]; readonly nextCursor?: string };

export type AdminQuery = { readonly admin?: boolean };

function pathOf(account: string, limit?: string, rest = ""): string {
  return `/accounts/${encodeURIComponent(account)}/spending-limit${limit === undefined ? "" : `/${encodeURIComponent(limit)}`}${rest}`;
}

/** The calls that read limits. */
export function createLimitLists({ get, getPage }: ServiceCalls) {
  const pageOf = (account: string, query: ListSpendingLimitsQuery) =>
    getPage<SpendingLimit>(`/accounts/${encodeURIComponent(account)}/spending-limits`, query);
  const pageOfTenant = (query: ListAllSpendingLimitsQuery) => getPage<SpendingLimit>("/spending-limits", query);
  const lists = {
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
      for await (const limit of lists.all(account, query)) limits.push(limit);
      return limits;
    },
    /** Reads one page of the limits of all accounts, by address. A page may hold fewer than asked for. Takes a secret key. */
    pageOfTenant: async (query: ListAllSpendingLimitsQuery = {}): Promise<SpendingLimitPage> => {
      const { items, ...rest } = await pageOfTenant(query);
      return { spendingLimits: items, ...rest };
    },
    /** All of them that the query asks for, page by page as they are read. */
    allOfTenant: (query: ListAllSpendingLimitsQuery = {}) => paginate(query, pageOfTenant),
  };
  return lists;
}

/** The calls that prepare what changes a limit or pays out of it. */
export function createLimitPreparations({ call, post }: ServiceCalls) {
  return {
    /** Prepares a limit. Check it before signing, or use `create`, which does. */
    prepareCreate: (
      account: string,
      body: CreateSpendingLimitRequest,
      query: AdminQuery = {},
      callOptions: CallOptions = {},
    ) => call<PreparedSpendingLimit>({ method: "POST", path: pathOf(account), query, body, ...callOptions }),
    /** Prepares the exchange of a limit. Check it before signing, or use `update`, which does. */
    prepareUpdate: (
      account: string,
      limit: string,
      body: UpdateSpendingLimitRequest,
      query: AdminQuery = {},
      callOptions: CallOptions = {},
    ) => call<PreparedSpendingLimit>({ method: "PATCH", path: pathOf(account, limit), query, body, ...callOptions }),
    /** Prepares the removal of a limit. Check it before signing, or use `remove`, which does. */
    prepareRemoval: (
      account: string,
      limit: string,
      body: Pick<UpdateSpendingLimitRequest, "transaction_signers" | "provider"> = {},
      query: AdminQuery = {},
      callOptions: CallOptions = {},
    ) => call<PreparedTransaction>({ method: "DELETE", path: pathOf(account, limit), query, body, ...callOptions }),
    /** Prepares a payment out of a limit. Check it before signing, or use `pay`, which does. */
    preparePayment: (
      account: string,
      limit: string,
      body: PayFromSpendingLimitRequest,
      callOptions: CallOptions = {},
    ) => post<PreparedTransaction>(pathOf(account, limit, "/transactions"), body, callOptions),
  };
}
