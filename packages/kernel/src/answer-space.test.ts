import { describe, expect, it } from "vitest";
import { createAnswerSpace } from "./answer-space.js";

const bounds = { answerBytes: 100, answersBytes: 250, answersBytesPerOwner: 150, smallBytes: 10 };

describe("the memory of answers", () => {
  it("is bounded for one answer", () => {
    const room = createAnswerSpace(bounds).open("a");
    expect(room.take(60)).toBe(true);
    expect(room.take(41)).toBe(false);
    expect(room.take(40)).toBe(true);
    expect(room.take(1)).toBe(false);
  });

  it("is bounded for one owner and for all, and is freed again", () => {
    const space = createAnswerSpace(bounds);
    const first = space.open("a");
    expect(first.take(100)).toBe(true);
    const second = space.open("a");
    expect(second.take(100)).toBe(false);
    const other = space.open("b");
    expect(other.take(100)).toBe(true);
    // 90 of each are counted: 70 are left, whoever asks.
    const third = space.open("c");
    expect(third.take(81)).toBe(false);
    expect(third.take(80)).toBe(true);
    first.release();
    first.release();
    expect(second.take(100)).toBe(true);
    expect(first.take(1)).toBe(false);
    for (const room of [second, other, third]) room.release();
    for (const owner of ["a", "b"]) expect(space.open(owner).take(100)).toBe(true);
  });

  it("gets back what an answer did not need, the first bytes last", () => {
    const space = createAnswerSpace(bounds);
    const [first, second] = [space.open("a"), space.open("a")];
    expect(first.take(100)).toBe(true);
    // 60 of 150 are left beside the 90.
    expect(second.take(71)).toBe(false);
    first.giveBack(95);
    expect(second.take(100)).toBe(true);
    expect(first.take(71)).toBe(false);
    expect(first.take(65)).toBe(true);
    second.release();
    second.giveBack(100);
    expect(space.open("a").take(100)).toBe(true);
  });

  it("has room for small answers at any time", () => {
    const space = createAnswerSpace(bounds);
    for (const owner of ["a", "b", "c"]) space.open(owner).take(90);
    for (let i = 0; i < 1_000; i += 1) expect(space.open("a").take(10)).toBe(true);
    expect(space.open("a").take(100)).toBe(false);
  });
});
