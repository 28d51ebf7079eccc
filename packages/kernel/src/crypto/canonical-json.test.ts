import { Buffer } from "node:buffer";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rfc8785Documents, rfc8785Numbers } from "../../../../test/vectors/rfc-8785.js";
import { canonicalJson } from "./canonical-json.js";

describe("RFC 8785", () => {
  it.each(rfc8785Documents)("$name", ({ input, canonical }) => {
    expect(canonicalJson(JSON.parse(input))).toBe(canonical);
  });

  it.each(rfc8785Numbers)("appendix B: %s is written %s", (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, "hex").readDoubleBE())).toBe(text);
  });

  it("sorts keys at every depth and keeps the order of arrays", () => {
    const value = { b: [{ z: 1, a: [3, 1, 2] }], a: { d: "x", c: null } };
    expect(canonicalJson(value)).toBe('{"a":{"c":null,"d":"x"},"b":[{"a":[3,1,2],"z":1}]}');
  });

  it("sorts keys that are integers as texts, and keeps __proto__ an ordinary key", () => {
    expect(canonicalJson(JSON.parse('{"10":1,"9":2,"__proto__":{"b":1,"a":2}}'))).toBe(
      '{"10":1,"9":2,"__proto__":{"a":2,"b":1}}',
    );
  });
});

describe("against the independent implementation", () => {
  it("writes every JSON value the same, and JSON reads it back", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        // JSON text has no lone surrogates and no negative zero once parsed; only such values are in question.
        fc.pre(!/\\ud[89a-f]/.test(JSON.stringify(value)));
        const text = canonicalJson(value);
        expect(text).toBe(canonicalize(value));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("what JSON cannot say", () => {
  it.each([
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["a bigint", 1n],
    ["undefined", undefined],
    ["undefined in an array", [undefined]],
    ["a hole in an array", new Array(1)],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["bytes", new Uint8Array(2)],
    ["a lone surrogate", "\ud800"],
    ["a lone surrogate in a key", { "\udc00": 1 }],
    ["a nested fault", { a: [{ b: Number.NaN }] }],
  ])("refuses %s", (_name, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it("leaves out undefined members, as JSON.stringify does", () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });
});
