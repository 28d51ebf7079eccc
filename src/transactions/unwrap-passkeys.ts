import type { Address, Instruction } from "@solana/kit";
import { parsePasskeyExecution, parsePasskeySessionExecution } from "@trellis/program-client";
import type { ReadMessage } from "@trellis/solana/read-message.js";
import { readCaller } from "./submit-policy.js";

/**
 * A message as if the passkeys in it had signed it themselves, and which of them have: those whose session key is among `present`.
 * That it is the session key, the chain alone says. A passkey that approves by itself has signed where `present` has it. Throws
 * `invalid_transaction`.
 */
export function unwrapPasskeys(
  message: ReadMessage,
  present: ReadonlySet<Address>,
): { readonly message: ReadMessage; readonly passkeys: readonly Address[] } {
  const passkeys: Address[] = [];
  const instructions = message.instructions.flatMap((instruction): readonly Instruction[] => {
    const approved = readCaller(() => parsePasskeyExecution(instruction));
    if (approved !== undefined) return approved.instructions;
    const execution = readCaller(() => parsePasskeySessionExecution(instruction));
    if (execution === undefined) return [instruction];
    if (present.has(execution.sessionKey)) passkeys.push(execution.passkeyAccount);
    return execution.instructions;
  });
  return { message: { ...message, instructions }, passkeys };
}
