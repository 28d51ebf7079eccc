import { useQuery } from "@tanstack/react-query";
import type { OpenedTreasuryPage } from "@trellis/sdk";
import { call } from "../parts/api.js";

/** What a tenant's pages are called and look like, and what they call the service with. */
export function usePage(tenant: string) {
  return useQuery({
    queryKey: ["page", tenant],
    queryFn: async ({ signal }) =>
      (await call<OpenedTreasuryPage>({ path: `/treasury-pages/${encodeURIComponent(tenant)}`, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
