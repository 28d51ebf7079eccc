import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type {
  Deposit,
  DepositQuery,
  ListAllVirtualAccountsQuery,
  RequestVirtualAccountRequest,
  VirtualAccount,
  VirtualAccountQuery,
} from "./wire.js";

/** One page of deposits; without `nextCursor` it is the last. */
export type DepositPage = { readonly deposits: readonly Deposit[]; readonly nextCursor?: string };

/** One page of virtual accounts; without `nextCursor` it is the last. */
export type VirtualAccountPage = { readonly virtualAccounts: readonly VirtualAccount[]; readonly nextCursor?: string };

/** The calls about virtual accounts and the deposits they receive (gaps 44, 98 to 100 and 228). */
export function createVirtualAccountCalls({ get, getPage, post }: ServiceCalls) {
  const pathOf = (account: string, rest: string) => `/accounts/${encodeURIComponent(account)}${rest}`;
  const depositsOf = (account: string, id: string, query: DepositQuery) =>
    getPage<Deposit>(pathOf(account, `/virtual-accounts/${encodeURIComponent(id)}/deposits`), query);
  const pageOfTenant = (query: ListAllVirtualAccountsQuery) => getPage<VirtualAccount>("/virtual-accounts", query);
  return {
    /** Opens one for a currency of banks. The account's holder has to be verified first: `kyc_required` says what is missing. */
    request: (account: string, request: RequestVirtualAccountRequest, options?: CallOptions): Promise<VirtualAccount> =>
      post(pathOf(account, "/virtual-account"), request, options),
    /** Those of an account, the oldest first. */
    list: (account: string, query: VirtualAccountQuery = {}): Promise<readonly VirtualAccount[]> =>
      get(pathOf(account, "/virtual-accounts"), query),
    /** Reads one page of those of all accounts, newest first. Takes a secret key. */
    pageOfTenant: async (query: ListAllVirtualAccountsQuery = {}): Promise<VirtualAccountPage> => {
      const { items: virtualAccounts, ...rest } = await pageOfTenant(query);
      return { virtualAccounts, ...rest };
    },
    /** All of them that the query asks for, newest first, page by page as they are read. */
    allOfTenant: (query: ListAllVirtualAccountsQuery = {}) => paginate(query, pageOfTenant),
    /** One page of the deposits of one, newest first. */
    depositsPage: async (account: string, id: string, query: DepositQuery = {}): Promise<DepositPage> => {
      const { items: deposits, ...rest } = await depositsOf(account, id, query);
      return { deposits, ...rest };
    },
    /** All of it, page by page as they are read. */
    deposits: (account: string, id: string, query: DepositQuery = {}) =>
      paginate(query, (next) => depositsOf(account, id, next)),
  };
}
