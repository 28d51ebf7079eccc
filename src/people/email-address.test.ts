import { describe, expect, it } from "vitest";
import { parseEmailAddress } from "./email-address.js";

describe("an address is stored", () => {
  it.each([
    ["ada@example.org", "ada@example.org"],
    ["Ada.Lovelace+Tag@Example.ORG", "ada.lovelace+tag@example.org"],
    ["o'neil!#$%&*/=?^_`{|}~-@example.org", "o'neil!#$%&*/=?^_`{|}~-@example.org"],
    ["ada@bücher.example", "ada@xn--bcher-kva.example"],
    ["ada@BÜCHER.example", "ada@xn--bcher-kva.example"],
    ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
    ["ada@例え.テスト", "ada@xn--r8jz45g.xn--zckzah"],
    ["ada@a.b.c.example.co.uk", "ada@a.b.c.example.co.uk"],
  ])("%s as %s", (given, stored) => {
    expect(parseEmailAddress(given)).toBe(stored);
  });

  it("in a form that is its own", () => {
    const stored = parseEmailAddress("Ada@Bücher.Example");
    expect(parseEmailAddress(stored)).toBe(stored);
  });
});

it("gets a hint of the plus sign where a blank stands in its place", () => {
  const refused = () => parseEmailAddress("ada shop@example.org");
  expect(refused).toThrow(
    expect.objectContaining({
      code: "invalid_email",
      details: [expect.objectContaining({ suggestion: expect.stringContaining("%2B") })],
    }),
  );
});

describe("an address is refused", () => {
  it.each([
    ["nothing", ""],
    ["no at sign", "ada"],
    ["no local part", "@example.org"],
    ["no domain", "ada@"],
    ["two at signs", "ada@example.org@example.com"],
    ["a display name", "Ada <ada@example.org>"],
    ["a list", "ada@example.org,eve@example.org"],
    ["a list by semicolon", "ada@example.org;eve@example.org"],
    ["a quoted local part", '"ada b"@example.org'],
    ["a comment", "ada(comment)@example.org"],
    ["surrounding space", " ada@example.org"],
    ["trailing space", "ada@example.org "],
    ["a line break", "ada@example.org\r\nBcc: eve@example.org"],
    ["a trailing line break", "ada@example.org\n"],
    ["a control character", "ada\u0000@example.org"],
    ["a leading dot", ".ada@example.org"],
    ["two dots", "ada..b@example.org"],
    ["a non-ASCII local part", "ädä@example.org"],
    ["a full-width at sign", "ada＠example.org"],
    ["a domain without a dot", "ada@localhost"],
    ["an empty label", "ada@example..org"],
    ["a trailing dot", "ada@example.org."],
    ["a label that begins with a hyphen", "ada@-example.org"],
    ["an underscore in the domain", "ada@exa_mple.org"],
    ["a percent-encoded domain", "ada@ex%61mple.org"],
    ["an address literal", "ada@[127.0.0.1]"],
    ["an IPv4 address", "ada@127.0.0.1"],
    ["a port", "ada@example.org:25"],
    ["a path", "ada@example.org/x"],
    ["a local part of 65 characters", `${"a".repeat(65)}@example.org`],
    ["255 characters", `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example.org`],
  ])("with %s", (_what, text) => {
    expect(() => parseEmailAddress(text)).toThrow(expect.objectContaining({ code: "invalid_email" }));
  });
});
