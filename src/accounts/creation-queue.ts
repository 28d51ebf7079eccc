import type { Address } from "@solana/kit";
import { askChain } from "../chain/ask-chain.js";
import { estimateComputePrice } from "../chain/compute-price.js";
import { readAccount } from "../chain/read-accounts.js";
import type { EnvironmentName, Network } from "../environment.js";
import { TrellisError } from "../errors.js";
import { limits } from "../limits.js";
import type { Clock } from "../ports/clock.js";
import { getProgramConfigDecoder } from "../program-client/generated/accounts/index.js";
import { PROGRAM_CONFIG_ADDRESS, settingsSize } from "../program-client/index.js";

/** What the program and the chain ask of a creation, as last seen. */
export interface CreationTerms {
  readonly treasury: Address;
  readonly feeLamports: bigint;
  /** How many accounts existed at least; the next one's number is above it. */
  readonly index: bigint;
  readonly computePrice: bigint;
  /** Rent-exempt minimum of a settings account. */
  rentLamports(signerCount: number): Promise<bigint>;
}

/**
 * Where the creations of one process wait for their turn. No more are under way in an environment than one window of
 * candidates holds, so that they cannot push the chain's counter past each other's windows (program spec 6).
 */
export interface CreationQueue {
  /** Runs `work` when a place is free, with the present terms. Throws `chain_unavailable`. */
  run<T>(network: Network, work: (terms: CreationTerms) => Promise<T>): Promise<T>;
  /** Tells that account number `seed` exists. */
  noteCreated(network: Pick<Network, "name">, seed: bigint): void;
  /** Makes the next creation read the terms from the chain. */
  forgetTerms(network: Pick<Network, "name">): void;
}

interface Lane {
  active: number;
  readonly waiting: (() => void)[];
  terms: Terms | undefined;
  readonly rents: Map<number, bigint>;
}

interface Terms {
  readonly treasury: Address;
  readonly feeLamports: bigint;
  index: bigint;
  readonly computePrice: bigint;
  readonly readAt: number;
}

/** Treasury, fee and price change rarely; a creation under old terms fails and is built anew. */
const termsLifeMs = 10_000;

/** Makes the queue; one per process, next to the custodians. */
export function createCreationQueue(realClock: Clock): CreationQueue {
  const lanes = new Map<EnvironmentName, Lane>();
  const laneOf = (name: EnvironmentName): Lane => {
    const lane = lanes.get(name) ?? { active: 0, waiting: [], terms: undefined, rents: new Map() };
    lanes.set(name, lane);
    return lane;
  };

  const getTerms = async (network: Network, lane: Lane): Promise<Terms> => {
    const known = lane.terms;
    if (known && realClock.now() - known.readAt < termsLifeMs) return known;
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
    const terms: Terms = {
      treasury: config.treasury,
      feeLamports: config.smartAccountCreationFee,
      index: config.smartAccountIndex,
      computePrice,
      readAt: realClock.now(),
    };
    lane.terms = terms;
    return terms;
  };

  const rentLamports = async (network: Network, lane: Lane, signerCount: number): Promise<bigint> => {
    const size = settingsSize(signerCount);
    const known = lane.rents.get(size);
    if (known !== undefined) return known;
    const rent = await askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(size)));
    lane.rents.set(size, rent);
    return rent;
  };

  return {
    async run(network, work) {
      const lane = laneOf(network.name);
      if (lane.active >= limits.creationWindow) await new Promise<void>((resolve) => lane.waiting.push(resolve));
      else lane.active += 1;
      try {
        const terms = await getTerms(network, lane);
        return await work({
          treasury: terms.treasury,
          feeLamports: terms.feeLamports,
          index: terms.index,
          computePrice: terms.computePrice,
          rentLamports: (signerCount) => rentLamports(network, lane, signerCount),
        });
      } finally {
        // The place goes to the next in line without becoming free in between.
        const next = lane.waiting.shift();
        if (next) next();
        else lane.active -= 1;
      }
    },
    noteCreated(network, seed) {
      const { terms } = laneOf(network.name);
      if (terms && seed > terms.index) terms.index = seed;
    },
    forgetTerms(network) {
      laneOf(network.name).terms = undefined;
    },
  };
}
