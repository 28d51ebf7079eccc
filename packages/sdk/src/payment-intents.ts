import { paginate, type ServiceCalls } from "./service-calls.js";
import type { ListAllPaymentIntentsQuery, ListPaymentIntentsQuery, PaymentIntent } from "./wire.js";

/** One page of payment intents; without `nextCursor` it is the last. */
export type PaymentIntentPage = { readonly intents: readonly PaymentIntent[]; readonly nextCursor?: string };

/** The calls that read payment intents (gap 78). They are made by `transfers.send` and `transfers.prepare`. */
export function createPaymentIntentCalls({ get, getPage }: ServiceCalls) {
  const pathOf = (account: string, rest: string) => `/accounts/${encodeURIComponent(account)}${rest}`;
  const pageOf = (account: string, query: ListPaymentIntentsQuery) =>
    getPage<PaymentIntent>(pathOf(account, "/payment-intents"), query);
  const pageOfTenant = (query: ListAllPaymentIntentsQuery) => getPage<PaymentIntent>("/payment-intents", query);
  return {
    /** Reads one as it stands now. */
    get: (account: string, id: string): Promise<PaymentIntent> =>
      get(pathOf(account, `/payment-intent/${encodeURIComponent(id)}`)),
    /** Reads one page of an account's intents, newest first. */
    page: async (account: string, query: ListPaymentIntentsQuery = {}): Promise<PaymentIntentPage> => {
      const { items: intents, ...rest } = await pageOf(account, query);
      return { intents, ...rest };
    },
    /**
     * All intents of an account that the query asks for, newest first, page by page as they are read.
     *
     * @example
     * for await (const { id } of trellis.paymentIntents.list(account, { state: "payment_submitted" })) console.log(id);
     */
    list: (account: string, query: ListPaymentIntentsQuery = {}) => paginate(query, (next) => pageOf(account, next)),
    /** Reads one page of the intents of all accounts, newest first. Takes a secret key. */
    pageOfTenant: async (query: ListAllPaymentIntentsQuery = {}): Promise<PaymentIntentPage> => {
      const { items: intents, ...rest } = await pageOfTenant(query);
      return { intents, ...rest };
    },
    /** All of them that the query asks for, newest first, page by page as they are read. */
    allOfTenant: (query: ListAllPaymentIntentsQuery = {}) => paginate(query, pageOfTenant),
  };
}
