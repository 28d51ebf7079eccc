import type { Address, Instruction } from "@solana/kit";

/** The SPL Memo program, and the one before it. Both put the bytes they are called with into the logs. */
export const MEMO_PROGRAM_ADDRESS = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" as Address;
const FIRST_MEMO_PROGRAM_ADDRESS = "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo" as Address;

/** A memo without signers beside the transaction's own: the form that nodes show with a transaction. */
export function memoInstruction(text: string): Instruction {
  return { programAddress: MEMO_PROGRAM_ADDRESS, accounts: [], data: new TextEncoder().encode(text) };
}

/** The text of a memo instruction; undefined for any other instruction, and for bytes that are no text. */
export function readMemo({ programAddress, data }: Instruction): string | undefined {
  if (programAddress !== MEMO_PROGRAM_ADDRESS && programAddress !== FIRST_MEMO_PROGRAM_ADDRESS) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(data ?? []));
  } catch {
    return undefined;
  }
}
