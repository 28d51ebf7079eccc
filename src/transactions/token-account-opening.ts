import type { Address, Instruction } from "@solana/kit";
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  AssociatedTokenInstruction,
  identifyAssociatedTokenInstruction,
  parseCreateAssociatedTokenIdempotentInstruction,
} from "@solana-program/token";

/** An instruction that opens an owner's conventional token account, read from its bytes; undefined for any other. */
export function readTokenAccountOpening(
  instruction: Instruction,
): Readonly<Record<"owner" | "mint" | "tokenAccount" | "payer", Address>> | undefined {
  const { accounts = [], data = new Uint8Array(0) } = instruction;
  const whole = { ...instruction, accounts, data };
  if (whole.programAddress !== ASSOCIATED_TOKEN_PROGRAM_ADDRESS || whole.accounts.length < 6) return undefined;
  const kind = attempt(() => identifyAssociatedTokenInstruction(whole));
  if (kind !== AssociatedTokenInstruction.CreateAssociatedTokenIdempotent) return undefined;
  const { owner, mint, ata, payer } = parseCreateAssociatedTokenIdempotentInstruction(whole as never).accounts;
  return { owner: owner.address, mint: mint.address, tokenAccount: ata.address, payer: payer.address };
}

/** The program libraries throw on data they do not know; here that only means "something else". */
function attempt<T>(identify: () => T): T | undefined {
  try {
    return identify();
  } catch {
    return undefined;
  }
}
