import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type {
  Deposit,
  DepositQuery,
  RequestVirtualAccountRequest,
  VirtualAccount,
  VirtualAccountQuery,
} from "./wire.js";

/** One page of deposits; without `nextCursor` it is the last. */
export type DepositPage = { readonly deposits: readonly Deposit[]; readonly nextCursor?: string };

/** The calls about virtual accounts and the deposits they receive (gaps 44 and 98 to 100). */
export function createVirtualAccountCalls({ get, getPage, post }: ServiceCalls) {
  const pathOf = (account: string, rest: string) => `/accounts/${encodeURIComponent(account)}${rest}`;
  const depositsOf = (account: string, id: string, query: DepositQuery) =>
    getPage<Deposit>(pathOf(account, `/virtual-accounts/${encodeURIComponent(id)}/deposits`), query);
  return {
    /** Opens one for a currency of banks. The account's holder has to be verified first: `kyc_required` says what is missing. */
    request: (account: string, request: RequestVirtualAccountRequest, options?: CallOptions): Promise<VirtualAccount> =>
      post(pathOf(account, "/virtual-account"), request, options),
    /** Those of an account, the oldest first. */
    list: (account: string, query: VirtualAccountQuery = {}): Promise<readonly VirtualAccount[]> =>
      get(pathOf(account, "/virtual-accounts"), query),
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
