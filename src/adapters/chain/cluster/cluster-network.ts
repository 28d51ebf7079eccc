import type { Address, Rpc, SolanaRpcApi } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type {
  Network,
  NetworkHealth,
  ServiceKey,
  SponsorshipLimits,
  UnseenTransaction,
  Verdict,
} from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { devnetCurrencies, mainnetCurrencies } from "@trellis/solana/currencies.js";
import { hearNode, judge, type NodeWord } from "@trellis/solana/judge-unseen.js";
import { hearList, type ListWord, mergeLists } from "@trellis/solana/list-landed.js";
import { createNodeRpc } from "@trellis/solana/node-rpc.js";
import { rememberAnswers, rememberedOfCluster } from "@trellis/solana/remember-answers.js";
import { createBlockTimes } from "./block-times.js";
import { checkProgram, checkStandings, resolveCurrencies } from "./check-cluster.js";
import {
  createFailoverTransport,
  type FailoverTimings,
  type FailoverTransport,
  type UrlStanding,
} from "./failover-transport.js";
import { followFeePayer } from "./fee-payer.js";
import { rememberHealth } from "./remember-health.js";
import type { RpcConnect } from "./rpc-url.js";

/** A real cluster. */
export interface ClusterOptions {
  readonly name: "devnet" | "mainnet";
  /** JSON-RPC, the preferred one first. */
  readonly urls: readonly string[];
  /** Pays fees and rent. */
  readonly feePayer: ServiceKey;
  /** Pays standing orders; null: there are none. */
  readonly executor: ServiceKey | null;
  /** Those before them, while they change. */
  readonly formerFeePayer?: ServiceKey | undefined;
  readonly formerExecutor?: ServiceKey | undefined;
  /** Pays for passkeys and their sessions; absent: the fee payer does. */
  readonly passkeyPayer?: ServiceKey | undefined;
  /** What distinguishes this cluster from any other. */
  readonly genesisHash: string;
  /** Mints by currency symbol, instead of or besides the known ones. */
  readonly mints: ReadonlyMap<string, Address>;
  readonly sponsorship: SponsorshipLimits;
  /** Real time: the environment clock of a real cluster is the same (gap 50). */
  readonly realClock: Clock;
  readonly pause: Pause;
  readonly log: Log;
  readonly timings?: FailoverTimings;
  /** How a URL is reached; over HTTP unless set otherwise. */
  readonly connect?: RpcConnect;
}

const knownCurrencies = { devnet: devnetCurrencies, mainnet: mainnetCurrencies };

/**
 * A blockhash is good for 150 blocks, a minute at the usual pace. Nothing is called expired before this much real time
 * has passed as well, so that nodes whose heights run away do not end a submission early.
 */
const expiryLeastMs = 150_000;

/**
 * Opens a real cluster as a network. Throws UnusableEnvironmentError when no URL answers, one belongs to another cluster,
 * or the smart account program is not ready there. An empty fee payer is no reason not to start: it can be funded later.
 */
export async function openClusterNetwork(options: ClusterOptions): Promise<Network> {
  const { name, realClock, log } = options;
  if (options.urls.length === 1) {
    // operator: add a URL of another operator
    log.warn(
      { event: "rpc_url_single", environment: name },
      "RPC URL is the only one: no second node can contradict it about a transaction that landed or expired",
    );
  }
  const failover = createFailoverTransport(options);
  checkStandings(name, await failover.compare());
  const rpc: Rpc<SolanaRpcApi> = createNodeRpc(rememberAnswers(failover.transport, realClock, rememberedOfCluster));
  await checkProgram(name, { rpc });
  const currencies = await resolveCurrencies(name, { rpc }, knownCurrencies[name], options.mints);
  const readBalance = async (address: Address) =>
    (await askChain(rpc.getBalance(address, { commitment: "confirmed" }))).value;
  const followed = { environment: name, readBalance, realClock, log };
  const feePayer = followFeePayer({
    ...followed,
    name: "fee payer",
    key: options.feePayer,
    needed: options.sponsorship.perTransaction,
  });
  await feePayer.health();
  const passkeyPayer =
    options.passkeyPayer &&
    followFeePayer({
      ...followed,
      name: "passkey payer",
      key: options.passkeyPayer,
      needed: limits.passkeyPayerNeedsLamports,
    });
  await passkeyPayer?.health();
  const { executor, formerFeePayer, formerExecutor } = options;
  const keys = [feePayer.key, executor, formerFeePayer, formerExecutor, passkeyPayer?.key];
  return {
    name,
    clock: realClock,
    rpc,
    feePayer: feePayer.key,
    ...(formerFeePayer ? { formerFeePayer } : {}),
    executor,
    ...(formerExecutor ? { formerExecutor } : {}),
    ...(passkeyPayer ? { passkeyPayer: passkeyPayer.key } : {}),
    serviceAddresses: new Set(keys.flatMap((key) => (key ? [key.address] : []))),
    currencies,
    sponsorship: options.sponsorship,
    judgeUnseen: judgeByAllUrls(failover, realClock),
    listLanded: listByAllUrls(failover, realClock),
    blockTimeOf: createBlockTimes(rpc, realClock),
    landsInOrder: false,
    // To compare starts nothing while a comparison is under way, however many ask.
    nodes: { list: failover.lastStandings, compare: failover.compare },
    health: rememberHealth(async () => {
      const ofKeys = await Promise.all([feePayer.health(), ...(passkeyPayer ? [passkeyPayer.health()] : [])]);
      return mergeHealth(healthOf(failover.standings()), ...ofKeys);
    }, realClock),
  };
}

/** Asks no URL before the least time has passed, and then every URL that has a say. */
function judgeByAllUrls(failover: FailoverTransport, realClock: Clock): Network["judgeUnseen"] {
  return async (unseen) => {
    const now = realClock.now();
    const due = unseen.filter(({ recordedAt }) => now - recordedAt >= expiryLeastMs);
    const verdicts = new Map<UnseenTransaction, Verdict>();
    if (due.length > 0) {
      // A URL that is silent or outvoted now has no say in what follows.
      await failover.compare();
      const signatures = due.map(({ signature }) => signature);
      const answers = await failover.askEveryUrl(({ rpc }) => hearNode(rpc, signatures));
      const words = answers.map((answer): NodeWord => (answer.answered ? answer.value : { fault: answer.error }));
      for (const [i, one] of due.entries()) verdicts.set(one, judge(one, i, words, now));
    }
    return unseen.map((one) => verdicts.get(one) ?? { kind: "alive" });
  };
}

/** Asks every URL that has a say. Nothing is past before the least time has passed; what has landed is listed before. */
function listByAllUrls(failover: FailoverTransport, realClock: Clock): Network["listLanded"] {
  return async (unseen) => {
    const now = realClock.now();
    await failover.compare();
    const answers = await failover.askEveryUrl(({ rpc }) => hearList(rpc, unseen));
    const words = answers.map((answer): ListWord => (answer.answered ? answer.value : { fault: answer.error }));
    return mergeLists(unseen, words, { now, isEarly: now - unseen.recordedAt < expiryLeastMs });
  };
}

function healthOf(standings: readonly UrlStanding[]): NetworkHealth {
  const fit = standings.filter(({ standing }) => standing === "agrees").length;
  if (fit === standings.length) return { ok: true };
  return { ok: fit > 0, message: `${fit} of ${standings.length} RPC URLs answer and agree.` };
}

function mergeHealth(...parts: readonly NetworkHealth[]): NetworkHealth {
  const messages = parts.flatMap(({ message }) => (message === undefined ? [] : [message]));
  const poor = parts.some((part) => part.poor === true) ? { poor: true } : {};
  return {
    ok: parts.every(({ ok }) => ok),
    ...poor,
    ...(messages.length === 0 ? {} : { message: messages.join(" ") }),
  };
}
