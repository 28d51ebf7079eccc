import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prefersCsv, writeCsv } from "./csv.js";

const columns = { a: ["a"], b: ["deep.b", "other"] };

describe("rows", () => {
  it("have the first of their fields that is there, behind the names", () => {
    const items = [{ a: 1, deep: { b: "two" } }, { a: null, other: false }, {}, { a: { x: [1] } }];
    expect(writeCsv({ columns }, items)).toBe('a,b\r\n1,two\r\n,false\r\n,\r\n"{""x"":[1]}",\r\n');
    expect(writeCsv({ columns }, [])).toBe("a,b\r\n");
    // What every object inherits is no field.
    expect(writeCsv({ columns: { a: ["constructor.name"] } }, [{}])).toBe("a\r\n\r\n");
  });

  it("hold no formula, and nothing that ends a cell", () => {
    for (const begin of ["=", "+", "-", "@", "\t", "\r", "\n"]) {
      const written = writeCsv({ columns: { a: ["a"] } }, [{ a: `${begin}1+1` }]);
      expect(written.slice(3)).toMatch(/^"?'/);
    }
    expect(writeCsv({ columns: { a: ["a"] } }, [{ a: '=cmd|"/c calc"!A1,x' }])).toBe(
      'a\r\n"\'=cmd|""/c calc""!A1,x"\r\n',
    );
  });

  it("are quoted where a spreadsheet with other separators would end a cell", () => {
    expect(writeCsv({ columns: { a: ["a"] } }, [{ a: "x;=1+1" }, { a: "x\t=1+1" }])).toBe(
      'a\r\n"x;=1+1"\r\n"x\t=1+1"\r\n',
    );
  });

  it("are read as they were, whatever is in them", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ a: fc.string(), other: fc.string({ unit: "binary" }) })), (items) => {
        const read = readCsv(writeCsv({ columns }, items));
        const defused = (text: string) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);
        expect(read).toEqual([["a", "b"], ...items.map(({ a, other }) => [defused(a), defused(other)])]);
      }),
    );
  });
});

describe("a preference", () => {
  it("is for CSV where it says so, and not only that it would do", () => {
    for (const accept of [
      "text/csv",
      "text/csv, */*;q=0.5",
      "TEXT/CSV;charset=utf-8",
      "application/json;q=0.4, text/csv; q=0.9",
    ]) {
      expect(prefersCsv(accept), accept).toBe(true);
    }
    for (const accept of [
      undefined,
      "",
      "*/*",
      "text/*",
      "application/json, text/csv",
      "text/csv;q=0",
      "text/csv;q=x",
      "text/csvx",
    ]) {
      expect(prefersCsv(accept), accept).toBe(false);
    }
  });
});

/** A reader by RFC 4180, letter by letter. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const letter = text[i] ?? "";
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else isQuoted = false;
    } else if (letter === '"') isQuoted = true;
    else if (letter === ",") {
      row.push(cell);
      cell = "";
    } else if (letter === "\r" && text[i + 1] === "\n") {
      rows.push([...row, cell]);
      row = [];
      cell = "";
      i += 1;
    } else cell += letter;
  }
  return rows;
}
