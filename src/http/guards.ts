import type { Caller, Contract, ProvenSession } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { MemberAuthenticator } from "../members/authenticate-member.js";
import type { Place } from "../tenants/allowed-places.js";
import type { Authenticator } from "../tenants/authenticate.js";
import { checkAgent, checkPublishable, checkScope, chooseNetwork, isForAgents } from "../tenants/authorize.js";
import type { AgentCall } from "../tenants/note-agent-call.js";
import type { WriteBudget } from "../tenants/write-budget.js";
import { letRead } from "./cors.js";
import { ownOriginOf, refuseForeignPages, requireCsrfToken } from "./own-pages.js";
import { addressBucket, type RateLimiter, type RateStanding } from "./rate-limit.js";
import { headerText, remoteAddressOf } from "./request-context.js";

/** What stands before every operation. */
export interface Guards {
  readonly authenticator: Authenticator;
  /** Members of the console, by their cookie (gap 216). */
  readonly members: MemberAuthenticator;
  /** Tries to sign in to the console, of one remote address. */
  readonly signInLimiter: RateLimiter;
  /** Calls of one remote address that need no key (`limitsAddresses`). */
  readonly openLimiter: RateLimiter;
  /** Where pages reach the service; empty: nowhere in particular. */
  readonly publicUrl: () => string;
  /** False: the console is off, and its cookie is nothing. */
  readonly takesCookies: boolean;
  readonly networks: ReadonlyMap<EnvironmentName, Network>;
  /** Real time. */
  readonly clock: Clock;
  /** Requests of one API key. Absent: no limit. */
  readonly keyLimiter: RateLimiter | undefined;
  /** Requests of all secret keys of one tenant, and of all its publishable ones (gap 156). Absent: no limit. */
  readonly tenantLimiter: RateLimiter | undefined;
  /** Failed authentications from one remote address, and keys used from where they may not be. Absent: no limit. */
  readonly failureLimiter: RateLimiter | undefined;
  /** What one tenant may leave in the database (gap 156). Absent: no bound. */
  readonly writes: WriteBudget | undefined;
  /** Requests with publishable keys (gap 123). Undefined: no limit. */
  readonly publishable: {
    readonly ofKey: RateLimiter | undefined;
    /** From one remote address, whatever the keys. */
    readonly ofAddress: RateLimiter | undefined;
    /** Those of them that need no session: what sends mail, and what tries codes. */
    readonly openOfAddress: RateLimiter | undefined;
    /** Of one person who is signed in, wherever they are. */
    readonly ofSession: RateLimiter | undefined;
  };
  /** Writes down what an agent calls, before it is done (gap 231). */
  readonly noteAgentCall: (caller: Caller, call: AgentCall) => Promise<void>;
  readonly proveSession: (
    network: Network,
    claim: {
      readonly tenantId: string;
      readonly token: string | undefined;
      readonly account: string | undefined;
      readonly page: string | undefined;
    },
  ) => Promise<ProvenSession>;
}

type GuardedContract = Pick<
  Contract,
  | "operation"
  | "method"
  | "path"
  | "scope"
  | "console"
  | "limitsAddresses"
  | "environment"
  | "publishable"
  | "agents"
  | "notesAgents"
  | "needsSession"
  | "takesSession"
  | "whileFrozen"
>;

/**
 * Makes the check that a request passes before its body is read: authentication, rate limit, scope, environment, and the
 * session where one is needed, in this order. It leaves `caller` and `network` on the request. `presentedKey` says where
 * the key is, and `presentedCookie` the session of a member, which counts where no key is: by default nowhere.
 */
export function createGuard(
  guards: Guards,
  contract: GuardedContract,
  presentedKey: (request: FastifyRequest) => string | undefined = bearerKey,
  presentedCookie: (request: FastifyRequest) => string | undefined = () => undefined,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const { path, scope, environment, publishable, needsSession, takesSession, whileFrozen = false } = contract;
  const namesAccount = path.includes("{address}");
  assertOurs(
    publishable === undefined || publishable === "open" || namesAccount || !path.includes("{"),
    `a session does not determine whose ${path} is`,
  );
  return async (request, reply) => {
    let caller: Caller | undefined;
    const mayBeMember = guards.takesCookies && (contract.console === "member" || scope !== null);
    const cookie = mayBeMember ? presentedCookie(request) : undefined;
    if (contract.console !== undefined || cookie !== undefined) refuseForeignPages(request, guards.publicUrl());
    if (contract.console === "open") limitAddress(guards, guards.signInLimiter, request);
    if (contract.limitsAddresses === true) limitAddress(guards, guards.openLimiter, request);
    if (contract.console === "member") {
      caller = await authenticateMember(guards, request, cookie);
      request.caller = caller;
      limitRate(guards, guards.keyLimiter, caller, reply);
    }
    if (scope !== null) {
      caller =
        cookie === undefined
          ? await authenticate(guards, request, presentedKey(request))
          : await authenticateMember(guards, request, cookie);
      request.caller = caller;
      if (caller.isPublishable) {
        // The key has been found to be for pages of this origin.
        letRead(reply, request.headers.origin);
        const { origin } = placeOf(request, guards);
        assertOurs(origin, "a publishable key is good on pages alone");
        caller = { ...caller, page: origin };
        request.caller = caller;
        limitPublishable(guards, caller, contract, request, reply);
        checkPublishable(contract);
      } else limitRate(guards, guards.keyLimiter, caller, reply);
      if (caller.agent !== undefined) await admitAgent(guards, contract, caller, request);
      else if (isForAgents(contract) && request.headers["x-agent-tool"] !== undefined) {
        // A tool of an agent's server, which is not to have the rights of a server's key.
        throw new TrellisError("agent_key_required");
      }
      checkScope(caller, scope);
      if (caller.isFrozen && !whileFrozen && !readingMethods.has(request.method)) {
        throw new TrellisError("tenant_frozen", { retryAfterSeconds: frozenRetrySeconds });
      }
    }
    const header = headerText(request.headers["x-service-environment"]);
    const network = chooseNetwork(environment, header, caller, guards.networks);
    request.network = network ?? null;
    const token = headerText(request.headers["x-session-token"]);
    const isByPage = caller?.isPublishable === true && (publishable === "session" || publishable === "user");
    if (caller && (needsSession === true || isByPage || (takesSession === true && token !== undefined))) {
      assertOurs(network, "an operation with a session has an environment");
      const session = await guards.proveSession(network, {
        tenantId: caller.tenantId,
        token,
        account: (request.params as { address?: string } | undefined)?.address,
        page: caller.page,
      });
      if (isByPage) limitSession(guards, session, request);
      if (publishable === "user" && session.kind !== "user") throw usersAlone();
      request.caller = { ...caller, session };
    } else if (caller?.isPublishable && token !== undefined) request.caller = { ...caller, presentedToken: token };
  };
}

const toolName = /^[a-z_]{1,40}$/;
const accountAddress = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Throws `not_for_agents` and `insufficient_scope`. The call is in the audit log either way. */
async function admitAgent(
  guards: Guards,
  contract: GuardedContract,
  caller: Caller,
  { headers, params }: FastifyRequest,
): Promise<void> {
  const refusal = refusalOf(() => {
    checkAgent(contract);
    if (contract.scope !== null) checkScope(caller, contract.scope);
  });
  if (contract.notesAgents !== false || refusal !== undefined) {
    const [only, ...others] = caller.environments;
    const named = headerText(headers["x-service-environment"]);
    const environment = caller.environments.find((name) => name === named) ?? (others.length === 0 ? only : undefined);
    const tool = headerText(headers["x-agent-tool"]) ?? "";
    const { address: account = "" } = (params ?? {}) as { readonly address?: string };
    await guards.noteAgentCall(caller, {
      operation: contract.operation,
      ...(toolName.test(tool) ? { tool } : {}),
      ...(accountAddress.test(account) ? { account } : {}),
      ...(environment === undefined ? {} : { environment }),
      ...(refusal === undefined ? {} : { refused: refusal.code }),
    });
  }
  if (refusal !== undefined) throw refusal;
}

function refusalOf(check: () => void): TrellisError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof TrellisError) return error;
    throw error;
  }
}

/** What concerns wallets that a custodian holds for a user is for nobody else (gap 221). */
const usersAlone = () =>
  new TrellisError("insufficient_permissions", {
    message:
      "This session is of a wallet of its holder's own. The call is for users who sign in with a code or a passkey.",
  });

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** By then the address may lead to the other installation. */
const frozenRetrySeconds = 30;

/** The key of `Authorization: Bearer <API_KEY>`; undefined without that header or under another scheme. */
export function bearerKey(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers;
  return authorization === undefined ? undefined : /^Bearer +(.+)$/i.exec(authorization)?.[1];
}

/** Where a request comes from, as the limits of keys have it. */
export const placeOf = (request: FastifyRequest, { publicUrl }: Pick<Guards, "publicUrl">): Place => ({
  address: remoteAddressOf(request),
  origin: headerText(request.headers.origin) ?? ownOriginOf(request, publicUrl()),
});

/**
 * Failures are counted per remote address, and so are keys that are not for the place they are used from. An address over
 * its limit gets no look-up for a key that was not valid there lately, so that guessing costs the database nothing, and
 * those who share the address keep working.
 */
async function authenticate(guards: Guards, request: FastifyRequest, presented: string | undefined): Promise<Caller> {
  const { authenticator, failureLimiter, clock } = guards;
  const place = placeOf(request, guards);
  if (!failureLimiter || presented === undefined) return authenticator.authenticate(presented, place);
  const bucket = addressBucket(remoteAddressOf(request));
  const standing = failureLimiter.peek(bucket, clock.now());
  if (!standing.allowed && !authenticator.isFamiliar(presented, place)) throw tooManyRequests(standing);
  try {
    return await authenticator.authenticate(presented, place);
  } catch (error) {
    if (error instanceof TrellisError && [401, 403].includes(error.status)) failureLimiter.take(bucket, clock.now());
    throw error;
  }
}

/** As with keys: who guesses is counted, and those who share the address keep working. Throws `invalid_csrf_token`, too. */
async function authenticateMember(
  { members, failureLimiter, clock }: Guards,
  request: FastifyRequest,
  token: string | undefined,
): Promise<Caller> {
  if (token === undefined) throw new TrellisError("sign_in_required");
  const bucket = addressBucket(remoteAddressOf(request));
  const standing = failureLimiter?.peek(bucket, clock.now());
  if (standing?.allowed === false && !members.isFamiliar(token)) throw tooManyRequests(standing);
  try {
    const caller = await members.authenticate(token);
    if (!readingMethods.has(request.method)) requireCsrfToken(request, caller);
    return caller;
  } catch (error) {
    if (error instanceof TrellisError && error.status === 401) failureLimiter?.take(bucket, clock.now());
    throw error;
  }
}

function limitAddress({ clock }: Guards, limiter: RateLimiter, request: FastifyRequest): void {
  const standing = limiter.take(addressBucket(remoteAddressOf(request)), clock.now());
  if (!standing.allowed) throw tooManyRequests(standing);
}

/** By the key and by its tenant: the headers report the one of which less is left. */
function limitRate(
  guards: Guards,
  keyLimiter: RateLimiter | undefined,
  caller: Caller,
  reply: FastifyReply,
  calls = 1,
): void {
  const standing = takeOf(guards, keyLimiter, caller, calls);
  if (!standing) return;
  reply.header("ratelimit-limit", standing.limit);
  reply.header("ratelimit-remaining", standing.remaining);
  reply.header("ratelimit-reset", standing.resetSeconds);
  if (!standing.allowed) throw tooManyRequests(standing);
}

/**
 * Counts calls of a caller, against its key's limit and its tenant's. What one of them refuses the other does not count.
 * Pages have a share apart: a reader of a publishable key cannot use up what the tenant's servers have. Undefined: no limit.
 */
export function takeOf(
  { tenantLimiter, clock }: Pick<Guards, "tenantLimiter" | "clock">,
  keyLimiter: RateLimiter | undefined,
  { apiKeyId, tenantId, isPublishable }: Pick<Caller, "apiKeyId" | "tenantId" | "isPublishable">,
  calls: number,
): RateStanding | undefined {
  const now = clock.now();
  const tenant = `${isPublishable ? "pages of " : ""}${tenantId}`;
  const ahead = tenantLimiter?.peek(tenant, now, calls);
  if (ahead?.allowed === false) return ahead;
  const ofKey = keyLimiter?.take(apiKeyId, now, calls);
  if (ofKey?.allowed === false) return ofKey;
  const ofTenant = tenantLimiter?.take(tenant, now, calls);
  if (!ofKey || !ofTenant) return ofKey ?? ofTenant;
  return ofTenant.remaining < ofKey.remaining ? ofTenant : ofKey;
}

/** Counts calls of a batch beyond its first, which the guard has counted. Throws `rate_limit_exceeded`. */
export function limitCalls(guards: Guards, request: FastifyRequest, reply: FastifyReply, calls: number): void {
  assertOurs(request.caller, "the guard has let the request in");
  limitRate(guards, guards.keyLimiter, request.caller, reply, calls);
}

/** Addresses first: a caller over its own limit uses up nothing of what a key's other users have. */
function limitPublishable(
  guards: Guards,
  caller: Caller,
  contract: GuardedContract,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const bucket = addressBucket(remoteAddressOf(request));
  const { publishable, clock } = guards;
  const { ofAddress, openOfAddress } = publishable;
  for (const limiter of [ofAddress, contract.publishable === "open" ? openOfAddress : undefined]) {
    const standing = limiter?.take(bucket, clock.now());
    if (standing?.allowed === false) throw tooManyRequests(standing);
  }
  limitRate(guards, publishable.ofKey, caller, reply);
}

/** Whose session is good is counted for themselves: those who share an address, as in an office, do not share a limit. */
function limitSession({ publishable, clock }: Guards, { chainId }: ProvenSession, request: FastifyRequest): void {
  const { ofAddress, ofSession } = publishable;
  ofAddress?.giveBack(addressBucket(remoteAddressOf(request)), clock.now());
  const standing = ofSession?.take(chainId, clock.now());
  if (standing?.allowed === false) throw tooManyRequests(standing);
}

function tooManyRequests(standing: RateStanding): TrellisError {
  return new TrellisError("rate_limit_exceeded", { retryAfterSeconds: standing.retryAfterSeconds });
}
