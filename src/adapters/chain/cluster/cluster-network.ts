import { type Address, createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from "@solana/kit";
import { askChain } from "../../../core/chain/ask-chain.js";
import { assertOurs } from "../../../errors.js";
import type { Clock } from "../../../ports/clock.js";
import type { Log } from "../../../ports/log.js";
import type { Network, NetworkHealth, SponsorshipLimits } from "../../../ports/network.js";
import type { Pause } from "../../../ports/pause.js";
import { devnetCurrencies, mainnetCurrencies } from "../currencies.js";
import { checkProgram, checkStandings, resolveCurrencies } from "./check-cluster.js";
import {
  createFailoverTransport,
  type FailoverTimings,
  type FailoverTransport,
  type UrlStanding,
} from "./failover-transport.js";
import { watchFeePayer } from "./fee-payer.js";
import { lookEverywhere } from "./look-everywhere.js";
import { rememberAnswers } from "./remember-answers.js";
import { rememberHealth } from "./remember-health.js";
import type { RpcConnect } from "./rpc-url.js";

/** A real cluster. */
export interface ClusterOptions {
  readonly name: "devnet" | "mainnet";
  /** JSON-RPC, the preferred one first. */
  readonly urls: readonly string[];
  /** Ed25519 seed of the key that pays fees and rent, 32 bytes. */
  readonly feePayerSeed: Uint8Array;
  /** What tells this cluster from any other. */
  readonly genesisHash: string;
  /** Mints by currency symbol, instead of or besides the known ones. */
  readonly mints: ReadonlyMap<string, Address>;
  readonly sponsorship: SponsorshipLimits;
  /** Real time: the environment clock of a real cluster is the same (gap 50). */
  readonly realClock: Clock;
  readonly pause: Pause;
  readonly log: Log;
  readonly timings?: FailoverTimings;
  /** How a URL is reached; over HTTP unless told otherwise. */
  readonly connect?: RpcConnect;
}

const knownCurrencies = { devnet: devnetCurrencies, mainnet: mainnetCurrencies };

/**
 * A blockhash is good for 150 blocks, a minute at the usual pace. Nothing is called expired before this much real time
 * has passed as well, so that nodes whose heights run away do not end a submission early.
 */
const expiryLeastMs = 150_000;
/** How long a height that was read from every URL is good for further submissions. */
const lowestHeightKeptMs = 2_000;

/**
 * Opens a real cluster as a network. Throws UnusableEnvironmentError when no URL answers, one belongs to another cluster,
 * or the smart account program is not ready there. An empty fee payer is no reason not to start: it can be funded later.
 */
export async function openClusterNetwork(options: ClusterOptions): Promise<Network> {
  const { name, realClock, log } = options;
  const failover = createFailoverTransport(options);
  checkStandings(name, await failover.compare());
  const rpc: Rpc<SolanaRpcApi> = createSolanaRpcFromTransport(rememberAnswers(lookEverywhere(failover), realClock));
  await checkProgram(name, { rpc });
  const currencies = await resolveCurrencies(name, { rpc }, knownCurrencies[name], options.mints);
  const feePayer = watchFeePayer({
    environment: name,
    seed: options.feePayerSeed,
    needed: options.sponsorship.perTransaction,
    readBalance: async (address) => (await askChain(rpc.getBalance(address, { commitment: "confirmed" }))).value,
    realClock,
    log,
  });
  await feePayer.health();
  const readLowestHeight = createLowestHeight(failover, realClock);
  return {
    name,
    clock: realClock,
    rpc,
    feePayer: feePayer.key,
    serviceAddresses: new Set([feePayer.key.address]),
    currencies,
    sponsorship: options.sponsorship,
    hasExpired: async (lastValidBlockHeight, recordedAt) =>
      realClock.now() - recordedAt >= expiryLeastMs && (await readLowestHeight()) > lastValidBlockHeight,
    landsInOrder: false,
    health: rememberHealth(async () => mergeHealth(healthOf(failover.standings()), await feePayer.health()), realClock),
  };
}

/** Reads the lowest finalized height of all URLs that are there. Rejects when there is none, or one does not tell. */
function createLowestHeight(failover: FailoverTransport, realClock: Clock): () => Promise<bigint> {
  let known: { readonly height: bigint; readonly readAt: number } | undefined;
  return async () => {
    // A pass asks for many submissions in a row.
    if (known && realClock.now() - known.readAt < lowestHeightKeptMs) return known.height;
    const readAt = realClock.now();
    // Whoever is silent or outvoted now has no say in what follows.
    await failover.compare();
    const answers = await failover.askEveryUrl(({ rpc }) => rpc.getBlockHeight({ commitment: "finalized" }).send());
    if (answers.length === 0) throw new Error("no RPC URL tells the block height");
    let height: bigint | undefined;
    for (const answer of answers) {
      if (!answer.answered) throw new Error(`the RPC URL ${answer.label} does not tell the block height`);
      if (height === undefined || answer.value < height) height = answer.value;
    }
    assertOurs(height !== undefined, "there was an answer");
    known = { height, readAt };
    return height;
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
