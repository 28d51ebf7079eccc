import { AccountRole, address, type Instruction } from "@solana/kit";
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { describe, expect, it } from "vitest";
import { composeTransaction, noBlockhash } from "./compose.js";
import { parseWireTransaction } from "./wire-transaction.js";

const payer = address("9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g");
const memo = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");

describe("the size of a transaction", () => {
  it("has the same limit with a priority fee as without one: a price always has room", () => {
    const most = Array.from({ length: 1_232 }, (_, bytes) => bytes)
      .filter((bytes) => sizeWith(bytes, 1n) !== "transaction_too_large")
      .at(-1);
    expect(most).toBeGreaterThan(900);
    expect(sizeWith(Number(most), 1n)).toBe(limits.transactionBytes);
    expect(sizeWith(Number(most), 0n)).toBe(limits.transactionBytes - 12);
    for (const price of [0n, 1n]) expect(sizeWith(Number(most) + 1, price)).toBe("transaction_too_large");
  });
});

describe("memory", () => {
  const heapFrameBytes = 262_144;
  const budget = { units: 10_000, microLamportsPerUnit: 1n, heapFrameBytes };

  /** The data of the compute-budget instructions, and the size. */
  const composed = (dataBytes: number) => {
    const instruction: Instruction = {
      programAddress: memo,
      accounts: [{ address: payer, role: AccountRole.READONLY_SIGNER }],
      data: new Uint8Array(dataBytes),
    };
    const { bytes } = composeTransaction(payer, noBlockhash, budget, [instruction]);
    const { message } = parseWireTransaction(Buffer.from(bytes).toString("base64"));
    const settings = message.instructions.flatMap(({ programAddressIndex, data }) =>
      message.staticAccounts[programAddressIndex] === COMPUTE_BUDGET_PROGRAM_ADDRESS
        ? [Buffer.from(Uint8Array.from(data ?? [])).toString("hex")]
        : [],
    );
    return { settings, size: bytes.length };
  };
  const request = "0100000400";

  it("is asked for behind units and price, for eight bytes", () => {
    const { settings, size } = composed(100);
    expect(settings).toEqual(["0210270000", "030100000000000000", request]);
    expect(size).toBe(Number(sizeWith(100, 1n)) + 8);
  });

  it("is not asked for where the transaction fits only without", () => {
    const most = Array.from({ length: 1_232 }, (_, bytes) => bytes)
      .filter((bytes) => sizeWith(bytes, 1n) !== "transaction_too_large")
      .at(-1);
    expect(composed(Number(most) - 8)).toMatchObject({ size: limits.transactionBytes, settings: { 2: request } });
    for (const less of [7, 0]) {
      const { settings, size } = composed(Number(most) - less);
      expect(settings).not.toContain(request);
      expect(size).toBe(limits.transactionBytes - less);
    }
  });
});

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
