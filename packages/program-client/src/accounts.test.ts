import type { Address, Encoder } from "@solana/kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountKindOf, discriminatorOf, type ProgramAccountKind } from "./account-kind.js";
import { ZERO_ADDRESS } from "./addresses.js";
import { decodeBatch, decodeBatchTransaction } from "./batch.js";
import {
  getProgramConfigEncoder,
  getProposalEncoder,
  getSettingsTransactionEncoder,
  getSpendingLimitEncoder,
} from "./generated/accounts/index.js";
import {
  getFirstGenerationTransactionEncoder,
  Period,
  type ProposalStatusArgs,
  type SettingsActionArgs,
} from "./generated/types/index.js";
import { addressOfBytes } from "./program-address.js";
import { decodeProgramConfig } from "./program-config.js";
import { ProgramDataError } from "./program-data.js";
import { decodeProposal, proposalSize } from "./proposal.js";
import { decodeSettings } from "./settings.js";
import { decodeSettingsTransaction, settingsTransactionSize } from "./settings-transaction.js";
import { decodeSpendingLimit, NEVER_EXPIRES, remainingAt, spendingLimitSize } from "./spending-limit.js";
import { decodeFirstGenerationTransaction, decodeTransaction, isFirstGenerationTransaction } from "./transaction.js";
import { decodeTransactionBuffer } from "./transaction-buffer.js";

const key = (byte: number): Address => addressOfBytes(new Uint8Array(32).fill(byte));
const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressOfBytes);
const addresses = fc.array(address, { maxLength: 5 });
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const byte = fc.nat({ max: 255 });

describe("a proposal", () => {
  const timed = fc.constantFrom("Draft", "Active", "Rejected", "Approved", "Executed", "Cancelled");
  const status: fc.Arbitrary<ProposalStatusArgs> = fc.oneof(
    fc.constant({ __kind: "Executing" as const }),
    fc.tuple(timed, i64).map(([__kind, timestamp]) => ({ __kind, timestamp }) as ProposalStatusArgs),
  );

  it("is read whatever its status and votes", () => {
    fc.assert(
      fc.property(
        fc.record({
          settings: address,
          transactionIndex: u64,
          rentCollector: address,
          status,
          bump: byte,
          approved: addresses,
          rejected: addresses,
          cancelled: addresses,
        }),
        (proposal) => {
          const data = encode(getProposalEncoder(), proposal);
          expect(decodeProposal(data)).toEqual({
            ...proposal,
            status: proposal.status.__kind.toLowerCase(),
            statusTimestamp: "timestamp" in proposal.status ? proposal.status.timestamp : null,
          });
        },
      ),
    );
  });

  it("cut short anywhere is refused, spare bytes are not read", () => {
    const proposal = {
      settings: key(1),
      transactionIndex: 3,
      rentCollector: key(2),
      status: { __kind: "Active", timestamp: 1_700_000_000 } as const,
      bump: 254,
      approved: [key(3)],
      rejected: [],
      cancelled: [],
    };
    const data = encode(getProposalEncoder(), proposal);
    expect(data.length).toBe(proposalSize(0) + 32);
    expectExactReading(decodeProposal, data, decodeProposal(data));
  });
});

describe("a settings transaction", () => {
  const action: fc.Arbitrary<SettingsActionArgs> = fc.oneof(
    fc.record({ __kind: fc.constant("AddSigner" as const), newSigner: fc.record({ key: address, permissions: byte }) }),
    fc.record({ __kind: fc.constant("RemoveSigner" as const), oldSigner: address }),
    fc.record({ __kind: fc.constant("ChangeThreshold" as const), newThreshold: fc.nat({ max: 65_535 }) }),
    fc.record({ __kind: fc.constant("SetTimeLock" as const), newTimeLock: fc.nat({ max: 2 ** 32 - 1 }) }),
    fc.record({
      __kind: fc.constant("AddSpendingLimit" as const),
      seed: address,
      accountIndex: byte,
      mint: address,
      amount: u64,
      period: fc.constantFrom(Period.OneTime, Period.Day, Period.Week, Period.Month),
      signers: addresses,
      destinations: addresses,
      expiration: i64,
    }),
    fc.record({ __kind: fc.constant("RemoveSpendingLimit" as const), spendingLimit: address }),
    fc.record({ __kind: fc.constant("PolicyRemove" as const), policy: address }),
  );

  it("is read whatever it changes and has the announced size", () => {
    fc.assert(
      fc.property(
        fc.record({
          settings: address,
          creator: address,
          rentCollector: address,
          index: u64,
          bump: byte,
          actions: fc.array(action, { maxLength: 6 }),
        }),
        (transaction) => {
          const data = encode(getSettingsTransactionEncoder(), transaction);
          expect(data.length).toBe(settingsTransactionSize(transaction.actions));
          expect(decodeSettingsTransaction(data)).toEqual({
            ...transaction,
            unread: null,
            encodedActions: data.slice(113),
          });
        },
      ),
    );
  });

  it("numbers its actions as the program does", () => {
    const kinds: SettingsActionArgs[] = [
      { __kind: "AddSigner", newSigner: { key: key(1), permissions: 7 } },
      { __kind: "RemoveSigner", oldSigner: key(1) },
      { __kind: "ChangeThreshold", newThreshold: 1 },
      { __kind: "SetTimeLock", newTimeLock: 1 },
      {
        __kind: "AddSpendingLimit",
        seed: key(1),
        accountIndex: 0,
        mint: key(2),
        amount: 1,
        period: Period.Day,
        signers: [],
        destinations: [],
        expiration: 0,
      },
      { __kind: "RemoveSpendingLimit", spendingLimit: key(1) },
      { __kind: "SetArchivalAuthority", newArchivalAuthority: null },
      { __kind: "PolicyCreate", encoded: new Uint8Array(0) },
      { __kind: "PolicyUpdate", encoded: new Uint8Array(0) },
      { __kind: "PolicyRemove", policy: key(1) },
    ];
    const base = { settings: key(1), creator: key(2), rentCollector: key(3), index: 1, bump: 0 };
    const tags = kinds.map((kind) => encode(getSettingsTransactionEncoder(), { ...base, actions: [kind] })[117]);
    expect(tags).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(kinds.slice(0, 6).map((kind) => settingsTransactionSize([kind]) - 117)).toEqual([34, 33, 3, 5, 91, 33]);
  });

  it("cut short in front of its actions is refused, within them says how many are missing", () => {
    const data = encode(getSettingsTransactionEncoder(), {
      settings: key(1),
      creator: key(2),
      rentCollector: key(3),
      index: 1,
      bump: 0,
      actions: [{ __kind: "SetTimeLock", newTimeLock: 1 }],
    });
    for (let length = 0; length < 117; length++) {
      expect(() => decodeSettingsTransaction(data.slice(0, length))).toThrow(ProgramDataError);
    }
    for (let length = 117; length < data.length; length++) {
      const { actions, unread } = decodeSettingsTransaction(data.slice(0, length));
      expect([actions, unread?.count]).toEqual([[], 1]);
    }
    expect(decodeSettingsTransaction(Uint8Array.from([...data, 1, 2, 3]))).toEqual(decodeSettingsTransaction(data));
  });
});

describe("a spending limit", () => {
  const stored = {
    settings: key(1),
    seed: key(2),
    accountIndex: 0,
    mint: ZERO_ADDRESS,
    amount: 1_000n,
    period: Period.Day,
    remainingAmount: 10n,
    lastReset: 1_000_000n,
    bump: 251,
    signers: [key(3)],
    destinations: [key(4), key(5)],
    expiration: NEVER_EXPIRES,
  };

  it("is read in plain terms", () => {
    const data = encode(getSpendingLimitEncoder(), stored);
    expect(data.length).toBe(spendingLimitSize(1, 2));
    const read = {
      settings: key(1),
      seed: key(2),
      accountIndex: 0,
      mint: null,
      amountBaseUnits: 1_000n,
      period: Period.Day,
      remainingBaseUnits: 10n,
      lastReset: 1_000_000n,
      bump: 251,
      signers: [key(3)],
      destinations: [key(4), key(5)],
      expiration: null,
    };
    expectExactReading(decodeSpendingLimit, data, read);
    const other = encode(getSpendingLimitEncoder(), { ...stored, mint: key(8), expiration: 5n });
    expect(decodeSpendingLimit(other)).toEqual({ ...read, mint: key(8), expiration: 5n });
  });

  it("is full again only when more than a period has passed", () => {
    const limit = decodeSpendingLimit(encode(getSpendingLimitEncoder(), stored));
    expect(remainingAt(limit, 1_000_000n + 86_400n)).toBe(10n);
    expect(remainingAt(limit, 1_000_000n + 86_401n)).toBe(1_000n);
    const week = { ...limit, period: Period.Week };
    expect([remainingAt(week, 1_604_800n), remainingAt(week, 1_604_801n)]).toEqual([10n, 1_000n]);
    const month = { ...limit, period: Period.Month };
    expect([remainingAt(month, 3_592_000n), remainingAt(month, 3_592_001n)]).toEqual([10n, 1_000n]);
    expect(remainingAt({ ...limit, period: Period.OneTime }, 10n ** 12n)).toBe(10n);
  });
});

describe("the program configuration", () => {
  it("is read from its 160 bytes", () => {
    const data = encode(getProgramConfigEncoder(), {
      smartAccountIndex: 502_795,
      authority: key(1),
      smartAccountCreationFee: 7,
      treasury: key(2),
      reserved: new Uint8Array(64),
    });
    expect(data.length).toBe(160);
    expectExactReading(decodeProgramConfig, data, {
      smartAccountIndex: 502_795n,
      authority: key(1),
      creationFeeLamports: 7n,
      treasury: key(2),
    });
  });
});

describe("a transaction of the first program generation", () => {
  const message = {
    numSigners: 1,
    numWritableSigners: 1,
    numWritableNonSigners: 1,
    accountKeys: [key(1), key(2), ZERO_ADDRESS],
    instructions: [{ programIdIndex: 2, accountIndexes: Uint8Array.of(0, 1), data: Uint8Array.of(2) }],
    addressTableLookups: [],
  };
  const data = Uint8Array.from([
    ...discriminatorOf("transaction"),
    ...getFirstGenerationTransactionEncoder().encode({
      settings: key(3),
      creator: key(4),
      rentCollector: key(5),
      index: 9n,
      bump: 254,
      accountIndex: 1,
      accountBump: 255,
      ephemeralSignerBumps: Uint8Array.of(251, 252),
      message,
    }),
  ]);

  it("is distinguished from those of today and read by its own decoder only", () => {
    expect(isFirstGenerationTransaction(data)).toBe(true);
    expect(() => decodeTransaction(data)).toThrow(ProgramDataError);
    expectExactReading(decodeFirstGenerationTransaction, data, {
      settings: key(3),
      creator: key(4),
      rentCollector: key(5),
      index: 9n,
      accountIndex: 1,
      ephemeralSignerCount: 2,
      message,
    });
  });
});

describe("account data of unknown origin", () => {
  const decoders: [ProgramAccountKind, (data: Uint8Array) => unknown][] = [
    ["settings", decodeSettings],
    ["proposal", decodeProposal],
    ["transaction", decodeTransaction],
    ["settingsTransaction", decodeSettingsTransaction],
    ["spendingLimit", decodeSpendingLimit],
    ["programConfig", decodeProgramConfig],
    ["batch", decodeBatch],
    ["batchTransaction", decodeBatchTransaction],
    ["transactionBuffer", decodeTransactionBuffer],
  ];

  it("is recognised by its first eight bytes", () => {
    for (const kind of [...decoders.map(([name]) => name), "policy"] as const) {
      expect(accountKindOf(Uint8Array.from([...discriminatorOf(kind), 1]))).toBe(kind);
      expect(accountKindOf(discriminatorOf(kind).slice(0, 7))).toBeUndefined();
    }
    expect(accountKindOf(new Uint8Array(200))).toBeUndefined();
  });

  it.each(decoders)("that says it is %s is read or refused, and nothing else", (kind, decode) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (rest, sparse) => {
        const tail = sparse ? rest.map((value) => (value > 8 ? 0 : value)) : rest;
        try {
          decode(Uint8Array.from([...discriminatorOf(kind), ...tail]));
        } catch (error) {
          expect(error).toBeInstanceOf(ProgramDataError);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each(decoders)("of every other kind is refused as %s", (kind, decode) => {
    for (const [other] of decoders) {
      if (other === kind) continue;
      expect(() => decode(Uint8Array.from([...discriminatorOf(other), ...new Uint8Array(400)]))).toThrow(
        ProgramDataError,
      );
    }
  });
});

const encode = <T>(encoder: Encoder<T>, value: T): Uint8Array => Uint8Array.from(encoder.encode(value));

/** Every shorter version of `data` must be refused, and spare bytes after it must not matter. */
function expectExactReading<T>(decode: (data: Uint8Array) => T, data: Uint8Array, read: T): void {
  expect(decode(Uint8Array.from([...data, 1, 2, 3]))).toEqual(read);
  for (let length = 0; length < data.length; length++) {
    expect(() => decode(data.slice(0, length))).toThrow(ProgramDataError);
  }
}
