import { describe, expect, it } from "vitest";
import { postgresUrl } from "../../support/test-database.js";
import { historiesMs } from "../play-histories.js";
import { playOutsideHistory } from "./play.js";
import { noCounts, type OutsideCounts, type OutsideHistory, type Partners } from "./stage.js";
import { type OutsideWorld, openOutsideWorld } from "./world.js";

/**
 * How many seeds are played, from 1 on; TRELLIS_OUTSIDE_HISTORIES says otherwise. One takes some six seconds of a core on the
 * embedded database and less than three on PostgreSQL, so the many are played there.
 */
const histories = Number(process.env.TRELLIS_OUTSIDE_HISTORIES ?? (postgresUrl === undefined ? 12 : 120));
/** The first seed, where it is another one. */
const firstSeed = Number(process.env.TRELLIS_OUTSIDE_HISTORY_FROM ?? 1);
/** TRELLIS_OUTSIDE_HISTORY_SEED: this one is played instead of all, and what happened in it is printed. */
const singleSeed =
  process.env.TRELLIS_OUTSIDE_HISTORY_SEED === undefined ? undefined : Number(process.env.TRELLIS_OUTSIDE_HISTORY_SEED);

const seeds = singleSeed === undefined ? Array.from({ length: histories }, (_, i) => firstSeed + i) : [singleSeed];

describe(`${seeds.length} histories of what happens outside`, () => {
  it(
    "are reported truly, end, and pay nothing twice",
    async () => {
      const wrong: string[] = [];
      const counts = noCounts();
      for (let first = 0; first < seeds.length; first += perWorld) {
        const world = await openOutsideWorld();
        try {
          for (const seed of seeds.slice(first, first + perWorld)) {
            const played = await play(world, seed);
            for (const what of Object.keys(counts) as (keyof OutsideCounts)[]) counts[what] += played.counts[what];
            for (const line of played.wrong) wrong.push(`TRELLIS_OUTSIDE_HISTORY_SEED=${seed}: ${line}`);
            if (singleSeed !== undefined) process.stdout.write(`${played.trace.join("\n")}\n`);
          }
        } finally {
          await world.close();
        }
      }
      process.stdout.write(`${seeds.length} histories of what happens outside: ${JSON.stringify(counts)}\n`);
      expect(wrong).toEqual([]);
      // Histories in which nothing happens would prove nothing.
      const happened = Object.entries(counts).filter(([what]) => what !== "wild" || partners === "wild");
      if (seeds.length >= 60) for (const [what, count] of happened) expect(count, what).toBeGreaterThan(0);
    },
    historiesMs,
  );
});

/** Partners say anything; TRELLIS_OUTSIDE_PARTNERS=honest: they do not. */
const partners: Partners = process.env.TRELLIS_OUTSIDE_PARTNERS === "honest" ? "honest" : "wild";
/** So many are played in one world, which grows. */
const perWorld = 25;

async function play(world: OutsideWorld, seed: number): Promise<OutsideHistory> {
  try {
    return await playOutsideHistory(world, seed, partners);
  } catch (error) {
    throw new Error(`the history broke off; TRELLIS_OUTSIDE_HISTORY_SEED=${seed} plays it again`, { cause: error });
  }
}
