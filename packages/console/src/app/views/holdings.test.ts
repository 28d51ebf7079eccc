import type { Balances } from "@trellis/sdk";
import { expect, it } from "vitest";
import { holdingsOf } from "./holdings.js";

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const stranger = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU";
const token = (token_address: string, amount_decimal: string, decimals: number, symbol?: string) => ({
  token_address,
  amount: Number(amount_decimal),
  amount_decimal,
  decimals,
  ...(symbol === undefined ? {} : { symbol }),
});
const balances = (...tokens: Balances["tokens"]): Balances => ({ address: stranger, lamports: 0, sol: 0, tokens });

it("has exact base units, and the known currencies first", () => {
  const sol = "11111111111111111111111111111111";
  const held = holdingsOf(
    balances(token(stranger, "1.5", 1), token(sol, "9007199254.740993111", 9), token(usdc, "0.000001", 6)),
    "sandbox",
  );
  expect(held).toEqual([
    { currency: "sol", mint: null, decimals: 9, isKnown: true, held: 9_007_199_254_740_993_111n },
    { currency: "usdc", mint: usdc, decimals: 6, isKnown: true, held: 1n },
    { currency: stranger, mint: stranger, decimals: 0, isKnown: false, held: 15n },
  ]);
});

it("believes no token's own name, nor other decimals of a known one", () => {
  const held = holdingsOf(balances(token(stranger, "5", 6, "USDC"), token(usdc, "5", 9, "USDC")), "sandbox");
  expect(held.map(({ isKnown }) => isKnown)).toEqual([false, false]);
  expect(held.map(({ held: units }) => units)).toEqual([5_000_000n, 5_000_000_000n]);
});
