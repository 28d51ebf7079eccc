import { describe, expect, it } from "vitest";
import { readCsv } from "./csv.js";

const cellsOf = (text: string) => readCsv(text).map(({ cells }) => cells);

describe("a table in text", () => {
  it("has rows and cells, whatever ends the lines", () => {
    const rows = [
      ["a", "1", ""],
      ["b", "2", "rent"],
    ];
    for (const end of ["\n", "\r\n", "\r"]) {
      expect(cellsOf(`a,1,${end}b,2,rent${end}`)).toEqual(rows);
      expect(cellsOf(`a,1,${end}b,2,rent`)).toEqual(rows);
    }
  });

  it("has quoted cells with separators, quotation marks and ends of lines in them", () => {
    expect(cellsOf('a,"1,234.50","say ""July"""\nb,2,"two\r\nlines"')).toEqual([
      ["a", "1,234.50", 'say "July"'],
      ["b", "2", "two\r\nlines"],
    ]);
    expect(cellsOf('"",""')).toEqual([]);
    expect(cellsOf('a,""')).toEqual([["a", ""]]);
  });

  it("begins with no mark of byte order", () => {
    expect(cellsOf("\uFEFFdestination,amount")).toEqual([["destination", "amount"]]);
    expect(cellsOf('\uFEFF"destination",amount')).toEqual([["destination", "amount"]]);
  });

  it("is separated by what stands first, so that a pasted spreadsheet is one, too", () => {
    expect(cellsOf("a\t1\tx, y; z")).toEqual([["a", "1", "x, y; z"]]);
    expect(cellsOf("a;1;x, y")).toEqual([["a", "1", "x, y"]]);
    expect(cellsOf('"a;b",1,c;d')).toEqual([["a;b", "1", "c;d"]]);
  });

  it("counts lines as an editor does, empty ones and those within a cell included", () => {
    const rows = readCsv('\n\na,1,"x\n\ny"\n \nb,2');
    expect(rows.map(({ line }) => line)).toEqual([3, 7]);
  });

  it.each([
    ["a quotation mark that is not closed", 'a,1\nb,2,"rent\nc,3', [1, 2]],
    ["text behind a closed one", 'a,1\n"b"x,2', [1, 2]],
    ["a quotation mark in the middle", 'a,1\nb,2,5" pipe', [1, 2]],
  ])("says of %s where it is", (_what, text, lines) => {
    const rows = readCsv(text);
    expect(rows.map(({ line }) => line)).toEqual(lines);
    expect(rows.map(({ isBroken }) => isBroken)).toEqual([false, true]);
  });
});
