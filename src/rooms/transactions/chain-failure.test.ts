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
