import { describe, expect, it } from "vitest";
import { describeProgramError, explainProgramError, failingProgram, programErrorCode } from "./errors.js";

describe("error numbers", () => {
  it.each([
    [6000, "AccountNotEmpty"],
    [6006, "NotASigner"],
    [6029, "UnknownPermission"],
    [6047, "InvalidSignerCount"],
    [6051, "TimeLockNotZero"],
    [6062, "ProgramInteractionSyncPayloadNotAllowedWithAsyncTransaction"],
    [6078, "TooManySpendingLimits"],
    [6080, "SpendingLimitExpired"],
    [2006, "ConstraintSeeds"],
    [3012, "AccountNotInitialized"],
  ])("%i is %s", (code, name) => {
    expect(describeProgramError(code)).toMatchObject({ code, name });
  });

  it("have a name and a text without a gap from 6000 to 6078", () => {
    for (let code = 6000; code <= 6078; code++) {
      const error = describeProgramError(code);
      expect(error?.name).toMatch(/^[A-Z][A-Za-z]+$/);
      expect(error?.message.length).toBeGreaterThan(5);
      expect(programErrorCode(error?.name ?? "")).toBe(code);
    }
    expect(describeProgramError(1)).toBeUndefined();
    expect(programErrorCode("NoSuchError")).toBeUndefined();
  });
});

describe("a failed transaction", () => {
  it("is explained by its number", () => {
    expect(explainProgramError(6005, failed(6005))?.name).toBe("Unauthorized");
    expect(explainProgramError(6005, [])?.name).toBe("Unauthorized");
  });

  it("with a number above 6078 is explained by the name its own log gives", () => {
    expect(explainProgramError(6084, [anchor("SpendingLimitExpired", 6084, "Expired"), ...failed(6084)])).toEqual({
      code: 6084,
      name: "SpendingLimitExpired",
      message: "Expired",
    });
    expect(explainProgramError(6080, [anchor("SomethingElse", 6080), ...failed(6080)])?.name).toBe("SomethingElse");
    expect(explainProgramError(6080, failed(6080))?.name).toBe("SpendingLimitExpired");
    expect(explainProgramError(6130, failed(6130))).toBeUndefined();
  });

  it("is not explained by a log line about another number", () => {
    expect(explainProgramError(6101, [anchor("SpendingLimitExpired", 6084), ...failed(6101)])).toBeUndefined();
  });

  it("that another program failed inside is not explained as one of ours", () => {
    const logs = [
      "Program SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG invoke [1]",
      "Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA invoke [2]",
      "Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA failed: custom program error: 0x1770",
      "Program SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG failed: custom program error: 0x1770",
    ];
    expect(failingProgram(logs)).toBe("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
    expect(explainProgramError(6000, logs)).toBeUndefined();
    expect(failingProgram(["Program log: Program x failed: "])).toBeUndefined();
  });
});

const failed = (code: number): string[] => [
  "Program SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG invoke [1]",
  `Program SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG failed: custom program error: 0x${code.toString(16)}`,
];

const anchor = (name: string, code: number, text = "Some text"): string =>
  `Program log: AnchorError thrown in programs/x/src/lib.rs:12. Error Code: ${name}. Error Number: ${code}. Error Message: ${text}.`;
