import type { Envelope, ListPaymentIntentsQuery, PaymentIntent } from "./wire.js";

/** One page of payment intents; without `nextCursor` it is the last. */
export type PaymentIntentPage = { readonly intents: readonly PaymentIntent[]; readonly nextCursor?: string };

/** What these calls need of the client they are part of. */
type PaymentIntentNeeds = {
  readonly get: <Data>(path: string) => Promise<Data>;
  /** The answer with its envelope. */
  readonly getWhole: (path: string, query: ListPaymentIntentsQuery) => Promise<Envelope<readonly PaymentIntent[]>>;
};

/** The calls that read payment intents (gap 78). They are made by `transfers.send` and `transfers.prepare`. */
export function createPaymentIntentCalls(needs: PaymentIntentNeeds) {
  const pathOf = (account: string, rest: string) => `/accounts/${encodeURIComponent(account)}${rest}`;

  const paymentIntents = {
    /** Reads one as it stands now. */
    get: (account: string, id: string): Promise<PaymentIntent> =>
      needs.get(pathOf(account, `/payment-intent/${encodeURIComponent(id)}`)),
    /** Reads one page of an account's intents, newest first. */
    page: async (account: string, query: ListPaymentIntentsQuery = {}): Promise<PaymentIntentPage> => {
      const { data, metadata } = await needs.getWhole(pathOf(account, "/payment-intents"), query);
      const { next_cursor: nextCursor } = metadata;
      return { intents: data, ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    /**
     * All intents of an account that the query asks for, newest first, page by page as they are read.
     *
     * @example
     * for await (const { id } of trellis.paymentIntents.list(account, { state: "payment_submitted" })) console.log(id);
     */
    list: async function* (
      account: string,
      query: ListPaymentIntentsQuery = {},
    ): AsyncGenerator<PaymentIntent, void, undefined> {
      let cursor = query.cursor;
      do {
        const page = await paymentIntents.page(account, { ...query, ...(cursor === undefined ? {} : { cursor }) });
        yield* page.intents;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },
  };
  return paymentIntents;
}
