import type { Address } from "@solana/kit";
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { remembered } from "@trellis/kernel/remembered.js";
import { addressBytes, findProgramDerivedAddress } from "@trellis/program-client/program-address.js";

/** Every payment asks for those of its two ends, and a year of payments for the same few again and again. */
const derivedAtHand = 20_000;

const derive = remembered(
  derivedAtHand,
  ({ owner, mint, tokenProgram }: Record<"owner" | "mint" | "tokenProgram", Address>) =>
    `${owner}/${mint}/${tokenProgram}`,
  ({ owner, mint, tokenProgram }) =>
    findProgramDerivedAddress(ASSOCIATED_TOKEN_PROGRAM_ADDRESS, [
      addressBytes(owner),
      addressBytes(tokenProgram),
      addressBytes(mint),
    ]).address,
);

/** The token account that wallets use by convention for an owner and a mint. */
export function deriveTokenAccount(owner: Address, mint: Address, tokenProgram: Address): Address {
  return derive({ owner, mint, tokenProgram });
}
