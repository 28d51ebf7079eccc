import type { CallOptions, ServiceCalls } from "./service-calls.js";
import type { DeletedRailData, KycLink, KycRecord, StartKycRequest } from "./wire.js";

/** The calls about who stands behind an account (gaps 43, 95 and 97). */
export function createKycCalls({ call, get, post }: ServiceCalls) {
  const pathOf = (account: string, rest: string) => `/accounts/${encodeURIComponent(account)}${rest}`;
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
    /** Has everything personal removed that the service keeps for bank rails; refused while money is on its way (gap 97). */
    deleteRailData: (account: string, options: CallOptions = {}) =>
      call<DeletedRailData>({ method: "DELETE", path: pathOf(account, "/rail-data"), ...options }),
  };
}
