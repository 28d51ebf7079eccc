import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { FastifyInstance } from "fastify";
import type { Answers } from "./answers.js";
import { refuseExpectation } from "./client-error.js";
import type { Speaker } from "./dialects/speaker.js";
import type { AnswerNotFound } from "./not-found.js";

export interface HookNeeds {
  readonly answers: Answers;
  readonly answerNotFound: AnswerNotFound;
  readonly speaker: Speaker | undefined;
  readonly realClock: Clock;
  readonly random: Random;
  /** How long a client that takes an answer may take nothing of it, in milliseconds. Default: 30 seconds. */
  readonly stalledAnswerMs?: number;
}

/** A client that takes nothing of its answer for this long has left, or means harm: the answer lies in memory meanwhile. */
const stalledAfterMs = 30_000;

/** What happens to every request and every answer, whatever the route. */
export function addHooks(app: FastifyInstance, needs: HookNeeds): void {
  const { answers, answerNotFound, realClock, random } = needs;
  app.decorateRequest("caller", null);
  app.decorateRequest("network", null);
  app.decorateRequest("bodyText", "");
  app.decorateRequest("refusal", "");
  app.setErrorHandler((error, request, reply) => answers.sendError(error, request, reply));
  app.setNotFoundHandler(answerNotFound);
  refuseEarly(app, needs);
  boundConnections(app, needs.stalledAnswerMs ?? stalledAfterMs);
  app.addHook("onResponse", (request, reply, done) => {
    answers.note(request, reply);
    done();
  });
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    refuseExpectation(request, response, random.uuid(), realClock.now());
  });
}

/** At once: a body that no endpoint asked for is not read. */
function refuseEarly(app: FastifyInstance, { answers, answerNotFound, speaker }: HookNeeds): void {
  const { begin, sendError } = answers;
  app.addHook("onRequest", (request, reply, done) => {
    begin(request, reply);
    speaker?.hearHeaders(request);
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      sendError(new TrellisError("invalid_request", { message: "The Host header is missing." }), request, reply);
    } else if (!isWellEscaped(request.url)) {
      const message = "The URL has bytes or percent-escapes that are not UTF-8. Escape a percent sign itself as %25.";
      sendError(new TrellisError("invalid_request", { message }), request, reply);
    } else if (request.is404) answerNotFound(request, reply).catch((error) => sendError(error, request, reply));
    else done();
  });
}

/** No connection outlives a server that drains, or a client that takes nothing. */
function boundConnections(app: FastifyInstance, stalledAnswerMs: number): void {
  let draining = false;
  app.addHook("preClose", (done) => {
    draining = true;
    done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    // A connection kept alive past its last answer would hold up the close until it times out.
    if (draining) reply.header("connection", "close");
    // Until all of it is on its way; Node sets its own limits again between requests.
    const { socket } = request.raw;
    if (socket instanceof Socket) socket.setTimeout(stalledAnswerMs);
    done(null, payload);
  });
}

/** What is not, frameworks leave as it arrived, or read as something else. */
function isWellEscaped(url: string): boolean {
  if (!/[%\x80-\uffff]/.test(url)) return true;
  if (/[\x80-\uffff]/.test(url)) return false;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
