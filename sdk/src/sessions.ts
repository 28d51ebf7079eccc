import type { ServiceRequest } from "./request-sender.js";
import type { EndedSession, Envelope, SessionPolicy, SignedInSession } from "./wire.js";

/** One page of sessions, the newest first. */
export type SessionPage = { readonly sessions: readonly SignedInSession[]; readonly nextCursor?: string };

type Page = { readonly limit?: number; readonly cursor?: string };

/** Options of a call about sessions: the token of the session that asks, where it is not the client's own. */
export type SessionCallOptions = { readonly sessionToken?: string | undefined };

/**
 * Who is signed in to an account (gap 158). With a publishable key these are the sessions of the user who is signed in, with a
 * secret key those of all users who sign for the account.
 */
export function createSessionCalls(needs: {
  /** The whole answer, of the data below the service's path. */
  readonly send: (request: ServiceRequest) => Promise<Envelope<unknown>>;
}) {
  const pathOf = (account: string, rest = "") => `/accounts/${encodeURIComponent(account)}/sessions${rest}`;
  const page = async (account: string, query: Page = {}): Promise<SessionPage> => {
    const { data, metadata } = await needs.send({ method: "GET", path: pathOf(account), query });
    const { next_cursor: nextCursor } = metadata;
    return { sessions: data as readonly SignedInSession[], ...(nextCursor === undefined ? {} : { nextCursor }) };
  };
  return {
    page,
    /** Every session, page after page. */
    all: async function* (account: string): AsyncGenerator<SignedInSession, void, undefined> {
      let cursor: string | undefined;
      do {
        const found = await page(account, cursor === undefined ? {} : { cursor });
        yield* found.sessions;
        cursor = found.nextCursor;
      } while (cursor !== undefined);
    },
    /** Ends a session at once and for good: nothing is signed, read or refreshed with it. `current`: the one that asks. */
    end: async (account: string, id: string, options: SessionCallOptions = {}): Promise<EndedSession> =>
      (await needs.send({ method: "DELETE", path: pathOf(account, `/${encodeURIComponent(id)}`), ...options }))
        .data as EndedSession,
    /** Ends all sessions; with `except` all others than that one (an id, or `current`). Answers how many it ended. */
    endAll: async (
      account: string,
      options: SessionCallOptions & { readonly except?: string } = {},
    ): Promise<number> => {
      const { except, ...asked } = options;
      const { data } = await needs.send({ method: "DELETE", path: pathOf(account), query: { except }, ...asked });
      return (data as { readonly ended: number }).ended;
    },
    /** What the tenant asks of its users' sessions (gap 159). Needs a secret key with the scope `admin:keys`, as the next. */
    policy: async (): Promise<SessionPolicy> =>
      (await needs.send({ method: "GET", path: "/session-policy" })).data as SessionPolicy,
    setPolicy: async (policy: SessionPolicy): Promise<SessionPolicy> =>
      (await needs.send({ method: "PUT", path: "/session-policy", body: policy })).data as SessionPolicy,
  };
}
