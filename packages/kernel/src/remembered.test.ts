import { describe, expect, it } from "vitest";
import { remembered } from "./remembered.js";

describe("remembered", () => {
  it("computes once per name, and again after the bound has pushed it out", () => {
    const computed: number[] = [];
    const double = remembered(4, String, (value: number) => {
      computed.push(value);
      return value * 2;
    });
    expect([double(1), double(2), double(1)]).toEqual([2, 4, 2]);
    expect(computed).toEqual([1, 2]);
    // 2 was asked for longest ago.
    expect([double(3), double(1), double(2)]).toEqual([6, 2, 4]);
    expect(computed).toEqual([1, 2, 3, 2]);
  });

  it("does not keep undefined or a failure", () => {
    let calls = 0;
    const odd = remembered(2, String, (value: number) => {
      calls += 1;
      if (value < 0) throw new RangeError("negative");
      return value === 0 ? undefined : value;
    });
    expect([odd(0), odd(0)]).toEqual([undefined, undefined]);
    expect(() => odd(-1)).toThrow(RangeError);
    expect(() => odd(-1)).toThrow(RangeError);
    expect(calls).toBe(4);
  });
});
