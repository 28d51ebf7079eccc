import { isIP } from "node:net";
import { isAddress } from "@solana/kit";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RequestLog } from "../requests/request-log.js";
import { remoteAddressOf } from "./request-context.js";

/**
 * Notes an answer for the tenant's list of requests (gap 218): what was refused, and what wrote something. A read that succeeded is not noted,
 * as a row for each would cost more than many of them do.
 */
export function noteRequest(
  requestLog: Pick<RequestLog, "note">,
  realClock: Clock,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { caller, method, routeOptions } = request;
  // A path that cannot be decoded is answered by the framework, with a request that has none of its fields.
  if (caller === null || caller === undefined) return;
  // Anybody can have a publishable key refused as often as they like.
  if (caller.isPublishable && request.refusal === "rate_limit_exceeded") return;
  const status = reply.statusCode;
  const { path } = routeOptions.config;
  if (status < 400 && (path === undefined || readingMethods.has(method))) return;
  requestLog.note({
    tenantId: caller.tenantId,
    apiKeyId: caller.apiKeyId,
    isByPage: caller.isPublishable ?? false,
    environment: request.network?.name ?? null,
    requestId: request.id,
    at: Math.round(realClock.now() - reply.elapsedTime),
    method,
    path: path ?? routeOptions.url ?? "unknown",
    account: accountOf(request.params),
    status,
    code: request.refusal === "" ? null : request.refusal,
    durationMs: Math.round(reply.elapsedTime),
    remoteAddress: ipOf(request),
  });
}

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Anything else may stand in the path, and is no address then. Whether it is the tenant's account the database knows. */
function accountOf(params: unknown): string | null {
  const { address } = (params ?? {}) as { address?: unknown };
  return typeof address === "string" && isAddress(address) ? address : null;
}

/** A proxy may have been given anything to pass on. */
function ipOf(request: FastifyRequest): string | null {
  const address = remoteAddressOf(request);
  return isIP(address) === 0 || address.length > addressMax ? null : address;
}

/** Of an IPv6 address with a zone. */
const addressMax = 64;
