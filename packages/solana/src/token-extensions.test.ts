import { describe, expect, it } from "vitest";
import {
  associatedAccountBytes,
  demandsMemo,
  freezesNewAccounts,
  hasFeeOfOldEpoch,
  isPausedMint,
  refusesPlainTransfers,
  whyNotPlainMint,
} from "./token-extensions.js";

const hook = (programByte: number): Uint8Array => new Uint8Array(64).fill(9, 0, 32).fill(programByte, 32);
const metadataPointer = [18, new Uint8Array(64).fill(1)] as const;

describe("a mint that standing orders can pay exactly", () => {
  it.each([
    ["of the older token program", new Uint8Array(82)],
    ["without extensions", withExtensions(1)],
    ["with metadata", withExtensions(1, metadataPointer)],
    ["with a fee of nothing, now and later", withExtensions(1, [1, feeConfig(0, 0)])],
    ["with a hook that names no program", withExtensions(1, [14, hook(0)])],
    ["whose fee is nothing at the most", withExtensions(1, [1, feeConfig(100, 100, 0n)])],
    ["that freezes new accounts", withExtensions(1, metadataPointer, [6, Uint8Array.of(2)])],
  ])("is one %s", (_, data) => expect(whyNotPlainMint(data)).toBeUndefined());

  it.each([
    ["takes a fee now", withExtensions(1, metadataPointer, [1, feeConfig(1, 0)])],
    ["will take a fee", withExtensions(1, [1, feeConfig(0, 256)])],
    ["runs a hook", withExtensions(1, [14, hook(3)])],
    ["cannot be transferred", withExtensions(1, [9, new Uint8Array(0)])],
  ])("is none that %s", (_, data) => expect(whyNotPlainMint(data)).toBeTypeOf("string"));

  it("is one whose fee was ended, from the epoch on in which that holds", () => {
    const ended = withExtensions(1, [1, feeConfig(100, 0)]);
    expect(hasFeeOfOldEpoch(ended)).toBe(true);
    expect(whyNotPlainMint(ended, 6n)).toBeTypeOf("string");
    expect(whyNotPlainMint(ended, 7n)).toBeUndefined();
    expect(hasFeeOfOldEpoch(withExtensions(1, [1, feeConfig(100, 100)]))).toBe(false);
    expect(hasFeeOfOldEpoch(new Uint8Array(82))).toBe(false);
  });

  it("is asked apart whether it freezes new accounts, and whether it is paused", () => {
    expect(freezesNewAccounts(withExtensions(1, metadataPointer, [6, Uint8Array.of(2)]))).toBe(true);
    expect(freezesNewAccounts(withExtensions(1, [6, Uint8Array.of(1)]))).toBe(false);
    expect(isPausedMint(withExtensions(1, [26, new Uint8Array(33).fill(1, 32)]))).toBe(true);
    expect(isPausedMint(withExtensions(1, [26, new Uint8Array(33).fill(9, 0, 32)]))).toBe(false);
    expect(isPausedMint(new Uint8Array(82))).toBe(false);
  });
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

  it("takes confidential transfers only where its extension says so", () => {
    const confidential = (takesPlain: number) => new Uint8Array(295).fill(1, 0, 262).fill(takesPlain, 262);
    expect(refusesPlainTransfers(withExtensions(2, [5, confidential(0)]))).toBe(true);
    expect(refusesPlainTransfers(withExtensions(2, [5, confidential(1)]))).toBe(false);
    expect(refusesPlainTransfers(new Uint8Array(165))).toBe(false);
  });
});

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

/** The fee of the extension's two halves, in basis points, the newer one from epoch 7 on. */
function feeConfig(older: number, newer: number, maximum = 1_000n): Uint8Array {
  const data = new Uint8Array(108);
  const view = new DataView(data.buffer);
  view.setBigUint64(80, maximum, true);
  view.setUint16(88, older, true);
  view.setBigUint64(90, 7n, true);
  view.setBigUint64(98, maximum, true);
  view.setUint16(106, newer, true);
  return data;
}
