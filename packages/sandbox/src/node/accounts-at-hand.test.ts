import type { Address } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { createAccountsAtHand } from "./accounts-at-hand.js";

describe("accounts at hand", () => {
  it("are so many and have so many bytes at most, the last ones that were kept", () => {
    const atHand = createAccountsAtHand({ accounts: 3, bytes: 100 });
    for (const name of ["a", "b", "c", "d"]) atHand.keep(name as Address, stateOf(10));
    expect(kept(atHand)).toBe("bcd");
    atHand.keep("e" as Address, stateOf(85));
    expect(kept(atHand)).toBe("de");
    atHand.keep("f" as Address, stateOf(101));
    expect(kept(atHand)).toBe("");
    atHand.keep("a" as Address, stateOf(100));
    expect(kept(atHand)).toBe("a");
  });

  it("are counted once, however often they are kept, and no more once they are forgotten", () => {
    const atHand = createAccountsAtHand({ accounts: 3, bytes: 100 });
    for (let i = 0; i < 5; i += 1) atHand.keep("a" as Address, stateOf(60));
    atHand.forget("b" as Address);
    atHand.keep("b" as Address, stateOf(40));
    expect(kept(atHand)).toBe("ab");
    atHand.forget("a" as Address);
    atHand.keep("c" as Address, stateOf(60));
    expect(kept(atHand)).toBe("bc");
    atHand.forgetAll();
    expect(kept(atHand)).toBe("");
    atHand.keep("d" as Address, stateOf(100));
    expect(kept(atHand)).toBe("d");
  });
});

const stateOf = (length: number) => ({
  lamports: 1n,
  owner: "a" as Address,
  data: new Uint8Array(length),
  executable: false,
});

const kept = (atHand: ReturnType<typeof createAccountsAtHand>) =>
  [..."abcdef"].filter((name) => atHand.get(name as Address) !== undefined).join("");
