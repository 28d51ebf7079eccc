import { describe, expect, it } from "vitest";
import { parseMovingList } from "./moving-list.js";

const first = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";
const second = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

describe("a list of accounts to be moved", () => {
  it("names e-mail, settings, and the owner's own keys", () => {
    expect(
      parseMovingList(`# ours\r\nada@example.org, ${first}\r\n\r\ngrace@example.org,${second},${first},\n`),
    ).toEqual([
      { email: "ada@example.org", place: first, keep: [] },
      { email: "grace@example.org", place: second, keep: [first] },
    ]);
  });

  it("is refused as a whole, with every line that is wrong", () => {
    const text = `ada,${first}\ngrace@example.org\nada@example.org,${first}\nada@example.org,${second},x\n`;
    expect(() => parseMovingList(text)).toThrow(/Line 1: .*\n.*Line 2: .*\n.*Line 3: .*already.*\n.*Line 4: "x"/);
    expect(() => parseMovingList("\n# nobody\n")).toThrow("names no account");
  });
});
