import type { CallOptions, ServiceCalls } from "./service-calls.js";
import type { RequestedTreasuryPage, TreasuryPage } from "./wire.js";

/** The tenant's pages at `/app/` (gap 220): what they are called and look like. The client's key needs the scope `admin:keys`. */
export function createTreasuryPageCalls({ call, get }: ServiceCalls) {
  const path = "/treasury-page";
  return {
    /** Throws `treasury_page_not_found` where they are off. */
    get: () => get<TreasuryPage>(path),
    /** Turns them on, or changes them. */
    set: (page: RequestedTreasuryPage, options: CallOptions = {}) =>
      call<TreasuryPage>({ method: "PUT", path, body: page, ...options }),
    /** Turns them off. */
    remove: (options: CallOptions = {}) => call<TreasuryPage>({ method: "DELETE", path, ...options }),
  };
}
