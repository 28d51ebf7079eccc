import { useQuery } from "@tanstack/react-query";
import { call } from "./api.js";
import { usePlace } from "./session.js";

interface Label {
  readonly address: string;
  readonly account: string | null;
  readonly name: string;
}

/** What addresses are called: the account's own word first, then the tenant's. At most 100 at once. */
export function useLabels(addresses: readonly string[], account?: string): ReadonlyMap<string, Label> {
  const { environment } = usePlace();
  const asked = [...new Set(addresses)].sort().slice(0, 100);
  const path = account === undefined ? "/labels" : `/accounts/${account}/labels`;
  const { data } = useQuery({
    queryKey: [environment, "labels", account, asked],
    queryFn: async ({ signal }) =>
      (await call<readonly Label[]>({ path, query: { address: asked }, environment, signal })).data,
    enabled: asked.length > 0,
    staleTime: 60_000,
  });
  return new Map((data ?? []).map((label) => [label.address, label]));
}
