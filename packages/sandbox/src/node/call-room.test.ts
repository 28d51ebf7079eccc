import { createAnswerSpace } from "@trellis/kernel/answer-space.js";
import { limits } from "@trellis/kernel/limits.js";
import { describe, expect, it } from "vitest";
import { createMessageRoom } from "./call-room.js";

const { answerBytes, batchWork } = limits.sandboxRpc;

describe("the room of a message", () => {
  it("starts no call after the earlier ones have read too much", () => {
    const room = open();
    room.begin();
    room.work(batchWork - 1);
    room.begin();
    room.work(batchWork);
    expect(() => room.begin()).toThrow("have read too much");
  });

  it("counts what a call announces until the call's end, and what is answered for good", () => {
    const room = open();
    room.begin();
    room.show(answerBytes);
    expect(() => room.show(1)).toThrow("larger than");
    room.begin();
    room.show(answerBytes);
    expect(room.take("x".repeat(answerBytes - 10))).toBe(true);
    room.begin();
    expect(() => room.show(11)).toThrow("larger than");
    expect(room.take("x".repeat(11))).toBe(false);
    // Nothing is taken any more, however short: answers are left out from here on, not here and there.
    expect(room.take("x")).toBe(false);
    expect(() => room.begin()).toThrow("larger than");
  });

  it("has what a call announces while it is made, and gives back what the answer did not need", () => {
    const space = createAnswerSpace({ ...limits.sandboxRpc, answersBytesPerOwner: answerBytes });
    const first = createMessageRoom(space.open("somebody"));
    const second = createMessageRoom(space.open("somebody"));
    for (const room of [first, second]) room.begin();
    first.show(answerBytes);
    expect(() => second.show(answerBytes)).toThrow("too many large answers are under way");
    expect(first.take("x")).toBe(true);
    second.show(answerBytes);
    // An error in its place has not made it.
    second.begin();
    first.begin();
    first.show(answerBytes - 1);
  });
});

const open = () => createMessageRoom(createAnswerSpace(limits.sandboxRpc).open("somebody"));
