import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { groupCommit } from "./group-commit.js";
import { DatabaseUnavailable } from "./ports/database.js";

const place = {};

/** What takes long is what a test says takes long. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("what is written at the same time", () => {
  it("goes into one write, and each thing has its own result", async () => {
    const { writes, write } = slowWriter();
    const one = groupCommit({ laneOf: () => "" }, write);
    const results = [1, 2, 3].map((thing) => one(place, thing));
    await turn();
    expect(writes.map(({ things }) => things)).toEqual([[1, 2, 3]]);
    writes[0]?.end();
    expect(await Promise.all(results)).toEqual([10, 20, 30]);
  });

  it("waits only where a write is under way, and then goes together", async () => {
    const { writes, write } = slowWriter();
    const one = groupCommit({ laneOf: () => "" }, write);
    const results: Promise<number>[] = [];
    for (const thing of [1, 2, 3]) {
      results.push(one(place, thing));
      await turn();
    }
    expect(writes.map(({ things }) => things)).toEqual([[1]]);
    writes[0]?.end();
    await turn();
    expect(writes.map(({ things }) => things)).toEqual([[1], [2, 3]]);
    writes[1]?.end();
    expect(await Promise.all(results)).toEqual([10, 20, 30]);
  });

  it("is held up for a moment by a write that hangs, as behind a lock: then it goes on beside it", async () => {
    const { writes, write } = slowWriter();
    const one = groupCommit({ laneOf: () => "" }, write);
    const results = [one(place, 1)];
    await turn();
    results.push(one(place, 2));
    await turn();
    expect(writes.map(({ things }) => things)).toEqual([[1]]);
    vi.runOnlyPendingTimers();
    await turn();
    expect(writes.map(({ things }) => things)).toEqual([[1], [2]]);
    for (const thing of [3, 4]) results.push(one(place, thing));
    await turn();
    expect(writes).toHaveLength(2);
    // What comes while the first one still hangs waits for no time again.
    writes[1]?.end();
    await turn();
    expect(writes.map(({ things }) => things)).toEqual([[1], [2], [3, 4]]);
    // It hangs no more: what is under way beside it is again the only one.
    writes[0]?.end();
    results.push(one(place, 5));
    await turn();
    expect(writes).toHaveLength(3);
    writes[2]?.end();
    await turn();
    writes[3]?.end();
    expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is not more than 64 things in one write", async () => {
    const { writes, write } = slowWriter();
    const one = groupCommit({ laneOf: () => "" }, write);
    const results = Array.from({ length: 100 }, (_, thing) => one(place, thing));
    await turn();
    writes[0]?.end();
    await turn();
    expect(writes.map(({ things }) => things.length)).toEqual([64, 36]);
    writes[1]?.end();
    await Promise.all(results);
  });

  it("is apart in other lanes and other places", async () => {
    const { writes, write } = slowWriter();
    const one = groupCommit({ laneOf: (thing: number) => String(thing % 2) }, write);
    const results = [one(place, 1), one(place, 2), one(place, 3), one({}, 5)];
    await turn();
    expect(writes.map(({ things }) => things)).toEqual([[1, 3], [2], [5]]);
    for (const { end } of writes) end();
    await Promise.all(results);
  });

  it("is not twice in one write: what has the same key waits for a later one", async () => {
    const { writes, write } = slowWriter();
    const one = groupCommit({ laneOf: () => "", keyOf: (thing: number) => String(thing) }, write);
    const results = [7, 8, 7, 9, 7].map((thing) => one(place, thing));
    await turn();
    expect(writes.map(({ things }) => things)).toEqual([[7, 8, 9]]);
    writes[0]?.end();
    await turn();
    expect(writes.map(({ things }) => things)).toEqual([[7, 8, 9], [7]]);
    writes[1]?.end();
    await turn();
    expect(writes.map(({ things }) => things)).toEqual([[7, 8, 9], [7], [7]]);
    writes[2]?.end();
    expect(await Promise.all(results)).toEqual([70, 80, 70, 90, 70]);
  });

  it("is refused one by one: what is refused takes nothing else with it", async () => {
    const writes: (readonly number[])[] = [];
    const one = groupCommit({ laneOf: () => "" }, async (_: object, things: readonly number[]) => {
      writes.push(things);
      const bad = things.find((thing) => thing >= 90);
      if (bad !== undefined) throw new Error(`not ${bad}`);
      return things;
    });
    const things = [1, 2, 90, 4, 5, 6, 91, 8];
    const outcomes = await Promise.allSettled(things.map((thing) => one(place, thing)));
    expect(outcomes.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason)))).toEqual([
      1,
      2,
      "Error: not 90",
      4,
      5,
      6,
      "Error: not 91",
      8,
    ]);
    expect(writes.filter((some) => some.length === 1 && some[0] !== undefined && some[0] >= 90)).toHaveLength(2);
  });

  it("is tried alone where the database gave a group up, so that one thing behind a lock takes no other with it", async () => {
    const writes: (readonly number[])[] = [];
    const one = groupCommit({ laneOf: () => "" }, async (_: object, things: readonly number[]) => {
      writes.push(things);
      if (things.includes(3)) throw new DatabaseUnavailable({ cause: new Error("57014") });
      return things;
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((thing) => one(place, thing)));
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(writes).toEqual([[1, 2, 3, 4, 5], [1], [2], [3], [4], [5]]);
  });

  it("is not tried thing by thing where the database gives everything up: the last would wait for all others", async () => {
    let writes = 0;
    const one = groupCommit({ laneOf: () => "" }, async (): Promise<readonly number[]> => {
      writes += 1;
      throw new DatabaseUnavailable({ cause: new Error("57014") });
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 64 }, (_, thing) => one(place, thing)));
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(writes).toBe(3);
  });

  it("is not tried again where the database did not answer: nobody knows what was written", async () => {
    let writes = 0;
    const one = groupCommit({ laneOf: () => "" }, async (): Promise<readonly number[]> => {
      writes += 1;
      throw new DatabaseUnavailable({ cause: new Error("gone"), isLost: true });
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((thing) => one(place, thing)));
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(writes).toBe(1);
  });
});

/** Writes that last until they are ended. */
function slowWriter() {
  const writes: { readonly things: readonly number[]; readonly end: () => void }[] = [];
  const write = (_: object, things: readonly number[]): Promise<readonly number[]> =>
    new Promise((resolve) => {
      writes.push({ things, end: () => resolve(things.map((thing) => thing * 10)) });
    });
  return { writes, write };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
