import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type { DeletedRailData, KycLink, KycRecord, ListAllVerificationsQuery, StartKycRequest } from "./wire.js";

/** One page of verifications; without `nextCursor` it is the last. */
export type VerificationPage = { readonly verifications: readonly KycRecord[]; readonly nextCursor?: string };

/** The calls about who stands behind an account (gaps 43, 95, 97 and 227). */
export function createKycCalls({ call, get, getPage, post }: ServiceCalls) {
  const pathOf = (account: string, rest: string) => `/accounts/${encodeURIComponent(account)}${rest}`;
  const pageOfTenant = (query: ListAllVerificationsQuery) => getPage<KycRecord>("/verifications", query);
  return {
    /**
     * Begins a verification, or finds the one that this e-mail address has, with fresh links.
     *
     * @example
     * const { kyc_link, tos_link } = await trellis.kyc.start(account, {
     *   type: "individual", email: "ada@example.org", full_name: "Ada Lovelace", endorsements: ["sepa"],
     * });
     */
    start: (account: string, request: StartKycRequest, options?: CallOptions) =>
      post<KycLink>(pathOf(account, "/kyc"), request, options),
    /** Reads a verification as the partner has it now (interface 4.15). */
    get: (account: string, id: string) => get<KycRecord>(pathOf(account, `/kyc/${encodeURIComponent(id)}`)),
    /** Reads one page of the verifications of all accounts, newest first, as they were last reported. Takes a secret key. */
    pageOfTenant: async (query: ListAllVerificationsQuery = {}): Promise<VerificationPage> => {
      const { items: verifications, ...rest } = await pageOfTenant(query);
      return { verifications, ...rest };
    },
    /** All of them that the query asks for, newest first, page by page as they are read. */
    allOfTenant: (query: ListAllVerificationsQuery = {}) => paginate(query, pageOfTenant),
    /** Has everything personal removed that the service keeps for bank rails; refused while money is on its way (gap 97). */
    deleteRailData: (account: string, options: CallOptions = {}) =>
      call<DeletedRailData>({ method: "DELETE", path: pathOf(account, "/rail-data"), ...options }),
  };
}
