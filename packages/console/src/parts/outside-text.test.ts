import { describe, expect, it } from "vitest";
import { mixesScripts, visibleParts } from "./outside-text.js";

const shown = (text: string): string =>
  visibleParts(text)
    .map(({ text: part, isHidden }) => (isHidden ? `[${part}]` : part))
    .join("");

describe("text from outside", () => {
  it.each([
    ["plain text, as it is", "Rent for März – 12.50 €", "Rent for März – 12.50 €"],
    ["letters of other alphabets", "賃料 аренда إيجار", "賃料 аренда إيجار"],
    ["what turns the direction", "pay \u202eCDSU 5", "pay [U+202E]CDSU 5"],
    ["isolates and marks", "\u2066a\u2069\u200f", "[U+2066]a[U+2069][U+200F]"],
    ["letters of no width", "Land\u200blord\ufeff", "Land[U+200B]lord[U+FEFF]"],
    ["line breaks and controls", "one\ntwo\u0007", "one[U+000A]two[U+0007]"],
    ["fillers and tags", "a\u3164b\u{e0041}", "a[U+3164]b[U+E0041]"],
    ["half of a letter", "a\ud800b", "a[U+D800]b"],
    ["nothing", "", ""],
  ])("shows %s", (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ["Landlord", false],
    ["L\u0430ndlord", true],
    ["аренда and rent", false],
    ["p\u03b1y", true],
    ["a.b@ex\u0430mple.org", true],
  ])("knows whether letters of alphabets that share shapes stand in one word: %s", (text, expected) => {
    expect(mixesScripts(text)).toBe(expected);
  });
});
