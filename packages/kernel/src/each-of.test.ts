import { describe, expect, it } from "vitest";
import { allOf, eachOf } from "./each-of.js";

const numbers = Array.from({ length: 12 }, (_, number) => number);

describe("eachOf", () => {
  it("works on all of them, with no more at a time than the given number", async () => {
    const worked: number[] = [];
    let underWay = 0;
    let most = 0;
    await eachOf(numbers, 4, async (number) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await settle();
      underWay -= 1;
      worked.push(number);
    });
    expect(worked.toSorted((a, b) => a - b)).toEqual(numbers);
    expect(most).toBe(4);
  });

  it("works on what is behind one that throws, and rejects with the first failure when none is under way", async () => {
    const worked: number[] = [];
    let underWay = 0;
    const work = eachOf(numbers, 4, async (number) => {
      underWay += 1;
      await settle();
      underWay -= 1;
      if (number % 5 === 0) throw new Error(`number ${number}`);
      worked.push(number);
    });
    await expect(work).rejects.toThrow("number 0");
    expect(underWay).toBe(0);
    expect(worked).toHaveLength(9);
    await settle();
    expect(worked).toHaveLength(9);
  });

  it("works on the others while one hangs, and ends after that one", async () => {
    const worked: number[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hasEnded = false;
    const work = eachOf(numbers, 4, async (number) => {
      if (number === 0) await gate;
      worked.push(number);
    }).then(() => {
      hasEnded = true;
    });
    await settle();
    expect(worked).toEqual(numbers.slice(1));
    expect(hasEnded).toBe(false);
    release();
    await work;
    expect(worked).toHaveLength(12);
  });

  it("begins nothing new after a failure that concerns all, and waits for what is under way", async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = eachOf(
      numbers,
      4,
      async (number) => {
        begun.push(number);
        if (number === 0) throw new Error("there is no answer");
        await settle();
        ended.push(number);
      },
      { stopsAtFailure: true },
    );
    await expect(work).rejects.toThrow("there is no answer");
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(ended).toEqual([1, 2, 3]);
    await settle();
    expect(begun).toHaveLength(4);
  });

  it("asks for what is found bit by bit while one hangs", async () => {
    const worked: number[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* found() {
      for (let bit = 0; bit < 3; bit += 1) {
        await settle();
        yield* numbers.slice(bit * 4, bit * 4 + 4);
      }
    }
    const work = eachOf(found(), 2, async (number) => {
      if (number === 0) await gate;
      worked.push(number);
    });
    while (worked.length < 11) await settle();
    expect(worked).toEqual(numbers.slice(1));
    release();
    await work;
    expect(worked).toHaveLength(12);
  });

  it("ends with the failure of what is found bit by bit", async () => {
    const worked: number[] = [];
    async function* found() {
      yield 1;
      await settle();
      throw new Error("there is no more");
    }
    const work = eachOf(found(), 2, async (number) => void worked.push(number));
    await expect(work).rejects.toThrow("there is no more");
    expect(worked).toEqual([1]);
  });

  it("takes a work that throws before it waits for anything like any other", async () => {
    const worked: number[] = [];
    const work = eachOf([1, 2, 3], 1, (number) => {
      if (number === 1) throw new Error("at once");
      worked.push(number);
      return Promise.resolve();
    });
    await expect(work).rejects.toThrow("at once");
    expect(worked).toEqual([2, 3]);
  });
});

describe("allOf", () => {
  it("rejects with the first failure once all have ended", async () => {
    let hasEnded = false;
    const slow = settle().then(() => {
      hasEnded = true;
    });
    await expect(allOf([Promise.reject(new Error("first")), slow])).rejects.toThrow("first");
    expect(hasEnded).toBe(true);
  });

  it("resolves with everything, in order", async () => {
    expect(await allOf([settle().then(() => "slow"), Promise.resolve("quick")])).toEqual(["slow", "quick"]);
  });
});

/** Lets everything run that waits for nothing else. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
