import { describe, expect, it } from "vitest";
import { boundsOf } from "./history-page.js";

describe("the days of a history", () => {
  it("are whole, the last one included", () => {
    const { from, before } = boundsOf({ start_date: "2026-11-01", end_date: "2026-11-30" });
    expect(from).toBe(seconds("2026-11-01T00:00:00Z"));
    expect(before.confirmedAt).toBe(seconds("2026-12-01T00:00:00Z"));
    expect(boundsOf({ end_date: "2024-02-29" }).before.confirmedAt).toBe(seconds("2024-03-01T00:00:00Z"));
    expect(boundsOf({ start_date: "1772323200" }).from).toBe(1_772_323_200n);
  });

  it.each(["2026-11-31", "2026-02-29", "2026-02-30T00:00:00Z", "2026-11-30T24:00:00Z", "2016-12-31T23:59:60Z"])(
    "are refused where no calendar and no clock has them: %s",
    (text) => {
      for (const field of ["start_date", "end_date"] as const) {
        expect(() => boundsOf({ [field]: text })).toThrow(expect.objectContaining({ code: "invalid_request" }));
      }
    },
  );
});

const seconds = (text: string) => BigInt(Date.parse(text) / 1000);
