import { AccountRole, type Address, type Instruction } from "@solana/kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getTransactionEncoder } from "./generated/accounts/index.js";
import { getStoredTransactionMessageEncoder } from "./generated/types/index.js";
import { addressOfBytes } from "./program-address.js";
import { ProgramDataError } from "./program-data.js";
import { decodeTransaction } from "./transaction.js";
import {
  compileWrappedMessage,
  decodeStoredMessage,
  decodeWrappedMessage,
  encodeWrappedMessage,
  executionAccounts,
  isWellFormed,
  messageInstructions,
  storedMessageSize,
  transactionSize,
  type WrappedMessage,
} from "./wrapped-message.js";

const key = (n: number): Address => {
  const bytes = new Uint8Array(32).fill(1);
  bytes[0] = n;
  return addressOfBytes(bytes);
};
const smartAccount = key(0);
const { READONLY, READONLY_SIGNER, WRITABLE, WRITABLE_SIGNER } = AccountRole;

describe("a wrapped message", () => {
  it("gives its instructions back, with at least the rights they asked for", () => {
    fc.assert(
      fc.property(instructions, tables, (wanted, lookupTables) => {
        const message = compileWrappedMessage(smartAccount, wanted, lookupTables);
        const decoded = messageInstructions(decodeWrappedMessage(encodeWrappedMessage(message)), lookupTables);
        expect(decoded.map(({ programAddress, data }) => [programAddress, [...data]])).toEqual(
          wanted.map(({ programAddress, data }) => [programAddress, [...(data ?? [])]]),
        );
        for (const [i, { accounts = [] }] of wanted.entries()) {
          expect(decoded[i]?.accounts.map(({ address }) => address)).toEqual(accounts.map(({ address }) => address));
          for (const [j, account] of accounts.entries()) {
            expect((decoded[i]?.accounts[j]?.role ?? 0) & account.role).toBe(account.role);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is well-formed, with the smart account first", () => {
    fc.assert(
      fc.property(instructions, tables, (wanted, lookupTables) => {
        const message = compileWrappedMessage(smartAccount, wanted, lookupTables);
        expect(isWellFormed(message)).toBe(true);
        expect(message.accountKeys[0]).toBe(smartAccount);
        expect(message.numWritableSigners).toBeGreaterThan(0);
      }),
    );
  });

  it("is the same message in its stored form, of the announced size", () => {
    fc.assert(
      fc.property(instructions, tables, (wanted, lookupTables) => {
        const message = compileWrappedMessage(smartAccount, wanted, lookupTables);
        const stored = storedBytes(message);
        expect(stored.length).toBe(storedMessageSize(message));
        const plainOf = (m: WrappedMessage) => JSON.stringify(m, (_, v) => (v instanceof Uint8Array ? [...v] : v));
        expect(plainOf(decodeStoredMessage(stored))).toBe(plainOf(message));
      }),
    );
  });

  it("may be followed by other bytes but not cut short", () => {
    const message = compileWrappedMessage(smartAccount, [{ programAddress: key(200), data: Uint8Array.of(1, 2) }]);
    const bytes = encodeWrappedMessage(message);
    expect(decodeWrappedMessage(Uint8Array.from([...bytes, 9, 9])).accountKeys).toEqual(message.accountKeys);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeWrappedMessage(bytes.slice(0, length))).toThrow(ProgramDataError);
    }
  });

  it("with counts or indexes that do not agree is refused", () => {
    const good = compileWrappedMessage(smartAccount, [
      { programAddress: key(200), accounts: [{ address: key(1), role: WRITABLE }] },
    ]);
    const [instruction] = good.instructions;
    if (instruction === undefined) throw new Error("no instruction");
    for (const bad of [
      { ...good, numSigners: 4 },
      { ...good, numWritableSigners: 2 },
      { ...good, numWritableNonSigners: 3 },
      { ...good, instructions: [{ ...instruction, programIdIndex: 3 }] },
      { ...good, instructions: [{ ...instruction, accountIndexes: Uint8Array.of(0, 3) }] },
    ]) {
      expect(() => decodeWrappedMessage(encodeWrappedMessage(bad))).toThrow(ProgramDataError);
      expect(() => decodeStoredMessage(storedBytes(bad))).toThrow(ProgramDataError);
    }
  });
});

describe("the accounts of an execution", () => {
  // Two tables, each with a writable and a read-only entry in use, so that the two orders differ.
  const lookupTables = { [key(100)]: [key(10), key(11)], [key(101)]: [key(12), key(13)] };
  const otherSigner = key(20);
  const ephemeral = key(21);
  const message = compileWrappedMessage(
    smartAccount,
    [
      {
        programAddress: key(200),
        accounts: [
          { address: key(10), role: READONLY },
          { address: key(11), role: WRITABLE },
          { address: key(12), role: WRITABLE },
          { address: key(13), role: READONLY },
          { address: otherSigner, role: READONLY_SIGNER },
          { address: ephemeral, role: WRITABLE_SIGNER },
        ],
      },
    ],
    lookupTables,
  );

  it("are the tables, the message's keys, then the looked-up addresses table by table", () => {
    expect(executionAccounts(message, [smartAccount, ephemeral], lookupTables)).toEqual(
      (
        [
          [key(100), READONLY],
          [key(101), READONLY],
          [smartAccount, WRITABLE],
          [ephemeral, WRITABLE],
          [otherSigner, READONLY_SIGNER],
          [key(200), READONLY],
          [key(11), WRITABLE],
          [key(10), READONLY],
          [key(12), WRITABLE],
          [key(13), READONLY],
        ] as const
      ).map(([address, role]) => ({ address, role })),
    );
  });

  it("count inside the message with the writable ones of all tables first", () => {
    // Indexes 0-3 are the message's own keys, then key 11, key 12, key 10, key 13.
    expect([...(message.instructions[0]?.accountIndexes ?? [])]).toEqual([6, 4, 5, 7, 2, 1]);
  });

  it("cannot be listed without the content of every table", () => {
    expect(() => executionAccounts(message, [smartAccount])).toThrow(ProgramDataError);
    expect(() => messageInstructions(message, { ...lookupTables, [key(101)]: [] })).toThrow(ProgramDataError);
  });
});

describe("a transaction account", () => {
  const message = compileWrappedMessage(smartAccount, [{ programAddress: key(200), data: Uint8Array.of(7) }]);
  const encode = (payload: Parameters<ReturnType<typeof getTransactionEncoder>["encode"]>[0]["payload"]) =>
    Uint8Array.from(
      getTransactionEncoder().encode({
        consensusAccount: key(1),
        creator: key(2),
        rentCollector: key(3),
        index: 5,
        payload,
      }),
    );
  const bytes = encode({
    __kind: "TransactionPayload",
    accountIndex: 0,
    ephemeralSignerBumps: Uint8Array.of(254, 253),
    message: {
      ...message,
      accountKeys: [...message.accountKeys],
      instructions: [...message.instructions],
      addressTableLookups: [],
    },
  });

  it("is read with its two spare bytes", () => {
    const allocated = new Uint8Array(transactionSize(message, 2));
    allocated.set(bytes);
    expect(allocated.length - bytes.length).toBe(2);
    expect(decodeTransaction(allocated)).toMatchObject({
      settings: key(1),
      creator: key(2),
      rentCollector: key(3),
      index: 5n,
      accountIndex: 0,
      ephemeralSignerCount: 2,
      message: { accountKeys: message.accountKeys },
    });
  });

  it("of a policy or of the first program generation is refused", () => {
    expect(() => decodeTransaction(encode({ __kind: "PolicyPayload", encoded: Uint8Array.of(1, 2) }))).toThrow(
      ProgramDataError,
    );
    const old = Uint8Array.from(bytes);
    old[112] = 255;
    expect(() => decodeTransaction(old)).toThrow(/first program generation/);
  });
});

const someKey = fc.nat({ max: 30 }).map(key);
const role = fc.constantFrom(READONLY, WRITABLE, READONLY_SIGNER, WRITABLE_SIGNER);
const instructions: fc.Arbitrary<Instruction[]> = fc.array(
  fc.record({
    programAddress: fc.nat({ max: 5 }).map((n) => key(200 + n)),
    accounts: fc.array(fc.record({ address: someKey, role }), { maxLength: 8 }),
    data: fc.uint8Array({ maxLength: 50 }),
  }),
  { maxLength: 6 },
);
const tables = fc
  .array(fc.uniqueArray(someKey, { maxLength: 15 }), { maxLength: 3 })
  .map((contents) => Object.fromEntries(contents.map((content, index) => [key(100 + index), content])));

const storedBytes = (message: WrappedMessage): Uint8Array =>
  Uint8Array.from(
    getStoredTransactionMessageEncoder().encode({
      ...message,
      accountKeys: [...message.accountKeys],
      instructions: [...message.instructions],
      addressTableLookups: [...message.addressTableLookups],
    }),
  );
