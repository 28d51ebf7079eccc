import { readFileSync } from "node:fs";
import { magicCents, magicOfDeposit, magicOfTransfer } from "@trellis/sandbox/partner/magic-cents.js";
import { expect, it } from "vitest";

const page = readFileSync("docs/api/sandbox.md", "utf8");

it.each([
  ["Paying into a virtual account", magicCents.deposits],
  ["Payments with a bank", magicCents.transfers],
] as const)("the page of the sandbox lists the cents of %s as they are", (heading, { cents, whole }) => {
  const listed = Object.entries({ ...cents, ...whole }).map(([amount, { words }]) => [amount, words]);
  expect(rowsUnder(heading)).toEqual(listed);
});

it("an amount is met by its last two digits, or as a whole", () => {
  expect(magicOfDeposit(1_002n)?.way).toBe("reviewed");
  expect(magicOfDeposit(5n)?.way).toBe("never_paid");
  expect(magicOfDeposit(105n)).toBeUndefined();
  expect(magicOfTransfer(704n)?.way).toBe("undeliverable");
  expect(magicOfTransfer(1_000n)).toBeUndefined();
});

/** The rows of the first table behind a heading, but for what all other amounts do. */
function rowsUnder(heading: string): readonly (readonly [string, string])[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [, table = ""] = /\n\| Cents[^\n]*\n[^\n]*\n((?:\|[^\n]*\n)+)/.exec(section) ?? [];
  const rows = [...table.matchAll(/^\| `([^`]+)` *\| (.+?) *\|$/gm)];
  return rows.map(([, cents = "", words = ""]) => [cents, words] as const);
}
