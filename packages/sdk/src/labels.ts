import { accountPath, paginate, type ServiceCalls } from "./service-calls.js";
import type { Label, LabelRequest, ListAccountLabelsQuery } from "./wire.js";

/** The address book that is meant: an account's; without one the tenant's, for which the client's key has to be a secret one. */
export type LabelBook = { readonly account?: string };
/** One page of labels; without `nextCursor` it is the last. */
export type LabelPage = { readonly labels: readonly Label[]; readonly nextCursor?: string };
/** The addresses for which is asked what to show, in an account or in none. */
export type ShownLabels = LabelBook & { readonly addresses: readonly string[] };
/** A label of an address, in place of what it was called in this book. */
export type PutLabel = LabelBook & LabelRequest & { readonly address: string };

/** What one question may name. */
const addressesAtOnce = 100;

/** Names of addresses (gap 213). They are the word of those who gave them: compare the address itself where money is to go there. */
export function createLabelCalls({ call, get, getPage }: ServiceCalls) {
  const pathOf = (account: string | undefined, address?: string) => {
    const rest = address === undefined ? "/labels" : `/labels/${encodeURIComponent(address)}`;
    return account === undefined ? rest : accountPath(account, rest);
  };
  type Query = LabelBook & Omit<ListAccountLabelsQuery, "address">;
  const pageOf = ({ account, ...query }: Query) => getPage<Label>(pathOf(account), query);
  return {
    /** One page of a book's own labels, newest first. */
    page: async (query: Query = {}): Promise<LabelPage> => {
      const { items: labels, ...rest } = await pageOf(query);
      return { labels, ...rest };
    },
    /** All labels of a book, newest first, page by page as they are read. */
    list: (query: Query = {}) => paginate(query, pageOf),
    /**
     * What is to be shown for these addresses, by address: with an account its label, or else the tenant's. `account` of a label says which.
     * An address without a label is not among them.
     *
     * @example
     * const shown = await trellis.labels.shown({ account, addresses: [destination] });
     * say(shown.get(destination)?.name ?? destination);
     */
    shown: async ({ account, addresses }: ShownLabels): Promise<ReadonlyMap<string, Label>> => {
      const wanted = [...new Set(addresses)];
      const found: Label[] = [];
      for (let from = 0; from < wanted.length; from += addressesAtOnce) {
        const address = wanted.slice(from, from + addressesAtOnce);
        found.push(...(await get<readonly Label[]>(pathOf(account), { address })));
      }
      return new Map(found.map((label) => [label.address, label]));
    },
    /** Calls an address by a name. Rejects with `label_name_taken` where another one's looks like it. */
    put: ({ account, address, ...body }: PutLabel): Promise<Label> =>
      call({ method: "PUT", path: pathOf(account, address), body }),
    /** Removes a label, and answers it as it was. */
    remove: ({ account, address }: LabelBook & { readonly address: string }): Promise<Label> =>
      call({ method: "DELETE", path: pathOf(account, address) }),
  };
}
