import { expect, it } from "vitest";
import { secondsLeft, spellDuration, spellExactDuration } from "./countdown.js";

it("counts a second that has begun, and nothing once it is over", () => {
  expect(secondsLeft(60, 0)).toBe(60);
  expect(secondsLeft(60, 999)).toBe(60);
  expect(secondsLeft(60, 1_000)).toBe(59);
  expect(secondsLeft(60, 60_000)).toBe(0);
  expect(secondsLeft(0, 5)).toBe(0);
  expect(secondsLeft(60, 999_999)).toBe(0);
});

it.each([
  [0, "0 seconds"],
  [1, "1 second"],
  [59, "59 seconds"],
  [60, "1 minute"],
  [61, "1 minute 1 second"],
  [3_659, "1 hour"],
  [3_660, "1 hour 1 minute"],
  [86_399, "23 hours 59 minutes"],
  [86_400, "1 day"],
  [183_600, "2 days 3 hours"],
])("%i seconds are %s", (seconds, words) => {
  expect(spellDuration(seconds)).toBe(words);
});

it("says every unit of a rule", () => {
  expect(spellExactDuration(90_061)).toBe("1 day 1 hour 1 minute 1 second");
  expect(spellExactDuration(3_601)).toBe("1 hour 1 second");
  expect(spellExactDuration(0)).toBe("0 seconds");
});
