import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { computeUnitsMax, feeOfSignatures } from "@trellis/solana/compose.js";
import {
  candidatesOf,
  forgetNoted,
  hasPlace,
  isFull,
  joinLine,
  type Lane,
  leavePlace,
  nextOnesOf,
  noteLanded,
  openLane,
  takeNext,
  takeOverdue,
  takePlace,
} from "./creation-lane.js";
import { addressesOf, getRent, getTerms, type RememberedChain } from "./creation-terms.js";

/** When to retry after the line was full, in seconds. */
const retryAfterSeconds = 5;
/** What the program and the chain ask of a creation, as last seen. */
export interface CreationTerms {
  readonly treasury: Address;
  readonly feeLamports: bigint;
  /** Micro-lamports per compute unit. */
  readonly computePrice: bigint;
  /** The settings accounts to offer. */
  readonly candidates: readonly Address[];
}

/** What a creation has whose turn has arrived. */
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
   * Where transactions land in the order they are sent: resolves when the creations admitted before this one have got as
   * far or have ended.
   */
  inTurn(): Promise<void>;
}

/** Who asks for a place. */
export interface Applicant {
  readonly tenantId: string;
  /**
   * Asked by those who do not find a place at once, before and after they have waited for one: rejects where it cannot
   * succeed, so that no caller waits behind a creation that cannot be paid.
   */
  assertWorthwhile(rentLamports: CreationPlace["rentLamports"]): Promise<void>;
}

type Lanes = Pick<Network, "name" | "landsInOrder">;

/**
 * Where the creations of one process wait for their turn, so that they do not push the chain's counter past each other's
 * candidates. Creators in other processes still can; then a creation is built anew.
 *
 * Tenants take turns: a tenant that asks for many waits behind those who ask for few. The line is bounded for each of them and
 * altogether, and no creation stands in it for longer than `limits.creationWaitMaxMs`.
 */
export interface CreationQueue {
  /**
   * Runs `work` when its turn has arrived. Throws `creation_queue_full`, what `assertWorthwhile` rejects with, and what `work`
   * throws.
   */
  run<T>(network: Network, applicant: Applicant, work: (place: CreationPlace) => Promise<T>): Promise<T>;
  /** Reports that a creation landed, and as account number `seed`, where that is known. */
  noteCreated(network: Lanes, seed: bigint | undefined): void;
  /** Makes the next creation read the terms from the chain, and admits few until some have landed. */
  forgetTerms(network: Lanes): void;
  /** Refuses those who have waited for too long. Called by the holder of a place, whenever it waits itself, and by a pass. */
  dismissOverdue(network: Lanes): void;
  /** What a creation takes at most by the present terms. Throws `chain_unavailable`. */
  mostLamports(network: Network, signerCount: number): Promise<bigint>;
  /** How many are under way in an environment, and how many wait for their turn. */
  counts(environment: EnvironmentName): { readonly underWay: number; readonly waiting: number };
}

/** A lane, with what its creations have in common. */
interface Queue {
  readonly lane: Lane<Waiter>;
  readonly chain: RememberedChain;
  /** Resolves when the creation admitted last has had its turn. */
  lastTurn: Promise<void>;
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
  /** Resolves when the turn has arrived, and admits the next one. It may be called again. */
  takeTurn(): Promise<void>;
}

/** Makes the queue; one per process, next to the custodians. */
export function createCreationQueue(realClock: Clock): CreationQueue {
  const queues = new Map<EnvironmentName, Queue>();
  const queueOf = ({ name, landsInOrder }: Lanes): Queue => {
    const known = queues.get(name);
    if (known) return known;
    const queue: Queue = {
      lane: openLane(landsInOrder),
      chain: { terms: undefined, rents: new Map(), addresses: new Map() },
      lastTurn: Promise.resolve(),
    };
    queues.set(name, queue);
    return queue;
  };

  const dismissOverdue = ({ lane }: Queue): void => {
    for (const { refuse } of takeOverdue(lane, realClock.now())) refuse(lineIsFull());
  };

  /** A place, once the oldest creation under way is near enough and the tenant's turn has arrived. */
  const waitForTurn = async (network: Network, queue: Queue, applicant: Applicant): Promise<Turn> => {
    const { lane } = queue;
    const { tenantId } = applicant;
    dismissOverdue(queue);
    if (isFull(lane, tenantId)) throw lineIsFull();
    await applicant.assertWorthwhile((signerCount) => getRent(network, queue.chain, signerCount));
    // Others have arrived meanwhile, or a place has become free.
    if (isFull(lane, tenantId)) throw lineIsFull();
    const turn = new Promise<Turn>((admit, refuse) => {
      joinLine(lane, tenantId, { since: realClock.now(), admit, refuse });
    });
    admitWaiting(queue);
    return turn;
  };

  const placeOf = (network: Network, queue: Queue, { ticket, takeTurn }: Turn): CreationPlace => ({
    getTerms: async () => {
      // The holder of a place asks for them each round, however long the chain keeps it.
      dismissOverdue(queue);
      const { treasury, feeLamports, index, computePrice } = await getTerms(network, queue.chain, realClock);
      const candidates = addressesOf(queue.chain, candidatesOf(queue.lane, ticket, index));
      return { treasury, feeLamports, computePrice, candidates };
    },
    readAnew: () => {
      queue.chain.terms = undefined;
      queue.lane.noted = 0n;
      queue.chain.rents.clear();
    },
    nextOnes: async (signerCount) => {
      const { index } = await getTerms(network, queue.chain, realClock);
      return addressesOf(queue.chain, nextOnesOf(queue.lane, ticket, index, signerCount));
    },
    rentLamports: (signerCount) => getRent(network, queue.chain, signerCount),
    inTurn: () => (queue.lane.room.isInOrder ? takeTurn() : Promise.resolve()),
  });

  return {
    async run(network, applicant, work) {
      const queue = queueOf(network);
      const { lane } = queue;
      const atOnce = lane.waitingCount === 0 && hasPlace(lane) ? beginTurn(queue) : undefined;
      const turn = atOnce ?? (await waitForTurn(network, queue, applicant));
      let isBegun = atOnce !== undefined;
      try {
        if (!isBegun) await applicant.assertWorthwhile((signerCount) => getRent(network, queue.chain, signerCount));
        isBegun = true;
        return await work(placeOf(network, queue, turn));
      } finally {
        void turn.takeTurn();
        leavePlace(lane, turn.ticket, isBegun);
        dismissOverdue(queue);
        admitWaiting(queue);
      }
    },
    noteCreated(network, seed) {
      const queue = queueOf(network);
      if (seed === undefined) queue.chain.terms = undefined;
      noteLanded(queue.lane, seed);
      admitWaiting(queue);
    },
    forgetTerms(network) {
      const queue = queueOf(network);
      queue.chain.terms = undefined;
      forgetNoted(queue.lane);
    },
    dismissOverdue(network) {
      dismissOverdue(queueOf(network));
    },
    async mostLamports(network, signerCount) {
      const queue = queueOf(network);
      const [terms, rent] = await Promise.all([
        getTerms(network, queue.chain, realClock),
        getRent(network, queue.chain, signerCount),
      ]);
      const budget = { units: computeUnitsMax, microLamportsPerUnit: terms.computePrice };
      return rent + terms.feeLamports + feeOfSignatures(1, budget);
    },
    counts(environment) {
      const lane = queues.get(environment)?.lane;
      return { underWay: lane?.underWay.size ?? 0, waiting: lane?.waitingCount ?? 0 };
    },
  };
}

function lineIsFull(): TrellisError {
  return new TrellisError("creation_queue_full", { retryAfterSeconds });
}

function admitWaiting(queue: Queue): void {
  while (hasPlace(queue.lane)) {
    const waiter = takeNext(queue.lane);
    if (waiter === undefined) return;
    waiter.admit(beginTurn(queue));
  }
}

/** Lets a creation in, behind the turns of those before it. */
function beginTurn(queue: Queue): Turn {
  const ticket = takePlace(queue.lane);
  const former = queue.lastTurn;
  let pass: () => void = () => undefined;
  queue.lastTurn = new Promise((resolve) => {
    pass = resolve;
  });
  return { ticket, takeTurn: () => former.then(() => pass()) };
}
