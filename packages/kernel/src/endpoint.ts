import type { Static, TSchema } from "typebox";
import type { CsvForm } from "./csv.js";
import type { ErrorCode } from "./errors.js";
import type { Finality } from "./idempotency/final-answer.js";
import type { Trx } from "./ports/database.js";
import type { EnvironmentName } from "./ports/environment.js";
import type { Network } from "./ports/network.js";
import type { Scope } from "./scope.js";

/** How an endpoint gets its environment (gap 1). */
export type EnvironmentRule =
  /** The header, or the key's only environment. */
  | "optional"
  /** The header, always. */
  | "required"
  /** Always the sandbox; another one named is an error. */
  | "sandbox"
  /** The operation has none. */
  | "none";

/** What an operation promises, as data: routing, guards, validation and the OpenAPI document are all read off it. */
export interface Contract {
  /** camelCase, unique: the OpenAPI operationId. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Parameters in braces: `/api/service/v1/accounts/{address}`. */
  readonly path: string;
  /** `null`: no API key needed. */
  readonly scope: Scope | null;
  /**
   * For pages of the console (gap 216): `open` to any caller, and `member` to members who are signed in. Both have no scope, and no API
   * key counts. Absent: a member calls it with the scopes of the role, as a key would.
   */
  readonly console?: "open" | "member";
  /** True, where no key is needed: calls of one remote address are counted, as each costs something (gap 243). */
  readonly limitsAddresses?: true;
  readonly environment: EnvironmentRule;
  readonly params?: TSchema;
  /** Values arrive parsed from text; unknown names are ignored. */
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Whether no body at all is the same as an empty one: for DELETE, whose bodies not everybody can send. */
  readonly bodyMayBeAbsent?: boolean;
  /**
   * Whether a field that is a known one in another spelling is refused instead of ignored (gap 11): where ignoring it could
   * change who commands money, or what is done with it.
   */
  readonly refusesNearMisses?: boolean;
  /**
   * With `refusesNearMisses`: a field of the body, whose own fields are refused beside it too, where they are unknown. A time
   * lock that was put beside the policy and ignored would be none, for good.
   */
  readonly refusesFieldsBeside?: string;
  /**
   * Names that are refused wherever they stand in the body, with the reason and what to use instead: words that change what a
   * payment is worth, and that this operation cannot carry out (gap 151).
   */
  readonly refusesFields?: Readonly<Record<string, { readonly why: string; readonly use?: string }>>;
  /** The success answer. `envelope` wraps the schema into `{data, metadata}` (interface 2.1). */
  readonly response: {
    readonly status: 200 | 201;
    readonly schema: TSchema;
    readonly envelope: boolean;
    /** When it answers 204, with nothing. For protocols of others only: a success of ours has a body (gap 4). */
    readonly emptyWhen?: string;
    /**
     * A second form of a list in an envelope, for spreadsheets: with `format=csv`, or where `accept` prefers it. The query has `csvQuery`
     * then. Of `metadata` only `complete_at` is there, as a header; errors are as ever (gap 212).
     */
    readonly csv?: CsvForm;
  };
  /** What it can answer besides the errors every operation has. */
  readonly errors: readonly ErrorCode[];
  /**
   * True where all it does is prepare something to be signed: an answer that could not be recorded under its idempotency
   * key is not given then, so that no repetition under the key prepares anything else.
   */
  readonly preparesOnly?: boolean;
  /**
   * What it counts as among its tenant's writes of the day (gap 156): `none` where it stores nothing. Absent: with those that prepare, or
   * with all others.
   */
  readonly dailyWrites?: "none" | "wallet_sign_ins";
  /**
   * True where the answer holds a secret that the caller might not be given anew: under an idempotency key it is repeated to
   * the API key that asked first, and to no other of the tenant.
   */
  readonly answersOneKey?: boolean;
  /**
   * Whether a publishable key may call it (gap 123): `open` as it is, `session` with the token of a session, whose wallet has
   * to be a signer of the account in `{address}` where the path names one; `user` with that of a user's session, and of no wallet of the
   * holder's own (gap 221). Absent: it may not.
   */
  readonly publishable?: "open" | "session" | "user";
  /**
   * True: the key of an agent may call it, though it is no read (gap 231): what it prepares takes effect by a signature of the agent's own
   * key, or by others' approvals. Absent: agents may call it where it reads.
   */
  readonly agents?: boolean;
  /** False: what an agent does by it is in the audit log as the calls that it makes, and not as this one. */
  readonly notesAgents?: false;
  /** True: it is for a frozen tenant, too, though it writes. */
  readonly whileFrozen?: boolean;
  /** True: a session's token has to be there whatever the key is; the call has the session. */
  readonly needsSession?: boolean;
  /** True: a secret key may show a session's token too, which then has to be good; the call has the session. */
  readonly takesSession?: boolean;
  /** False where replaying is pointless: a read by POST. Default: true on POST, PUT, PATCH, DELETE (gap 6). */
  readonly idempotent?: boolean;
}

type Part<C extends Contract, K extends "params" | "query" | "body"> = C[K] extends TSchema ? Static<C[K]> : undefined;

interface AnySession {
  readonly id: string;
  /** What all sessions of one sign-in share: as lists of sessions name it. */
  readonly chainId: string;
  /** Environment time, Unix milliseconds. */
  readonly expiresAt: number;
}

/** Of a user, who signed in with a code or a passkey: it commands wallets of a custodian. */
export interface UserSession extends AnySession {
  readonly kind: "user";
  readonly userId: string;
}

/** Of a person with a wallet of their own: it commands nothing, and each action is signed by that wallet (gap 221). */
export interface WalletSession extends AnySession {
  readonly kind: "wallet";
  /** Base58. */
  readonly wallet: string;
}

/** Whose session a request has proven to hold (gap 123). */
export type ProvenSession = UserSession | WalletSession;

/** A member of a tenant who is signed in to the console (gap 216). */
export interface SignedInMember {
  readonly id: string;
  readonly sessionId: string;
  /** What a page has to send with every change. */
  readonly csrfToken: string;
  /** All that the member reaches: also environments that this service does not have. */
  readonly reach: readonly EnvironmentName[];
}

/** Who calls: the API key, or the member's session, already authenticated. */
export interface Caller {
  readonly tenantId: string;
  /** The API key's id; of a member `member/<id>`. Callers are counted by it. */
  readonly apiKeyId: string;
  /** The member, where the call was made with a session of the console. */
  readonly member?: SignedInMember;
  readonly scopes: ReadonlySet<Scope>;
  readonly environments: readonly EnvironmentName[];
  /** The key is one that browsers hold: no caller that holds it is trusted with more than a proven session (gap 123). */
  readonly isPublishable?: boolean;
  /** The key is an agent's, of this name: what it calls is bounded, and stands in the audit log (gap 231). */
  readonly agent?: string;
  /** The tenant is being moved to another installation, or was. */
  readonly isFrozen?: boolean;
  /**
   * Reads the caller anew in a transaction, behind every change of the tenant's members, as a body may arrive long after the guard has
   * read who calls. Throws `sign_in_required` where the session is over. Absent: an API key calls.
   */
  readonly readAgain?: (trx: Trx) => Promise<Caller>;
  /** Where the operation asked for one. */
  readonly session?: ProvenSession;
  /** The origin of the page that calls, which its publishable key is for: as browsers write it. Absent: no page calls. */
  readonly page?: string;
  /** What a page has sent with a publishable key to an operation that asks for no session: nothing has checked it. */
  readonly presentedToken?: string;
}

/** One call, bound and checked. */
export interface Call<C extends Contract = Contract> {
  readonly params: Part<C, "params">;
  readonly query: Part<C, "query">;
  readonly body: Part<C, "body">;
  readonly caller: C["scope"] extends null ? (C["console"] extends "member" ? Caller : Caller | undefined) : Caller;
  readonly network: C["environment"] extends "none" ? Network | undefined : Network;
  readonly requestId: string;
  /** Where anybody signs in to the console: the session's cookie that the browser has so far. Nothing has checked it. */
  readonly presentedCookie?: string | undefined;
  /**
   * The same for every attempt under one idempotency key, undefined without one. An operation whose effect cannot be distinguished
   * from a second one like it records itself under this name, so that a retry after a crash resumes it (gap 6).
   */
  readonly operationId: string | undefined;
}

/** A success answer; `headers` carries what the body has no place for (x-next-cursor). */
export interface Answer<T> {
  readonly data: T;
  readonly headers?: Readonly<Record<string, string>>;
  /** Joins `metadata` of an envelope. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** What it leaves behind under an idempotency key; default: final. */
  readonly finality?: Finality;
}

/**
 * Options of a field, or of a form of a body, that says in other words what another one says: it is read as ever, and left out
 * of the OpenAPI document, which has one spelling for each (gap 129).
 */
export const otherSpelling = { "x-other-spelling": true } as const;

/**
 * Options of a schema of which the OpenAPI document knows more than validation does: bounds whose breach the reader of the
 * field refuses on its own, with a code of its own (`invalid_policies`, `advance_too_far`).
 */
export const documented = (bounds: object): { readonly "x-documented": object } => ({ "x-documented": bounds });

/** The same of a whole: the document has `schema` in its place, which says no more than what the reader takes. */
export const documentedAs = (schema: object): { readonly "x-documented-as": object } => ({
  "x-documented-as": schema,
});

/** A contract with the function that keeps it. `Needs` is what the function asks of the world. */
export interface Endpoint<Needs> {
  readonly contract: Contract;
  readonly handle: (needs: Needs, call: Call<Contract>) => Promise<Answer<unknown>>;
}

/** Ties a contract to its handler; the handler's types follow from the schemas. */
export function endpoint<const C extends Contract, Needs>(
  contract: C,
  handle: (needs: Needs, call: Call<C>) => Promise<Answer<Static<C["response"]["schema"]>>>,
): Endpoint<Needs> {
  // The HTTP layer validates a call against the contract's own schemas before it hands it over.
  return { contract, handle: handle as unknown as Endpoint<Needs>["handle"] };
}
