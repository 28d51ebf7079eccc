import type { Address } from "@solana/kit";
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { addressBytes, findProgramDerivedAddress } from "@trellis/program-client/program-address.js";

/** The token account that wallets use by convention for an owner and a mint. */
export function deriveTokenAccount(owner: Address, mint: Address, tokenProgram: Address): Address {
  return findProgramDerivedAddress(ASSOCIATED_TOKEN_PROGRAM_ADDRESS, [
    addressBytes(owner),
    addressBytes(tokenProgram),
    addressBytes(mint),
  ]).address;
}
