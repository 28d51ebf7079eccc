import { type Address, getProgramDerivedAddress, isOffCurveAddress } from "@solana/kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  candidateSettings,
  deriveEphemeralSignerAddress,
  derivePolicyAddress,
  deriveProposalAddress,
  deriveSettingsAddress,
  deriveSmartAccountAddress,
  deriveSpendingLimitAddress,
  deriveTransactionAddress,
  PROGRAM_CONFIG_ADDRESS,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "./addresses.js";
import {
  findEphemeralSignerPda,
  findProgramConfigPda,
  findProposalPda,
  findSettingsPda,
  findSmartAccountPda,
  findSpendingLimitPda,
  findTransactionPda,
} from "./generated/pdas/index.js";
import { addressOfBytes, findProgramDerivedAddress, isOnCurve } from "./program-address.js";

const settings = "41gqrPgijYycTaCCzKyLfvqikMEH9fzGCwZYAKQHvMbd" as Address;
const seed7 = addressOfBytes(new Uint8Array(32).fill(7));

describe("the addresses of the first account", () => {
  it.each([
    ["settings 1", deriveSettingsAddress(1n), settings],
    ["settings 2", deriveSettingsAddress(2n), "9pits5NtSr7qjgYxf8CAiRbST3CfpsVs58ExNyW9YJnn"],
    ["settings 3", deriveSettingsAddress(3n), "4ozU3bD11Bij9sBWaRctx3eQChbeYaBDA4csb5gENoDY"],
    ["smart account 0", deriveSmartAccountAddress(settings), "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y"],
    ["smart account 1", deriveSmartAccountAddress(settings, 1), "HLXfZdNd8Df86bkhQgKrjSWht6AqRSYQR7eE7dE7FQXQ"],
    ["transaction 1", deriveTransactionAddress(settings, 1n), "5GUmzesvqTGwixGKUE6KBo7PqdkDxufuAwdyxiTfoEoT"],
    ["transaction 2", deriveTransactionAddress(settings, 2n), "8JvqFird558RoGhfHKUdeuMPovKj7PKvcUzfaHxWm7uG"],
    ["proposal 1", deriveProposalAddress(settings, 1n), "3ACP3AgQ2HpEn6JsFgkYpWeRG1vHofUGX9vrYo618E1a"],
    ["proposal 2", deriveProposalAddress(settings, 2n), "8wvuzSwcZauFhHum5nW7jWkktHETQ6swSSRqDRBR9R62"],
    ["spending limit", deriveSpendingLimitAddress(settings, seed7), "Hk55rrA2jXQSHP7dkSb3FKf2nGauTkaAoMiPDy4sGnWJ"],
    ["policy 1", derivePolicyAddress(settings, 1n), "622E3Qc1AU49sDhtPaYmSZeBN3dwBKGU8RmnvCp2rR3i"],
    [
      "ephemeral signer 0",
      deriveEphemeralSignerAddress(deriveTransactionAddress(settings, 1n), 0),
      "3nS2kWqH4neTHuMytfwfvQL3mPjpMpf89ZESxSUFXDnD",
    ],
  ])("%s", (_, derived, expected) => {
    expect(derived).toBe(expected);
  });

  it("have the bumps the program stores", () => {
    const bump = (...seeds: (string | Uint8Array)[]) =>
      findProgramDerivedAddress(
        SMART_ACCOUNT_PROGRAM_ADDRESS,
        seeds.map((seed) => (typeof seed === "string" ? new TextEncoder().encode(seed) : seed)),
      );
    const one = new Uint8Array(16);
    one[0] = 1;
    expect(bump("smart_account", "program_config")).toEqual({ address: PROGRAM_CONFIG_ADDRESS, bump: 253 });
    expect(bump("smart_account", "settings", one)).toEqual({ address: settings, bump: 249 });
  });

  it("are listed as candidates for the next creations", () => {
    expect(candidateSettings(0n, 3)).toEqual([1n, 2n, 3n].map(deriveSettingsAddress));
    expect(candidateSettings(0n, 0)).toEqual([]);
  });

  it("refuse numbers that do not fit their seed", () => {
    expect(() => deriveSettingsAddress(2n ** 128n)).toThrow(RangeError);
    expect(() => deriveSettingsAddress(-1n)).toThrow(RangeError);
    expect(() => deriveTransactionAddress(settings, 2n ** 64n)).toThrow(RangeError);
    expect(() => deriveSmartAccountAddress(settings, 256)).toThrow(RangeError);
    expect(() => deriveSmartAccountAddress("abc" as Address)).toThrow(RangeError);
  });
});

describe("derivation without waiting", () => {
  const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

  it("agrees with the platform's derivation for any seeds", async () => {
    await fc.assert(
      fc.asyncProperty(bytes32, fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength: 15 }), async (key, seeds) => {
        const programAddress = addressOfBytes(key);
        const [address, bump] = await getProgramDerivedAddress({ programAddress, seeds });
        expect(findProgramDerivedAddress(programAddress, seeds)).toEqual({ address, bump });
      }),
      { numRuns: 200 },
    );
  });

  it("agrees with the generated derivations", async () => {
    await fc.assert(
      fc.asyncProperty(
        bytes32.map(addressOfBytes),
        bytes32.map(addressOfBytes),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
        fc.nat({ max: 255 }),
        async (key, seed, transactionIndex, number, small) => {
          const generated = await Promise.all([
            findSettingsPda({ seed: number }),
            findSmartAccountPda({ settings: key, accountIndex: small }),
            findTransactionPda({ consensusAccount: key, transactionIndex }),
            findProposalPda({ consensusAccount: key, transactionIndex }),
            findSpendingLimitPda({ settings: key, seed }),
            findEphemeralSignerPda({ transaction: key, signerIndex: small }),
            findProgramConfigPda(),
          ]);
          expect(generated.map(([address]) => address)).toEqual([
            deriveSettingsAddress(number),
            deriveSmartAccountAddress(key, small),
            deriveTransactionAddress(key, transactionIndex),
            deriveProposalAddress(key, transactionIndex),
            deriveSpendingLimitAddress(key, seed),
            deriveEphemeralSignerAddress(key, small),
            PROGRAM_CONFIG_ADDRESS,
          ]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("distinguishes keys from derived addresses like the platform does", () => {
    fc.assert(
      fc.property(bytes32.map(addressOfBytes), (address) => {
        expect(isOnCurve(address)).toBe(!isOffCurveAddress(address));
      }),
      { numRuns: 300 },
    );
    expect(isOnCurve(deriveSmartAccountAddress(settings))).toBe(false);
    // The base point, RFC 8032 section 5.1.
    const base = new Uint8Array(32).fill(0x66);
    base[0] = 0x58;
    expect(isOnCurve(addressOfBytes(base))).toBe(true);
  });

  it("refuses seeds the runtime refuses", () => {
    const many = Array.from({ length: 16 }, () => new Uint8Array(1));
    expect(() => findProgramDerivedAddress(SMART_ACCOUNT_PROGRAM_ADDRESS, many)).toThrow(RangeError);
    expect(() => findProgramDerivedAddress(SMART_ACCOUNT_PROGRAM_ADDRESS, [new Uint8Array(33)])).toThrow(RangeError);
  });
});
