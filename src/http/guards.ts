import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, Contract } from "../endpoint.js";
import { TrellisError } from "../errors.js";
import type { Clock } from "../ports/clock.js";
import type { EnvironmentName } from "../ports/environment.js";
import type { Network } from "../ports/network.js";
import type { Authenticator } from "../rooms/api-keys/authenticate.js";
import { checkScope, chooseNetwork } from "../rooms/api-keys/authorize.js";
import { addressBucket, type RateLimiter, type RateStanding } from "./rate-limit.js";
import { headerText } from "./request-context.js";

/** What stands before every operation. */
export interface Guards {
  readonly authenticator: Authenticator;
  readonly networks: ReadonlyMap<EnvironmentName, Network>;
  /** Real time. */
  readonly clock: Clock;
  /** Requests of one API key. Absent: no limit. */
  readonly keyLimiter?: RateLimiter;
  /** Failed authentications from one remote address. Absent: no limit. */
  readonly failureLimiter?: RateLimiter;
}

type GuardedContract = Pick<Contract, "scope" | "environment">;

/**
 * Makes the check that a request passes before its body is read: authentication, rate limit, scope, environment, in this
 * order. It leaves `caller` and `network` on the request. `presentedKey` says where the key is.
 */
export function createGuard(
  guards: Guards,
  contract: GuardedContract,
  presentedKey: (request: FastifyRequest) => string | undefined = bearerKey,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const { scope, environment } = contract;
  return async (request, reply) => {
    let caller: Caller | undefined;
    if (scope !== null) {
      caller = await authenticate(guards, request, presentedKey(request));
      request.caller = caller;
      limitRate(guards, caller, reply);
      checkScope(caller, scope);
    }
    const header = headerText(request.headers["x-service-environment"]);
    request.network = chooseNetwork(environment, header, caller, guards.networks) ?? null;
  };
}

/** The key of `Authorization: Bearer <API_KEY>`; undefined without that header or under another scheme. */
export function bearerKey(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers;
  return authorization === undefined ? undefined : /^Bearer +(.+)$/i.exec(authorization)?.[1];
}

/**
 * Failures are counted per remote address. An address over its limit gets no look-up for a key that was not valid
 * lately, so that guessing costs the database nothing, and those who share the address keep working.
 */
async function authenticate(guards: Guards, request: FastifyRequest, presented: string | undefined): Promise<Caller> {
  const { authenticator, failureLimiter, clock } = guards;
  if (!failureLimiter || presented === undefined) return authenticator.authenticate(presented);
  const bucket = addressBucket(request.ip);
  const standing = failureLimiter.look(bucket, clock.now());
  if (!standing.allowed && !authenticator.isFamiliar(presented)) throw tooManyRequests(standing);
  try {
    return await authenticator.authenticate(presented);
  } catch (error) {
    if (error instanceof TrellisError && error.status === 401) failureLimiter.take(bucket, clock.now());
    throw error;
  }
}

function limitRate({ keyLimiter, clock }: Guards, caller: Caller, reply: FastifyReply): void {
  if (!keyLimiter) return;
  const standing = keyLimiter.take(caller.apiKeyId, clock.now());
  reply.header("ratelimit-limit", standing.limit);
  reply.header("ratelimit-remaining", standing.remaining);
  reply.header("ratelimit-reset", standing.resetSeconds);
  if (!standing.allowed) throw tooManyRequests(standing);
}

function tooManyRequests(standing: RateStanding): TrellisError {
  return new TrellisError("rate_limit_exceeded", { retryAfterSeconds: standing.retryAfterSeconds });
}
