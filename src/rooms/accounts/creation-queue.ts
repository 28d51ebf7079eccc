import type { Address } from "@solana/kit";
import { askChain } from "../../core/chain/ask-chain.js";
import { estimateComputePrice } from "../../core/chain/compute-price.js";
import { readAccount } from "../../core/chain/read-accounts.js";
import { getProgramConfigDecoder } from "../../core/program-client/generated/accounts/index.js";
import { deriveSettingsAddress, PROGRAM_CONFIG_ADDRESS, settingsSize } from "../../core/program-client/index.js";
import { TrellisError } from "../../errors.js";
import type { Clock } from "../../ports/clock.js";
import type { EnvironmentName } from "../../ports/environment.js";
import type { Network } from "../../ports/network.js";

/**
 * How many creations of one process may be under way in an environment, and how far the account number that one of them
 * comes to may be from the expected one: that many candidates are offered before and behind it, and the program takes the
 * one whose turn it is (program spec 6).
 *
 * On a cluster everything that is under way may overtake everything else; with ten signers and fifteen candidates a
 * creation still fits a packet. Where transactions land in the order they are sent, only one that did not land, or
 * somebody else's, moves those behind it. When that has led to a failure no more are admitted than the candidates cover
 * whatever happens, and one more for each that lands.
 */
const onCluster: Room = { places: 8, leeway: 7, isInOrder: false };
const inOrder: Room = { places: 32, leeway: 3, isInOrder: true };

interface Room {
  readonly places: number;
  readonly leeway: number;
  readonly isInOrder: boolean;
}

/** Treasury, fee and price change rarely; a creation under old terms fails and is built anew. */
const termsLifeMs = 10_000;
/** Derived addresses are kept while creations overlap in their candidates. */
const addressesAtHand = 128;

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
  /**
   * Where transactions land in the order they are sent: resolves when the creations admitted before this one have come as
   * far or have ended.
   */
  inTurn(): Promise<void>;
}

/**
 * Where the creations of one process wait for their turn, so that they do not push the chain's counter past each other's
 * candidates. Creators in other processes still can; then a creation fails on chain and is built anew.
 */
export interface CreationQueue {
  /** Runs `work` when its turn has come, with the present terms. Throws `chain_unavailable`. */
  run<T>(network: Network, work: (terms: CreationTerms) => Promise<T>): Promise<T>;
  /** Tells that account number `seed` exists. */
  noteCreated(network: Pick<Network, "name" | "landsInOrder">, seed: bigint): void;
  /** Makes the next creation read the terms from the chain. */
  forgetTerms(network: Pick<Network, "name" | "landsInOrder">): void;
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
  readonly room: Room;
  /** Tickets of creations under way, in the order they were admitted. */
  readonly underWay: Set<number>;
  nextTicket: number;
  readonly waiting: ((place: Place) => void)[];
  terms: Terms | undefined;
  /** The highest account number seen since the terms were last forgotten. */
  noted: bigint;
  /** How many creations have landed since then. */
  landed: number;
  /** Resolves when the creation admitted last has had its turn. */
  lastTurn: Promise<void>;
  readonly rents: Map<number, bigint>;
  readonly addresses: Map<bigint, Address>;
}

/** What a creation under way has. */
interface Place {
  readonly ticket: number;
  /** Resolves when the turn has come, and lets the next one come. It may be called again. */
  comeInTurn(): Promise<void>;
}

/** Makes the queue; one per process, next to the custodians. */
export function createCreationQueue(realClock: Clock): CreationQueue {
  const lanes = new Map<EnvironmentName, Lane>();
  const laneOf = ({ name, landsInOrder }: Pick<Network, "name" | "landsInOrder">): Lane => {
    const known = lanes.get(name);
    if (known) return known;
    const lane: Lane = {
      room: landsInOrder ? inOrder : onCluster,
      underWay: new Set(),
      nextTicket: 0,
      waiting: [],
      terms: undefined,
      noted: 0n,
      landed: 0,
      lastTurn: Promise.resolve(),
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
      const lane = laneOf(network);
      const { ticket, comeInTurn } = await admit(lane);
      try {
        const { treasury, feeLamports, index, computePrice } = await getTerms(network, lane);
        return await work({
          treasury,
          feeLamports,
          candidates: candidatesOf(lane, ticket, index),
          computePrice,
          rentLamports: (signerCount) => getRent(network, lane, signerCount),
          inTurn: () => (lane.room.isInOrder ? comeInTurn() : Promise.resolve()),
        });
      } finally {
        void comeInTurn();
        lane.underWay.delete(ticket);
        wakeWaiting(lane);
      }
    },
    noteCreated(network, seed) {
      const lane = laneOf(network);
      if (seed > lane.noted) lane.noted = seed;
      lane.landed += 1;
      wakeWaiting(lane);
    },
    forgetTerms(network) {
      const lane = laneOf(network);
      lane.terms = undefined;
      lane.noted = 0n;
      lane.landed = 0;
    },
  };
}

/** A place, once the oldest creation under way is near enough. Those who wait are admitted in the order they came. */
async function admit(lane: Lane): Promise<Place> {
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

function hasPlace({ room, underWay, landed, nextTicket }: Lane): boolean {
  // A Set keeps the order of insertion: its first ticket is the oldest.
  const oldest = underWay.values().next();
  return oldest.done === true || nextTicket - oldest.value < Math.min(room.places, room.leeway + 1 + landed);
}

function takePlace(lane: Lane): Place {
  const ticket = lane.nextTicket;
  lane.nextTicket += 1;
  lane.underWay.add(ticket);
  const former = lane.lastTurn;
  let pass: () => void = () => undefined;
  lane.lastTurn = new Promise((resolve) => {
    pass = resolve;
  });
  return { ticket, comeInTurn: () => former.then(() => pass()) };
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
  return left > right ? left : right;
}

/** The settings accounts to offer when the chain was last seen with `index` accounts. */
function candidatesOf(lane: Lane, ticket: number, index: bigint): readonly Address[] {
  const { leeway } = lane.room;
  const known = lane.noted === 0n ? index : lane.noted;
  const existing = higherOf(index, known);
  // What was read may count some that are still under way here, so the two are not added up.
  const expected = higherOf(index, known + BigInt(Array.from(lane.underWay).indexOf(ticket))) + 1n;
  const low = higherOf(existing + 1n, expected - BigInt(leeway));
  return Array.from({ length: 2 * leeway + 1 }, (_, offset) => addressOf(lane.addresses, low + BigInt(offset)));
}

/** The settings account of a number. */
function addressOf(addresses: Map<bigint, Address>, seed: bigint): Address {
  const known = addresses.get(seed);
  if (known !== undefined) return known;
  const derived = deriveSettingsAddress(seed);
  addresses.set(seed, derived);
  if (addresses.size > addressesAtHand) {
    const oldest = addresses.keys().next();
    if (oldest.done !== true) addresses.delete(oldest.value);
  }
  return derived;
}

async function getRent(network: Network, lane: Lane, signerCount: number): Promise<bigint> {
  const size = settingsSize(signerCount);
  const known = lane.rents.get(size);
  if (known !== undefined) return known;
  const rent = await askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(size)));
  lane.rents.set(size, rent);
  return rent;
}
