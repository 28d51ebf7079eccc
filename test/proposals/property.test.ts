import { describe, it } from "vitest";
import { use, useTestNetwork } from "../support/scene.js";
import { playHistory, type Stage } from "./property-history.js";
import { createPeople, openOtherClient } from "./property-world.js";

/**
 * The same seed plays the same histories: TRELLIS_TEST_PROPERTY_SEED plays others, and TRELLIS_TEST_PROPERTY_HISTORIES says
 * how many. History n of a seed is the first one of that seed plus n.
 */
const seed = Number(process.env.TRELLIS_TEST_PROPERTY_SEED ?? 1);
const histories = Number(process.env.TRELLIS_TEST_PROPERTY_HISTORIES ?? 30);
const steps = 25;
const people = createPeople(["Ada", "Barbara", "Dorothy", "Edith", "Frances", "Grace", "Hedy", "stranger"]);
const test = useTestNetwork();
const other = use(() => openOtherClient(test, people, "stranger"));

describe(`random histories of proposals, TRELLIS_TEST_PROPERTY_SEED=${seed}`, () => {
  it("leave service, chain and model of one mind after every step", async () => {
    for (let number = 0; number < histories; number += 1) {
      const stage: Stage = { test, people, other, pick: pickFrom(seed + number) };
      try {
        await playHistory(stage, steps);
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause);
        const again = `TRELLIS_TEST_PROPERTY_SEED=${seed + number} TRELLIS_TEST_PROPERTY_HISTORIES=1`;
        throw new Error(`history ${number} (again: ${again}): ${message}`, { cause });
      }
    }
  }, 300_000);
});

/** Pseudo-random numbers that depend on the seed alone (a linear congruence whose high bits are used). */
function pickFrom(start: number): (count: number) => number {
  let state = BigInt(start) * 2_862_933_555_777_941_757n + 3_037_000_493n;
  return (count) => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return Number((state >> 33n) % BigInt(count));
  };
}
