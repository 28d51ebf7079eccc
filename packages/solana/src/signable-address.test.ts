import type { Address } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { readMemo } from "./memo.js";
import { isOccupied, whyNoCallerSigns } from "./signable-address.js";

describe("addresses without a signing key", () => {
  it("include both memo programs, the ones whose memos are read", () => {
    for (const address of [
      "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo",
      "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
    ]) {
      const programAddress = address as Address;
      expect(readMemo({ programAddress, data: Uint8Array.of(97) })).toBe("a");
      expect(isOccupied(programAddress)).toBe(true);
      expect(whyNoCallerSigns(programAddress)).toMatch(/belongs to the chain/);
    }
  });
});
