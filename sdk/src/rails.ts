import type { DeletedRailData, KycLink, KycRecord, StartKycRequest } from "./wire.js";

/** What these calls need of the client they are part of. */
type RailNeeds = {
  readonly get: <Data>(path: string) => Promise<Data>;
  readonly post: <Data>(path: string, body: unknown, options?: { readonly idempotencyKey?: string }) => Promise<Data>;
  readonly remove: <Data>(path: string, options?: { readonly idempotencyKey?: string }) => Promise<Data>;
};

/** The calls about who stands behind an account (gaps 43, 95 and 97). */
export function createKycCalls({ get, post, remove }: RailNeeds) {
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
    start: (account: string, request: StartKycRequest, options?: { readonly idempotencyKey?: string }) =>
      post<KycLink>(pathOf(account, "/kyc"), request, options),
    /** Reads a verification as the partner has it now (interface 4.15). */
    get: (account: string, id: string) => get<KycRecord>(pathOf(account, `/kyc/${encodeURIComponent(id)}`)),
    /** Has everything personal removed that the service keeps for bank rails; refused while money is on its way (gap 97). */
    deleteRailData: (account: string, options?: { readonly idempotencyKey?: string }) =>
      remove<DeletedRailData>(pathOf(account, "/rail-data"), options),
  };
}
