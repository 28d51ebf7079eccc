import type { Address, Instruction } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import { SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { TrellisError } from "@trellis/kernel/errors.js";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { whyUncallable } from "./uncallable-programs.js";

/** First four bytes, little-endian, of the system program's instruction that moves a durable nonce on. */
const advanceNonce = 4;

/**
 * Refuses what a caller must not have executed for a smart account, `settings` being its own (gap 31). A service key inside
 * a wrapped call is a signer there, so naming it in any position is enough to be refused: an inner transfer from it would
 * execute. The same for a call of the program about the account itself (gap 86).
 *
 * Throws `forbidden_account`, or `invalid_transaction` for a durable nonce and for what no program can call.
 */
export function refuseForbidden(
  instructions: readonly Instruction[],
  serviceAddresses: ReadonlySet<Address>,
  settings: Address,
  field = "transaction",
): void {
  for (const instruction of instructions) {
    const named = [instruction.programAddress, ...(instruction.accounts ?? []).map(({ address }) => address)];
    const forbidden = named.find((address) => serviceAddresses.has(address));
    if (forbidden !== undefined) {
      throw new TrellisError("forbidden_account", {
        field,
        message: `The transaction names ${forbidden}, a key of the service, which no caller's instruction may touch.`,
      });
    }
    if (callsAboutItself(instruction, settings)) {
      throw new TrellisError("forbidden_account", {
        field,
        message:
          "The transaction calls the smart account program about this very account. From within its own transaction that " +
          "can leave the account unable to propose anything, for good.",
      });
    }
    const uncallable = whyUncallable(instruction);
    if (uncallable !== undefined) {
      const { programAddress: program } = instruction;
      throw new TrellisError("invalid_transaction", {
        field,
        message:
          `The transaction calls ${program}, ${uncallable}. The chain lets no program make this call, and a smart account ` +
          "calls from within its program.",
        suggestion: "Leave this instruction out, or send it in a transaction of a plain key.",
        facts: { program },
      });
    }
    if (isNonceAdvance(instruction)) {
      throw new TrellisError("invalid_transaction", {
        field,
        message: "The transaction advances a durable nonce; transactions here live by a recent blockhash only.",
      });
    }
  }
}

/**
 * Whether an account is to call the program about itself. The program ends an execution by writing the settings back as it
 * read them. What was stored meanwhile then has a number that the settings give out again, which nothing can take and
 * no party can close; a change of the settings would be undone, and be held for made.
 */
export function callsAboutItself({ programAddress, accounts = [] }: Instruction, settings: Address): boolean {
  return programAddress === SMART_ACCOUNT_PROGRAM_ADDRESS && accounts.some(({ address }) => address === settings);
}

/** Without the compute budget the caller asked for: the service sets its own (gap 31). */
export function withoutComputeBudget(instructions: readonly Instruction[]): readonly Instruction[] {
  return instructions.filter(({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS);
}

/** Whether an instruction moves a durable nonce on. */
export function isNonceAdvance({ programAddress, data }: Instruction): boolean {
  if (programAddress !== SYSTEM_PROGRAM_ADDRESS || !data || data.length < 4) return false;
  return data[0] === advanceNonce && data[1] === 0 && data[2] === 0 && data[3] === 0;
}

/** Also what no instruction uses: a service key has no business in a caller's message at all. */
export function refuseNamed(addresses: ReadonlySet<Address>, serviceAddresses: ReadonlySet<Address>): void {
  for (const address of serviceAddresses) {
    if (!addresses.has(address)) continue;
    throw new TrellisError("forbidden_account", {
      field: "transaction",
      message: `The transaction names ${address}, a key of the service.`,
    });
  }
}

/**
 * Whom a new spending limit gives rights or money, as far as no service key may be among them. The executor is let through
 * where it is the only signer and one owner can be paid: that is what a standing order is (gap 42). A limit that more could
 * use, or that pays anybody, would give a thief of the executor's key more than its orders do. Whether there is an order is
 * not asked: the executor draws on limits of orders only, and a vote that gives one must be decidable also where the order
 * was lost. Null: none is let through.
 */
export function namedInLimit<T extends string>(
  { signers, destinations }: { readonly signers: readonly T[]; readonly destinations: readonly T[] },
  executor: { readonly address: string } | null,
): readonly T[] {
  const isMandate = signers.length === 1 && signers[0] === executor?.address && destinations.length === 1;
  return isMandate ? destinations : [...signers, ...destinations];
}
