import { AccountRole, address, type Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { TrellisError } from "../../errors.js";
import { limits } from "../../limits.js";
import { composeTransaction, noBlockhash } from "./compose.js";

const payer = address("9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g");
const memo = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");

/** The bytes of a transaction with this much data in it; the code of the error where it does not fit. */
function sizeWith(dataBytes: number, microLamportsPerUnit: bigint): number | string {
  const instruction: Instruction = {
    programAddress: memo,
    accounts: [{ address: payer, role: AccountRole.READONLY_SIGNER }],
    data: new Uint8Array(dataBytes),
  };
  try {
    return composeTransaction(payer, noBlockhash, { units: 10_000, microLamportsPerUnit }, [instruction]).bytes.length;
  } catch (error) {
    if (error instanceof TrellisError) return error.code;
    throw error;
  }
}

describe("the size of a transaction", () => {
  it("has the same limit where nobody bids as where somebody does: a price always finds room", () => {
    const most = Array.from({ length: 1_232 }, (_, bytes) => bytes)
      .filter((bytes) => sizeWith(bytes, 1n) !== "transaction_too_large")
      .at(-1);
    expect(most).toBeGreaterThan(900);
    expect(sizeWith(Number(most), 1n)).toBe(limits.transactionBytes);
    expect(sizeWith(Number(most), 0n)).toBe(limits.transactionBytes - 12);
    for (const price of [0n, 1n]) expect(sizeWith(Number(most) + 1, price)).toBe("transaction_too_large");
  });
});
