import { programErrorCode, SMART_ACCOUNT_PROGRAM_ADDRESS, SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { readCreationFailure } from "./creation-failure.js";

const custom = (code: number | bigint) => ({ InstructionError: [1, { Custom: code }] });

describe("what an error means for a creation", () => {
  it.each([
    "EmptySigners",
    "TooManySigners",
    "DuplicateSigner",
    "UnknownPermission",
    "NoProposers",
    "NoVoters",
    "NoExecutors",
    "InvalidThreshold",
    "TimeLockExceedsMaxAllowed",
  ])("%s is about the plan", (name) => {
    const code = programErrorCode(name) ?? 0;
    expect(code).toBeGreaterThan(0);
    expect(readCreationFailure(custom(code), failed(SMART_ACCOUNT_PROGRAM_ADDRESS))).toMatchObject({
      kind: "refused",
      programError: name,
    });
    // Nodes forget logs, and client libraries wrap numbers.
    expect(readCreationFailure(custom(BigInt(code)), []).kind).toBe("refused");
    expect(readCreationFailure(custom(code), failed(SYSTEM_PROGRAM_ADDRESS)).kind).toBe("unclear");
  });

  it.each<[string, unknown]>([
    ["stale", custom(programErrorCode("MissingAccount") ?? 0)],
    ["stale", custom(programErrorCode("InvalidAccount") ?? 0)],
    ["stale", custom(programErrorCode("AccountNotEmpty") ?? 0)],
    ["stale", custom(3011)],
    ["poor", "AccountNotFound"],
    ["poor", "InsufficientFundsForFee"],
    ["poor", { InsufficientFundsForRent: { account_index: 0n } }],
    ["poor", custom(1)],
    ["unclear", "BlockhashNotFound"],
    ["unclear", { InsufficientFundsForRent: { account_index: 2 } }],
    ["unclear", { InstructionError: [1, "ComputationalBudgetExceeded"] }],
    ["unclear", { InstructionError: [1, "ProgramFailedToComplete"] }],
    ["unclear", custom(2012)],
    ["unclear", custom(9999)],
    ["unclear", "ProgramAccountNotFound"],
    ["unclear", null],
  ])("%s: %o", (kind, error) => {
    expect(readCreationFailure(error, []).kind).toBe(kind);
  });
});

const failed = (program: string) => [`Program ${program} failed: custom program error`];
