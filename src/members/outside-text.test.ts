import { expect, it } from "vitest";
import { quoteOutside, showUnlinked } from "./outside-text.js";

it.each([
  ["evil.example", "evil[.]example"],
  ["203.0.113.7/pay", "203[.]0[.]113[.]7/pay"],
  ["http://10.0.0.1", "http[:]//10[.]0[.]0[.]1"],
  ["evil\u30027.example", "evil[\u3002]7[.]example"],
  ["Rent. Paid...", "Rent. Paid..."],
])("%j is no link", (text, shown) => {
  expect(showUnlinked(text, 80)).toBe(shown);
  expect(quoteOutside(text, 80)).toBe(`"${shown}"`);
});
