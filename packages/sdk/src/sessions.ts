import { paginate, type ServiceCalls } from "./service-calls.js";
import type { EndedSession, SessionPolicy, SignedInSession } from "./wire.js";

/** One page of sessions, the newest first. */
export type SessionPage = { readonly sessions: readonly SignedInSession[]; readonly nextCursor?: string };

type Page = { readonly limit?: number; readonly cursor?: string };

/** Options of a call about sessions: the token of the session that asks, where it is not the client's own. */
export type SessionCallOptions = { readonly sessionToken?: string | undefined };

/**
 * Who is signed in to an account (gap 158). With a publishable key these are the sessions of the user who is signed in, with a
 * secret key those of all users who sign for the account.
 */
export function createSessionCalls({ call, get, getPage }: ServiceCalls) {
  const pathOf = (account: string, rest = "") => `/accounts/${encodeURIComponent(account)}/sessions${rest}`;
  const pageOf = (account: string, query: Page) => getPage<SignedInSession>(pathOf(account), query);
  return {
    page: async (account: string, query: Page = {}): Promise<SessionPage> => {
      const { items: sessions, ...rest } = await pageOf(account, query);
      return { sessions, ...rest };
    },
    /** Every session, page after page. */
    all: (account: string) => paginate({}, (next: Page) => pageOf(account, next)),
    /** Ends a session at once and for good: nothing is signed, read or refreshed with it. `current`: the one that asks. */
    end: (account: string, id: string, options: SessionCallOptions = {}): Promise<EndedSession> =>
      call({ method: "DELETE", path: pathOf(account, `/${encodeURIComponent(id)}`), ...options }),
    /** Ends all sessions; with `except` all others than that one (an id, or `current`). Answers how many it ended. */
    endAll: async (
      account: string,
      options: SessionCallOptions & { readonly except?: string } = {},
    ): Promise<number> => {
      const { except, ...asked } = options;
      const { ended } = await call<{ readonly ended: number }>({
        method: "DELETE",
        path: pathOf(account),
        query: { except },
        ...asked,
      });
      return ended;
    },
    /** What the tenant asks of its users' sessions (gap 159). Needs a secret key with the scope `admin:keys`, as the next. */
    policy: (): Promise<SessionPolicy> => get("/session-policy"),
    setPolicy: (policy: SessionPolicy): Promise<SessionPolicy> =>
      call({ method: "PUT", path: "/session-policy", body: policy }),
  };
}
