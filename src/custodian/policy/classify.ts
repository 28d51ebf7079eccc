/** From the bytes of a message to what they do. Pure, and it never throws: what it cannot read is a fact, too. */
import type { Address, Instruction } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import {
  deriveProposalAddress,
  deriveTransactionAddress,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { resolveMessage } from "@trellis/solana/read-message.js";
import { readPlainMessage } from "@trellis/solana/transaction-bytes.js";
import { type Fact, Opaque, type OpaqueFact, type OpaqueReason } from "./facts.js";
import { isPlainMemo, readOpening, readSolTransfer } from "./inner-calls.js";
import { type ReadCall, readProgramCall, withOwners } from "./program-calls.js";

/** Everything that a signature of `wallet` over `message` would do, as far as bytes can say. */
export function classify(message: Uint8Array, wallet: Address): readonly Fact[] {
  try {
    const whole = readWhole(message, wallet);
    if ("reason" in whole) return [opaque(whole.reason, null, null)];
    const calls = whole.instructions.map((instruction, at) => readCall(instruction, at, wallet));
    return withOwners(
      calls.flatMap((call) => withVotes(call, calls)),
      calls.flatMap(({ openings }) => openings),
    );
  } catch {
    // A reader that fails has read nothing.
    return [opaque("not_a_message", null, null)];
  }
}

function readWhole(
  bytes: Uint8Array,
  wallet: Address,
): { instructions: readonly Instruction[] } | { reason: OpaqueReason } {
  const message = readPlainMessage(bytes);
  if (message === undefined) return { reason: "not_a_message" };
  if ("addressTableLookups" in message && message.addressTableLookups !== undefined) return { reason: "lookup_table" };
  const { staticAccounts, header } = message;
  if (new Set(staticAccounts).size !== staticAccounts.length) return { reason: "duplicate_account" };
  const { instructions, feePayer } = resolveMessage({ message }, {});
  if (feePayer === wallet) return { reason: "wallet_pays_fee" };
  if (!staticAccounts.slice(0, header.numSignerAccounts).includes(wallet)) return { reason: "wallet_does_not_sign" };
  return { instructions };
}

function readCall(instruction: Instruction, at: number, wallet: Address): ReadCall {
  const { programAddress } = instruction;
  try {
    if (programAddress === SMART_ACCOUNT_PROGRAM_ADDRESS) return readProgramCall(instruction, wallet);
    const isExposed = (instruction.accounts ?? []).some(({ address }) => address === wallet);
    if (isExposed && !isNonce(instruction)) throw new Opaque("wallet_exposed");
    return readOutside(instruction);
  } catch (error) {
    // Whatever the decoders find wrong: these bytes do not show what they do.
    const reason = error instanceof Opaque ? error.reason : "malformed";
    return { facts: [opaque(reason, at, programAddress)], openings: [] };
  }
}

/** What stands beside the program's instructions, and has nothing of the wallet. */
function readOutside(instruction: Instruction): ReadCall {
  const { programAddress } = instruction;
  const harmless = (what: "compute_budget" | "memo" | "lamports_of_others"): ReadCall => ({
    facts: [{ kind: "harmless", what }],
    openings: [],
  });
  if (programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS && isComputeBudget(instruction)) {
    return harmless("compute_budget");
  }
  if (isPlainMemo(instruction)) return harmless("memo");
  if (programAddress === SYSTEM_PROGRAM_ADDRESS) {
    // It is not from the wallet, which is nowhere in it, nor from a smart account, which signs nothing outside.
    readSolTransfer(instruction);
    return harmless("lamports_of_others");
  }
  const opening = readOpening(instruction);
  if (opening === undefined) throw new Opaque("unknown_program");
  const { account, owner } = opening;
  return { facts: [{ kind: "harmless", what: "token_account" }], openings: [{ account, owner }] };
}

const isNonce = ({ programAddress, data = new Uint8Array(0) }: Instruction): boolean =>
  programAddress === SYSTEM_PROGRAM_ADDRESS && data[0] === 4;

/** Bytes of each instruction of the compute budget program, by its number. */
const budgetBytes: Readonly<Record<number, number>> = { 1: 5, 2: 5, 3: 9, 4: 5 };

function isComputeBudget({ accounts = [], data = new Uint8Array(0) }: Instruction): boolean {
  return accounts.length === 0 && data[0] !== undefined && budgetBytes[data[0]] === data.length;
}

/** An approval is seen where this transaction stores what it approves, and opens the vote on it. */
function withVotes({ facts, approved }: ReadCall, calls: readonly ReadCall[]): readonly Fact[] {
  if (approved === undefined) return facts;
  const { settings, proposal } = approved;
  const isSeen = calls.some(
    ({ opened }) =>
      opened?.settings === settings &&
      deriveProposalAddress(settings, opened.index) === proposal &&
      calls.some(
        ({ stored }) =>
          stored?.settings === settings && stored.transaction === deriveTransactionAddress(settings, opened.index),
      ),
  );
  return facts.map((fact) => (fact.kind === "step" ? { ...fact, isSeen } : fact));
}

function opaque(reason: OpaqueReason, instruction: number | null, program: Address | null): OpaqueFact {
  return { kind: "opaque", reason, instruction, program };
}
