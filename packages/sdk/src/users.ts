import { type CallOptions, paginate, type ServiceCalls } from "./service-calls.js";
import type { SessionPage } from "./sessions.js";
import type { EndedSession, SignedInSession, User, UsersQuery } from "./wire.js";

/** One page of users, the newest first. */
export type UserPage = { readonly users: readonly User[]; readonly nextCursor?: string };

type Page = { readonly limit?: number; readonly cursor?: string };

/** The tenant's users and their sessions (gap 205), with a secret key. */
export function createUserCalls({ call, get, getPage }: ServiceCalls) {
  const pathOf = (id: string, rest = "") => `/users/${encodeURIComponent(id)}${rest}`;
  const pageOf = (query: UsersQuery) => getPage<User>("/users", query);
  const sessionPageOf = (id: string, query: Page) => getPage<SignedInSession>(pathOf(id, "/sessions"), query);
  return {
    page: async (query: UsersQuery = {}): Promise<UserPage> => {
      const { items: users, ...rest } = await pageOf(query);
      return { users, ...rest };
    },
    /** Every user, page after page; with `email` the one who has it. */
    list: (query: UsersQuery = {}) => paginate(query, pageOf),
    get: (id: string) => get<User>(pathOf(id)),
    sessionPage: async (id: string, query: Page = {}): Promise<SessionPage> => {
      const { items: sessions, ...rest } = await sessionPageOf(id, query);
      return { sessions, ...rest };
    },
    /** Every session of a user that is open, page after page. */
    sessions: (id: string) => paginate({}, (next: Page) => sessionPageOf(id, next)),
    /** Ends a session of a user at once and for good. To do it again is the same. */
    endSession: (id: string, sessionId: string, options: CallOptions = {}): Promise<EndedSession> =>
      call({ method: "DELETE", path: pathOf(id, `/sessions/${encodeURIComponent(sessionId)}`), ...options }),
    /** Ends all sessions of a user. Answers how many it ended. */
    endSessions: async (id: string, options: CallOptions = {}): Promise<number> => {
      const { ended } = await call<{ readonly ended: number }>({
        method: "DELETE",
        path: pathOf(id, "/sessions"),
        ...options,
      });
      return ended;
    },
  };
}
