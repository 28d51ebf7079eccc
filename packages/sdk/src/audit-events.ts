import { paginate, type ServiceCalls } from "./service-calls.js";
import { type PinnedLog, type VerifiedAuditEvent, verifyAuditEvent } from "./verify-audit-event.js";
import type { AuditEvent, AuditEventsQuery, ProvenAuditEvent } from "./wire.js";

/** One page of entries, the newest first. */
export type AuditEventPage = { readonly auditEvents: readonly AuditEvent[]; readonly nextCursor?: string };

/** The tenant's entries of the audit log (gap 180). The client's key needs the scope `audit:read`. */
export function createAuditEventCalls({ get, getPage }: ServiceCalls) {
  const pageOf = (query: AuditEventsQuery) => getPage<AuditEvent>("/audit-events", query);
  const getProven = (index: number) => get<ProvenAuditEvent>(`/audit-events/${index}`);
  const getVerified = async (index: number, pinned: PinnedLog): Promise<VerifiedAuditEvent | undefined> =>
    verifyAuditEvent(await getProven(index), index, pinned);
  return {
    page: async (query: AuditEventsQuery = {}): Promise<AuditEventPage> => {
      const { items: auditEvents, ...rest } = await pageOf(query);
      return { auditEvents, ...rest };
    },
    /** Every entry, page after page, as the service says it. */
    list: (query: AuditEventsQuery = {}) => paginate(query, pageOf),
    /** One entry with what proves it, which is not verified. */
    get: getProven,
    /**
     * One entry, verified here against keys that the service did not give. Undefined: it has no proof yet, which takes ten seconds. Throws
     * `AuditProofError`.
     */
    getVerified,
    /**
     * Every entry, verified likewise. Those that have no proof yet are left out. That the service leaves out no other one is not
     * proven by it.
     */
    async *listVerified(pinned: PinnedLog, query: AuditEventsQuery = {}): AsyncGenerator<VerifiedAuditEvent> {
      for await (const { index } of paginate(query, pageOf)) {
        const verified = await getVerified(index, pinned);
        if (verified !== undefined) yield verified;
      }
    },
  };
}
