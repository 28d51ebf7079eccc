import { type Address, getBase58Decoder, type Instruction, type SignatureBytes } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  checkPasskeySignatureInstruction,
  customErrorOf,
  derivePasskeyAddress,
  failingProgram,
  initializePasskeyInstruction,
  passkeyAccountBytes,
  refreshPasskeySessionInstruction,
  SIGNATURE_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { composeTransaction, computeUnitsMax, feeOf, noBlockhash } from "@trellis/solana/compose.js";
import { estimateComputePrice } from "@trellis/solana/compute-price.js";
import { readPasskeys } from "@trellis/solana/read-passkeys.js";
import { simulateAfresh } from "@trellis/solana/simulate.js";
import { encodeWithSignatures } from "@trellis/solana/wire-transaction.js";
import { payerAt } from "../sponsorship/service-keys.js";
import { budgetDay, type Cost, sumOf } from "../sponsorship/sponsorship.js";
import type { Ceremony, CeremonyBytes } from "./ceremony-store.js";
import { refusedAnswer, type SignedAnswer } from "./read-answer.js";

interface Needs {
  readonly realClock: Clock;
  readonly log: Log;
}

/** What the runtime takes for checking one signature of a passkey. */
export const checkFeeLamports = 5_000n;

/**
 * Makes the transaction that carries out a ceremony, and has the payer that its challenge names sign it once a simulation has shown that
 * it works and takes no more than its costs. Throws what `ceremonyRefusal` names, `passkey_challenge_over` where the service has that
 * key no more, `service_unavailable` and `chain_unavailable`.
 */
export async function signCeremony(
  needs: Needs,
  network: Network,
  ceremony: Ceremony,
  { assertion }: Pick<SignedAnswer, "assertion">,
  publicKey: Uint8Array,
): Promise<CeremonyBytes> {
  const payer = payerAt(network, ceremony.payer);
  // The challenge holds for a key that the service had when it was begun.
  if (payer === undefined) throw new TrellisError("passkey_challenge_over");
  const passkeyAddress = derivePasskeyAddress(publicKey);
  const [rent, microLamportsPerUnit] = await Promise.all([
    ceremony.kind === "create"
      ? askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(passkeyAccountBytes)))
      : undefined,
    estimateComputePrice(network, [passkeyAddress]),
  ]);
  const instructions: readonly Instruction[] = [
    checkPasskeySignatureInstruction(publicKey, assertion),
    ceremonyInstruction(payer.address, ceremony, assertion, publicKey),
  ];
  // The check of the signature has to be the first instruction.
  const most = { units: computeUnitsMax, microLamportsPerUnit, isLast: true };
  const draft = composeTransaction(payer.address, noBlockhash, most, instructions);
  const costsOf = (fee: bigint): readonly Cost[] => [
    { kind: "fee", lamports: fee + checkFeeLamports },
    ...(rent === undefined ? [] : [{ kind: "passkey_rent", lamports: rent, heldAt: passkeyAddress } as const]),
  ];
  const simulation = await simulateAfresh(network, draft.bytes);
  if (simulation.error !== null) {
    const { kind } = ceremony;
    throw await ceremonyRefusal(needs.log, network, { kind, passkeyAddress }, simulation);
  }
  if (simulation.payerLossLamports > sumOf(costsOf(feeOf(draft.transaction, most)))) {
    throw new TrellisError("service_unavailable", {
      message: "A passkey's account costs more than the service has set aside.",
    });
  }
  const budget = { ...most, units: Math.min(computeUnitsMax, Math.ceil(simulation.unitsConsumed * 1.2) + 10_000) };
  const { transaction, id } = composeTransaction(payer.address, simulation.lifetime, budget, instructions);
  const costs = costsOf(feeOf(transaction, budget));
  const signature = await payer.sign(Uint8Array.from(transaction.messageBytes));
  const signatures = new Map<Address, SignatureBytes>([[payer.address, signature]]);
  return {
    passkeyAddress,
    costs,
    signed: {
      id,
      tenantId: ceremony.tenant_id,
      environment: network.name,
      accountAddress: null,
      purpose: "passkey",
      signature: getBase58Decoder().decode(signature),
      wireTransaction: encodeWithSignatures(transaction, signatures),
      lastValidBlockHeight: simulation.lifetime.lastValidBlockHeight,
      recordedSlot: simulation.slot,
      reservedLamports: sumOf(costs),
      reservedOn: budgetDay(needs.realClock.now()),
    },
  };
}

function ceremonyInstruction(
  signer: Address,
  ceremony: Ceremony,
  { form }: SignedAnswer["assertion"],
  publicKey: Uint8Array,
): Instruction {
  const key = ceremony.session_key as Address;
  const claim = { publicKey, form, slot: ceremony.slot };
  if (ceremony.session_ends_at === null) {
    const session = { key, expiration: BigInt(ceremony.session_seconds) };
    return refreshPasskeySessionInstruction({ ...claim, nonceSigner: signer, session });
  }
  const session = { key, expiration: ceremony.session_ends_at };
  return initializePasskeyInstruction({ ...claim, payer: signer, relyingPartyId: ceremony.relying_party_id, session });
}

/** Where the signature program stands behind the check. */
const programAt = 1;
/** Of the builds that have numbers of their own for everything, those of this repository. */
const counterNotGrown = 7_022;
/** Ends of a program that are no refusal. */
const crashes: ReadonlySet<unknown> = new Set(["ProgramFailedToComplete", "ComputationalBudgetExceeded"]);

/** Why an instruction failed, as the runtime says it. */
function causeOf(error: unknown): unknown {
  const failed = typeof error === "object" && error !== null && "InstructionError" in error && error.InstructionError;
  return Array.isArray(failed) ? failed[1] : undefined;
}

interface Refused {
  readonly error: unknown;
  readonly logs: readonly string[];
}

/**
 * The error for a ceremony that the chain refuses: `passkey_account_exists`, `invalid_passkey_assertion`, `passkey_challenge_over`, and
 * `service_unavailable` for what is no fault of the answer. Throws `chain_unavailable`.
 */
export async function ceremonyRefusal(
  log: Log,
  network: Pick<Network, "rpc">,
  { kind, passkeyAddress }: Pick<Ceremony, "kind"> & { readonly passkeyAddress: Address },
  refused: Refused,
): Promise<TrellisError> {
  const { error, logs } = refused;
  const exists = async () => kind === "create" && (await readPasskeys(network, [passkeyAddress])).size > 0;
  if (!isOfCheck(error) && (await exists())) return new TrellisError("passkey_account_exists");
  const refusal = signatureProgramRefusal(log, refused, programAt);
  if (refusal !== undefined) return refusal;
  // operator: read `failure` and `logs`: the fee payer holds too little, or there is no signature program
  log.error(
    { event: "passkey_ceremony_failed", failure: error, logs },
    "passkey's ceremony fails for a reason outside its answer",
  );
  return new TrellisError("service_unavailable");
}

/** Whether it is the runtime that refuses a passkey's signature. */
const isOfCheck = (error: unknown): boolean => customErrorOf(error)?.index === 0;

/**
 * The error for what the signature program, or the check in front of it, refuses; undefined: something else has failed. `at` is where that
 * program stands in the transaction.
 *
 * An answer is held against its challenge before it is sent. So what the signature program itself still refuses, by whatever number, is
 * that the chain has moved on: the slot has no such hash, or the passkey has signed for a newer one.
 */
export function signatureProgramRefusal(log: Log, { error, logs }: Refused, at: number): TrellisError | undefined {
  if (isOfCheck(error)) return refusedAnswer("signature");
  const custom = customErrorOf(error);
  // One that it calls, as the program that opens accounts, refuses for want of money.
  const program = failingProgram(logs);
  const isItsOwn =
    program === undefined
      ? custom?.index === at
      : program === SIGNATURE_PROGRAM_ADDRESS && !crashes.has(causeOf(error));
  if (!isItsOwn) return undefined;
  if (custom?.code === counterNotGrown) return refusedAnswer("counter");
  // operator: many of them say that the program at the signature program's address is a build that was not tested
  log.warn(
    { event: "passkey_ceremony_refused", failure: error, logs },
    "passkey's ceremony was refused by the signature program, as if its slot had passed",
  );
  return new TrellisError("passkey_challenge_over");
}
