import { stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { idOfCall } from "@trellis/kernel/json-rpc-calls.js";
import { limits } from "@trellis/kernel/limits.js";
import type { AnswerRoom } from "@trellis/kernel/ports/answer-room.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network, SandboxFaults, SponsorshipLimits } from "@trellis/kernel/ports/network.js";
import { UnusableEnvironmentError } from "@trellis/kernel/unusable-environment-error.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { mainnetCurrencies } from "@trellis/solana/currencies.js";
import { askNode, type NodeAnswer, OversizeAnswer, parseNodeJson, requireSameId } from "@trellis/solana/node-http.js";
import { createNodeRpc } from "@trellis/solana/node-rpc.js";
import { expectShapes } from "@trellis/solana/node-shapes.js";
import { exactBlockTimes, judgeByOneNode, listByOneNode } from "@trellis/solana/one-node.js";
import { type RememberedAnswers, rememberAnswers, rememberedOfCluster } from "@trellis/solana/remember-answers.js";
import { deriveServiceKey, sandboxExecutorLabel, sandboxFeePayerLabel } from "@trellis/solana/service-key.js";
import { tooLarge } from "../node/call-room.js";
import { createEnvironmentClock } from "../node/environment-clock.js";
import { createRpcSockets } from "../node/rpc-sockets.js";
import { sandboxPaths, sandboxTimeHeader } from "./protocol.js";
import { createRemoteSessions } from "./remote-session.js";

const requestMs = 20_000;
/** What the fee payer is filled up to at every start; it is play money, from the chain's own faucet. */
const feePayerLamports = 1_000_000_000_000n;

/**
 * What is remembered of the process, as of a cluster; and the times of slots, which never change there. What others bid is one answer for
 * all accounts, and remembered for a moment only: another service may have it changed on purpose.
 */
const rememberedOfSandbox: RememberedAnswers = new Map([
  ...rememberedOfCluster,
  ["getBlockTime", { forMs: 60_000, most: 1_000 }],
  ["getRecentPrioritizationFees", { forMs: 1_000, most: 1, isOne: true }],
]);

/** RFC 3339 ends with the year 9999. */
const latestMs = Date.UTC(9999, 11, 31);
/** What is read of the words of a refusal. */
const refusalBytes = 1_000;

/** The network of a sandbox in another process. */
export interface RemoteSandbox {
  readonly network: Network;
  /** Learns the sandbox's present time; every other answer of it brings it too. Throws `chain_unavailable`. */
  follow(): Promise<void>;
}

/**
 * Opens the sandbox of another process (`trellis sandbox`) as a network. `url` holds its key as query parameter
 * `api-key`. The environment clock follows the chain's: real time plus what the last answer showed it to be ahead.
 * Throws UnusableEnvironmentError when that process does not answer or refuses the key.
 */
export async function openRemoteSandbox(parts: {
  readonly url: string;
  readonly keyring: Keyring;
  readonly realClock: Clock;
  readonly sponsorship: SponsorshipLimits;
  readonly log: Log;
}): Promise<RemoteSandbox> {
  const { keyring, realClock } = parts;
  const base = new URL(parts.url);
  const key = base.searchParams.get("api-key") ?? "";
  const clock = createEnvironmentClock(realClock, 0n);
  let asked = 0;
  let heard = 0;

  const post = async (path: string, body: string, take?: AnswerRoom["take"]): Promise<NodeAnswer> => {
    asked += 1;
    const question = asked;
    let answer: NodeAnswer;
    try {
      answer = await askNode({
        url: new URL(path, base.origin),
        body,
        headers: { authorization: `Bearer ${key}` },
        timeoutMs: requestMs,
        ...(take === undefined ? {} : { take }),
      });
    } catch (cause) {
      if (cause instanceof OversizeAnswer) throw cause;
      throw new TrellisError("chain_unavailable", { cause });
    }
    const now = Number(answer.headers[sandboxTimeHeader] ?? Number.NaN);
    // An answer that was overtaken has an old time, unless it is a later one.
    const isTime = Number.isSafeInteger(now) && now >= 0 && now <= latestMs;
    if (isTime && (question > heard || now > clock.now())) {
      heard = Math.max(heard, question);
      clock.setOffsetMs(BigInt(now) - BigInt(Math.floor(realClock.now())));
    }
    if (answer.status === 200 || answer.status === 204) return answer;
    const said = Buffer.from(answer.bytes.subarray(0, refusalBytes)).toString("utf8");
    throw new TrellisError("chain_unavailable", {
      cause: new Error(`the sandbox answered ${answer.status}: ${said}`),
    });
  };
  /** `read` makes the answer of what was received, and throws where that is something else. */
  const control = async <Answer>(
    path: string,
    body: object,
    read: (reported: Readonly<Record<string, unknown>>) => Answer,
  ): Promise<Answer> => {
    try {
      return read(recordOf(parseNodeJson((await post(path, JSON.stringify(body))).bytes)));
    } catch (cause) {
      throw cause instanceof TrellisError ? cause : new TrellisError("chain_unavailable", { cause });
    }
  };
  const handleRpc = async (payload: unknown): Promise<unknown> => {
    const { bytes } = await post("/", stringifyJsonWithBigInts(payload));
    if (bytes.length === 0) return undefined;
    const answer = parseNodeJson(bytes);
    requireSameId(payload, answer);
    return answer;
  };
  const answerRpc = async (text: string, room: AnswerRoom): Promise<Uint8Array | undefined> => {
    try {
      const { bytes } = await post("/", text, room.take);
      return bytes.length === 0 ? undefined : bytes;
    } catch (error) {
      if (error instanceof OversizeAnswer) return Buffer.from(tooLargeFor(text));
      throw error;
    }
  };

  const ask = expectShapes(async <Answer>({ payload }: { payload: unknown }) => (await handleRpc(payload)) as Answer);
  const remember = () => rememberAnswers(ask, realClock, rememberedOfSandbox);
  let remembered = remember();
  const rpc = createNodeRpc((request) => remembered(request));
  const feePayer = deriveServiceKey(keyring, sandboxFeePayerLabel);
  const executor = deriveServiceKey(keyring, sandboxExecutorLabel);
  const airdrop = async (to: string, lamports: bigint) =>
    control(sandboxPaths.airdrop, { to, lamports: lamports.toString() }, signatureIn);
  const follow = async () => {
    await askChain(rpc.getSlot());
  };

  try {
    const { value: held } = await rpc.getBalance(feePayer.address).send();
    if (held * 2n < feePayerLamports) await airdrop(feePayer.address, feePayerLamports - held);
  } catch (cause) {
    const reason = cause instanceof TrellisError ? String((cause.cause as Error | undefined)?.message) : String(cause);
    throw new UnusableEnvironmentError("sandbox", `its process at ${base.host} does not do its work: ${reason}.`);
  }

  const network: Network = {
    name: "sandbox",
    clock: { now: clock.now },
    rpc,
    feePayer,
    executor,
    serviceAddresses: new Set([feePayer.address, executor.address]),
    currencies: mainnetCurrencies,
    sponsorship: parts.sponsorship,
    judgeUnseen: judgeByOneNode(rpc, clock),
    listLanded: listByOneNode(rpc, clock),
    blockTimeOf: exactBlockTimes(rpc),
    landsInOrder: false,
    health: async () => {
      await follow();
      return { ok: true };
    },
    sandbox: {
      advanceClock: (seconds) => control(sandboxPaths.clock, { seconds }, momentIn),
      advanceClockTo: (instant) => control(sandboxPaths.clockTo, { instant }, momentIn),
      airdrop,
      mintTo: async (owner, mint, amount, name) => {
        const body = { owner, mint, amount: amount.toString(), ...(name === undefined ? {} : { name }) };
        return control(sandboxPaths.mint, body, signatureIn);
      },
      readFaults: () => control(sandboxPaths.faults, {}, faultsIn),
      setFaults: async (faults) => {
        try {
          await control(sandboxPaths.faults, { faults }, faultsIn);
        } finally {
          // What has to be bid may be another now, also where the answer was lost.
          remembered = remember();
        }
      },
      handleRpc,
      answerRpc,
      sockets: createRpcSockets(createRemoteSessions(base, key), limits.sandboxSockets, parts.log),
    },
  };
  return { network, follow };
}

function tooLargeFor(question: string): string {
  const { code, message } = tooLarge();
  return JSON.stringify({ error: { code, message }, id: idOfCall(question) ?? null, jsonrpc: "2.0" });
}

function recordOf(reported: unknown): Readonly<Record<string, unknown>> {
  if (typeof reported !== "object" || reported === null)
    throw new Error("the sandbox's process answered something else");
  return reported as Readonly<Record<string, unknown>>;
}

function signatureIn({ signature }: Readonly<Record<string, unknown>>): string {
  if (typeof signature !== "string") throw new Error("the sandbox's process returned no signature");
  return signature;
}

function momentIn({ now, slot }: Readonly<Record<string, unknown>>): { now: number; slot: bigint } {
  if (
    typeof now !== "number" ||
    !Number.isSafeInteger(now) ||
    now < 0 ||
    now > latestMs ||
    typeof slot !== "string" ||
    !/^\d{1,18}$/.test(slot)
  ) {
    throw new Error("the sandbox's process returned no time");
  }
  return { now, slot: BigInt(slot) };
}

function faultsIn({ faults }: Readonly<Record<string, unknown>>): SandboxFaults {
  const { drop, blockhashNotFound, fullBlocks, price, fork, lag } = recordOf(faults);
  const count = (value: unknown): number => {
    if (typeof value !== "number") throw new Error("the sandbox's process returned no faults");
    return value;
  };
  return {
    drop: count(drop),
    blockhashNotFound: count(blockhashNotFound),
    fullBlocks: count(fullBlocks),
    price: count(price),
    fork: count(fork),
    lag: count(lag),
  };
}
