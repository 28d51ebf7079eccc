import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type Answer, call, type QueryValue } from "./api.js";
import { usePlace } from "./session.js";

type Query = Readonly<Record<string, QueryValue>>;

/** Reads something of the environment. `everyMs`: anew after that time, while the page is seen. */
export function useRead<T>(
  path: string,
  query: Query = {},
  options: { readonly everyMs?: number; readonly enabled?: boolean } = {},
) {
  const { environment } = usePlace();
  return useQuery({
    queryKey: [environment, path, query],
    queryFn: async ({ signal }) => (await call<T>({ path, query, environment, signal })).data,
    refetchInterval: options.everyMs ?? false,
    enabled: options.enabled ?? true,
    placeholderData: keepPreviousData,
  });
}

/** Reads a list page by page. */
export function useList<T>(path: string, query: Query = {}, options: { readonly everyMs?: number } = {}) {
  const { environment } = usePlace();
  const found = useInfiniteQuery({
    queryKey: [environment, path, "list", query],
    queryFn: ({ pageParam, signal }) =>
      call<readonly T[]>({ path, query: { ...query, cursor: pageParam }, environment, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Answer<readonly T[]>) => last.nextCursor,
    refetchInterval: options.everyMs ?? false,
  });
  return { ...found, rows: found.data?.pages.flatMap(({ data }) => data) };
}
