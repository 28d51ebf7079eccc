import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExactJson } from "./exact-json.js";

const bounds = { depth: 64, values: 10_000 };

describe("JSON with exact integers", () => {
  it("is read as JSON.parse reads it, but for integers that a number cannot hold", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const plain: unknown = JSON.parse(text);
        const whole = JSON.stringify(parse(text), (_, value: unknown) =>
          typeof value === "bigint" ? Number(value) : value,
        );
        expect(whole).toBe(JSON.stringify(plain));
      }),
    );
    expect(parse(' {"a" : [18446744073709551615, -9007199254740993, 9007199254740991, 1.5, 1e3, -0]} ')).toEqual({
      a: [18446744073709551615n, -9007199254740993n, 9007199254740991, 1.5, 1000, -0],
    });
  });

  it("keeps strange names and texts as they are", () => {
    const read = parse('{"__proto__":{"x":1},"$n":"5","q\\"\\\\":"\\u0000\\\\\\""}') as Record<string, unknown>;
    expect(Object.keys(read)).toEqual(["__proto__", "$n", 'q"\\']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(read.$n).toBe("5");
  });

  it.each([
    "",
    " ",
    "{",
    "[1,]",
    "[1 2]",
    '{"a"}',
    '{"a":1,}',
    "{a:1}",
    "nul",
    "01",
    "1.",
    "-",
    "+1",
    '"\n"',
    '"a',
    '"\\"',
    "1 1",
    "NaN",
    "tru",
    "[1]]",
    '"\\x"',
  ])("refuses %j", (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => parse(text)).toThrow(SyntaxError);
  });

  it("is bounded in depth, in values and in the length of integers", () => {
    expect(() => parse("[".repeat(200_000))).toThrow(RangeError);
    expect(() => parse('{"a":'.repeat(65))).toThrow(RangeError);
    expect(parse(`${"[".repeat(64)}${"]".repeat(64)}`)).toBeInstanceOf(Array);
    expect(() => parse(`[${"1,".repeat(10_000)}1]`)).toThrow(RangeError);
    expect(() => parse("1".repeat(100_000))).toThrow(RangeError);
  });
});

const parse = (text: string) => parseExactJson(text, bounds);
