import { type Address, getBase58Decoder, type SignatureBytes } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { createSmartAccountInstruction } from "@trellis/program-client";
import {
  type ComputeBudget,
  composeTransaction,
  computeUnitsMax,
  feeOf,
  type Lifetime,
  noBlockhash,
  type UnsignedTransaction,
} from "@trellis/solana/compose.js";
import { type FreshSimulation, type Simulation, simulateAfresh } from "@trellis/solana/simulate.js";
import { encodeWithSignatures } from "@trellis/solana/wire-transaction.js";
import { type Cost, sumOf } from "../sponsorship/sponsorship.js";
import { type CreationFailure, readCreationFailure } from "./creation-failure.js";
import type { ResolvedPlan } from "./creation-plan.js";
import type { CreationPlace, CreationTerms } from "./creation-queue.js";

interface Needs {
  readonly random: Random;
  readonly realClock: Clock;
  readonly log: Log;
}

/** A creation's bytes, signed by the fee payer and not yet stored. */
export interface SignedCreation {
  readonly kind: "signed";
  /** Lower-case hex SHA-256 of the message bytes. */
  readonly id: string;
  /** Base58. */
  readonly signature: string;
  readonly wireTransaction: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  /** The slot of the simulation, before which these bytes did not exist. */
  readonly recordedSlot: bigint;
  readonly costs: readonly Cost[];
  /** Their sum. */
  readonly reservedLamports: bigint;
}

/** Simulations of one creation at most: what it found out of date is read anew each time. */
const simulationsMax = 4;

/**
 * Simulates a creation and has the fee payer sign it, in this order: what is found wrong costs nothing. The fee payer may
 * lose no more than what is reserved for it.
 *
 * `refused`: the program takes no account of this plan. `stale`: the account numbers run away from those that were
 * offered. Throws `service_unavailable` where the service's own fee payer holds too little, or an account has become
 * dearer, `chain_unavailable` for everything else that a later call may find better.
 */
export async function signCreation(
  needs: Needs,
  network: Network,
  plan: ResolvedPlan,
  place: CreationPlace,
): Promise<SignedCreation | Extract<CreationFailure, { kind: "refused" | "stale" }>> {
  let isDearer = false;
  for (let round = 0; round < simulationsMax; round += 1) {
    const [terms, nextOnes, rentLamports] = await Promise.all([
      place.getTerms(),
      place.nextOnes(plan.signers.length),
      place.rentLamports(plan.signers.length),
    ]);
    const most: ComputeBudget = { units: computeUnitsMax, microLamportsPerUnit: terms.computePrice };
    const draft = compose(network, plan, { ...terms, candidates: nextOnes }, noBlockhash, most);
    const simulation = await simulateAfresh(network, draft.bytes);
    const costLamports = rentLamports + terms.feeLamports;
    if (simulation.error === null) {
      isDearer = simulation.payerLossLamports > feeOf(draft.transaction, most) + costLamports;
      if (!isDearer) return sign(needs, network, plan, terms, { simulation, rentLamports });
      place.readAnew();
      continue;
    }
    const failure = readCreationFailure(simulation.error, simulation.logs);
    switch (failure.kind) {
      case "refused":
        return failure;
      case "poor":
        throw new TrellisError("service_unavailable", {
          message: `The service's fee payer on ${network.name} does not hold enough SOL. Its operator has to fund it.`,
        });
      case "stale":
        place.readAnew();
        break;
      case "unclear":
        needs.log.error(
          { event: "account_creation_simulation_failed", failure: simulation.error, logs: simulation.logs },
          "account creation fails in simulation, for a reason outside its plan",
        );
        throw new TrellisError("chain_unavailable", { message: "The chain cannot create accounts at present." });
    }
  }
  if (isDearer) {
    throw new TrellisError("service_unavailable", { message: "An account costs more than the service has set aside." });
  }
  return { kind: "stale" };
}

async function sign(
  needs: Needs,
  network: Network,
  plan: ResolvedPlan,
  terms: CreationTerms,
  made: { readonly simulation: FreshSimulation; readonly rentLamports: bigint },
): Promise<SignedCreation> {
  const { simulation, rentLamports } = made;
  const { lifetime, slot } = simulation;
  const budget = { units: unitsFor(simulation, needs.random), microLamportsPerUnit: terms.computePrice };
  const { transaction, id } = compose(network, plan, terms, lifetime, budget);
  const signature = await network.feePayer.sign(transaction.messageBytes as unknown as Uint8Array);
  // No party can close an account's settings: none gains by that rent.
  const costs: readonly Cost[] = [
    { kind: "fee", lamports: feeOf(transaction, budget) },
    { kind: "settings_rent", lamports: rentLamports },
    { kind: "creation_fee", lamports: terms.feeLamports, beneficiary: terms.treasury },
  ];
  return {
    kind: "signed",
    id,
    signature: getBase58Decoder().decode(signature),
    wireTransaction: encodeWithSignatures(
      transaction,
      new Map<Address, SignatureBytes>([[network.feePayer.address, signature]]),
    ),
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    recordedSlot: slot,
    costs,
    reservedLamports: sumOf(costs),
  };
}

/**
 * The program searches for the bump of the number that is next when the transaction lands, at 1,500 units a try and up to
 * twice: ten tries more than the simulated number took are enough for all but one account in a thousand.
 */
const bumpMarginUnits = 30_000;

/**
 * A fifth more than the simulation used, and a random surplus that tells two equal plans apart that meet within one
 * block: equal bytes would be one creation.
 */
function unitsFor(simulation: Simulation, random: Random): number {
  const [low = 0, high = 0] = random.bytes(2);
  const surplus = ((high << 8) | low) & 0x3fff;
  return Math.min(computeUnitsMax, Math.ceil(simulation.unitsConsumed * 1.2) + bumpMarginUnits + surplus);
}

function compose(
  network: Network,
  plan: ResolvedPlan,
  terms: CreationTerms,
  lifetime: Pick<Lifetime, "blockhash">,
  budget: ComputeBudget,
): UnsignedTransaction {
  return composeTransaction(network.feePayer.address, lifetime, budget, [
    createSmartAccountInstruction({
      creator: network.feePayer.address,
      treasury: terms.treasury,
      candidates: terms.candidates,
      signers: plan.signers,
      threshold: plan.threshold,
      timeLockSeconds: plan.timeLockSeconds,
      settingsAuthority: plan.admin,
    }),
  ]);
}
