import type { FastifyRequest } from "fastify";
import type { Keyring } from "../core/crypto/envelope.js";
import { isFinalAnswer } from "../core/idempotency/final-answer.js";
import { fingerprintOf, operationIdOf, parseIdempotencyKey } from "../core/idempotency/idempotency-key.js";
import {
  beginIdempotent,
  finishIdempotent,
  type IdempotencyScope,
  releaseIdempotent,
  renewIdempotent,
  type StoredAnswer,
} from "../core/idempotency/idempotency-store.js";
import type { Contract } from "../endpoint.js";
import { TrellisError } from "../errors.js";
import { limits } from "../limits.js";
import type { Clock } from "../ports/clock.js";
import type { Db } from "../ports/database.js";
import type { Log } from "../ports/log.js";
import type { Random } from "../ports/random.js";
import { errorAnswer } from "./error-answer.js";
import { headerText } from "./request-context.js";
import { filledPathOf } from "./route-path.js";

/** Whether idempotency keys count for an operation (gap 6). */
export function isIdempotent(contract: Pick<Contract, "method" | "idempotent" | "scope">): boolean {
  return contract.method !== "GET" && contract.idempotent !== false && contract.scope !== null;
}

/** Runs requests at most once per idempotency key (gap 6). */
export interface IdempotentRuns {
  /** The answer of `run`, or the recorded one. Requests without a key simply run. Throws what `run` throws. */
  run(request: FastifyRequest, pathPattern: string, run: Run): Promise<StoredAnswer>;
}

/** `operationId` is the same for every attempt under one key; undefined without a key. */
type Run = (request: FastifyRequest, operationId: string | undefined) => Promise<StoredAnswer>;

/** `clock` is real time; `log` hears of answers that could not be stored. */
export function createIdempotentRuns(needs: {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}): IdempotentRuns {
  const { db, keyring, clock, random, log } = needs;
  const secret = keyring.deriveSecret("idempotency");

  /** What a run came to, as it is to be recorded; undefined when it is not final. */
  async function execute(
    request: FastifyRequest,
    operationId: string,
    run: Run,
  ): Promise<{ readonly answer: StoredAnswer } | { readonly thrown: unknown }> {
    try {
      return { answer: await run(request, operationId) };
    } catch (thrown) {
      if (!(thrown instanceof TrellisError)) return { thrown };
      const { status, code, headers, body } = errorAnswer(thrown, request.id, clock.now());
      return isFinalAnswer(status, code) ? { answer: { status, headers, body } } : { thrown };
    }
  }

  return {
    run: async (request, pathPattern, run) => {
      const { caller, headers } = request;
      const key = parseIdempotencyKey(headerText(headers["x-idempotency-key"]), headerText(headers["idempotency-key"]));
      if (key === undefined || !caller) return run(request, undefined);
      const scope: IdempotencyScope = {
        tenantId: caller.tenantId,
        environment: request.network?.name ?? "none",
        method: request.method,
        path: filledPathOf(pathPattern, request.params as Record<string, unknown>),
        key,
      };
      const fingerprint = fingerprintOf(secret, {
        method: scope.method,
        path: scope.path,
        search: searchOf(request.url),
        bodyText: request.bodyText,
      });
      const attemptId = random.uuid();
      const begun = await beginIdempotent(db, keyring, { scope, fingerprint, attemptId, now: clock.now() });
      if (begun.kind === "reused") throw new TrellisError("idempotency_key_reused");
      if (begun.kind === "in_progress") throw new TrellisError("idempotency_in_progress", { retryAfterSeconds: 1 });
      if (begun.kind === "replay") {
        return { ...begun.answer, headers: { ...begun.answer.headers, "idempotent-replayed": "true" } };
      }

      const report = (err: unknown) => log.error({ err, request_id: request.id }, "idempotency record not written");
      const renewal = setInterval(() => {
        renewIdempotent(db, { scope, attemptId, now: clock.now() }).catch(report);
      }, limits.idempotencyLeaseMs / 3);
      try {
        const outcome = await execute(request, operationIdOf(secret, scope, fingerprint), run);
        if ("thrown" in outcome) {
          await releaseIdempotent(db, { scope, attemptId }).catch(report);
          throw outcome.thrown;
        }
        // The effect has happened: the caller is told of it even when it could not be recorded.
        await finishIdempotent(db, keyring, { scope, attemptId, answer: outcome.answer }).catch(report);
        return outcome.answer;
      } finally {
        clearInterval(renewal);
      }
    },
  };
}

function searchOf(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}
