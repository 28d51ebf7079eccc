import type { Address } from "@solana/kit";
import { TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import type { Clock } from "../ports/clock.js";
import type { EnvironmentName } from "../ports/environment.js";
import type { Network } from "../ports/network.js";
import { getProgramConfigDecoder } from "../program-client/generated/accounts/index.js";
import { deriveSettingsAddress, PROGRAM_CONFIG_ADDRESS, settingsSize } from "../program-client/index.js";
import { askChain } from "../solana/ask-chain.js";
import { computeUnitsMax, feeOfSignatures } from "../solana/compose.js";
import { estimateComputePrice } from "../solana/compute-price.js";
import { readAccount } from "../solana/read-accounts.js";

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
const onCluster: Room = {
  places: limits.creationsUnderWayMax,
  leeway: limits.creationLeeway,
  isInOrder: false,
};
const inOrder: Room = {
  places: limits.creationsUnderWayInOrderMax,
  leeway: limits.creationLeewayInOrder,
  isInOrder: true,
};

interface Room {
  readonly places: number;
  readonly leeway: number;
  readonly isInOrder: boolean;
}

/** Treasury, fee and price change rarely; a creation under old terms is refused by its simulation and built anew. */
const termsLifeMs = 10_000;
/** Derived addresses are kept while creations overlap in their candidates. */
const addressesAtHand = 128;
/** When to come back after the line was full, in seconds. */
const comeBackSeconds = 5;
/** Candidates and signers take 33 bytes each of what a packet leaves them. */
const candidatesAndSignersMax = 25;

/** What the program and the chain ask of a creation, as last seen. */
export interface CreationTerms {
  readonly treasury: Address;
  readonly feeLamports: bigint;
  /** Micro-lamports per compute unit. */
  readonly computePrice: bigint;
  /** The settings accounts to offer. */
  readonly candidates: readonly Address[];
}

/** What a creation has whose turn has come. */
export interface CreationPlace {
  /**
   * The present terms; read from the chain again after `readAnew`. Refuses those who have waited for too long. Throws
   * `chain_unavailable`.
   */
  getTerms(): Promise<CreationTerms>;
  /** Makes the next `getTerms` ask the chain, and believe nothing that was noted here. */
  readAnew(): void;
  /**
   * The settings accounts to offer in a simulation, which runs before those that are under way have landed: from the next
   * one on, as many as fit beside `signerCount` signers. If none of them is next, the candidates have been passed.
   */
  nextOnes(signerCount: number): Promise<readonly Address[]>;
  /** Rent-exempt minimum of a settings account. */
  rentLamports(signerCount: number): Promise<bigint>;
  /**
   * Where transactions land in the order they are sent: resolves when the creations admitted before this one have come as
   * far or have ended.
   */
  inTurn(): Promise<void>;
}

/** Who asks for a place. */
export interface Applicant {
  readonly tenantId: string;
  /**
   * Asked by those who do not find a place at once, before and after they have waited for one: rejects where nothing can
   * come of it, so that nobody waits behind a creation that cannot be paid.
   */
  assertWorthwhile(rentLamports: CreationPlace["rentLamports"]): Promise<void>;
}

type Lanes = Pick<Network, "name" | "landsInOrder">;

/**
 * Where the creations of one process wait for their turn, so that they do not push the chain's counter past each other's
 * candidates. Creators in other processes still can; then a creation is built anew.
 *
 * Tenants take turns: whoever asks for many waits behind those who ask for few. The line is bounded for each of them and
 * altogether, and nobody stands in it for longer than `limits.creationWaitMaxMs`.
 */
export interface CreationQueue {
  /**
   * Runs `work` when its turn has come. Throws `creation_queue_full`, what `assertWorthwhile` rejects with, and what `work`
   * throws.
   */
  run<T>(network: Network, applicant: Applicant, work: (place: CreationPlace) => Promise<T>): Promise<T>;
  /** Tells that a creation landed, and as account number `seed`, where that is known. */
  noteCreated(network: Lanes, seed: bigint | undefined): void;
  /** Makes the next creation read the terms from the chain, and admits few until some have landed. */
  forgetTerms(network: Lanes): void;
  /** Refuses those who have waited for too long. Called by whoever holds a place, whenever it waits itself, and by a pass. */
  dismissOverdue(network: Lanes): void;
  /** What a creation takes at most by the present terms. Throws `chain_unavailable`. */
  mostLamports(network: Network, signerCount: number): Promise<bigint>;
  /** How many are under way in an environment, and how many wait for their turn. */
  counts(environment: EnvironmentName): { readonly underWay: number; readonly waiting: number };
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
  /** Who waits, by tenant; the tenant whose turn is next comes first. */
  readonly waiting: Map<string, Waiter[]>;
  waitingCount: number;
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

interface Waiter {
  /** Real time. */
  readonly since: number;
  admit(turn: Turn): void;
  refuse(error: TrellisError): void;
}

/** A creation's position among those under way. */
interface Turn {
  readonly ticket: number;
  /** Resolves when the turn has come, and lets the next one come. It may be called again. */
  comeInTurn(): Promise<void>;
}

/** Makes the queue; one per process, next to the custodians. */
export function createCreationQueue(realClock: Clock): CreationQueue {
  const lanes = new Map<EnvironmentName, Lane>();
  const laneOf = ({ name, landsInOrder }: Lanes): Lane => {
    const known = lanes.get(name);
    if (known) return known;
    const lane: Lane = {
      room: landsInOrder ? inOrder : onCluster,
      underWay: new Set(),
      nextTicket: 0,
      waiting: new Map(),
      waitingCount: 0,
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

  /** A place, once the oldest creation under way is near enough and the tenant's turn has come. */
  const waitForTurn = async (network: Network, lane: Lane, applicant: Applicant): Promise<Turn> => {
    const { tenantId } = applicant;
    dismissOverdue(lane, realClock.now());
    refuseFull(lane, tenantId);
    await applicant.assertWorthwhile((signerCount) => getRent(network, lane, signerCount));
    // Others have come meanwhile, or a place has become free.
    refuseFull(lane, tenantId);
    const turn = new Promise<Turn>((admit, refuse) => {
      joinLine(lane, tenantId, { since: realClock.now(), admit, refuse });
    });
    admitWaiting(lane);
    return turn;
  };

  return {
    async run(network, applicant, work) {
      const lane = laneOf(network);
      const atOnce = lane.waitingCount === 0 && hasPlace(lane) ? takePlace(lane) : undefined;
      const { ticket, comeInTurn } = atOnce ?? (await waitForTurn(network, lane, applicant));
      const rentLamports = (signerCount: number) => getRent(network, lane, signerCount);
      let isBegun = atOnce !== undefined;
      try {
        if (!isBegun) await applicant.assertWorthwhile(rentLamports);
        isBegun = true;
        return await work({
          getTerms: async () => {
            // Whoever holds a place asks for them each round, however long the chain keeps him.
            dismissOverdue(lane, realClock.now());
            const { treasury, feeLamports, index, computePrice } = await getTerms(network, lane);
            return { treasury, feeLamports, computePrice, candidates: candidatesOf(lane, ticket, index) };
          },
          readAnew: () => {
            lane.terms = undefined;
            lane.noted = 0n;
            lane.rents.clear();
          },
          nextOnes: async (signerCount) => nextOnesOf(lane, ticket, (await getTerms(network, lane)).index, signerCount),
          rentLamports,
          inTurn: () => (lane.room.isInOrder ? comeInTurn() : Promise.resolve()),
        });
      } finally {
        void comeInTurn();
        lane.underWay.delete(ticket);
        // What never began moves nobody's number, and the next one may have its ticket.
        if (!isBegun && ticket === lane.nextTicket - 1) lane.nextTicket = ticket;
        dismissOverdue(lane, realClock.now());
        admitWaiting(lane);
      }
    },
    noteCreated(network, seed) {
      const lane = laneOf(network);
      if (seed === undefined) lane.terms = undefined;
      else if (seed > lane.noted) lane.noted = seed;
      lane.landed += 1;
      admitWaiting(lane);
    },
    forgetTerms(network) {
      const lane = laneOf(network);
      lane.terms = undefined;
      lane.noted = 0n;
      lane.landed = 0;
    },
    dismissOverdue(network) {
      dismissOverdue(laneOf(network), realClock.now());
    },
    async mostLamports(network, signerCount) {
      const lane = laneOf(network);
      const [terms, rent] = await Promise.all([getTerms(network, lane), getRent(network, lane, signerCount)]);
      const budget = { units: computeUnitsMax, microLamportsPerUnit: terms.computePrice };
      return rent + terms.feeLamports + feeOfSignatures(1, budget);
    },
    counts(environment) {
      const lane = lanes.get(environment);
      return { underWay: lane?.underWay.size ?? 0, waiting: lane?.waitingCount ?? 0 };
    },
  };
}

function refuseFull(lane: Lane, tenantId: string): void {
  const own = lane.waiting.get(tenantId)?.length ?? 0;
  if (own < limits.creationsWaitingPerTenantMax && lane.waitingCount < limits.creationsWaitingMax) return;
  throw lineIsFull();
}

function lineIsFull(): TrellisError {
  return new TrellisError("creation_queue_full", { retryAfterSeconds: comeBackSeconds });
}

function joinLine(lane: Lane, tenantId: string, waiter: Waiter): void {
  const own = lane.waiting.get(tenantId);
  if (own) own.push(waiter);
  else lane.waiting.set(tenantId, [waiter]);
  lane.waitingCount += 1;
}

function admitWaiting(lane: Lane): void {
  while (hasPlace(lane)) {
    const next = lane.waiting.entries().next();
    if (next.done === true) return;
    const [tenantId, own] = next.value;
    const waiter = own.shift();
    // The next place is the next tenant's.
    lane.waiting.delete(tenantId);
    if (own.length > 0) lane.waiting.set(tenantId, own);
    if (waiter === undefined) continue;
    lane.waitingCount -= 1;
    waiter.admit(takePlace(lane));
  }
}

/** A tenant's own stand in the order they came. */
function dismissOverdue(lane: Lane, now: number): void {
  for (const [tenantId, own] of lane.waiting) {
    const inTime = own.findIndex(({ since }) => now - since < limits.creationWaitMaxMs);
    const overdue = own.splice(0, inTime < 0 ? own.length : inTime);
    lane.waitingCount -= overdue.length;
    for (const { refuse } of overdue) refuse(lineIsFull());
    if (own.length === 0) lane.waiting.delete(tenantId);
  }
}

function hasPlace({ room, underWay, landed, nextTicket }: Lane): boolean {
  // A Set keeps the order of insertion: its first ticket is the oldest.
  const oldest = underWay.values().next();
  return oldest.done === true || nextTicket - oldest.value < Math.min(room.places, room.leeway + 1 + landed);
}

function takePlace(lane: Lane): Turn {
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

/** The lowest number a creation offers, and one more than are known to exist, when the chain was last seen with `index`. */
function lowestOf(lane: Lane, ticket: number, index: bigint): { readonly low: bigint; readonly next: bigint } {
  const known = lane.noted === 0n ? index : lane.noted;
  const next = higherOf(index, known) + 1n;
  // What was read may count some that are still under way here, so the two are not added up.
  const expected = higherOf(index, known + BigInt(Array.from(lane.underWay).indexOf(ticket))) + 1n;
  return { low: higherOf(next, expected - BigInt(lane.room.leeway)), next };
}

/** The settings accounts to offer. */
function candidatesOf(lane: Lane, ticket: number, index: bigint): readonly Address[] {
  return addressesFrom(lane, lowestOf(lane, ticket, index).low, 2 * lane.room.leeway + 1);
}

/** The settings accounts that may be next, up to the last one that is offered. On a cluster they are the same. */
function nextOnesOf(lane: Lane, ticket: number, index: bigint, signerCount: number): readonly Address[] {
  const { low, next } = lowestOf(lane, ticket, index);
  const count = Number(low - next) + 2 * lane.room.leeway + 1;
  return addressesFrom(lane, next, Math.min(count, candidatesAndSignersMax - signerCount));
}

function addressesFrom(lane: Lane, low: bigint, count: number): readonly Address[] {
  return Array.from({ length: count }, (_, offset) => addressOf(lane.addresses, low + BigInt(offset)));
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
