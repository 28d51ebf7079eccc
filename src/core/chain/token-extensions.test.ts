import { describe, expect, it } from "vitest";
import { associatedAccountBytes, demandsMemo, whyNotPlainMint } from "./token-extensions.js";

/** Token-2022 data: the base layout, the byte that tells mints (1) from accounts (2), and these extensions. */
function withExtensions(kind: 1 | 2, ...extensions: (readonly [number: number, data: Uint8Array])[]): Uint8Array {
  const parts = extensions.flatMap(([type, data]) => [
    type & 0xff,
    type >> 8,
    data.length & 0xff,
    data.length >> 8,
    ...data,
  ]);
  const whole = new Uint8Array(166 + parts.length);
  whole[165] = kind;
  whole.set(parts, 166);
  return whole;
}

/** The fee of the extension's two halves, in basis points. */
function feeConfig(older: number, newer: number): Uint8Array {
  const data = new Uint8Array(108);
  const view = new DataView(data.buffer);
  view.setUint16(88, older, true);
  view.setUint16(106, newer, true);
  return data;
}

const hook = (programByte: number): Uint8Array => new Uint8Array(64).fill(9, 0, 32).fill(programByte, 32);
const metadataPointer = [18, new Uint8Array(64).fill(1)] as const;

describe("a mint that standing orders can pay exactly", () => {
  it.each([
    ["of the older token program", new Uint8Array(82)],
    ["without extensions", withExtensions(1)],
    ["with metadata", withExtensions(1, metadataPointer)],
    ["with a fee of nothing, now and later", withExtensions(1, [1, feeConfig(0, 0)])],
    ["with a hook that names no program", withExtensions(1, [14, hook(0)])],
    ["whose new accounts are open", withExtensions(1, [6, Uint8Array.of(1)])],
  ])("is one %s", (_, data) => expect(whyNotPlainMint(data)).toBeUndefined());

  it.each([
    ["takes a fee now", withExtensions(1, metadataPointer, [1, feeConfig(1, 0)])],
    ["will take a fee", withExtensions(1, [1, feeConfig(0, 256)])],
    ["runs a hook", withExtensions(1, [14, hook(3)])],
    ["cannot be transferred", withExtensions(1, [9, new Uint8Array(0)])],
    ["freezes new accounts", withExtensions(1, metadataPointer, [6, Uint8Array.of(2)])],
  ])("is none that %s", (_, data) => expect(whyNotPlainMint(data)).toBeTypeOf("string"));
});

describe("a token account", () => {
  it.each([
    ["of the older token program", 165, new Uint8Array(82)],
    ["of the second without extensions", 170, new Uint8Array(82)],
    ["of one with metadata", 170, withExtensions(1, metadataPointer)],
    [
      "of one with a fee, a hook and a pause",
      191,
      withExtensions(1, [1, feeConfig(0, 0)], [14, hook(0)], [26, hook(0)]),
    ],
  ])("%s takes %i bytes", (_, bytes, data) => expect(associatedAccountBytes(data, bytes > 165)).toBe(bytes));

  it("demands a memo where its extension says so", () => {
    expect(demandsMemo(withExtensions(2, [7, new Uint8Array(0)], [8, Uint8Array.of(1)]))).toBe(true);
    expect(demandsMemo(withExtensions(2, [8, Uint8Array.of(0)]))).toBe(false);
    expect(demandsMemo(new Uint8Array(165))).toBe(false);
  });
});
