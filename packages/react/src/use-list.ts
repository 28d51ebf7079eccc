import type { TrellisClient } from "@trellis/sdk";
import { useCallback, useState } from "react";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

/** How much of a list is read at once, and how often. */
export type ListOptions = ReadOptions & { readonly limit?: number };

/** A list as far as it was read. */
export type List<Item> = Read<readonly Item[]> & {
  /** Whether there is more than `data` has. */
  readonly hasMore: boolean;
  /** Reads the next page, too; `data` stays what it is until it is there. */
  readonly showMore: () => void;
};

type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor?: string };
type ReadPage<Item> = (client: TrellisClient, account: string, query: PageQuery) => Promise<Page<Item>>;
/** What a page is asked for by. */
export type PageQuery = { readonly limit: number; readonly cursor?: string };

const usualLimit = 25;

/** Shows a list of the chosen account, page after page. `name` stands for `readPage` and everything it depends on. */
export function useList<Item>(
  name: string,
  readPage: ReadPage<Item>,
  { limit = usualLimit, pollMs = 0 }: ListOptions,
): List<Item> {
  const [pages, setPages] = useState(1);
  const reading = useReading(nameOf(name, limit, pages), readPages(readPage, limit, pages), pollMs);
  const former = Math.max(1, pages - 1);
  const before = useReading(nameOf(name, limit, former), readPages(readPage, limit, former), 0);
  const { data } = reading.data === undefined ? before : reading;
  const showMore = useCallback(() => setPages((count) => count + 1), []);
  return { ...reading, data: data?.items, hasMore: data?.nextCursor !== undefined, showMore };
}

const nameOf = (name: string, limit: number, pages: number) => `${name} ${limit} ${pages}`;

function readPages<Item>(readPage: ReadPage<Item>, limit: number, pages: number) {
  return async (client: TrellisClient, account: string): Promise<Page<Item>> => {
    const items: Item[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pages; page += 1) {
      const { items: further, nextCursor } = await readPage(client, account, {
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      items.push(...further);
      cursor = nextCursor;
      if (cursor === undefined) break;
    }
    return { items, ...(cursor === undefined ? {} : { nextCursor: cursor }) };
  };
}
