import type {
  Envelope,
  HistoryQuery,
  HistoryTransaction,
  TransactionsQuery,
  Transfer,
  TransfersQuery,
} from "./wire.js";

/** One page of a list; without `nextCursor` it is the last. */
export type HistoryPage<Item> = {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
  /** As of when the list has everything, by the clock of the environment; absent when it never had yet. */
  readonly completeAt?: string;
};

/** What the history calls need of the client they are part of. */
export type HistoryNeeds = {
  readonly getEnvelope: (
    path: string,
    query: Readonly<Record<string, string | number | undefined>>,
  ) => Promise<Envelope<unknown>>;
};

/**
 * What happened to an account, as the chain has it, whoever did it (gap 34). Lists go from the newest to the oldest, and
 * stay what they are while further rows come in.
 */
export function createHistoryCalls({ getEnvelope }: HistoryNeeds) {
  const pageOf = async <Item>(path: string, query: HistoryQuery): Promise<HistoryPage<Item>> => {
    const { data, metadata } = await getEnvelope(path, query);
    const { next_cursor: nextCursor, complete_at: completeAt } = metadata;
    return {
      items: data as readonly Item[],
      ...(nextCursor === undefined ? {} : { nextCursor }),
      ...(completeAt === undefined ? {} : { completeAt }),
    };
  };

  async function* all<Item>(path: string, query: HistoryQuery): AsyncGenerator<Item, void, undefined> {
    let cursor = query.cursor;
    do {
      const page: HistoryPage<Item> = await pageOf<Item>(path, {
        ...query,
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  const pathOf = (account: string, list: string) => `/accounts/${encodeURIComponent(account)}/${list}`;

  return {
    /** Everything that came to the account or left it, page after page. */
    transfers: (account: string, query: TransfersQuery = {}): AsyncGenerator<Transfer, void, undefined> =>
      all<Transfer>(pathOf(account, "transfers"), query),
    /** One page of it. */
    transfersPage: (account: string, query: TransfersQuery = {}): Promise<HistoryPage<Transfer>> =>
      pageOf<Transfer>(pathOf(account, "transfers"), query),
    /** Every transaction of the account, its settings and its token accounts, failed ones included, page after page. */
    transactions: (
      account: string,
      query: TransactionsQuery = {},
    ): AsyncGenerator<HistoryTransaction, void, undefined> =>
      all<HistoryTransaction>(pathOf(account, "transactions"), query),
    /** One page of it. */
    transactionsPage: (account: string, query: TransactionsQuery = {}): Promise<HistoryPage<HistoryTransaction>> =>
      pageOf<HistoryTransaction>(pathOf(account, "transactions"), query),
  };
}
