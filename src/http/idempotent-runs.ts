import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Caller, Contract } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { type Finality, finalityOf } from "@trellis/kernel/idempotency/final-answer.js";
import { fingerprintOf, operationIdOf, parseIdempotencyKey } from "@trellis/kernel/idempotency/idempotency-key.js";
import {
  beginIdempotent,
  completeIdempotent,
  type IdempotencyScope,
  releaseIdempotent,
  renewIdempotent,
  type StoredAnswer,
  yieldIdempotent,
} from "@trellis/kernel/idempotency/idempotency-store.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { FastifyRequest } from "fastify";
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
  run(
    request: FastifyRequest,
    contract: Pick<Contract, "path" | "preparesOnly" | "answersOneKey">,
    run: Run,
  ): Promise<StoredAnswer>;
  /** Gives up on records that could not be written yet. */
  stop(): void;
}

/** The result of a handler. */
export interface Outcome {
  readonly answer: StoredAnswer;
  readonly finality: Finality;
}

/** `operationId` is the same for every attempt under one key; undefined without a key. */
type Run = (request: FastifyRequest, operationId: string | undefined) => Promise<Outcome>;

/** How soon a record that could not be written is tried again, in milliseconds of real time. */
const firstWaitMs = 250;
const longestWaitMs = 2_000;

/** `clock` is real time; `log` hears of records that could not be written. */
export function createIdempotentRuns(needs: {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}): IdempotentRuns {
  const { db, keyring, clock, random, log } = needs;
  const secret = keyring.deriveSecret("idempotency");
  const waiting = new Set<ReturnType<typeof setTimeout>>();
  let isStopped = false;

  /** The result of a run, and what is to be left behind. An error that is final has become an answer. */
  async function execute(
    request: FastifyRequest,
    operationId: string,
    run: Run,
  ): Promise<Outcome | { readonly thrown: unknown; readonly finality: Finality }> {
    try {
      return await run(request, operationId);
    } catch (thrown) {
      if (!(thrown instanceof TrellisError)) return { thrown, finality: "open" };
      const finality = finalityOf(thrown);
      if (finality !== "final") return { thrown, finality };
      const { status, headers, body } = errorAnswer(thrown, request.id, clock.now());
      return { answer: { status, headers, body }, finality };
    }
  }

  function leave(
    attempt: { readonly scope: IdempotencyScope; readonly attemptId: string },
    outcome: Outcome | { readonly thrown: unknown; readonly finality: Finality },
  ): Promise<void> {
    if (outcome.finality === "refused") return releaseIdempotent(db, attempt);
    if (outcome.finality === "open" || "thrown" in outcome) return yieldIdempotent(db, attempt);
    return completeIdempotent(db, keyring, { ...attempt, answer: outcome.answer });
  }

  /**
   * Writes what an attempt leaves behind. While the database cannot be reached it is tried again behind the answer's
   * back, for as long as the attempt's lease can hold the key: no caller is to wait for a lease that no process uses.
   */
  async function persist(write: () => Promise<void>, report: (error: unknown) => void): Promise<void> {
    const tryAgain = (waitMs: number, leftMs: number) => {
      const timer = setTimeout(() => {
        waiting.delete(timer);
        write().catch((error: unknown) => {
          if (leftMs > waitMs && !isStopped) tryAgain(Math.min(waitMs * 2, longestWaitMs), leftMs - waitMs);
          else report(error);
        });
      }, waitMs).unref();
      waiting.add(timer);
    };
    await write().catch((error: unknown) => {
      report(error);
      tryAgain(firstWaitMs, limits.idempotencyLeaseMs);
    });
  }

  return {
    stop: () => {
      isStopped = true;
      for (const timer of waiting) clearTimeout(timer);
      waiting.clear();
    },
    run: async (request, { path, preparesOnly = false, answersOneKey = false }, run) => {
      const { caller, headers } = request;
      const key = parseIdempotencyKey(headerText(headers["x-idempotency-key"]), headerText(headers["idempotency-key"]));
      if (key === undefined || !caller) return (await run(request, undefined)).answer;
      const scope: IdempotencyScope = {
        tenantId: caller.tenantId,
        environment: request.network?.name ?? "none",
        method: request.method,
        path: filledPathOf(path, request.params as Record<string, unknown>),
        key: ownKey(caller, key),
      };
      const fingerprint = fingerprintOf(secret, {
        method: scope.method,
        path: scope.path,
        search: searchOf(request.url),
        body: request.body,
        bodyText: request.bodyText,
        holder: answersOneKey ? caller.apiKeyId : undefined,
      });
      const attemptId = random.uuid();
      const attempt = { scope, attemptId };
      const report = (err: unknown) =>
        log.error(
          { event: "idempotency_record_unwritten", err, request_id: request.id },
          "idempotency record could not be written",
        );
      const begun = await beginIdempotent(db, keyring, { ...attempt, fingerprint, now: clock.now() }).catch(
        async (error: unknown) => {
          // The claim may have been made although its answer was lost.
          await persist(() => yieldIdempotent(db, attempt), report);
          throw error;
        },
      );
      if (begun.kind === "reused") throw new TrellisError("idempotency_key_reused");
      if (begun.kind === "in_progress") throw new TrellisError("idempotency_in_progress", { retryAfterSeconds: 1 });
      if (begun.kind === "replay") {
        return { ...begun.answer, headers: { ...begun.answer.headers, "idempotent-replayed": "true" } };
      }

      const renewal = setInterval(() => {
        renewIdempotent(db, { ...attempt, now: clock.now() }).catch(report);
      }, limits.idempotencyLeaseMs / 3);
      const outcome = await execute(request, operationIdOf(secret, scope, fingerprint), run).finally(() =>
        clearInterval(renewal),
      );
      if (preparesOnly && !("thrown" in outcome)) {
        await leave(attempt, outcome).catch(async (error: unknown) => {
          report(error);
          await persist(() => yieldIdempotent(db, attempt), report);
          throw error;
        });
        return outcome.answer;
      }
      // The effect may have happened: the response reports it even when it could not be recorded.
      await persist(() => leave(attempt, outcome), report);
      if ("thrown" in outcome) throw outcome.thrown;
      return outcome.answer;
    },
  };
}

/**
 * A key as it is kept. A member of the console, an agent's API key, and a holder of a publishable key, has keys of its own: no caller gets the answer of another, and none
 * takes a key that another caller, or the tenant's server, is about to use (gap 123). No key has the character between.
 */
function ownKey(caller: Caller, key: string): string {
  if (caller.member !== undefined || caller.agent !== undefined) return `${caller.apiKeyId}\n${key}`;
  if (!caller.isPublishable) return key;
  // By the holder and not by the session: a retry may follow a refresh.
  return `${holderOf(caller) ?? caller.apiKeyId}\n${key}`;
}

function holderOf({ session }: Caller): string | undefined {
  return session?.kind === "wallet" ? session.wallet : session?.userId;
}

function searchOf(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}
