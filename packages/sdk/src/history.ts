import { type CsvPage, type ListPage, paginate, type ServiceCalls } from "./service-calls.js";
import type {
  HistoryTransaction,
  Transfer,
  TransactionsQuery as WireTransactionsQuery,
  TransfersQuery as WireTransfersQuery,
} from "./wire.js";

/** The form of the answer follows from the call. */
type TransfersQuery = Omit<WireTransfersQuery, "format">;
type TransactionsQuery = Omit<WireTransactionsQuery, "format">;

/**
 * One page of a list; without `nextCursor` it is the last. `completeAt`: as of when the list has everything, by the clock of
 * the environment; absent when it never had yet.
 */
export type HistoryPage<Item> = ListPage<Item>;

/**
 * What happened to an account, as the chain has it, no matter who did it (gap 34). Lists go from the newest to the oldest, and
 * stay what they are while new rows arrive.
 */
export function createHistoryCalls({ getPage, getCsv }: ServiceCalls) {
  const pathOf = (account: string, list: string) => `/accounts/${encodeURIComponent(account)}/${list}`;
  const transfersPage = (account: string, query: TransfersQuery = {}): Promise<HistoryPage<Transfer>> =>
    getPage(pathOf(account, "transfers"), query);
  const transactionsPage = (account: string, query: TransactionsQuery = {}): Promise<HistoryPage<HistoryTransaction>> =>
    getPage(pathOf(account, "transactions"), query);
  return {
    /** Everything that the account received or sent, page after page. */
    transfers: (account: string, query: TransfersQuery = {}) => paginate(query, (next) => transfersPage(account, next)),
    /** One page of it. */
    transfersPage,
    /** One page of it as a table for spreadsheets (gap 212). */
    transfersCsv: (account: string, query: TransfersQuery = {}): Promise<CsvPage> =>
      getCsv(pathOf(account, "transfers"), query),
    /** Every transaction of the account, its settings and its token accounts, failed ones included, page after page. */
    transactions: (account: string, query: TransactionsQuery = {}) =>
      paginate(query, (next) => transactionsPage(account, next)),
    /** One page of it. */
    transactionsPage,
    /** One page of it as a table for spreadsheets (gap 212). */
    transactionsCsv: (account: string, query: TransactionsQuery = {}): Promise<CsvPage> =>
      getCsv(pathOf(account, "transactions"), query),
  };
}
