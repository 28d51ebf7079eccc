import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { creationSteps } from "../src/accounts/creation-steps.js";
import { bankPaymentSteps } from "../src/payments/bank-payment-steps.js";

/** The flows whose steps are data, with the page that says what happens when a process dies in between. */
const flows: readonly (readonly [page: string, steps: readonly { readonly name: string }[]])[] = [
  ["src/accounts/README.md", creationSteps],
  ["src/payments/README.md", bankPaymentSteps],
];

it.each(flows)("%s names exactly the steps of its flow, in their order", (page, steps) => {
  expect(stepsOn(page)).toEqual(steps.map(({ name }) => name));
});

/** The first column of the page's table of steps. */
function stepsOn(page: string): readonly string[] {
  const lines = readFileSync(new URL(`../${page}`, import.meta.url), "utf8").split("\n");
  const heads = lines.flatMap((line, i) => (line.startsWith("| Process dies after this step ") ? [i] : []));
  expect(heads, "one table of steps").toHaveLength(1);
  const rows = lines.slice((heads[0] ?? 0) + 2);
  return rows.slice(0, rows.indexOf("")).map((row) => row.split("|")[1]?.trim() ?? "");
}
