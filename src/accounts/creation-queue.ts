import type { Address } from "@solana/kit";
import { askChain } from "../chain/ask-chain.js";
import { estimateComputePrice } from "../chain/compute-price.js";
import { readAccount } from "../chain/read-accounts.js";
import type { EnvironmentName, Network } from "../environment.js";
import { TrellisError } from "../errors.js";
import type { Clock } from "../ports/clock.js";
import { getProgramConfigDecoder } from "../program-client/generated/accounts/index.js";
import { deriveSettingsAddress, PROGRAM_CONFIG_ADDRESS, settingsSize } from "../program-client/index.js";

/**
 * How far creations of one process may overtake each other in an environment. While one is under way, at most `places`
 * less one that started before it can land, and as many that started after it: that many candidates and one more are
 * offered, and the program takes the one whose turn it is (program spec 6). Where a block takes its time more creations
 * overlap; with ten signers and fifteen candidates one still fits a packet.
 */
const placesIn: Readonly<Record<EnvironmentName, number>> = { sandbox: 4, devnet: 8, mainnet: 8 };
/** Treasury, fee and price change rarely; a creation under old terms fails and is built anew. */
const termsLifeMs = 10_000;
/** Derived addresses are kept while creations overlap in their candidates. */
const addressesAtHand = 64;

/** What the program and the chain ask of a creation, as last seen. */
export interface CreationTerms {
  readonly treasury: Address;
  readonly feeLamports: bigint;
  /** The settings accounts to offer. */
  readonly candidates: readonly Address[];
  /** Micro-lamports per compute unit. */
  readonly computePrice: bigint;
  /** Rent-exempt minimum of a settings account. */
  rentLamports(signerCount: number): Promise<bigint>;
}

/**
 * Where the creations of one process wait for their turn, so that they do not push the chain's counter past each other's
 * candidates. Creators in other processes still can; then a creation fails on chain and is built anew.
 */
export interface CreationQueue {
  /** Runs `work` when its turn has come, with the present terms. Throws `chain_unavailable`. */
  run<T>(network: Network, work: (terms: CreationTerms) => Promise<T>): Promise<T>;
  /** Tells that account number `seed` exists. */
  noteCreated(network: Pick<Network, "name">, seed: bigint): void;
  /** Makes the next creation read the terms from the chain. */
  forgetTerms(network: Pick<Network, "name">): void;
}

interface Terms {
  readonly treasury: Address;
  readonly feeLamports: bigint;
  /** How many accounts existed when this was read. */
  readonly index: bigint;
  readonly computePrice: bigint;
  readonly readAt: number;
}

interface Lane {
  readonly places: number;
  /** Tickets of creations under way, in the order they were admitted. */
  readonly underWay: Set<number>;
  nextTicket: number;
  readonly waiting: ((ticket: number) => void)[];
  terms: Terms | undefined;
  /** The highest account number seen since the terms were last forgotten. */
  noted: bigint;
  readonly rents: Map<number, bigint>;
  readonly addresses: Map<bigint, Address>;
}

/** Makes the queue; one per process, next to the custodians. */
export function createCreationQueue(realClock: Clock): CreationQueue {
  const lanes = new Map<EnvironmentName, Lane>();
  const laneOf = (name: EnvironmentName): Lane => {
    const known = lanes.get(name);
    if (known) return known;
    const lane: Lane = {
      places: placesIn[name],
      underWay: new Set(),
      nextTicket: 0,
      waiting: [],
      terms: undefined,
      noted: 0n,
      rents: new Map(),
      addresses: new Map(),
    };
    lanes.set(name, lane);
    return lane;
  };

  const getTerms = async (network: Network, lane: Lane): Promise<Terms> => {
    const known = lane.terms;
    if (known && realClock.now() - known.readAt < termsLifeMs) return known;
    const terms = { ...(await readTerms(network)), readAt: realClock.now() };
    lane.terms = terms;
    return terms;
  };

  return {
    async run(network, work) {
      const lane = laneOf(network.name);
      const ticket = await admit(lane);
      try {
        const { treasury, feeLamports, index, computePrice } = await getTerms(network, lane);
        return await work({
          treasury,
          feeLamports,
          candidates: candidatesAfter(lane, higherOf(index, lane.noted)),
          computePrice,
          rentLamports: (signerCount) => getRent(network, lane, signerCount),
        });
      } finally {
        lane.underWay.delete(ticket);
        wakeWaiting(lane);
      }
    },
    noteCreated(network, seed) {
      const lane = laneOf(network.name);
      if (seed > lane.noted) lane.noted = seed;
    },
    forgetTerms(network) {
      const lane = laneOf(network.name);
      lane.terms = undefined;
      lane.noted = 0n;
    },
  };
}

/** A ticket, once the oldest creation under way is near enough. Those who wait are admitted in the order they came. */
async function admit(lane: Lane): Promise<number> {
  if (lane.waiting.length === 0 && hasPlace(lane)) return takePlace(lane);
  return new Promise((resolve) => lane.waiting.push(resolve));
}

function wakeWaiting(lane: Lane): void {
  while (hasPlace(lane)) {
    const next = lane.waiting.shift();
    if (next === undefined) return;
    next(takePlace(lane));
  }
}

function hasPlace(lane: Lane): boolean {
  // A Set keeps the order of insertion: its first ticket is the oldest.
  const oldest = lane.underWay.values().next();
  return oldest.done === true || lane.nextTicket - oldest.value < lane.places;
}

function takePlace(lane: Lane): number {
  const ticket = lane.nextTicket;
  lane.nextTicket += 1;
  lane.underWay.add(ticket);
  return ticket;
}

async function readTerms(network: Network): Promise<Omit<Terms, "readAt">> {
  const [account, computePrice] = await Promise.all([
    readAccount(network, PROGRAM_CONFIG_ADDRESS),
    estimateComputePrice(network, [PROGRAM_CONFIG_ADDRESS]),
  ]);
  if (!account) {
    throw new TrellisError("chain_unavailable", {
      message: "The smart account program is not set up on this chain.",
    });
  }
  const config = getProgramConfigDecoder().decode(account.data);
  return {
    treasury: config.treasury,
    feeLamports: config.smartAccountCreationFee,
    index: config.smartAccountIndex,
    computePrice,
  };
}

/** Math.max does not take bigints. */
function higherOf(left: bigint, right: bigint): bigint {
  if (left > right) return left;
  return right;
}

/** The settings accounts that the next creations take when `index` exist. */
function candidatesAfter(lane: Lane, index: bigint): readonly Address[] {
  return Array.from({ length: 2 * lane.places - 1 }, (_, offset) => {
    const seed = index + 1n + BigInt(offset);
    const known = lane.addresses.get(seed);
    if (known !== undefined) return known;
    const derived = deriveSettingsAddress(seed);
    lane.addresses.set(seed, derived);
    if (lane.addresses.size > addressesAtHand) {
      const oldest = lane.addresses.keys().next();
      if (oldest.done !== true) lane.addresses.delete(oldest.value);
    }
    return derived;
  });
}

async function getRent(network: Network, lane: Lane, signerCount: number): Promise<bigint> {
  const size = settingsSize(signerCount);
  const known = lane.rents.get(size);
  if (known !== undefined) return known;
  const rent = await askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(size)));
  lane.rents.set(size, rent);
  return rent;
}
