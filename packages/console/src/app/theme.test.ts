import { expect, it } from "vitest";
import { contrast, parse, themeOf } from "./theme.js";

const papers = { light: ["#f6f7f5", "#ffffff", "#eaf3ec"], dark: ["#121513", "#1b1f1c", "#1d2b22"] } as const;

it.each(["#000000", "#ffffff", "#14532d", "#ffff00", "#808080", "#0000ff", "#ff0000", "#767676", "#fefefe", "#010101"])(
  "text in %s can be read on light and dark paper, and text on it too",
  (color) => {
    const theme = themeOf(color);
    for (const side of ["light", "dark"] as const) {
      const { accent, accentInk } = theme[side];
      for (const paper of papers[side]) expect(contrast(parse(accent), parse(paper))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(parse(accent), parse(accentInk))).toBeGreaterThanOrEqual(4.5);
    }
  },
);

it("a colour that can be read stays what it is", () => {
  expect(themeOf("#14532d").light.accent).toBe("#14532d");
  expect(themeOf("#86efac").dark.accent).toBe("#86efac");
});
