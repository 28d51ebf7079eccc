import { address, getProgramDerivedAddress } from "@solana/kit";
import { findAssociatedTokenPda } from "@solana-program/token";
import { describe, expect, it } from "vitest";
import { smartAccountVector } from "../../../test/vectors/smart-account.js";
import {
  deriveAssociatedTokenAddress,
  deriveProgramAddress,
  deriveSmartAccountAddress,
  smartAccountProgramAddress,
  token2022ProgramAddress,
  tokenProgramAddress,
} from "./program-address.js";

describe("deriveSmartAccountAddress", () => {
  it("gives the published vaults", () => {
    const settings = address(smartAccountVector.settings);
    expect(deriveSmartAccountAddress(settings)).toBe(smartAccountVector.vault0);
    expect(deriveSmartAccountAddress(settings, 1)).toBe(smartAccountVector.vault1);
  });
});

describe("against kit", () => {
  it("derives the same addresses for any seeds", async () => {
    for (let round = 0; round < 60; round++) {
      const seeds = [crypto.getRandomValues(new Uint8Array(round % 33)), new Uint8Array([round])];
      const [expected] = await getProgramDerivedAddress({ programAddress: smartAccountProgramAddress, seeds });
      expect(deriveProgramAddress(smartAccountProgramAddress, seeds)).toBe(expected);
    }
  });

  it("derives the same token accounts for both token programs", async () => {
    const owner = address(smartAccountVector.vault0);
    const mint = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
    for (const tokenProgram of [tokenProgramAddress, token2022ProgramAddress]) {
      const [expected] = await findAssociatedTokenPda({ owner, mint, tokenProgram });
      expect(deriveAssociatedTokenAddress(owner, mint, tokenProgram)).toBe(expected);
    }
  });
});
