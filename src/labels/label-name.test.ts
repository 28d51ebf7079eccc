import { describe, expect, it } from "vitest";
import { foldName } from "./fold-name.js";
import { parseLabelTexts } from "./label-name.js";

const refusalOf = (name: string): string | undefined => {
  try {
    parseLabelTexts({ name });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe("a name", () => {
  it.each([
    "Landlord",
    "Müller & Söhne GmbH",
    "Ádám's café",
    "Иван Петров",
    "Магазин IKEA",
    "家賃 Tokyo",
    "LINEペイ",
    "हिन्दी दुकान",
    "สมชาย",
    "شركة النور",
    "Room 10",
    "1",
    "🏠 Rent",
    "Donaudampfschiffahrtsgesellsch",
    "Commonwealth Bank of Australia savings",
    "A".repeat(31),
    "é".repeat(31),
    "𠮷野家".repeat(20),
  ])("may be %s", (name) => {
    expect(refusalOf(name)).toBeUndefined();
    expect(foldName(name)).not.toBe("");
  });

  it.each([
    ["nothing", ""],
    ["61 characters", `${"€a".repeat(30)}b`],
    ["a control", "Land\u0007lord"],
    ["zero", "Land\u0000lord"],
    ["a line break", "Land\nlord"],
    ["a line separator", "Land\u2028lord"],
    ["a next line", "Land\u0085lord"],
    ["a tab", "Land\tlord"],
    ["an override of direction", "\u202edrolдnaL"],
    ["an isolate", "\u2066Landlord\u2069"],
    ["a mark of direction", "Landlord\u200e"],
    ["a zero-width space", "Land\u200blord"],
    ["a zero-width joiner", "Land\u200dlord"],
    ["a byte order mark", "\ufeffLandlord"],
    ["a soft hyphen", "Land\u00adlord"],
    ["a variation selector", "Landlord\ufe0f"],
    ["a tag", "Landlord\u{e0041}"],
    ["a Hangul filler", "Landlord\u3164"],
    ["a braille blank", "Landlord\u2800"],
    ["half a surrogate pair", "Landlord\ud800"],
    ["a character of nobody's", "Landlord\ue000"],
    ["a character that is none yet", "Landlord\u0378"],
    ["a space that does not break", "Land\u00a0lord"],
    ["a wide space", "Land\u3000lord"],
    ["a space before it", " Landlord"],
    ["a space behind it", "Landlord "],
    ["two spaces", "Land  lord"],
    ["a mark alone", "\u0301Landlord"],
    ["piled marks", `L${"\u0323".repeat(3)}${"\u0335".repeat(3)}andlord`],
    ["punctuation alone", "..."],
    ["Cyrillic among Latin", "L\u0430ndlord"],
    ["Greek among Latin", "Landl\u03bfrd"],
    ["Latin among Cyrillic", "Ивaн"],
    ["an address", "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y"],
    ["an address in groups", "EdMSvMo Hfsemd2s 7eHCrRnu M1dzPu2CpU rHJN98XYC9y"],
    [
      "an address in wide letters",
      "ＥｄＭＳｖＭｏＨｆｓｅｍｄ２ｓ７ｅＨＣｒＲｎｕＭ１ｄｚＰｕ２ＣｐＵｒＨＪＮ９８ＸＹＣ９ｙ",
    ],
    ["an address with a letter wrong", "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9l"],
    ["a shortened address", "EdMS…YC9y"],
    ["a shortened address in a sentence", "to EdMS...YC9y"],
    ["a shortened address with spaces", "EdMS ... YC9y"],
    ["an address of another chain", "0x52908400098527886E0F7030069857D2E4169EE7"],
  ])("is not %s", (_what, name) => {
    expect(refusalOf(name)).toMatch(/^The name must /);
  });

  it("is stored in one form, whatever the client's", () => {
    expect(parseLabelTexts({ name: "Cafe\u0301", note: "Cafe\u0301" })).toMatchObject({ name: "Café", note: "Café" });
  });

  it.each([
    "LANDLORD",
    "land lord",
    "Landlord.",
    "Land-lord",
    "Lаndlоrd",
    "ＬＡＮＤＬＯＲＤ",
    "𝐋𝐚𝐧𝐝𝐥𝐨𝐫𝐝",
    "Landl0rd",
    "1andlord",
    "|andlord",
    "Iandlord",
    "Lạndlörd",
    "Łandlord",
    "“Landlord”",
    "Landⅼord",
  ])("looks like another one as %s", (name) => {
    expect(foldName(name)).toBe(foldName("Landlord"));
  });

  it.each([
    ["Mom", "Morn"],
    ["Savings", "Savinɡs"],
    ["Straße", "STRASSE"],
    ["ΣΟΦΟΣ", "σοφος"],
    ["Вова", "ВОВА"],
    ["wife", "vvife"],
  ])("looks like another one: %s, %s", (one, other) => {
    expect(foldName(one)).toBe(foldName(other));
  });

  it.each([
    ["Landlord", "Landlady"],
    ["Room 2", "Room 3"],
    ["राम", "रमा"],
    ["🏠 Rent", "🚗 Rent"],
    ["東京", "京都"],
  ])("is not another one: %s, %s", (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other));
  });
});

it("a note is as plain as a name, and may look like anything else", () => {
  expect(parseLabelTexts({ name: "Rent", note: "EdMS…YC9y, and 3 more" }).note).toBe("EdMS…YC9y, and 3 more");
  expect(parseLabelTexts({ name: "Rent", note: null }).note).toBeNull();
  for (const note of ["", "two\nlines", "\u202eback", "x".repeat(201)])
    expect(() => parseLabelTexts({ name: "Rent", note })).toThrow(/^The note must /);
});
