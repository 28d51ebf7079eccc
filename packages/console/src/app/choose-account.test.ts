import { describe, expect, it } from "vitest";
import { chooseAccount } from "./choose-account.js";

const [first, own] = [{ address: "first" }, { address: "own" }];

describe("the account whose pages are shown", () => {
  it("is the one that the address names, and no other where that is not in the list", () => {
    expect(chooseAccount([first, own], "first", "own")).toEqual({ status: "chosen", account: first });
    expect(chooseAccount([first, own], "another", "own")).toEqual({ status: "missing", address: "another" });
    expect(chooseAccount([], "another", "own")).toEqual({ status: "missing", address: "another" });
  });

  it("is the signer's own where none is named, or the first", () => {
    expect(chooseAccount([first, own], undefined, "own")).toEqual({ status: "chosen", account: own });
    expect(chooseAccount([first], undefined, "own")).toEqual({ status: "chosen", account: first });
    expect(chooseAccount([], undefined, "own")).toEqual({ status: "none" });
  });
});
