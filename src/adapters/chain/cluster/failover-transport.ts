import { isJsonRpcPayload, type RpcTransport } from "@solana/kit";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { NodeStanding } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { type HeightVerdict, judgeHeights } from "./judge-heights.js";
import {
  connectByHttp,
  faultOf,
  isBehind,
  isNodeError,
  openRpcUrl,
  type RpcConnect,
  type RpcUrl,
  restAskedFor,
} from "./rpc-url.js";

/** What one URL answered. */
export type UrlAnswer<T> =
  | { readonly label: string; readonly answered: true; readonly value: T }
  | { readonly label: string; readonly answered: false; readonly error: unknown };

/** How the URLs of a cluster stand, in the order of the configuration. */
export interface UrlStanding extends NodeStanding {
  readonly label: string;
}

/** One cluster behind several URLs. */
export interface FailoverTransport {
  /**
   * Asks the first URL that is fit, and the next where one fails or has not reached what the request asks for. A request
   * is only ever repeated as it is: a signed transaction goes out again with the same bytes. When no URL does better, the
   * last one's word counts: its answer, or the error that it ended in. Takes `totalMs` at most.
   */
  readonly transport: RpcTransport;
  /**
   * Asks every URL that answered at the last comparison, all at the same time, also those that lag behind or have failed
   * since; only URLs that were silent then, were never seen to belong to this cluster, or are outvoted by at least two
   * others have no say. For decisions that need more than one node's word.
   */
  askEveryUrl<T>(ask: (url: Pick<RpcUrl, "rpc">) => Promise<T>): Promise<readonly UrlAnswer<T>[]>;
  /** Compares all URLs now: who answers, whose chain it is, how high. Does not reject. */
  compare(): Promise<readonly UrlStanding[]>;
  /** How they stood at the last comparison; starts another one when it is time for that. */
  standings(): readonly UrlStanding[];
  /** The same, and starts nothing. */
  lastStandings(): readonly UrlStanding[];
}

export interface FailoverOptions {
  readonly urls: readonly string[];
  readonly genesisHash: string;
  readonly realClock: Clock;
  readonly pause: Pause;
  readonly log: Log;
  readonly timings?: FailoverTimings;
  /** How a URL is reached; over HTTP unless set otherwise. */
  readonly connect?: RpcConnect;
}

/** Milliseconds of real time. */
export interface FailoverTimings {
  /** A URL may take this long for a request. */
  readonly requestMs: number;
  /** All that are asked for one request may take this long together. */
  readonly totalMs: number;
  /** A comparison waits this long for a URL. */
  readonly compareMs: number;
  /** Comparisons are this far apart at least. */
  readonly compareEveryMs: number;
}

const usualTimings: FailoverTimings = {
  requestMs: 10_000,
  totalMs: 20_000,
  compareMs: 3_000,
  compareEveryMs: 10_000,
};
/** A URL that fails is asked last for this long, doubled with every further failure in a row. */
const rest = { firstMs: 1_000, longestMs: 60_000 } as const;
/**
 * Every fit URL is asked once; after the first wait once more those that failed quickly or lag behind, after the second one
 * those that still lag behind. A slot lasts 400 ms: together the waits are worth three.
 */
const waitsMs = [400, 800] as const;

interface UrlState {
  readonly url: RpcUrl;
  /** The same URL with the shorter patience of comparisons. */
  readonly prompt: RpcUrl;
  /** Undefined until it has reported its genesis hash. */
  isOurs: boolean | undefined;
  verdict: HeightVerdict | undefined;
  /** What it reported at the last comparison; undefined: nothing. */
  height: bigint | undefined;
  /** In a row, up to now. */
  failures: number;
  /** Real time, Unix milliseconds. */
  restsUntil: number;
}

/** Puts several URLs of one cluster behind one transport. Nothing is asked before the first `compare`. */
export function createFailoverTransport(options: FailoverOptions): FailoverTransport {
  const { genesisHash, realClock, pause, log } = options;
  const timings = options.timings ?? usualTimings;
  const connect = options.connect ?? connectByHttp;
  const states = options.urls.map(
    (url, index): UrlState => ({
      url: openRpcUrl(connect, url, index + 1, timings.requestMs),
      prompt: openRpcUrl(connect, url, index + 1, timings.compareMs),
      isOurs: undefined,
      verdict: undefined,
      height: undefined,
      failures: 0,
      restsUntil: 0,
    }),
  );
  let comparedAt: number | undefined;
  let comparing: Promise<void> | undefined;

  const noteSuccess = (state: UrlState): void => {
    if (state.failures > 0) log.info({ event: "rpc_url_restored", url: state.url.label }, "RPC URL answers again");
    state.failures = 0;
    state.restsUntil = 0;
  };

  const noteFailure = (state: UrlState, error: unknown): void => {
    if (state.failures === 0)
      log.warn({ event: "rpc_url_failed", url: state.url.label, err: error }, "RPC URL failed: others are asked first");
    const restMs = restAskedFor(error) ?? rest.firstMs * 2 ** Math.min(state.failures, 10);
    state.failures += 1;
    state.restsUntil = realClock.now() + Math.min(restMs, rest.longestMs);
  };

  /** The URL's height, and the first time whose chain it is. Undefined when it does not answer. */
  const readHeight = async (state: UrlState): Promise<bigint | undefined> => {
    try {
      const { rpc } = state.prompt;
      state.isOurs ??= (await rpc.getGenesisHash().send()) === genesisHash;
      if (!state.isOurs) return undefined;
      const height = await rpc.getBlockHeight({ commitment: "confirmed" }).send();
      noteSuccess(state);
      return height;
    } catch (error) {
      noteFailure(state, error);
      return undefined;
    }
  };

  const compareAll = async (): Promise<void> => {
    const heights = await Promise.all(states.map(readHeight));
    const verdicts = [...judgeHeights(heights.filter((height) => height !== undefined))];
    states.forEach((state, i) => {
      state.height = heights[i];
      if (heights[i] === undefined) return;
      const verdict = verdicts.shift();
      if (verdict !== state.verdict && verdict !== "agrees") {
        log.warn(
          { event: "rpc_url_off_height", url: state.url.label, verdict, height: heights[i] },
          "RPC URL is far from the height of the others: it is not asked until it agrees again",
        );
      }
      state.verdict = verdict;
    });
  };

  const compareOnce = (): Promise<void> => {
    comparedAt = realClock.now();
    comparing ??= compareAll().finally(() => {
      comparing = undefined;
    });
    return comparing;
  };

  const compareWhenDue = (): void => {
    const [only, ...others] = states;
    // Alone, and at work: a comparison could show nothing.
    if (others.length === 0 && only?.verdict === "agrees" && only.failures === 0) return;
    if (comparedAt === undefined || realClock.now() - comparedAt >= timings.compareEveryMs) void compareOnce();
  };

  const reportStandings = (): readonly UrlStanding[] =>
    states.map((state, i) => {
      const { height, url } = state;
      return { number: i + 1, label: url.label, origin: url.origin, standing: standingOf(state), height, comparedAt };
    });

  /** Those fit to be asked: the configured order, those that rest last. */
  const fitOnes = (): readonly UrlState[] => {
    const now = realClock.now();
    const agreeing = states.filter(({ isOurs, verdict }) => isOurs === true && verdict === "agrees");
    return [
      ...agreeing.filter(({ restsUntil }) => restsUntil <= now),
      ...agreeing.filter(({ restsUntil }) => restsUntil > now).sort((a, b) => a.restsUntil - b.restsUntil),
    ];
  };

  const transport: RpcTransport = async <Response>(request: Parameters<RpcTransport>[0]) => {
    compareWhenDue();
    const end = realClock.now() + timings.totalMs;
    let word: () => Response = () => {
      throw new Error("no RPC URL is fit to be asked");
    };
    let candidates = fitOnes();
    for (let round = 0; candidates.length > 0; round += 1) {
      const failed: UrlState[] = [];
      const behind: UrlState[] = [];
      for (const [i, state] of candidates.entries()) {
        // What is left is shared among those still to be asked, so that a silent one leaves time for the others.
        const ownMs = Math.min(timings.requestMs, Math.floor((end - realClock.now()) / (candidates.length - i)));
        if (ownMs <= 0) return word();
        try {
          // The URL's own limit is the longer one, unless there are many.
          const asked = ownMs < timings.requestMs ? { ...request, signal: within(ownMs, request.signal) } : request;
          const response = await state.url.transport<Response>(asked);
          const isLate = isBehind(request.payload, response);
          if (!isLate && !isNodeError(response)) {
            noteSuccess(state);
            return response;
          }
          word = () => response;
          if (isLate) {
            behind.push(state);
            continue;
          }
          noteFailure(state, new Error(`the node answered with an error of its own to ${methodOf(request.payload)}`));
          failed.push(state);
        } catch (error) {
          request.signal?.throwIfAborted();
          noteFailure(state, error);
          word = () => {
            throw error;
          };
          if (faultOf(error) !== "slow") failed.push(state);
        }
      }
      candidates =
        round === 0 ? candidates.filter((state) => failed.includes(state) || behind.includes(state)) : behind;
      const waitMs = waitsMs[round];
      if (waitMs === undefined || candidates.length === 0 || realClock.now() + waitMs >= end) break;
      await pause(waitMs);
    }
    return word();
  };

  return {
    transport,
    askEveryUrl: (ask) =>
      Promise.all(
        states
          .filter(({ isOurs, verdict }) => isOurs === true && verdict !== "outvoted")
          // One that answered then and failed since is not left out: it may be the only one that knows.
          .filter(({ height }) => height !== undefined)
          .map(async ({ url }) => {
            try {
              return { label: url.label, answered: true as const, value: await ask(url) };
            } catch (error) {
              return { label: url.label, answered: false as const, error };
            }
          }),
      ),
    compare: async () => {
      await compareOnce();
      return reportStandings();
    },
    standings: () => {
      compareWhenDue();
      return reportStandings();
    },
    lastStandings: reportStandings,
  };
}

function standingOf({ isOurs, verdict, failures }: UrlState): UrlStanding["standing"] {
  if (isOurs === false) return "foreign";
  if (isOurs === undefined || verdict === undefined) return "unseen";
  return verdict === "agrees" && failures > 0 ? "silent" : verdict;
}

/** A signal that ends a request after this time with an error named TimeoutError, or with the caller's own signal. */
function within(ms: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

function methodOf(payload: unknown): string {
  return isJsonRpcPayload(payload) ? payload.method : "a request";
}
