import { limits } from "@trellis/kernel/limits.js";
import { describe, expect, it } from "vitest";
import { refuseLongBodies } from "./body-bounds.js";

const { bodyListItems, bodyValues } = limits;

describe("a body", () => {
  it("may have lists of some length, and says which one is longer", () => {
    expect(refusal({ a: { b: list(bodyListItems) } })).toBeUndefined();
    expect(refusal({ a: { b: [{ c: list(bodyListItems + 1) }] } })).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(`a.b.c has ${bodyListItems + 1} items`),
    });
    expect(refusal(list(60_000))).toMatchObject({ code: "invalid_request" });
  });

  it("has no more values than any request, however they are put into one another", () => {
    expect(refusal(Array.from({ length: bodyListItems }, () => list(40)))).toBeUndefined();
    expect(refusal(Array.from({ length: bodyListItems }, () => list(bodyListItems)))).toMatchObject({
      code: "invalid_request",
    });
    expect(refusal(Object.fromEntries(Array.from({ length: bodyValues }, (_, i) => [`n${i}`, 1])))).toMatchObject({
      code: "invalid_request",
    });
    let deep: unknown = 1;
    for (let i = 0; i < 200_000; i += 1) deep = [deep];
    expect(refusal(deep)).toMatchObject({ code: "invalid_request" });
  });

  it("may be of any kind otherwise", () => {
    for (const body of [undefined, null, 1, "x", true, {}, []]) expect(refusal(body)).toBeUndefined();
  });
});

const list = (length: number) => Array.from({ length }, () => ({}));

const refusal = (body: unknown) => {
  try {
    refuseLongBodies(body);
  } catch (error) {
    return error;
  }
  return undefined;
};
