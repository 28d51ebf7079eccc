import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Metrics } from "@trellis/kernel/ports/metrics.js";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { RequestLog } from "../requests/request-log.js";
import type { Speaker } from "./dialects/speaker.js";
import { jsonContentType } from "./endpoint-route.js";
import { errorAnswer, toTrellisError } from "./error-answer.js";
import { noteRequest } from "./note-request.js";
import { remoteAddressOf } from "./request-context.js";

/** What every answer has in common, whatever code makes it. */
export interface Answers {
  /** The headers that every answer has. */
  begin(request: FastifyRequest, reply: FastifyReply): void;
  sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply;
  /** One line in the log, one count, and where it may be asked for later a note. */
  note(request: FastifyRequest, reply: FastifyReply): void;
}

export interface AnswerNeeds {
  readonly realClock: Clock;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, "requestAnswered">;
  readonly requestLog?: Pick<RequestLog, "note">;
  readonly speaker: Speaker | undefined;
}

export function createAnswers({ realClock, logger, metrics, requestLog, speaker }: AnswerNeeds): Answers {
  return {
    begin: (request, reply) => {
      reply.header("x-request-id", request.id);
      reply.header("cache-control", "no-store");
      reply.header("x-content-type-options", "nosniff");
      reply.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    },
    sendError: (thrown, request, reply) => {
      const error = toTrellisError(thrown);
      if (error.status >= 500) {
        logger.error(
          { event: "request_failed", err: thrown, request_id: request.id, route: request.routeOptions.url },
          "request failed",
        );
      }
      const { status, code, headers, body } = errorAnswer(error, request.id, realClock.now());
      request.refusal = code;
      reply.code(status).header("content-type", jsonContentType);
      for (const name in headers) reply.header(name, headers[name]);
      return reply.send(speaker?.isSpokenBy(request) ? speaker.sayError(body) : body);
    },
    note: (request, reply) => {
      logger.info({ event: "request_answered", ...lineOf(request, reply) }, "request answered");
      metrics?.requestAnswered({
        operation: request.routeOptions.config?.operation ?? "other",
        status: reply.statusCode,
        seconds: reply.elapsedTime / 1000,
        code: request.refusal === "" ? undefined : request.refusal,
      });
      if (requestLog) noteRequest(requestLog, realClock, request, reply);
    },
  };
}

function lineOf(request: FastifyRequest, reply: FastifyReply): object {
  return {
    request_id: request.id,
    tenant: request.caller?.tenantId,
    ...(reply.statusCode < 400
      ? {}
      : { code: request.refusal, key: request.caller?.apiKeyId, remote: remoteAddressOf(request) }),
    environment: request.network?.name,
    method: request.method,
    route: request.routeOptions.url ?? "unknown",
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 100) / 100,
  };
}
