import type { Address, Instruction } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import type { ReadMessage } from "../chain/read-message.js";
import type { Network } from "../environment.js";
import { TrellisError } from "../errors.js";
import {
  checkConsensus,
  type DecodedTransactionSync,
  ProgramDataError,
  parseTransactionSync,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "../program-client/index.js";
import type { ActingAccount } from "./acting-account.js";
import { refuseForbidden } from "./forbidden-instructions.js";

/**
 * Requires that the signers present may do what the transaction does, by the account's settings as they are now, and that
 * nothing inside it touches a service key. Lookup tables were resolved just before: what they hold may have changed since
 * the transaction was prepared (gap 31).
 *
 * Throws `insufficient_permissions` naming what lacks, `proposal_required` under a time lock, `forbidden_account`.
 */
export function requireAuthority(
  account: ActingAccount,
  message: ReadMessage,
  present: ReadonlySet<Address>,
  network: Pick<Network, "serviceAddresses">,
): void {
  for (const instruction of message.instructions) {
    const call = readCall(instruction);
    if (!call) continue;
    refuseForbidden(call.instructions, network.serviceAddresses);
    if (account.settings.timeLockSeconds > 0) throw new TrellisError("proposal_required");
    const absent = call.members.find((member) => !present.has(member));
    const verdict = checkConsensus(account.settings, call.members);
    if (absent === undefined && verdict.ok) continue;
    throw new TrellisError("insufficient_permissions", {
      message: absent === undefined && !verdict.ok ? verdict.message : `${absent} has not signed.`,
    });
  }
}

/**
 * Requires that a transaction prepared elsewhere is about this account and nothing else, and needs no signature that only
 * the service or a custodian could give (gap 31). Throws `transaction_not_prepared` or `forbidden_account`.
 */
export function requireSelfContained(
  account: ActingAccount,
  message: ReadMessage,
  network: Network,
  field: string,
): void {
  const refuse = (text: string) => new TrellisError("transaction_not_prepared", { field, message: text });
  for (const address of network.serviceAddresses) {
    if (message.addresses.has(address)) {
      throw refuse("This transaction was not prepared here, so the service neither pays for it nor appears in it.");
    }
  }
  for (const instruction of message.instructions) {
    if (instruction.programAddress === COMPUTE_BUDGET_PROGRAM_ADDRESS) continue;
    const settings = instruction.accounts?.[0]?.address;
    if (instruction.programAddress !== SMART_ACCOUNT_PROGRAM_ADDRESS || settings !== account.settingsAddress) {
      throw refuse("A transaction built elsewhere may only call the smart account program for this account.");
    }
    const call = readCall(instruction);
    if (call && call.smartAccount !== account.address) {
      throw refuse("A transaction built elsewhere may only move what this account's own address holds.");
    }
  }
}

/** A caller's bytes may say anything; what the program could not read either is not worth sending. */
function readCall(instruction: Instruction): DecodedTransactionSync | undefined {
  try {
    return parseTransactionSync(instruction);
  } catch (cause) {
    if (!(cause instanceof ProgramDataError)) throw cause;
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: `The call of the smart account program cannot be read: ${cause.message}.`,
      cause,
    });
  }
}
