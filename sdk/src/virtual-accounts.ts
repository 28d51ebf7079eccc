import type { CallOptions } from "./client.js";
import type {
  Deposit,
  DepositQuery,
  Envelope,
  RequestVirtualAccountRequest,
  VirtualAccount,
  VirtualAccountQuery,
} from "./wire.js";

/** One page of deposits; without `nextCursor` it is the last. */
export type DepositPage = { readonly deposits: readonly Deposit[]; readonly nextCursor?: string };

type VirtualAccountNeeds = {
  readonly get: <Data>(path: string, query?: Readonly<Record<string, string | number | undefined>>) => Promise<Data>;
  readonly getWhole: (path: string, query: DepositQuery) => Promise<Envelope<readonly Deposit[]>>;
  readonly post: <Data>(path: string, body: unknown, options?: CallOptions) => Promise<Data>;
};

/** The calls about virtual accounts and what comes to them (gaps 44 and 98 to 100). */
export function createVirtualAccountCalls({ get, getWhole, post }: VirtualAccountNeeds) {
  const pathOf = (account: string, rest: string) => `/accounts/${encodeURIComponent(account)}${rest}`;

  const virtualAccounts = {
    /** Opens one for a currency of banks. The account's holder has to be verified first: `kyc_required` says what is missing. */
    request: (account: string, request: RequestVirtualAccountRequest, options?: CallOptions): Promise<VirtualAccount> =>
      post(pathOf(account, "/virtual-account"), request, options),
    /** Those of an account, the oldest first. */
    list: (account: string, query: VirtualAccountQuery = {}): Promise<readonly VirtualAccount[]> =>
      get(pathOf(account, "/virtual-accounts"), query),
    /** One page of what came to one, newest first. */
    depositsPage: async (account: string, id: string, query: DepositQuery = {}): Promise<DepositPage> => {
      const { data, metadata } = await getWhole(
        pathOf(account, `/virtual-accounts/${encodeURIComponent(id)}/deposits`),
        query,
      );
      const { next_cursor: nextCursor } = metadata;
      return { deposits: data, ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    /** All of it, page by page as they are read. */
    deposits: async function* (
      account: string,
      id: string,
      query: DepositQuery = {},
    ): AsyncGenerator<Deposit, void, undefined> {
      let cursor = query.cursor;
      do {
        const page = await virtualAccounts.depositsPage(account, id, {
          ...query,
          ...(cursor === undefined ? {} : { cursor }),
        });
        yield* page.deposits;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },
  };
  return virtualAccounts;
}
