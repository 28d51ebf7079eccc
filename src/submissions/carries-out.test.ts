import { AccountRole, type Address, type Instruction } from "@solana/kit";
import { getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import { compileMessage } from "@trellis/solana/compile-message.js";
import { memoInstruction } from "@trellis/solana/memo.js";
import type { LookupTables } from "@trellis/solana/read-message.js";
import { readTransaction, writeTransaction } from "@trellis/solana/transaction-bytes.js";
import { describe, expect, it } from "vitest";
import { publicKeyOf } from "../../test/support/test-network.js";
import { carriesOut, type LandedTransaction } from "./carries-out.js";

const [payer, program, table] = [publicKeyOf("payer"), publicKeyOf("program"), publicKeyOf("table")];
const [first, second, third] = [publicKeyOf("first"), publicKeyOf("second"), publicKeyOf("third")];
const blockhash = publicKeyOf("blockhash");
const tables: LookupTables = { [table]: [third, first, second] };

const call = (byte: number, ...accounts: readonly Address[]): Instruction => ({
  programAddress: program,
  accounts: accounts.map((address, i) => ({ address, role: i === 0 ? AccountRole.WRITABLE : AccountRole.READONLY })),
  data: Uint8Array.of(byte),
});
const price = getSetComputeUnitPriceInstruction({ microLamports: 5 });

const calls = [call(1, first, second), call(2, second)];

describe("a transaction that does all that was prepared", () => {
  const prepared = write(calls).wire;

  it.each<readonly [string, LandedTransaction]>([
    ["with a price", write([price, ...calls])],
    ["with something between", write([call(1, first, second), memoInstruction("guard"), call(2, second), call(9)])],
    ["with another fee payer", write(calls, {}, publicKeyOf("another payer"))],
  ])("carries it out: %s", (_, landed) => {
    expect(carriesOut(prepared, landed)).toBe(true);
  });

  it.each<readonly [string, LandedTransaction]>([
    ["with one call", write([call(1, first, second)])],
    ["in another order", write([call(2, second), call(1, first, second)])],
    ["with other data", write([call(3, first, second), call(2, second)])],
    ["with another account", write([call(1, first, third), call(2, second)])],
    ["with an account more", write([call(1, first, second, third), call(2, second)])],
    ["of another program", write(calls.map((one) => ({ ...one, programAddress: publicKeyOf("other") })))],
    ["that cannot be read", { wire: Uint8Array.of(1, 2, 3), loaded: { writable: [], readonly: [] } }],
  ])("does not: %s", (_, landed) => {
    expect(carriesOut(prepared, landed)).toBe(false);
  });

  it("carries out nothing of bytes that cannot be read, or of a compute budget alone", () => {
    expect(carriesOut(Uint8Array.of(1), write(calls))).toBe(false);
    expect(carriesOut(write([price]).wire, write([price, ...calls]))).toBe(false);
  });
});

describe("where lookup tables are named", () => {
  const prepared = write(calls, tables).wire;

  it("what the chain has read in them counts", () => {
    expect(carriesOut(prepared, write([price, ...calls], tables))).toBe(true);
    expect(carriesOut(write(calls).wire, write([price, ...calls], tables))).toBe(true);
    const landed = write([price, ...calls], tables);
    const swapped = { ...landed, loaded: { ...landed.loaded, writable: [third, ...landed.loaded.writable.slice(1)] } };
    expect(carriesOut(write(calls).wire, swapped)).toBe(false);
  });

  it("a transaction that does not say what is in them proves nothing", () => {
    const landed = write([price, ...calls], tables);
    expect(carriesOut(prepared, { ...landed, loaded: { writable: [], readonly: [] } })).toBe(false);
    expect(carriesOut(prepared, write(calls))).toBe(false);
  });
});

/** A transaction as it is written, with what the chain has read in the tables. */
function write(
  instructions: readonly Instruction[],
  lookupTables: LookupTables = {},
  other = payer,
): LandedTransaction {
  const { messageBytes, signers } = compileMessage(other, blockhash, instructions, lookupTables);
  const wire = writeTransaction(
    signers.map(() => null),
    messageBytes,
  );
  const message = readTransaction(wire)?.message;
  const lookups = message?.version === 0 ? (message.addressTableLookups ?? []) : [];
  const read = (indexes: readonly number[]) => indexes.map((index) => lookupTables[table]?.[index] ?? payer);
  return {
    wire,
    loaded: {
      writable: lookups.flatMap(({ writableIndexes }) => read(writableIndexes)),
      readonly: lookups.flatMap(({ readonlyIndexes }) => read(readonlyIndexes)),
    },
  };
}
