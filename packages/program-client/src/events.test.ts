import { base58 } from "@scure/base";
import type { Address } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { deriveSettingsAddress, SMART_ACCOUNT_PROGRAM_ADDRESS, ZERO_ADDRESS } from "./addresses.js";
import { decodeEvent, findCreatedSmartAccount, findEvents, findTransactionEvents } from "./events.js";
import { getLogEventInstructionDataEncoder } from "./generated/instructions/index.js";
import {
  ConsensusAccountType,
  getSmartAccountEventEncoder,
  ProposalEventType,
  type SmartAccountEventArgs,
  TransactionEventType,
} from "./generated/types/index.js";
import { addressBytes, addressOfBytes } from "./program-address.js";
import { ProgramDataError } from "./program-data.js";

const key = (byte: number): Address => addressOfBytes(new Uint8Array(32).fill(byte));
const settingsAddress = deriveSettingsAddress(1n);

describe("events", () => {
  it("begin with their kind", () => {
    expect(bytesOf(created)[0]).toBe(0);
    expect(bytesOf(executed)[0]).toBe(10);
    expect(bytesOf(executed).slice(0, 34)).toEqual(Uint8Array.from([10, ...bytesOf(created).slice(1, 33), 0]));
  });

  it("are found among inner instructions, in order, with the instruction they belong to", () => {
    const found = findEvents(
      [
        {
          index: 2,
          instructions: [{ programIdIndex: 3, accounts: [0, 1], data: "3Bxs3zzLZLuLQEYX" }, record(bytesOf(created))],
        },
        { index: 3, instructions: [record(bytesOf(executed))] },
      ],
      accountKeys,
    );
    expect(
      found.map(({ instructionIndex, kind, authority, event }) => [instructionIndex, kind, authority, event?.__kind]),
    ).toEqual([
      [2, 0, settingsAddress, "CreateSmartAccount"],
      [3, 10, settingsAddress, "SynchronousTransactionV2"],
    ]);
    expect(found[1]?.event).toMatchObject({ instructionAccounts: [key(4), ZERO_ADDRESS], signers: [key(1)] });
  });

  it("say which smart account was created", () => {
    const group = [{ index: 0, instructions: [record(bytesOf(executed)), record(bytesOf(created))] }];
    expect(findCreatedSmartAccount(findEvents(group, accountKeys))).toMatchObject({
      settingsAddress,
      settings: { seed: 1n, settingsAuthority: null, threshold: 1, signers: [{ address: key(1), mask: 7 }] },
    });
    expect(findCreatedSmartAccount(findEvents([], accountKeys))).toBeUndefined();
  });

  it("of another program, imitating this one, do not count", () => {
    expect(findEvents([{ index: 0, instructions: [record(bytesOf(created), 3)] }], accountKeys)).toEqual([]);
  });

  it("are found when the program's id is in a lookup table", () => {
    const found = findTransactionEvents({
      transaction: { message: { accountKeys: [key(9), settingsAddress] } },
      meta: {
        loadedAddresses: { writable: [key(5)], readonly: [SMART_ACCOUNT_PROGRAM_ADDRESS] },
        innerInstructions: [{ index: 0, instructions: [record(bytesOf(created), 3)] }],
      },
    });
    expect(found).toHaveLength(1);
    expect(findTransactionEvents({ transaction: { message: { accountKeys: [] } }, meta: null })).toEqual([]);
  });

  it("this client cannot read are reported with their bytes", () => {
    const unknown = Uint8Array.of(12, 1, 2, 3);
    const cut = bytesOf(created).slice(0, -1);
    const found = findEvents([{ index: 0, instructions: [record(unknown), record(cut)] }], accountKeys);
    expect(found.map(({ kind, event }) => [kind, event])).toEqual([
      [12, undefined],
      [0, undefined],
    ]);
    expect(found[0]?.bytes).toEqual(unknown);
    expect(() => decodeEvent(unknown)).toThrow(ProgramDataError);
  });
});

describe("event bytes written out by hand", () => {
  const hexOf = (address: Address): string => Buffer.from(addressBytes(address)).toString("hex");
  const decodeHex = (...parts: string[]) => decodeEvent(Buffer.from(parts.join(""), "hex"));
  const account = hexOf(settingsAddress);
  const settingsHex =
    `01${"00".repeat(15)}${"00".repeat(32)}010000000000${"00".repeat(16)}01${"00".repeat(32)}${"00".repeat(8)}f9` +
    `01000000${hexOf(key(1))}070001${"00".repeat(8)}00`;

  it("of a settings change at once", () => {
    expect(decodeHex("02", account, `01000000${hexOf(key(1))}`, settingsHex, "01000000", "033c000000")).toMatchObject({
      __kind: "SynchronousSettingsTransaction",
      settingsAddress,
      signers: [key(1)],
      settings: { seed: 1n, signers: [{ key: key(1), permissions: 7 }] },
      changes: [{ __kind: "SetTimeLock", newTimeLock: 60 }],
    });
  });

  it("of a change by the admin", () => {
    expect(decodeHex("06", settingsHex, account, hexOf(key(3)), `01${hexOf(key(1))}`)).toMatchObject({
      __kind: "AuthoritySettings",
      settingsAddress,
      authority: key(3),
      change: { __kind: "RemoveSigner", oldSigner: key(1) },
    });
    expect(decodeHex("07", settingsHex, account, hexOf(key(3)), "00")).toMatchObject({
      __kind: "AuthorityChange",
      newAuthority: { __option: "None" },
    });
  });

  it("of a settings change put to a vote", () => {
    const transaction = `${account}${hexOf(key(1))}${hexOf(key(9))}0100000000000000ff01000000020200`;
    expect(
      decodeHex(
        "08",
        account,
        "00",
        "00",
        hexOf(key(5)),
        "0100000000000000",
        `01${hexOf(key(1))}`,
        "01020000006869",
        `0101${settingsHex}${transaction}01000000020200`,
      ),
    ).toMatchObject({
      __kind: "Transaction",
      consensusAccount: settingsAddress,
      consensusAccountType: ConsensusAccountType.Settings,
      eventType: TransactionEventType.Create,
      transactionIndex: 1n,
      memo: { value: "hi" },
      content: {
        value: {
          __kind: "SettingsTransaction",
          transaction: { creator: key(1), rentCollector: key(9), index: 1n },
          changes: [{ __kind: "ChangeThreshold", newThreshold: 2 }],
        },
      },
    });
  });

  it("of a vote and of a closed proposal", () => {
    const head = ["09", account, "00"];
    const proposal = `01${account}0100000000000000${hexOf(key(9))}010500000000000000ff01000000${hexOf(key(1))}${"00".repeat(8)}`;
    const vote = decodeHex(...head, "01", hexOf(key(6)), "0100000000000000", `01${hexOf(key(1))}`, "00", proposal);
    expect(vote).toMatchObject({
      __kind: "Proposal",
      eventType: ProposalEventType.Approve,
      proposalAddress: key(6),
      proposal: { value: { status: { __kind: "Active", timestamp: 5n }, approved: [key(1)], rejected: [] } },
    });
    expect(decodeHex(...head, "05", hexOf(key(6)), "0100000000000000", "00", "00", "00")).toMatchObject({
      eventType: ProposalEventType.Close,
      proposal: { __option: "None" },
    });
  });

  it("of a payment at once", () => {
    const instruction = "02" + "02000000" + "0001" + "03000000" + "0a0b0c";
    expect(
      decodeHex("0a", account, "00", `01000000${hexOf(key(1))}`, `0000${"01000000"}${instruction}`, "00000000"),
    ).toMatchObject({
      __kind: "SynchronousTransactionV2",
      signers: [key(1)],
      payload: {
        __kind: "Transaction",
        accountIndex: 0,
        instructions: [{ programIdIndex: 2, accountIndexes: Uint8Array.of(0, 1), data: Uint8Array.of(10, 11, 12) }],
      },
      instructionAccounts: [],
    });
  });

  it("of a payment out of a spending limit", () => {
    const keys = [settingsAddress, key(2), key(3), ZERO_ADDRESS, key(4), ZERO_ADDRESS, key(5), ZERO_ADDRESS];
    const limit =
      `${account}${hexOf(key(7))}00${"00".repeat(32)}e80300000000000001e703000000000000${"00".repeat(8)}fb` +
      `01000000${hexOf(key(5))}00000000ffffffffffffff7f`;
    expect(decodeHex("05", ...keys.map(hexOf), "09", "0100000000000000", limit)).toMatchObject({
      __kind: "UseSpendingLimit",
      settingsAddress,
      spendingLimitAddress: key(2),
      smartAccount: key(3),
      destination: key(4),
      signer: key(5),
      decimals: 9,
      amount: 1n,
      spendingLimit: { amount: 1_000n, remainingAmount: 999n, signers: [key(5)] },
    });
  });
});

const accountKeys = [key(9), settingsAddress, SMART_ACCOUNT_PROGRAM_ADDRESS, ZERO_ADDRESS];
const created: SmartAccountEventArgs = {
  __kind: "CreateSmartAccount",
  settingsAddress,
  settings: {
    seed: 1,
    settingsAuthority: ZERO_ADDRESS,
    threshold: 1,
    timeLock: 0,
    transactionIndex: 0,
    staleTransactionIndex: 0,
    archivalAuthority: ZERO_ADDRESS,
    archivableAfter: 0,
    bump: 249,
    signers: [{ key: key(1), permissions: 7 }],
    accountUtilization: 0,
    policySeed: 0,
    reserved: 0,
  },
};
const executed: SmartAccountEventArgs = {
  __kind: "SynchronousTransactionV2",
  consensusAccount: settingsAddress,
  consensusAccountType: ConsensusAccountType.Settings,
  signers: [key(1)],
  payload: {
    __kind: "Transaction",
    accountIndex: 0,
    instructions: [{ programIdIndex: 1, accountIndexes: Uint8Array.of(0), data: Uint8Array.of(5) }],
  },
  instructionAccounts: [key(4), ZERO_ADDRESS],
};

const bytesOf = (event: SmartAccountEventArgs): Uint8Array =>
  Uint8Array.from(getSmartAccountEventEncoder().encode(event));

const record = (event: Uint8Array, programIdIndex = 2) => ({
  programIdIndex,
  accounts: [1],
  data: base58.encode(Uint8Array.from(getLogEventInstructionDataEncoder().encode({ event }))),
});
