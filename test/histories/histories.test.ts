import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectSound, expectSoundSeed, histories, historiesMs, play, singleSeed } from "./play-histories.js";
import { openWorld, type World } from "./world.js";

/**
 * Seeded histories of payments and new accounts, through processes that die and nodes that fail; `plan.ts` says what they
 * are made of. Here are those of the even seeds, and the rest in the file beside.
 */
describe.runIf(singleSeed === undefined)(`the even ones of ${histories} histories`, () => {
  it("double no effect, lose no confirmed transaction, and leave nothing open", () => expectSound(0), historiesMs);
});

describe.runIf(singleSeed === undefined)("a seed", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.close());

  it.each([7, 20, 27])("plays the same history again, whatever was played before: %i", async (seed) => {
    const first = await play(world, seed);
    const second = await play(world, seed);
    expect(first.trace.length).toBeGreaterThan(50);
    expect(second.trace).toEqual(first.trace);
    expect(second.counts).toEqual(first.counts);
  });
});

describe.runIf(singleSeed !== undefined)(`the history of seed ${singleSeed}`, () => {
  it("is as it should be", () => expectSoundSeed(singleSeed ?? 0));
});
