import { describe, expect, it } from "vitest";
import { gathered } from "./gathered.js";

describe("things that are written together", () => {
  it("join the first write when they arrive in the same turn, and the next one while a write is under way", async () => {
    const { ends, writes, write } = slowWriter();
    const one = gathered<number>(write);
    const first = [one(1), one(2)];
    await turn();
    const second = [one(3), one(4)];
    await turn();
    expect(writes).toEqual([[1, 2]]);
    ends[0]?.resolve();
    await Promise.all(first);
    await turn();
    expect(writes).toEqual([
      [1, 2],
      [3, 4],
    ]);
    ends[1]?.resolve();
    await Promise.all(second);
  });

  it("join one write when they arrive while it waits to begin", async () => {
    let endRest: () => void = () => undefined;
    const rest = new Promise<void>((resolve) => {
      endRest = resolve;
    });
    const writes: (readonly number[])[] = [];
    const one = gathered<number>(
      async (some) => {
        writes.push(some);
      },
      () => rest,
    );
    const first = one(1);
    await turn();
    const second = one(2);
    await turn();
    expect(writes).toEqual([]);
    endRest();
    await Promise.all([first, second]);
    expect(writes).toEqual([[1, 2]]);
  });

  it("fail with their own write and with no other", async () => {
    const { ends, writes, write } = slowWriter();
    const one = gathered<number>(write);
    const first = one(1);
    await turn();
    const second = one(2);
    ends[0]?.reject(new Error("the first write failed"));
    await expect(first).rejects.toThrow("the first write failed");
    await turn();
    ends[1]?.resolve();
    await second;
    expect(writes).toEqual([[1], [2]]);
  });
});

interface End {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Writes that last until they are told to end. */
function slowWriter() {
  const ends: End[] = [];
  const writes: (readonly number[])[] = [];
  const write = (things: readonly number[]): Promise<void> => {
    writes.push(things);
    return new Promise((resolve, reject) => ends.push({ resolve, reject }));
  };
  return { ends, writes, write };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
