import { describe, expect, it } from "vitest";
import { sentencesOf } from "../scripts/sentences.js";

describe("the sentences of a document", () => {
  it("end with a full stop before a capital, and with their paragraph", () => {
    expect(counts("One two\nthree. Four (five).\n\nSix, e.g. Seven: eight")).toEqual([
      [1, 3, false],
      [2, 2, false],
      [4, 4, false],
    ]);
  });

  it("count code and a link's text, but neither its target nor marks", () => {
    expect(counts("**See** `POST /a b. C` and [the\npage](docs/a b.md#c), — now. `next` one")).toEqual([
      [1, 6, false],
      [2, 2, false],
    ]);
  });

  it("stay apart in list items and cells, and cells are marked", () => {
    expect(counts("Before\n- one\n  goes on\n- two\n\n| a | b c |\n| --- | --- |\n| d. E | `f\\|g` |")).toEqual([
      [1, 1, false],
      [2, 3, false],
      [4, 1, false],
      [6, 1, true],
      [6, 2, true],
      [8, 1, true],
      [8, 1, true],
      [8, 1, true],
    ]);
  });

  it("are not in headings, code, comments, images and links that are a number", () => {
    const markdown =
      "# A title\n\n```js\nconst a = 1;\n```\n<!-- left\nout -->\n![a picture](b.svg)\n\n[1](a.md#b), [2.1](c.md)\n\nReal.";
    expect(counts(markdown)).toEqual([[12, 1, false]]);
  });
});

const counts = (markdown: string) => sentencesOf(markdown).map(({ line, words, isCell }) => [line, words, isCell]);
