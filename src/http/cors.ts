import type { FastifyReply, FastifyRequest } from "fastify";

/** Browser origins that may call, or any (gap 8). */
export type AllowedOrigins = ReadonlySet<string> | "any";

const allowedHeaders =
  "authorization, content-type, x-service-environment, x-idempotency-key, idempotency-key, x-request-id, x-session-token, solana-client";
const exposedHeaders =
  "x-request-id, x-next-cursor, x-complete-at, idempotent-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after";
const preflightSeconds = "7200";

/**
 * Lets an allowed origin read the answer; says nothing to others. Keys travel in a header, never in a cookie, so that
 * credentials are not allowed.
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origins: AllowedOrigins): boolean {
  if (origins === "any") {
    reply.header("access-control-allow-origin", "*");
  } else {
    if (origins.size === 0) return false;
    reply.header("vary", "origin");
    const { origin } = request.headers;
    if (origin === undefined || !origins.has(origin)) return false;
    letRead(reply, origin);
    return true;
  }
  reply.header("access-control-expose-headers", exposedHeaders);
  return true;
}

/** Lets pages of this origin read the answer. */
export function letRead(reply: FastifyReply, origin: string | undefined): void {
  if (origin === undefined) return;
  reply.header("vary", "origin");
  reply.header("access-control-allow-origin", origin);
  reply.header("access-control-expose-headers", exposedHeaders);
}

/** Whether a browser asks beforehand if it may call. */
export function isPreflight(request: FastifyRequest): boolean {
  return (
    request.method === "OPTIONS" &&
    request.headers.origin !== undefined &&
    request.headers["access-control-request-method"] !== undefined
  );
}

/**
 * Answers a preflight request for a path that knows these methods; `allowOrigin` has been called before. `moreHeaders` are
 * a dialect's.
 */
export function answerPreflight(
  reply: FastifyReply,
  methods: readonly string[],
  moreHeaders: readonly string[] = [],
): FastifyReply {
  return reply
    .code(204)
    .header("access-control-allow-methods", methods.join(", "))
    .header("access-control-allow-headers", [allowedHeaders, ...moreHeaders].join(", "))
    .header("access-control-max-age", preflightSeconds)
    .send();
}
