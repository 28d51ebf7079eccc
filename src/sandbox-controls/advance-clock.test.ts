import { limits } from "@trellis/kernel/limits.js";
import { expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { advanceClock } from "./advance-clock.js";

const test = useTestNetwork();

it("moves by 400 days a call at the most", async () => {
  const before = test.network.clock.now();
  const { now } = await advance(limits.clockAdvanceMaxSeconds);
  expect(Date.parse(now) - before).toBeGreaterThanOrEqual(limits.clockAdvanceMaxSeconds * 1000);
  expect(await errorOf(advance(limits.clockAdvanceMaxSeconds + 1))).toMatchObject({ code: "advance_too_far" });
});

it("never leaves the dates that every client can read", async () => {
  const left = Math.floor((limits.clockLatestMs - test.network.clock.now()) / 1000);
  await test.network.sandbox?.advanceClock(left - 100);
  expect((await advance(50)).now).toMatch(/^8999-12-31T/);
  const error = await errorOf(advance(100));
  expect(error).toMatchObject({ code: "advance_too_far", message: expect.stringContaining("year 9000") });
});

const advance = (seconds: number) => test.call<{ now: string }>(advanceClock, { body: { seconds } });
