import { describe, expect, it } from "vitest";
import { simulationRefused } from "./chain-failure.js";

describe("a transaction that a simulation refused", () => {
  it("is the caller's fault, with the program's own name for it and the logs", () => {
    const logs = ["Program SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG failed: custom program error: 0x1775"];
    const error = simulationRefused(
      { error: { InstructionError: [1n, { Custom: 6005n }] }, logs },
      true,
      new Uint8Array(0),
    );
    expect(error).toMatchObject({ code: "transaction_failed", status: 400 });
    expect(error.details[0]).toMatchObject({
      program_error: "Unauthorized",
      chain_error: { InstructionError: [1, { Custom: 6005 }] },
      logs,
    });
  });

  it.each([
    ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", 17, "AccountFrozen", "is frozen."],
    ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", 36, "NoMemo", "takes transfers with a memo only."],
    ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", 67, "MintPaused", "has paused all transfers."],
    ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", 4, "OwnerMismatch", "perhaps since a recent change."],
  ])("describes the numbers of token programs in words, with what to do: %s %i", (program, code, name, end) => {
    const logs = [`Program ${program} failed: custom program error: 0x${code.toString(16)}`];
    const error = simulationRefused(
      { error: { InstructionError: [1, { Custom: code }] }, logs },
      true,
      new Uint8Array(0),
    );
    expect(error.details[0]).toMatchObject({
      code: "transaction_failed",
      message: expect.stringMatching(new RegExp(`^The transaction would fail on chain\\. ${name}: .*${end}$`)),
      suggestion: expect.any(String),
      program_error: name,
    });
  });

  it("takes another program's number for nothing that it knows", () => {
    const logs = ["Program Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo failed: custom program error: 0x11"];
    const error = simulationRefused(
      { error: { InstructionError: [1, { Custom: 17 }] }, logs },
      true,
      new Uint8Array(0),
    );
    expect(error.details[0]).not.toHaveProperty("program_error");
  });

  it.each(["AccountNotFound", "InsufficientFundsForFee"])(
    "is ours when the service's fee payer is empty: %s",
    (error) => {
      expect(simulationRefused({ error, logs: [] }, true, new Uint8Array(0))).toMatchObject({
        code: "service_unavailable",
        status: 503,
      });
      expect(simulationRefused({ error, logs: [] }, false, new Uint8Array(0))).toMatchObject({
        code: "transaction_failed",
        status: 400,
      });
    },
  );
});
