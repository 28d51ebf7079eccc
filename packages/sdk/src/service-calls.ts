import type { RequestSender, ServiceRequest } from "./request-sender.js";
import type { Envelope } from "./wire.js";

/** Options of a call that changes something. */
export type CallOptions = {
  /** Default: a fresh key. Give one to repeat the call safely after a restart (gap 6). */
  readonly idempotencyKey?: string;
};

type Query = NonNullable<ServiceRequest["query"]>;

/** One page of a list; without `nextCursor` it is the last. */
export type ListPage<Item> = {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
  /** As of when the list has everything, by the clock of the environment; of lists that say so. */
  readonly completeAt?: string;
};

/** One page of a list as comma-separated values; without `nextCursor` it is the last. */
export type CsvPage = { readonly csv: string; readonly nextCursor?: string };

/** Requests below one prefix, and the data of their answers. */
export type ServiceCalls = {
  readonly call: <Data>(request: ServiceRequest) => Promise<Data>;
  readonly get: <Data>(path: string, query?: Query) => Promise<Data>;
  readonly post: <Data>(path: string, body: unknown, options?: CallOptions) => Promise<Data>;
  /** One page of a list. */
  readonly getPage: <Item>(path: string, query: Query) => Promise<ListPage<Item>>;
  /** The same as comma-separated values, of lists that have this form. */
  readonly getCsv: (path: string, query: Query) => Promise<CsvPage>;
};

/** What all calls of a client are made of. */
export function createServiceCalls(send: RequestSender, prefix: string): ServiceCalls {
  // The answer's shape is the service's promise; a contract test compares these types with its published schema.
  const call = async <Data>(request: ServiceRequest): Promise<Data> => {
    const body = await send({ ...request, path: prefix + request.path });
    return (isEnvelope(body) ? body.data : body) as Data;
  };
  return {
    call,
    get: (path, query = {}) => call({ method: "GET", path, query }),
    post: (path, body, options = {}) => call({ method: "POST", path, body, ...options }),
    getCsv: async (path, query) => {
      let nextCursor: string | undefined;
      const hearHeaders = (headers: Headers) => {
        nextCursor = headers.get("x-next-cursor") ?? undefined;
      };
      const asked = { ...query, format: "csv" };
      const csv = await send({ method: "GET", path: prefix + path, query: asked, accept: "text/csv", hearHeaders });
      if (typeof csv !== "string")
        throw new TypeError("the service has no such list as CSV: it is of an older version");
      return { csv, ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    getPage: async <Item>(path: string, query: Query): Promise<ListPage<Item>> => {
      let cursorInHeader: string | undefined;
      const hearHeaders = (headers: Headers) => {
        cursorInHeader = headers.get("x-next-cursor") ?? undefined;
      };
      const body = await send({ method: "GET", path: prefix + path, query, hearHeaders });
      // A list that is answered bare has its cursor in a header.
      const { data, metadata } = isEnvelope(body) ? body : { data: body, metadata: { next_cursor: cursorInHeader } };
      const { next_cursor: nextCursor, complete_at: completeAt } = metadata as Partial<Envelope<unknown>["metadata"]>;
      return {
        items: data as readonly Item[],
        ...(nextCursor === undefined ? {} : { nextCursor }),
        ...(completeAt === undefined ? {} : { completeAt }),
      };
    },
  };
}

/** The path of an account, below the interface's prefix. */
export function accountPath(address: string, rest = ""): string {
  return `/accounts/${encodeURIComponent(address)}${rest}`;
}

/** Every item of a list, page by page as they are read. */
export async function* paginate<Item, ListQuery extends { readonly cursor?: string }>(
  query: ListQuery,
  readPage: (query: ListQuery) => Promise<ListPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let { cursor } = query;
  do {
    const { items, nextCursor } = await readPage(cursor === undefined ? query : { ...query, cursor });
    yield* items;
    cursor = nextCursor;
  } while (cursor !== undefined);
}

/** Interface 2.1: most answers are `{data, metadata}`, some are bare. */
function isEnvelope(body: unknown): body is Envelope<unknown> {
  return typeof body === "object" && body !== null && "data" in body && "metadata" in body;
}
