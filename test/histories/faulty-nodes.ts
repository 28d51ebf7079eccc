import type { RpcTransport } from "@solana/kit";
import type { Draw } from "./draw.js";
import type { ProcessLife } from "./process-life.js";
import type { Timeline } from "./timeline.js";

/** What is wrong with one node. */
export interface NodeFaults {
  /** Added to the heights it reports: it runs ahead of the truth, or lags behind, and then knows nothing newer. */
  readonly skewBlocks: number;
  /** It has lost its history, and does not say so. */
  readonly forgets: boolean;
  /** It was started anew: it knows nothing from before this slot, and says so. */
  readonly ledgerStart: bigint;
  /** It always answers questions about heights. */
  readonly steadyHeights: boolean;
}

/** What is wrong between the services and the chain. In percent of the requests. */
export interface Faults {
  /** Neither the chain hears of it nor the caller. */
  readonly dropped: number;
  /** The chain has it, and the answer is lost. */
  readonly unanswered: number;
  /** The answer arrives, but late. */
  readonly slow: number;
  /** The caller has given up when it arrives at the chain, up to minutes later. */
  readonly late: number;
  /** It arrives once more, up to minutes later. */
  readonly doubled: number;
  /** The node says that it is unwell. */
  readonly unwell: number;
  /** A transaction is accepted and forgotten. */
  readonly swallowed: number;
  /** The newest blockhash is an old one. */
  readonly stale: number;
  /** An unknown transaction is said to be executed, on a fork. */
  readonly phantom: number;
}

export const noFaults: Faults = {
  dropped: 0,
  unanswered: 0,
  slow: 0,
  late: 0,
  doubled: 0,
  unwell: 0,
  swallowed: 0,
  stale: 0,
  phantom: 0,
};

export const honestNode: NodeFaults = { skewBlocks: 0, forgets: false, ledgerStart: 0n, steadyHeights: true };

/** The way from processes to the chain. */
export interface FaultyChain {
  /** Answers one JSON-RPC request as the chain does. */
  readonly handle: (payload: unknown) => Promise<unknown>;
  readonly faults: () => Faults;
  /** Gets every transaction at the moment a process sends it; base64. */
  readonly onSend: (wire: string) => Promise<void>;
  /** Blockhashes that were reported before with their last blocks, oldest first; this grows. */
  readonly blockhashes: unknown[];
  /** Where there are many transactions: what brings them to the chain several at once. Absent: each arrives alone. */
  readonly convoys?: Convoys;
}

/** Has what leaves within moments arrive together, so that the chain stores it together. */
export interface Convoys {
  /** `send` reaches the chain in `travelMs` or a little later, and gives what is to be done with the answer. */
  join(travelMs: number, send: () => Promise<() => void>): void;
}

/** Convoys that arrive so many milliseconds apart. */
export function createConvoys(timeline: Timeline, apartMs: number): Convoys {
  const onTheWay = new Map<number, (() => Promise<() => void>)[]>();
  return {
    join: (travelMs, send) => {
      const arrival = Math.ceil((timeline.now() + travelMs) / apartMs) * apartMs;
      const others = onTheWay.get(arrival);
      if (others) {
        others.push(send);
        return;
      }
      const sends = [send];
      onTheWay.set(arrival, sends);
      timeline.at(arrival, async () => {
        onTheWay.delete(arrival);
        for (const answer of await Promise.all(sends.map((each) => each()))) answer();
      });
    },
  };
}

type Fate = keyof Faults | "fine";
type Answer = { readonly result?: unknown; readonly error?: unknown };

const furthestMs = 180_000;
const reportBlockhashes = ["getLatestBlockhash", "simulateTransaction"];
const heightMethods = ["getBlockHeight", "getEpochInfo", "getGenesisHash"];

/** kit's way to one node, for one process: requests and answers travel in virtual time, and meet with faults. */
export function connectFaulty(
  parts: {
    readonly timeline: Timeline;
    readonly draw: Draw;
    readonly life: ProcessLife;
    readonly chain: FaultyChain;
    readonly label: string;
    readonly node: () => NodeFaults;
  },
  timeoutMs: number,
): RpcTransport {
  const { timeline, draw, life, chain, label } = parts;
  const after = (ms: number, run: () => Promise<void> | void) => timeline.at(timeline.now() + ms, run);

  const drawFate = (method: string): Fate => {
    const isSteady = parts.node().steadyHeights && heightMethods.includes(method);
    let left = draw.below(100);
    for (const [fate, chance] of Object.entries(chain.faults()) as [Fate, number][]) {
      if (fate === "swallowed" && method !== "sendTransaction") continue;
      if (fate === "stale" && !reportBlockhashes.includes(method)) continue;
      if (fate === "phantom" && method !== "getSignatureStatuses") continue;
      if (left < chance) return isSteady ? "fine" : fate;
      left -= chance;
    }
    return "fine";
  };

  return <Response>({ payload }: { payload: unknown }): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { id, method, params } = payload as { id: unknown; method: string; params: readonly unknown[] };
      const give = (answer: unknown) => {
        if (life.step(`hears of ${method} from ${label}`)) resolve(answer as Response);
      };
      const fail = (error: Error) => {
        if (life.step(`hears nothing of ${method} from ${label}`)) reject(error);
      };
      const ask = async () => {
        if (method === "getTransaction" && parts.node().forgets) return { jsonrpc: "2.0", id, result: null };
        return bend(method, (await chain.handle(payload)) as Answer, parts.node(), chain);
      };
      const result = (value: unknown) => ({ jsonrpc: "2.0", id, result: value });
      const broken = () => new TypeError(`the connection to ${label} broke`);

      after(draw.between(0, 2), async () => {
        if (!life.step(`asks ${label} ${method}`)) return;
        if (method === "sendTransaction") await chain.onSend(String(params[0]));
        const fate = drawFate(method);
        const travelMs = draw.between(1, 60);
        switch (fate) {
          case "dropped":
            if (draw.percent(30)) after(timeoutMs, () => fail(timeoutError()));
            else after(travelMs, () => fail(broken()));
            return;
          case "unanswered":
            after(travelMs, async () => {
              await chain.handle(payload);
              fail(broken());
            });
            return;
          case "slow":
            after(travelMs, async () => {
              const answer = await ask();
              after(draw.between(0, timeoutMs - 1), () => give(answer));
            });
            return;
          case "late":
            after(timeoutMs, () => fail(timeoutError()));
            after(timeoutMs + draw.between(1, furthestMs), async () => {
              await chain.handle(payload);
            });
            return;
          case "doubled":
            after(travelMs, async () => give(await ask()));
            after(travelMs + draw.between(1, furthestMs), async () => {
              await chain.handle(payload);
            });
            return;
          case "unwell":
            after(travelMs, () => give({ jsonrpc: "2.0", id, error: { code: -32005, message: "Node is behind" } }));
            return;
          case "swallowed":
            after(travelMs, () => give(result("1".repeat(64))));
            return;
          case "stale": {
            const old = chain.blockhashes[draw.below(Math.max(1, chain.blockhashes.length))];
            after(travelMs, async () => give(withBlockhash(await ask(), old)));
            return;
          }
          case "phantom":
            after(travelMs, async () => {
              const answer = await ask();
              give(isUnknown(answer) ? result({ context: { slot: 1 }, value: [executedOnAFork] }) : answer);
            });
            return;
          default:
            if (method !== "sendTransaction" || !chain.convoys) {
              after(travelMs, async () => give(await ask()));
              return;
            }
            chain.convoys.join(travelMs, async () => {
              const answer = await ask();
              return () => give(answer);
            });
        }
      });
    });
}

const executedOnAFork = { slot: 1, confirmations: 0, confirmationStatus: "processed", err: null, status: { Ok: null } };

function timeoutError(): Error {
  return new DOMException("The operation was aborted due to timeout", "TimeoutError");
}

/** The chain's answer as this node reports it. */
function bend(method: string, answer: Answer, node: NodeFaults, chain: FaultyChain): Answer {
  if (answer.result === undefined) return answer;
  if (method === "getBlockHeight") return { ...answer, result: atLeastZero(BigInt(String(answer.result)), node) };
  if (method === "getEpochInfo") {
    const info = answer.result as { readonly absoluteSlot: unknown; readonly blockHeight: unknown };
    const height = atLeastZero(BigInt(String(info.blockHeight)), node);
    return { ...answer, result: { ...info, absoluteSlot: height, blockHeight: height } };
  }
  const reported = blockhashIn(answer);
  if (reported !== undefined) chain.blockhashes.push(reported);
  if (method === "getFirstAvailableBlock") return { ...answer, result: Number(node.ledgerStart) };
  if (method === "getTransaction" && answer.result !== null) {
    const { slot } = answer.result as { readonly slot: unknown };
    if (node.forgets || BigInt(String(slot)) < node.ledgerStart) return { ...answer, result: null };
  }
  if (method !== "getSignatureStatuses") return answer;
  const { context, value } = answer.result as {
    readonly context: { readonly slot: unknown };
    readonly value: readonly ({ readonly slot: unknown } | null)[];
  };
  const newest = atLeastZero(BigInt(String(context.slot)), node);
  const knows = (status: { readonly slot: unknown } | null) =>
    status !== null &&
    !node.forgets &&
    BigInt(String(status.slot)) <= newest &&
    BigInt(String(status.slot)) >= node.ledgerStart;
  const at = { ...context, slot: newest };
  return { ...answer, result: { context: at, value: value.map((status) => (knows(status) ? status : null)) } };
}

/** What either question reports of a blockhash; undefined where a simulation had one of its own. */
function blockhashIn({ result }: Answer): unknown {
  const { value } = (result ?? {}) as { readonly value?: Record<string, unknown> | null };
  if (value?.blockhash !== undefined) return value;
  return value?.replacementBlockhash ?? undefined;
}

/** The same answer with another blockhash, where it has one. */
function withBlockhash(answer: Answer, blockhash: unknown): Answer {
  if (blockhash === undefined || blockhashIn(answer) === undefined) return answer;
  const { value, ...rest } = answer.result as { readonly value: Record<string, unknown> };
  const changed = value.blockhash === undefined ? { ...value, replacementBlockhash: blockhash } : blockhash;
  return { ...answer, result: { ...rest, value: changed } };
}

function atLeastZero(height: bigint, { skewBlocks }: NodeFaults): bigint {
  const reported = height + BigInt(skewBlocks);
  return reported < 0n ? 0n : reported;
}

function isUnknown(answer: Answer): boolean {
  return (answer.result as { value?: readonly unknown[] } | undefined)?.value?.[0] === null;
}
