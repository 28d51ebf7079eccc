import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { balanceOf } from "./thief-on-chain.js";
import { type Kind, lamportsHeld, type ThievesScene, type Victim } from "./thieves-scene.js";

/** What a thief gets of an account of each kind, in the words of SECURITY.md. */
export type TableRow = Readonly<Record<Kind, string>>;

/** The table "What a thief gains" of SECURITY.md. */
export function readThievesTable(): ReadonlyMap<string, TableRow> {
  const text = readFileSync(new URL("../../SECURITY.md", import.meta.url), "utf8");
  const section = /^## What a thief gains$([\s\S]*?)^### /m.exec(text)?.[1] ?? "";
  const rows = section.matchAll(/^\| \[([^\]]+)\]\([^)]*\) \| ([^|]+) \| ([^|]+) \|/gm);
  return new Map([...rows].map(([, stolen = "", plain = "", guarded = ""]) => [stolen, { plain, guarded }]));
}

const outcomes: readonly (readonly [words: RegExp, left: (approved: bigint) => bigint])[] = [
  [/^nothing\b/, (approved) => lamportsHeld - approved],
  [/^everything\b/, () => 0n],
  [/^what the user approves\b/, (approved) => lamportsHeld - approved],
];

/**
 * Plays a row of the table against an account of each kind, and holds the money that is left to the words of the table. `play` gives what
 * the holder has approved meanwhile, in lamports, where that is any.
 */
export function plays(scene: ThievesScene, stolen: string, play: (victim: Victim) => Promise<unknown>): void {
  const row = readThievesTable().get(stolen);
  for (const kind of ["plain", "guarded"] as const) {
    const words = row?.[kind] ?? "a row that is not in SECURITY.md";
    it(`${stolen}, of a ${kind} account: ${words}`, async () => {
      const left = outcomes.find(([pattern]) => pattern.test(words))?.[1];
      if (left === undefined) throw new Error(`nothing is known of: ${words}`);
      const victim = await scene.open(kind);
      expect(await balanceOf(scene.test, victim.address)).toBe(lamportsHeld);
      const approved = await play(victim);
      expect(await balanceOf(scene.test, victim.address)).toBe(left(typeof approved === "bigint" ? approved : 0n));
    });
  }
}
