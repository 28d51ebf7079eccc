import { expect, it } from "vitest";
import { whyNotReference } from "./bank-reference.js";

it("a reference has the length and the characters that its way carries", () => {
  expect(whyNotReference("sepa", "Invoice 2026/17")).toBeUndefined();
  expect(whyNotReference("sepa", "x".repeat(140))).toBeUndefined();
  expect(whyNotReference("ach_push", "INV 17")).toBeUndefined();
  for (const [rail, reference] of [
    ["sepa", "x"],
    ["sepa", "x".repeat(141)],
    ["sepa", "Miete März"],
    ["sepa", "Rent \u{1f3e0} May"],
    ["sepa", "Invoice\n2026"],
    ["wire", "Invoice\n2026"],
    ["ach_push", "x".repeat(11)],
    ["pix", ""],
  ] as const) {
    expect(whyNotReference(rail, reference), `${rail} ${JSON.stringify(reference)}`).toBeDefined();
  }
});
