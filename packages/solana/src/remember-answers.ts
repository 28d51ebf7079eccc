import { isJsonRpcPayload, type RpcTransport } from "@solana/kit";
import { stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { transactionQuestion } from "./transaction-question.js";

/** What is remembered of a method, and how. */
interface Terms {
  /** How long an answer is good for further questions of the same wording, in milliseconds of real time. */
  readonly forMs: number;
  /** Answers at hand; beyond this the oldest goes. */
  readonly most: number;
  /** Whether a question is one of these; all are where it is absent. */
  readonly asks?: (params: readonly unknown[]) => boolean;
  /** Whether an answer is one to keep; all results are where it is absent. */
  readonly keeps?: (result: unknown) => boolean;
  /** The answer is the same, whatever the question's parameters are. */
  readonly isOne?: true;
}

/** What is remembered, by the name of the method. */
export type RememberedAnswers = ReadonlyMap<string, Terms>;

/**
 * What is remembered of a cluster.
 *
 * - The rent minimum changes with a release of the cluster's software, at the start of an epoch, which takes two days. Who
 *   still has the former one builds a transaction that a simulation refuses, or puts aside too much.
 * - A bid stands in a transaction for up to a minute anyway. One made of a half-minute-old answer is too low or too high by
 *   what the market moved meanwhile: the transaction lands later, or costs more, within the cap in either case.
 * - What a landed transaction did does not change, though a cluster may drop one that it has called confirmed. So only those share it who
 *   write down what moved; who decides whether something has landed asks in other words, and afresh.
 */
export const rememberedOfCluster: RememberedAnswers = new Map<string, Terms>([
  ["getMinimumBalanceForRentExemption", { forMs: 3_600_000, most: 1_000 }],
  ["getRecentPrioritizationFees", { forMs: 30_000, most: 1_000 }],
  [
    "getTransaction",
    { forMs: 20_000, most: 500, asks: isTransactionQuestion, keeps: (found) => hasMeta(found) && isSmall(found) },
  ],
]);

function isTransactionQuestion([, options]: readonly unknown[]): boolean {
  if (typeof options !== "object" || options === null) return false;
  const wanted = Object.entries(transactionQuestion);
  return (
    Object.keys(options).length === wanted.length &&
    wanted.every(([name, value]) => Reflect.get(options, name) === value)
  );
}

/** A node that does not have a transaction, or not what it did, may have it at once. */
const hasMeta = (found: unknown): boolean =>
  typeof found === "object" &&
  found !== null &&
  "meta" in found &&
  typeof found.meta === "object" &&
  found.meta !== null;

/** What an answer may hold to be kept, in characters and members: a payment has a fourth of it. Anybody can make one that has a thousand times as much. */
const sizeMax = 20_000;

function isSmall(answer: unknown): boolean {
  let left = sizeMax;
  const take = (value: unknown): void => {
    left -= typeof value === "string" ? value.length : 1;
    if (left < 0 || typeof value !== "object" || value === null) return;
    for (const member of Object.values(value)) {
      take(member);
      if (left < 0) return;
    }
  };
  take(answer);
  return left >= 0;
}

interface Answer {
  readonly response: Promise<unknown>;
  readonly until: number;
}

/**
 * Gives the answers to questions that hardly change from the memory of this process, also to those who ask while the
 * first one is still waiting. What a balance is, or an account holds, is never among them. Only results are kept, no errors.
 */
export function rememberAnswers(transport: RpcTransport, realClock: Clock, termsOf: RememberedAnswers): RpcTransport {
  const byMethod = new Map([...termsOf.keys()].map((method) => [method, new Map<string, Answer>()]));
  return <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
    const { payload } = request;
    if (!isJsonRpcPayload(payload)) return transport<Response>(request);
    const [terms, answers] = [termsOf.get(payload.method), byMethod.get(payload.method)];
    const params = Array.isArray(payload.params) ? payload.params : [];
    if (terms === undefined || answers === undefined || terms.asks?.(params) === false)
      return transport<Response>(request);
    const now = realClock.now();
    const question = terms.isOne ? "" : stringifyJsonWithBigInts(params);
    const known = answers.get(question);
    if (known && now < known.until) return known.response as Promise<Response>;
    // In the order of asking: what is asked anew moves to the end.
    answers.delete(question);
    const response = transport<Response>(request);
    const answer = { response, until: now + terms.forMs };
    answers.set(question, answer);
    for (const [oldest, { until }] of answers) {
      if (answers.size <= terms.most && now < until) break;
      answers.delete(oldest);
    }
    const forget = () => {
      if (answers.get(question) === answer) answers.delete(question);
    };
    response.then((reported) => {
      const hasResult = typeof reported === "object" && reported !== null && "result" in reported;
      if (!hasResult || terms.keeps?.(reported.result) === false) forget();
    }, forget);
    return response;
  };
}
