import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { expect, it } from "vitest";
import { systemRandom } from "../adapters/system.js";
import { drawCode, hashCode, verifyCode } from "./one-time-code.js";

it("keeps leading zeros", () => {
  expect(drawCode(scripted(42))).toBe("000042");
  expect(drawCode(scripted(0))).toBe("000000");
});

it("draws again above the largest multiple of a million, so that no code is likelier than another", () => {
  expect(drawCode(scripted(4_293_999_999))).toBe("999999");
  expect(drawCode(scripted(4_294_000_000, 0xffffffff, 7))).toBe("000007");
});

it("spreads codes evenly", () => {
  const draws = 50_000;
  const first = new Array<number>(10).fill(0);
  for (let i = 0; i < draws; i += 1) {
    const code = drawCode(systemRandom);
    expect(code).toMatch(/^\d{6}$/);
    const digit = Number(code[0]);
    first[digit] = (first[digit] ?? 0) + 1;
  }
  // Chi-squared with 9 degrees of freedom stays below 45 but once in a million runs.
  const expected = draws / 10;
  expect(first.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)).toBeLessThan(45);
});

it("stores a hash that is bound to the code's id and to a secret outside the database", async () => {
  const stored = { id: "id-1", code_hmac: hashCode(keyringOf(1), "id-1", "042137") };
  expect(await verifyCode(keyringOf(1), stored, "042137")).toBe(true);
  expect(await verifyCode(keyringOf(1), stored, "042138")).toBe(false);
  expect(await verifyCode(keyringOf(1), stored, "42137")).toBe(false);
  expect(await verifyCode(keyringOf(1), { ...stored, id: "id-2" }, "042137")).toBe(false);
  expect(await verifyCode(keyringOf(2), stored, "042137")).toBe(false);
});

/** Draws the given 32-bit numbers, one after the other. */
function scripted(...values: number[]): Random {
  return {
    bytes: () => {
      const bytes = new Uint8Array(4);
      new DataView(bytes.buffer).setUint32(0, values.shift() ?? 0);
      return bytes;
    },
    uuid: () => "",
  };
}

const keyringOf = (fill: number) =>
  createKeyring({ masterKeys: [{ id: "k", key: new Uint8Array(32).fill(fill) }], activeId: "k" });
