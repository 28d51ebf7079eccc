import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { createReplay, type Replayed, readDifferences, readVectors, type Vector } from "./support/conformance.js";
import { ARTIFACT } from "./support/ledger.js";

/** The results of the recorded transactions here, next to those of the public program. */
describe("transactions recorded on the public program", () => {
  let vectors: Vector[];
  let replayed: Map<string, Replayed>;

  beforeAll(() => {
    vectors = readVectors();
    const replay = createReplay(readFileSync(process.env.TRELLIS_SANDBOX_PROGRAM ?? ARTIFACT));
    replayed = new Map(vectors.map((vector) => [vector.name, replay(vector)]));
  });

  test("give the same result, accounts and inner instructions, but for the differences that are listed", () => {
    const found = vectors.flatMap(({ name, instruction }) => {
      const difference = replayed.get(name)?.difference;
      return difference === undefined ? [] : [`${name}\t${instruction}: ${difference}`];
    });
    const listed = readDifferences().map(({ name, difference }) => `${name}\t${difference}`);
    // A difference that was repaired fails as well as a new one: the list is to be true.
    expect(found.toSorted()).toEqual(listed.toSorted());
  });

  test("every listed difference has a reason", () => {
    const without = readDifferences().filter(({ reason }) => reason === "");
    expect(without).toEqual([]);
  });

  test("cost less than on the public program, every instruction of it", () => {
    const dearer = vectors.flatMap(({ name, expect: { ok }, officialComputeUnits }) => {
      const run = replayed.get(name);
      if (!ok || run === undefined || run.difference !== undefined || run.computeUnits <= officialComputeUnits)
        return [];
      return [`${name}: ${run.computeUnits} instead of ${officialComputeUnits}`];
    });
    expect(dearer).toEqual([]);
  });
});
