import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readThievesTable } from "../support/thieves-table.js";

/** The lines of SECURITY.md's table are those that are played. */
const folder = new URL("./", import.meta.url);
const played = readdirSync(folder)
  .filter((name) => name.endsWith(".test.ts"))
  .flatMap((name) => [...readFileSync(new URL(name, folder), "utf8").matchAll(/^ *plays\(scene, "([^"]+)"/gm)])
  .map(([, row]) => row);

/** With what cannot be played, and why. */
const notPlayed: Readonly<Record<string, string>> = {
  "The token of a wallet's session":
    "no key signs by it: what it is refused stands in test/adversarial/every-endpoint.test.ts",
  "The program's upgrade authority": "who has it replaces the very program that these tests are held against",
};

it("each line of the table of thieves is played once, and no other", () => {
  const rows = [...readThievesTable().keys()];
  expect(rows.length).toBeGreaterThan(20);
  expect([...played, ...Object.keys(notPlayed)].sort()).toEqual(rows.sort());
});
