import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDate, readDateTime } from "./instants.js";

describe("dates", () => {
  it("are read to the day", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (date) => {
          const day = date.toISOString().slice(0, 10);
          expect(readDate(day)).toBe(Date.parse(day));
          expect(readDateTime(date.toISOString())).toBe(date.getTime());
        },
      ),
    );
    expect(readDate("2024-02-29")).toBe(Date.UTC(2024, 1, 29));
    expect(readDate("2000-02-29")).toBe(Date.UTC(2000, 1, 29));
  });

  it.each([
    "2026-11-31",
    "2026-02-29",
    "2026-02-30",
    "2026-02-31",
    "1900-02-29",
    "2026-04-31",
    "2026-06-31",
    "2026-09-31",
    "2026-01-32",
    "2026-00-10",
    "2026-13-01",
    "2026-01-00",
    "2026-1-1",
    "26-01-01",
    "2026-01-01 ",
    "",
    "x",
  ])("that are in no calendar are none: %j", (text) => {
    expect(readDate(text)).toBeUndefined();
    expect(readDateTime(`${text}T12:00:00Z`)).toBeUndefined();
  });
});

describe("date-times", () => {
  it.each([
    ["2026-01-31T20:00:00-05:00", Date.UTC(2026, 1, 1, 1)],
    ["2026-01-31t20:00:00.999999999z", Date.UTC(2026, 0, 31, 20, 0, 0, 999)],
    ["2026-01-31 20:00:00Z", Date.UTC(2026, 0, 31, 20)],
    ["2026-01-31T20:00+00:30", Date.UTC(2026, 0, 31, 19, 30)],
  ])("are read with their offset: %j", (text, instant) => {
    expect(readDateTime(text)).toBe(instant);
  });

  it.each([
    "2026-01-31T24:00:00Z",
    "2026-01-31T23:60:00Z",
    "2016-12-31T23:59:60Z",
    "2026-01-31T23:59:61Z",
    "2026-01-31T20:00:00",
    "2026-01-31T20:00:00+24:00",
    "2026-01-31T20:00:00+01:60",
    "2026-01-31T20Z",
    "2026-01-31T20:00:00[Europe/Berlin]",
    "2026-01-31",
    "+002026-01-31T20:00:00Z",
  ])("that no clock shows are none: %j", (text) => {
    expect(readDateTime(text)).toBeUndefined();
  });
});
