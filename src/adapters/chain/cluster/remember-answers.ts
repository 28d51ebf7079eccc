import { isJsonRpcPayload, type RpcTransport } from "@solana/kit";
import { stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import type { Clock } from "@trellis/kernel/ports/clock.js";

/**
 * How long an answer is good for further questions of the same wording, in milliseconds of real time.
 *
 * - The rent minimum changes with a release of the cluster's software, at the start of an epoch, which takes two days. Who
 *   still has the former one builds a transaction that a simulation refuses, or puts aside too much.
 * - A bid stands in a transaction for up to a minute anyway. One made of a half-minute-old answer is too low or too high by
 *   what the market moved meanwhile: the transaction lands later, or costs more, within the cap in either case.
 * - What a landed transaction did does not change. A cluster may drop one that it has called confirmed: who reads that has read it in time,
 *   and finds out by other questions.
 *
 * `most`: answers at hand; beyond this the oldest goes.
 */
const kept: ReadonlyMap<string, { readonly forMs: number; readonly most: number }> = new Map([
  ["getMinimumBalanceForRentExemption", { forMs: 3_600_000, most: 1_000 }],
  ["getRecentPrioritizationFees", { forMs: 30_000, most: 1_000 }],
  ["getTransaction", { forMs: 20_000, most: 500 }],
]);

interface Answer {
  readonly response: Promise<unknown>;
  readonly until: number;
}

/**
 * Gives the answers to questions that hardly change from the memory of this process, also to those who ask while the
 * first one is still waiting. What a balance is, or an account holds, is never among them. Only results are kept: no errors, and no
 * null, which is that a node does not have it yet.
 */
export function rememberAnswers(transport: RpcTransport, realClock: Clock): RpcTransport {
  const byMethod = new Map([...kept.keys()].map((method) => [method, new Map<string, Answer>()]));
  return <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
    const { payload } = request;
    if (!isJsonRpcPayload(payload)) return transport<Response>(request);
    const [terms, answers] = [kept.get(payload.method), byMethod.get(payload.method)];
    if (terms === undefined || answers === undefined) return transport<Response>(request);
    const question = stringifyJsonWithBigInts(payload.params);
    const known = answers.get(question);
    if (known && realClock.now() < known.until) return known.response as Promise<Response>;
    // In the order of asking: what is asked anew moves to the end.
    answers.delete(question);
    const response = transport<Response>(request);
    const answer = { response, until: realClock.now() + terms.forMs };
    answers.set(question, answer);
    for (const oldest of answers.keys()) {
      if (answers.size <= terms.most) break;
      answers.delete(oldest);
    }
    const forget = () => {
      if (answers.get(question) === answer) answers.delete(question);
    };
    response.then((reported) => {
      if (typeof reported !== "object" || reported === null || !("result" in reported) || reported.result === null)
        forget();
    }, forget);
    return response;
  };
}
