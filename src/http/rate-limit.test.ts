import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressBucket, createRateLimiter } from "./rate-limit.js";

describe("a rate limit", () => {
  it("never lets more than twice the limit through in any minute, nor less than the limit", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 2_000 }),
        (perMinute, gaps) => {
          const limiter = createRateLimiter(perMinute);
          const passed: number[] = [];
          let now = 1_700_000_000_000;
          for (const gap of gaps) {
            now += gap;
            if (limiter.take("a", now).allowed) passed.push(now);
          }
          for (const start of passed) {
            const inMinute = passed.filter((at) => at >= start && at < start + 60_000).length;
            expect(inMinute).toBeLessThanOrEqual(2 * perMinute);
          }
          expect(passed.length).toBeGreaterThanOrEqual(Math.min(perMinute, gaps.length));
        },
      ),
      { numRuns: 30 },
    );
  });

  it("gives back what was counted, and never more", () => {
    const limiter = createRateLimiter(2);
    const now = 1_700_000_000_000;
    limiter.giveBack("a", now);
    for (let round = 0; round < 5; round += 1) {
      expect(limiter.take("a", now).allowed).toBe(true);
      limiter.giveBack("a", now);
      limiter.giveBack("a", now);
    }
    expect([1, 2, 3].map(() => limiter.take("a", now).allowed)).toEqual([true, true, false]);
  });

  it("says truly when the next request passes", () => {
    const limiter = createRateLimiter(7);
    let now = 1_700_000_000_000;
    for (let spent = 0; spent < 7; spent += 1) expect(limiter.take("a", now).allowed).toBe(true);
    const over = limiter.take("a", now);
    expect(over).toMatchObject({ allowed: false, limit: 7, remaining: 0, resetSeconds: 60, retryAfterSeconds: 9 });
    now += over.retryAfterSeconds * 1000;
    expect(limiter.peek("a", now).allowed).toBe(true);
    expect(limiter.take("a", now).allowed).toBe(true);
    expect(limiter.take("a", now).allowed).toBe(false);
    expect(limiter.take("b", now).remaining).toBe(6);
  });

  it("stays small under any number of names, and forgets no name that is at its limit for one that is free", () => {
    const limiter = createRateLimiter(1);
    limiter.take("old", 0);
    for (let name = 0; name < 60_000; name += 1) limiter.take(`n${name}`, 70_000);
    expect(limiter.take("n59999", 70_000).allowed).toBe(false);
  });
});

describe("an address counts", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "::ffff:192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::6", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
  ])("%s as %s", (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });
});
