import { expect } from "vitest";
import type { Outcome } from "./ledger.js";

/** Fails with the logs unless the transaction landed. */
export function expectSuccess(outcome: Outcome): Outcome {
  expect(outcome.error, outcome.logs.join("\n")).toBeUndefined();
  return outcome;
}

/** Fails unless the transaction failed with this custom error in instruction `at`; own errors must be logged too. */
export function expectError(outcome: Outcome, code: number, at = 0): void {
  const seen = `${outcome.error?.text ?? "success"}\n${outcome.logs.join("\n")}`;
  expect([outcome.error?.instruction, outcome.error?.custom], seen).toEqual([at, code]);
  if (code >= 100) expect(outcome.logs.join("\n")).toMatch(new RegExp(`Error Code: \\w+\\. Error Number: ${code}\\.`));
}

/** Fails unless the runtime itself refused the transaction with an error of this name. */
export function expectRuntimeError(outcome: Outcome, name: string): void {
  expect(outcome.error?.custom, outcome.logs.join("\n")).toBeUndefined();
  expect(outcome.error?.text ?? "success").toContain(name);
}
