import type { CallOptions, ServiceCalls } from "./service-calls.js";
import type { ProposalMails, RequestedProposalMails } from "./wire.js";

/** Mails to the tenant's members about proposals (gap 210). The client's key needs the scope `admin:keys`. */
export function createProposalMailCalls({ call, get }: ServiceCalls) {
  const path = "/proposal-mails";
  return {
    /** Throws `proposal_mails_not_found` where they are off. */
    get: () => get<ProposalMails>(path),
    /** Turns them on, or changes them. */
    set: (mails: RequestedProposalMails, options: CallOptions = {}) =>
      call<ProposalMails>({ method: "PUT", path, body: mails, ...options }),
    /** Turns them off. */
    remove: (options: CallOptions = {}) => call<ProposalMails>({ method: "DELETE", path, ...options }),
  };
}
