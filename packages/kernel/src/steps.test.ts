import { expect, it } from "vitest";
import { nextStep, type Step, walkSteps } from "./steps.js";

type Log = string[];

it("starts at the first step that is not done, and runs the others in order", async () => {
  const steps = [step("one", 1), step("two", 2), step("three", 3)];
  const log: Log = [];
  expect(nextStep(steps, 1)?.name).toBe("two");
  expect(await walkSteps(steps, log, 1)).toBe(3);
  expect(log).toEqual(["two", "three"]);
  expect(nextStep(steps, 3)).toBeUndefined();
  expect(await walkSteps(steps, log, 3)).toBe(3);
  expect(log).toEqual(["two", "three"]);
});

it("skips steps that another caller has done as well, and returns to a step that is to be redone", async () => {
  const log: Log = [];
  expect(await walkSteps([step("one", 1, 2), step("two", 2), step("three", 3)], log, 0)).toBe(3);
  expect(log).toEqual(["one", "three"]);
  let failures = 0;
  const failing: Step<Log, number> = {
    ...step("two", 2),
    run: async (log) => {
      log.push("two");
      failures += 1;
      return failures === 1 ? 0 : 2;
    },
  };
  const again: Log = [];
  expect(await walkSteps([step("one", 1), failing], again, 0)).toBe(2);
  expect(again).toEqual(["one", "two", "one", "two"]);
});

it("ends with what a step throws", async () => {
  const broken: Step<Log, number> = { ...step("two", 2), run: () => Promise.reject(new Error("not now")) };
  const log: Log = [];
  await expect(walkSteps([step("one", 1), broken, step("three", 3)], log, 0)).rejects.toThrow("not now");
  expect(log).toEqual(["one"]);
});

/** A step that is done once `at` is reached, and gets there; `to`: it gets elsewhere. */
const step = (name: string, at: number, to = at): Step<Log, number> => ({
  name,
  isDone: (state) => state >= at,
  run: async (log, _state) => {
    log.push(name);
    return to;
  },
});
