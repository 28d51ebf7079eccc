import canonicalize from "canonicalize";
import type { DecodedInstruction } from "./inspect/decode-instruction.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

/** Two values with the same text are the same, in whatever order their members stand. */
export function canonical(value: unknown): string {
  return canonicalize(value) ?? "";
}

/** Throws `TransactionMismatchError` for the first text that differs. */
export function assertSame(
  difference: "settings_change" | "content" | "memo",
  expected: readonly string[],
  actual: readonly string[],
): void {
  const at = expected.length === actual.length ? expected.findIndex((text, i) => text !== actual[i]) : expected.length;
  if (at === -1) return;
  throw new TransactionMismatchError(difference, "something else would be done than was asked for", {
    expected: expected[at] ?? expected.join(),
    actual: actual[at] ?? actual.join(),
  });
}

export function differs(message: string, expected?: unknown, actual?: unknown): TransactionMismatchError {
  return new TransactionMismatchError("content", message, { expected, actual });
}

/** An instruction that was not asked for, for people. */
export function unexpectedInstruction(instruction: DecodedInstruction): TransactionMismatchError {
  const actual = instruction.type === "unknown" ? `a call of ${instruction.programAddress}` : instruction.type;
  return new TransactionMismatchError("unexpected_instruction", "the transaction holds an instruction too many", {
    actual,
  });
}
