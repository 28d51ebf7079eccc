import { type Address, type Instruction, isSignerRole } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import {
  buildPasskeyExecution,
  executeByPasskeySessionInstruction,
  SIGNATURE_PROGRAM_ADDRESS,
  type SyncPayload,
  SyncPayloadError,
} from "@trellis/program-client";
import type { ActingAccount } from "./acting-account.js";

/**
 * Has the passkeys that act for an account sign: no key belongs to a passkey's address, so each instruction that it has to sign is
 * executed by the signature program, and the passkey's session key signs the transaction. All others stay as they are, and so does what a
 * passkey approves by itself.
 *
 * Throws `passkey_session_required` where no session key signs for a passkey at present, and `proposal_required` for an instruction that two
 * passkeys would have to sign: the signature program executes for one. Throws `transaction_too_large` for what it cannot hold.
 */
export function signByPasskeys(
  { passkeys, sessionKeys }: Pick<ActingAccount, "passkeys" | "sessionKeys">,
  instructions: readonly Instruction[],
): readonly Instruction[] {
  if (passkeys.size === 0) return instructions;
  return instructions.map((instruction) => {
    const signing = (instruction.accounts ?? []).filter(
      ({ address, role }) => isSignerRole(role) && passkeys.has(address),
    );
    const [address, ...others] = new Set(signing.map((account) => account.address));
    if (address === undefined) return instruction;
    if (others.length > 0) {
      throw new TrellisError("proposal_required", {
        message: "Several passkeys cannot sign at once. Create a proposal, on which each of them votes.",
      });
    }
    const sessionKey = sessionKeys.get(address);
    if (sessionKey === undefined) throw new TrellisError("passkey_session_required", { facts: { address } });
    // It signs by itself, for which what it approves is put together once more (`passkey-signers/approval-transaction.ts`).
    if (sessionKey === address) return instruction;
    const execution = executionOf(address, instruction);
    const signer = { signingAddress: "passkey_account", passkeyAccount: address, sessionKey } as const;
    return executeByPasskeySessionInstruction({ ...signer, execution });
  });
}

/** Throws `invalid_request` where a passkey is to approve what is prepared itself, and none has to sign it. */
export function requireApproved(
  { sessionKeys }: Pick<ActingAccount, "sessionKeys">,
  instructions: readonly Instruction[],
): void {
  const approving = new Set([...sessionKeys].flatMap(([address, key]) => (address === key ? [address] : [])));
  if (approving.size === 0) return;
  const signs = ({ accounts = [] }: Instruction) =>
    accounts.some(({ address, role }) => isSignerRole(role) && approving.has(address));
  if (instructions.some(signs)) return;
  throw new TrellisError("invalid_request", {
    field: "passkey_approval",
    message: "None of the signers that were chosen is a passkey. Name the passkey as the signer.",
  });
}

/** How many calls these are where units are given by the call: the signature program may take as many as what it executes. */
export function countCalls(instructions: readonly Instruction[]): number {
  const byPasskeys = instructions.filter(({ programAddress }) => programAddress === SIGNATURE_PROGRAM_ADDRESS);
  return instructions.length + byPasskeys.length;
}

function executionOf(passkey: Address, instruction: Instruction): SyncPayload {
  try {
    return buildPasskeyExecution(passkey, "passkey_account", [instruction]);
  } catch (error) {
    if (!(error instanceof SyncPayloadError)) throw error;
    throw new TrellisError("transaction_too_large", {
      message: `A passkey cannot sign this: ${error.message}.`,
      cause: error,
    });
  }
}
