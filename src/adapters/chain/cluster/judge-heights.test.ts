import { describe, expect, it } from "vitest";
import { heightToleranceBlocks, judgeHeights } from "./judge-heights.js";

const near = 1_000_000n;
const far = near + heightToleranceBlocks + 1n;

describe("comparing heights", () => {
  it("lets nodes lie apart as far as honest ones do", () => {
    expect(judgeHeights([near, near + heightToleranceBlocks])).toEqual(["agrees", "agrees"]);
  });

  it.each([
    ["ahead", [near, far + 100n, near + 1n], ["agrees", "outvoted", "agrees"]],
    ["behind", [far, far + 1n, near - 100n], ["agrees", "agrees", "outvoted"]],
  ])("lets two outvote a third that is far %s", (_where, heights, verdicts) => {
    expect(judgeHeights(heights)).toEqual(verdicts);
  });

  it("takes the higher of two for the present, without calling the other outvoted", () => {
    expect(judgeHeights([near, far])).toEqual(["behind", "agrees"]);
    expect(judgeHeights([far, near])).toEqual(["agrees", "behind"]);
  });

  it("believes the only one, and says nothing of none", () => {
    expect(judgeHeights([7n])).toEqual(["agrees"]);
    expect(judgeHeights([])).toEqual([]);
  });
});
