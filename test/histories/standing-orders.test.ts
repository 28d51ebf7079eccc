import { describe, expect, it } from "vitest";
import type { OrderCounts } from "./judge-orders.js";
import { historiesMs } from "./play-histories.js";
import { playOrderHistory } from "./standing-order-history.js";
import { openWorld } from "./world.js";

/**
 * How many seeds are played, from 1 on; TRELLIS_ORDER_HISTORIES says otherwise. One takes some 0.8 seconds of a core and
 * has 8 due dates on average: 1000 play some 7,700 of them, in a quarter of an hour.
 */
const histories = Number(process.env.TRELLIS_ORDER_HISTORIES ?? 15);
/** The first seed, where it is another one. */
const firstSeed = Number(process.env.TRELLIS_ORDER_HISTORY_FROM ?? 1);
/** TRELLIS_ORDER_HISTORY_SEED: this one is played instead of all, and what happened in it is printed. */
const singleSeed =
  process.env.TRELLIS_ORDER_HISTORY_SEED === undefined ? undefined : Number(process.env.TRELLIS_ORDER_HISTORY_SEED);
/** So many are played in one world, which grows. */
const perWorld = 250;

describe(`${singleSeed === undefined ? histories : 1} histories of standing orders`, () => {
  it(
    "pay every due date once or report it missed, and neither make nor lose money",
    async () => {
      const seeds =
        singleSeed === undefined ? Array.from({ length: histories }, (_, i) => firstSeed + i) : [singleSeed];
      const wrong: string[] = [];
      const counts: OrderCounts = { paid: 0, missed: 0, deaths: 0, lost: 0 };
      for (let first = 0; first < seeds.length; first += perWorld) {
        const world = await openWorld();
        try {
          for (const seed of seeds.slice(first, first + perWorld)) {
            const played = await playOrderHistory(world, seed).catch((error: unknown) => {
              throw new Error(`the history broke off; TRELLIS_ORDER_HISTORY_SEED=${seed} plays it again`, {
                cause: error,
              });
            });
            for (const what of Object.keys(counts) as (keyof OrderCounts)[]) counts[what] += played.counts[what];
            for (const line of played.wrong) wrong.push(`TRELLIS_ORDER_HISTORY_SEED=${seed}: ${line}`);
            if (singleSeed !== undefined) process.stdout.write(`${played.trace.join("\n")}\n`);
          }
        } finally {
          await world.close();
        }
      }
      process.stdout.write(`${seeds.length} histories of standing orders: ${JSON.stringify(counts)}\n`);
      expect(wrong).toEqual([]);
      // Histories in which nothing goes wrong would prove nothing.
      if (seeds.length >= 40)
        for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(0);
    },
    historiesMs,
  );
});
