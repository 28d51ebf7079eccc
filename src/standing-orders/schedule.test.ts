import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countDues, dueAt, dueOf, firstDueFrom, frequencies, type Schedule } from "./schedule.js";

const at = (text: string) => Date.parse(text);

const schedules = fc
  .record({
    frequency: fc.constantFrom(...frequencies),
    startAt: fc.integer({ min: at("2024-01-01T00:00:00Z"), max: at("2040-12-31T23:59:59.999Z") }),
    lastsMs: fc.option(fc.integer({ min: 0, max: 3_660 * 86_400_000 })),
  })
  .map(({ lastsMs, ...rest }): Schedule => ({ ...rest, endAt: lastsMs === null ? null : rest.startAt + lastsMs }));

describe("due dates", () => {
  it("keep the day of the month that the order began on, and its time", () => {
    const schedule: Schedule = { frequency: "monthly", startAt: at("2027-10-31T08:30:00Z"), endAt: null };
    expect(isoOf(schedule, 6)).toEqual([
      "2027-10-31T08:30:00.000Z",
      "2027-11-30T08:30:00.000Z",
      "2027-12-31T08:30:00.000Z",
      "2028-01-31T08:30:00.000Z",
      "2028-02-29T08:30:00.000Z",
      "2028-03-31T08:30:00.000Z",
    ]);
  });

  it("are counted in UTC, whatever zone the start was written in", () => {
    const schedule: Schedule = { frequency: "monthly", startAt: at("2026-01-31T23:30:00-05:00"), endAt: null };
    expect(isoOf(schedule, 2)).toEqual(["2026-02-01T04:30:00.000Z", "2026-03-01T04:30:00.000Z"]);
  });

  it("are a week, or a day, apart", () => {
    const startAt = at("2026-03-28T12:00:00Z");
    expect(isoOf({ frequency: "weekly", startAt, endAt: null }, 2)[1]).toBe("2026-04-04T12:00:00.000Z");
    expect(isoOf({ frequency: "daily", startAt, endAt: null }, 2)[1]).toBe("2026-03-29T12:00:00.000Z");
  });

  it("include one that falls exactly on the end, and none after it", () => {
    const schedule = { frequency: "weekly", startAt: at("2026-01-01T00:00:00Z") } as const;
    expect(countDues({ ...schedule, endAt: at("2026-01-15T00:00:00Z") })).toBe(3);
    expect(countDues({ ...schedule, endAt: at("2026-01-15T00:00:00Z") - 1 })).toBe(2);
    expect(countDues({ ...schedule, endAt: schedule.startAt - 1 })).toBe(0);
    expect(countDues({ ...schedule, endAt: null })).toBeNull();
  });

  it("ascend, in months as far apart as the calendar makes them", () => {
    fc.assert(
      fc.property(schedules, fc.integer({ min: 0, max: 4_000 }), (schedule, index) => {
        const gap = dueAt(schedule, index + 1) - dueAt(schedule, index);
        const [least, most] = { daily: [1, 1], weekly: [7, 7], monthly: [28, 31] }[schedule.frequency] ?? [];
        expect(gap).toBeGreaterThanOrEqual((least ?? 0) * 86_400_000);
        expect(gap).toBeLessThanOrEqual((most ?? 0) * 86_400_000);
      }),
    );
  });

  it("stay on the original day wherever the month has it, and otherwise on its last day", () => {
    fc.assert(
      fc.property(schedules, fc.integer({ min: 0, max: 600 }), (schedule, index) => {
        const start = new Date(schedule.startAt);
        const due = new Date(dueAt({ ...schedule, frequency: "monthly" }, index));
        const tomorrow = new Date(due.getTime() + 86_400_000);
        expect(due.getTime() % 86_400_000).toBe(schedule.startAt % 86_400_000);
        expect((due.getUTCFullYear() - start.getUTCFullYear()) * 12 + due.getUTCMonth() - start.getUTCMonth()).toBe(
          index,
        );
        expect(due.getUTCDate() === start.getUTCDate() || tomorrow.getUTCDate() === 1).toBe(true);
      }),
    );
  });

  it("are found from any instant: the first one that is not before it", () => {
    fc.assert(
      fc.property(
        schedules,
        fc.integer({ min: -400, max: 4_000 }),
        fc.integer({ min: -1, max: 1 }),
        (schedule, days, by) => {
          const instant = schedule.startAt + days * 86_400_000 + by;
          const found = firstDueFrom(schedule, instant);
          const count = countDues(schedule) ?? Number.POSITIVE_INFINITY;
          if (found === undefined) {
            expect(count === 0 || dueAt(schedule, count - 1) < instant).toBe(true);
            return;
          }
          expect(found).toEqual(dueOf(schedule, found.index));
          expect(found.index).toBeLessThan(count);
          expect(found.dueAt).toBeGreaterThanOrEqual(instant);
          if (found.index > 0) expect(dueAt(schedule, found.index - 1)).toBeLessThan(instant);
        },
      ),
    );
  });

  it("are as many as lie before the end", () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        const count = countDues(schedule);
        if (count === null || schedule.endAt === null) return;
        expect(count).toBeGreaterThan(0);
        expect(dueAt(schedule, count - 1)).toBeLessThanOrEqual(schedule.endAt);
        expect(dueAt(schedule, count)).toBeGreaterThan(schedule.endAt);
      }),
    );
  });
});

const isoOf = (schedule: Schedule, count: number) =>
  Array.from({ length: count }, (_, index) => new Date(dueAt(schedule, index)).toISOString());
