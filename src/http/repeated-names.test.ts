import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findRepeatedName } from "./repeated-names.js";

describe("two members of one name", () => {
  it.each([
    ['{"a":1,"a":1}', 7],
    ['{"a":1,"\\u0061":2}', 7],
    ['{"x":{"b":[{"c":1, "c":2}]}}', 19],
    ['{"a":{"a":1},"a":2}', 13],
    ['[{"":1,"":1}]', 7],
    ['{"__proto__":1,"__proto__":2}', 15],
    ['{"a\\"":1,"b":["a"],"a\\"":2}', 19],
  ])("are found: %s", (text, position) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(findRepeatedName(text)).toBe(position);
  });

  it.each(['{"a":"a","b":["a","a"],"c":{"a":1}}', '[{"a":1},{"a":1}]', '"a"', "[]", '{"a":"{\\"a\\":1,\\"a\\":2}"}'])(
    "are not where there are none: %s",
    (text) => {
      expect(findRepeatedName(text)).toBeUndefined();
    },
  );

  it("are in no text that JSON.stringify makes, and cost no stack", () => {
    fc.assert(fc.property(fc.json(), (text) => findRepeatedName(text) === undefined));
    const depth = 100_000;
    expect(findRepeatedName(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`)).toBeUndefined();
    expect(findRepeatedName(`${"[".repeat(depth)}{"a":1,"a":1}${"]".repeat(depth)}`)).toBe(depth + 7);
  });
});
