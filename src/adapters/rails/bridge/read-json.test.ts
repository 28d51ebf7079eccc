import { describe, expect, it } from "vitest";
import {
  cut,
  decimal,
  field,
  instant,
  isDecimal,
  parseJson,
  sameDecimal,
  text,
  textFields,
  textsWithin,
} from "./read-json.js";

describe("reading a partner's JSON", () => {
  it("keeps every number as it was written", () => {
    const body = parseJson('{"a":10.10,"b":9007199254740993,"c":-1,"d":"1.5","e":[0.10,{"f":1e2}],"g":"a \\" 12.50"}');
    expect(body).toEqual({
      a: "10.10",
      b: "9007199254740993",
      c: "-1",
      d: "1.5",
      e: ["0.10", { f: "1e2" }],
      g: 'a " 12.50',
    });
    expect(() => parseJson("<html>")).toThrow(SyntaxError);
  });

  it("takes texts that no database keeps for absent, and cuts no character in half", () => {
    expect(parseJson('{"a":"x\\u0000","b":"\\ud83d","c":"\\ud83d\\ude00","d":["\\udc00"]}')).toEqual({
      a: null,
      b: null,
      c: "😀",
      d: [null],
    });
    expect(cut("ab😀", 3)).toBe("ab");
    expect(cut("ab😀", 4)).toBe("ab😀");
  });

  it("takes no amount that is none", () => {
    for (const good of ["0", "10.10", "100000000.000001"]) expect(decimal({ amount: good }, "amount")).toBe(good);
    for (const bad of ["-1", "1e2", "1,5", "", "1.", ".5", "NaN", "9".repeat(19)]) expect(isDecimal(bad)).toBe(false);
    expect(sameDecimal("10", "010.00")).toBe(true);
    expect(sameDecimal("0.10", ".1")).toBe(false);
    expect(sameDecimal("10.01", "10.010")).toBe(true);
    expect(sameDecimal("10.001", "10")).toBe(false);
  });

  it("finds names in quotation marks, and none that every object has", () => {
    expect(text({ '"id"': " va " }, "id")).toBe("va");
    expect(field({}, "constructor")).toBeUndefined();
    expect(field(parseJson('{"__proto__":{"id":"x"}}'), "id")).toBeUndefined();
    expect(field(null, "id")).toBeUndefined();
  });

  it("flattens what is missing, within bounds", () => {
    expect(textsWithin({ all_of: ["a", { any_of: ["b", null] }] })).toEqual(["a", "b"]);
    expect(textsWithin(Array(1_000).fill("x"))).toHaveLength(50);
    let deep: unknown = "end";
    for (let i = 0; i < 100; i += 1) deep = [deep];
    expect(textsWithin(deep)).toEqual([]);
  });

  it("passes on texts alone", () => {
    expect(textFields({ iban: "DE89", '"bic"': "X", n: null, o: { a: "b" }, l: ["a", "b"], "odd name": "x" })).toEqual({
      iban: "DE89",
      bic: "X",
      l: "a, b",
    });
  });

  it("reads instants", () => {
    expect(instant({ at: "2026-11-22T10:00:00Z" }, "at")).toBe(Date.parse("2026-11-22T10:00:00Z"));
    expect(instant({ at: "1705854411204" }, "at")).toBe(1_705_854_411_204);
    expect(instant({ at: "soon" }, "at")).toBeUndefined();
  });
});
