import type { Contract } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createPageOrigins } from "../tenants/page-origins.js";
import type { Answers } from "./answers.js";
import { type AllowedOrigins, allowOrigin, answerPreflight, isPreflight, letRead } from "./cors.js";
import type { Dialect } from "./dialects/dialect.js";
import { dialectOfPath } from "./dialects/dialects.js";
import type { Speaker } from "./dialects/speaker.js";
import { createNearPathFinder } from "./near-paths.js";
import { openApiContract } from "./operational-endpoints.js";
import { addressBucket, createRateLimiter } from "./rate-limit.js";
import { remoteAddressOf } from "./request-context.js";
import { createMethodFinder, pathOf } from "./route-path.js";

export interface NotFoundNeeds {
  /** What there is. */
  readonly contracts: readonly Contract[];
  readonly answers: Pick<Answers, "sendError">;
  readonly origins: AllowedOrigins;
  readonly dialect: Dialect | undefined;
  readonly speaker: Speaker | undefined;
  readonly db: Db;
  readonly realClock: Clock;
}

export type AnswerNotFound = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Preflights of one remote address, from origins that no key lists, that are looked up. */
const preflightsPerAddressPerMinute = 60;
/** No listed origin is longer. */
const originMax = 255;

/** Makes what answers requests that no route takes: preflights, other methods of a path, and paths that there are not. */
export function createNotFound(needs: NotFoundNeeds): AnswerNotFound {
  const { contracts, answers, origins, speaker } = needs;
  const methodsOf = createMethodFinder(contracts);
  const nearPath = createNearPathFinder(contracts);
  const isListed = createListedOrigins(needs);
  const refusalOf = (method: string, path: string, methods: readonly string[]): TrellisError => {
    const meant = nearPath(method, path, methods.length > 0);
    const hint = meant === undefined ? {} : { suggestion: `Did you mean ${meant}?` };
    if (methods.length === 0) return routeNotFound(path, hint, needs.dialect);
    const message = `${method} is not supported here; use ${methods.join(" or ")}.`;
    return new TrellisError("method_not_allowed", { message, ...hint });
  };
  return async (request, reply) => {
    const path = pathOf(request.url);
    const methods = methodsOf(path);
    const isAllowed = allowOrigin(request, reply, origins);
    if (methods.length > 0 && isPreflight(request)) {
      reply.header("vary", "origin");
      if (isAllowed) return answerPreflight(reply, methods, speaker?.headers ?? []);
      if (await isListed(request)) {
        letRead(reply, request.headers.origin);
        return answerPreflight(reply, methods, speaker?.headers ?? []);
      }
    }
    if (methods.length > 0) reply.header("allow", methods.join(", "));
    return answers.sendError(refusalOf(request.method, path, methods), request, reply);
  };
}

function routeNotFound(
  path: string,
  hint: { readonly suggestion?: string },
  dialect: Dialect | undefined,
): TrellisError {
  const suggestion = `Paths begin with /api/service/v1; ${openApiContract.path} has all of them.`;
  const unspoken = dialect === undefined ? dialectOfPath(path) : undefined;
  const spoken =
    unspoken === undefined
      ? {}
      : { suggestion: `This service does not speak that dialect: start it with TRELLIS_DIALECT=${unspoken}.` };
  return new TrellisError("route_not_found", { suggestion, ...hint, ...spoken });
}

/** A preflight shows no key: it is answered where any publishable key is for pages of this origin. */
function createListedOrigins({ db, realClock }: Pick<NotFoundNeeds, "db" | "realClock">) {
  const pages = createPageOrigins({ db, clock: realClock });
  const strangers = createRateLimiter(preflightsPerAddressPerMinute);
  return async (request: FastifyRequest): Promise<boolean> => {
    const { origin = "" } = request.headers;
    if (origin.length > originMax) return false;
    const bucket = addressBucket(remoteAddressOf(request));
    // One that was listed lately costs a question in seconds at most, however many ask.
    if (!strangers.peek(bucket, realClock.now()).allowed && !pages.isFamiliar(origin)) return false;
    const listed = await pages.isListed(origin);
    if (!listed) strangers.take(bucket, realClock.now());
    return listed;
  };
}
