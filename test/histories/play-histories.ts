import { expect } from "vitest";
import { postgresUrl } from "../support/test-database.js";
import { type HistoryCounts, type PlayedHistory, playHistory } from "./history.js";
import { openWorld, type World } from "./world.js";

/**
 * How many seeds are played, from 1 on; TRELLIS_HISTORIES says otherwise. They are dealt out to two test files, which run
 * side by side. One takes six times as long on the embedded database as on PostgreSQL, so the many are played there.
 */
export const histories = Number(process.env.TRELLIS_HISTORIES ?? (postgresUrl === undefined ? 200 : 2_000));
/** TRELLIS_HISTORY_SEED: this one is played instead of all, and what happened in it is printed. */
export const singleSeed =
  process.env.TRELLIS_HISTORY_SEED === undefined ? undefined : Number(process.env.TRELLIS_HISTORY_SEED);

/** Milliseconds of real time that all of them may take, on a busy machine. */
export const historiesMs = 3_600_000;

/** So many are played in one world, which grows; the seed alone decides what happens, whatever was played before. */
const perWorld = 500;

/** Plays a history; where it breaks off, the error says how to see it again. */
export async function play(world: World, seed: number): Promise<PlayedHistory> {
  try {
    return await playHistory(world, seed);
  } catch (error) {
    throw new Error(`the history broke off; TRELLIS_HISTORY_SEED=${seed} plays it again`, { cause: error });
  }
}

/** Plays seeds in fresh worlds and gives what was wrong, with how to see it again, and what happened how often. */
async function playAll(
  seeds: readonly number[],
): Promise<{ readonly wrong: readonly string[]; readonly counts: HistoryCounts }> {
  const wrong: string[] = [];
  const counts: HistoryCounts = {
    landed: 0,
    failed: 0,
    expired: 0,
    deaths: 0,
    created: 0,
    preparedAgain: 0,
    unprovable: 0,
  };
  for (let first = 0; first < seeds.length; first += perWorld) {
    const world = await openWorld();
    try {
      for (const seed of seeds.slice(first, first + perWorld)) {
        const played = await play(world, seed);
        for (const what of whats) counts[what] += played.counts[what];
        for (const line of played.wrong) wrong.push(`TRELLIS_HISTORY_SEED=${seed}: ${line}`);
        if (singleSeed !== undefined) process.stdout.write(`${played.trace.join("\n")}\n`);
      }
    } finally {
      await world.close();
    }
  }
  return { wrong, counts };
}

const whats = ["landed", "failed", "expired", "deaths", "created", "preparedAgain", "unprovable"] as const;

/** Expects of one of two hands (0 or 1) of the seeds that nothing is wrong with any of their histories. */
export async function expectSound(hand: 0 | 1): Promise<void> {
  const seeds = Array.from({ length: histories }, (_, i) => i + 1).filter((seed) => seed % 2 === hand);
  const { wrong, counts } = await playAll(seeds);
  process.stdout.write(`${seeds.length} histories: ${JSON.stringify(counts)}\n`);
  expect(wrong).toEqual([]);
  if (seeds.length < 400) return;
  // Neither histories in which nothing happens nor such in which all goes well would prove anything.
  expect(counts.landed).toBeGreaterThan(seeds.length / 2);
  for (const what of whats) expect(counts[what], what).toBeGreaterThan(0);
}

/** Expects the same of a single seed, and prints its history. */
export async function expectSoundSeed(seed: number): Promise<void> {
  expect((await playAll([seed])).wrong).toEqual([]);
}
