import {
  getAddressDecoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
} from "@solana/kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPlainMessage, readTransaction, writeTransaction } from "./transaction-bytes.js";

const indexes = fc.array(fc.nat(255), { maxLength: 6 });

const signature = fc.oneof(fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.constant(new Uint8Array(64)));

describe("reading transactions", () => {
  it("reads every message as kit does, and accepts exactly what kit writes back unchanged", () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(fc.oneof(messageBytes, damaged(messageBytes), damaged(damaged(messageBytes))), (bytes) => {
        const expected = oracleMessage(bytes);
        expect(readPlainMessage(bytes)).toEqual(expected);
        if (expected) accepted += 1;
        else refused += 1;
      }),
      { numRuns: 4_000 },
    );
    expect(accepted).toBeGreaterThan(500);
    expect(refused).toBeGreaterThan(500);
  });

  it("reads every transaction as kit does, and accepts exactly what kit writes back unchanged", () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(fc.oneof(wireBytes, damaged(wireBytes), fc.uint8Array({ maxLength: 300 })), (bytes) => {
        const expected = oracleTransaction(bytes);
        expect(readTransaction(bytes)).toEqual(expected);
        if (expected) accepted += 1;
        else refused += 1;
      }),
      { numRuns: 4_000 },
    );
    expect(accepted).toBeGreaterThan(300);
    expect(refused).toBeGreaterThan(500);
  });

  it("reads Node's buffers, and keeps nothing of what it read from", () => {
    const [bytes] = fc.sample(
      wireBytes.filter((wire) => oracleTransaction(wire) !== undefined),
      1,
    );
    const buffer = Buffer.from(bytes ?? []);
    const read = readTransaction(buffer);
    const expected = oracleTransaction(bytes ?? new Uint8Array());
    buffer.fill(0xff);
    expect(read).toEqual(expected);
  });

  it("gives every reader bytes of their own", () => {
    const dataOf = (bytes: Uint8Array) => readPlainMessage(bytes)?.instructions.flatMap(({ data }) => data ?? []) ?? [];
    const bytes = fc.sample(messageBytes, { numRuns: 50, seed: 3 }).find((each) => dataOf(each).length > 0);
    if (bytes === undefined) throw new Error("no sample has an instruction with data");
    const expected = dataOf(bytes);
    for (const data of dataOf(bytes)) (data as Uint8Array).fill(0xee);
    expect(dataOf(bytes)).toEqual(expected);
  });

  it("writes what kit's encoder writes", () => {
    fc.assert(
      fc.property(wireBytes, (bytes) => {
        const expected = oracleTransaction(bytes);
        fc.pre(expected !== undefined);
        const { signatures, messageBytes: message } = expected.transaction;
        expect(writeTransaction(Object.values(signatures), message)).toEqual(bytes);
      }),
    );
  });
});

const anyAddress = fc
  .oneof(
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    // Few different ones, so that an address also occurs twice.
    fc.integer({ min: 0, max: 5 }).map((byte) => new Uint8Array(32).fill(byte)),
  )
  .map((bytes) => getAddressDecoder().decode(bytes));

/** Messages as kit writes them, sensible or not. */
const messageBytes = fc
  .record({
    version: fc.constantFrom("legacy" as const, 0 as const),
    header: fc.record({
      numSignerAccounts: fc.nat(4),
      numReadonlySignerAccounts: fc.nat(3),
      numReadonlyNonSignerAccounts: fc.nat(3),
    }),
    staticAccounts: fc.array(anyAddress, { maxLength: 8 }),
    lifetimeToken: anyAddress,
    instructions: fc.array(
      fc.record({
        programAddressIndex: fc.nat(255),
        accountIndices: indexes,
        data: fc.oneof(fc.uint8Array({ maxLength: 12 }), fc.uint8Array({ minLength: 126, maxLength: 260 })),
      }),
      { maxLength: 4 },
    ),
    addressTableLookups: fc.array(
      fc.record({ lookupTableAddress: anyAddress, writableIndexes: indexes, readonlyIndexes: indexes }),
      { maxLength: 2 },
    ),
  })
  .map((message) => Uint8Array.from(getCompiledTransactionMessageEncoder().encode(message as never)));

/** Wire bytes: a message behind signatures, mostly as many as it asks for. */
const wireBytes = fc
  .tuple(messageBytes, fc.array(signature, { maxLength: 4 }), fc.boolean())
  .map(([message, some, exact]) => {
    const wanted = (message[0] === 0x80 ? message[1] : message[0]) ?? 0;
    const given = exact ? Array.from({ length: wanted }, (_, i) => some[i] ?? null) : some;
    return writeTransaction(given, message);
  });

/** One step away from well formed, also where a length is spelled longer than needed. */
const damaged = (bytes: fc.Arbitrary<Uint8Array>) =>
  fc
    .tuple(bytes, fc.nat(), fc.nat(255), fc.constantFrom("flip", "cut", "append", "stretch"))
    .map(([whole, at, byte, how]) => {
      const place = whole.length === 0 ? 0 : at % whole.length;
      if (how === "flip") return whole.map((old, index) => (index === place ? byte : old));
      if (how === "cut") return whole.slice(0, place);
      if (how === "append") return Uint8Array.from([...whole, byte]);
      const stretched = [...whole];
      stretched.splice(place, 1, (whole[place] ?? 0) | 0x80, 0);
      return Uint8Array.from(stretched);
    });

const equal = (left: ArrayLike<number>, right: Uint8Array) => Buffer.compare(Uint8Array.from(left), right) === 0;

/** The slow way: kit decodes, kit encodes again, and the bytes are the same. */
function oracleMessage(bytes: Uint8Array) {
  try {
    const message = getCompiledTransactionMessageDecoder().decode(bytes);
    if (message.version === 1 || !equal(getCompiledTransactionMessageEncoder().encode(message), bytes))
      return undefined;
    return message;
  } catch {
    return undefined;
  }
}

function oracleTransaction(bytes: Uint8Array) {
  try {
    const transaction = getTransactionDecoder().decode(bytes);
    if (!equal(getTransactionEncoder().encode(transaction), bytes)) return undefined;
    const message = oracleMessage(Uint8Array.from(transaction.messageBytes));
    return message && { transaction, message };
  } catch {
    return undefined;
  }
}
