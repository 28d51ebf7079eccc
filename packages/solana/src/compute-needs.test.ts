import { AccountRole, type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getRequestHeapFrameInstruction, getSetComputeUnitLimitInstruction } from "@solana-program/compute-budget";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  addressOfBytes,
  addSpendingLimitAction,
  compileWrappedMessage,
  createProposalInstruction,
  createSettingsTransactionInstruction,
  createTransactionInstruction,
  deriveSmartAccountAddress,
  executeSettingsTransactionInstruction,
  executeSettingsTransactionSyncInstruction,
  executeTransactionInstruction,
  executeTransactionSyncInstruction,
  Period,
  type SettingsActionArgs,
  voteInstruction,
} from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { heapFrameFor, largestHeapFrameBytes, requestedHeapFrame } from "./compute-needs.js";

const named = (n: number): Address => addressOfBytes(new Uint8Array(32).fill(n));
const settings = named(1);
const vault = deriveSmartAccountAddress(settings);
const [payer, ...members] = Array.from({ length: 11 }, (_, i) => named(10 + i)) as [Address, ...Address[]];
const creator = members[0] as Address;

const transfers = (count: number): Instruction[] =>
  Array.from({ length: count }, (_, i) =>
    getTransferSolInstruction({ source: createNoopSigner(vault), destination: named(100 + i), amount: 5_000_000n }),
  );
const newLimits = (count: number): SettingsActionArgs[] =>
  Array.from({ length: count }, (_, i) =>
    addSpendingLimitAction({
      seed: named(100 + i),
      mint: null,
      amountBaseUnits: 1n,
      period: Period.Day,
      signers: [creator],
      destinations: [named(3)],
      expiration: null,
    }),
  );
const removals = (count: number): SettingsActionArgs[] =>
  Array.from({ length: count }, (_, i) => ({ __kind: "RemoveSpendingLimit", spendingLimit: named(100 + i) }));
const common = { settings, transactionIndex: 1n, creator, signer: creator, rentPayer: payer };
const store = (count: number) =>
  createTransactionInstruction({ ...common, message: compileWrappedMessage(vault, transfers(count)) });
const sync = (count: number, signers = members.slice(0, 2)) =>
  executeTransactionSyncInstruction({ settings, members: signers, instructions: transfers(count) });
const change = (actions: readonly SettingsActionArgs[]) =>
  executeSettingsTransactionSyncInstruction({ settings, members: members.slice(0, 2), rentPayer: payer, actions });

describe("memory beyond 32 KiB", () => {
  it("is not requested by payments, votes and single changes, for any number of signers", () => {
    const [transfer] = transfers(1);
    expect(asks(transfer as Instruction)).toBe(false);
    expect(asks(sync(1, members))).toBe(false);
    expect(asks(store(1), createProposalInstruction(common), voteInstruction({ ...common, action: "approve" }))).toBe(
      false,
    );
    expect(asks(change([{ __kind: "ChangeThreshold", newThreshold: 1 }]))).toBe(false);
  });

  it("is asked for, as much as there is, by whatever executes something stored", () => {
    const message = compileWrappedMessage(vault, transfers(1));
    expect(heapFrameFor([executeTransactionInstruction({ ...common, message })], 1)).toBe(largestHeapFrameBytes);
    const [vote] = [voteInstruction({ ...common, action: "approve" })];
    expect(asks(vote, executeSettingsTransactionInstruction({ ...common, actions: [] }))).toBe(true);
  });

  it.each([
    ["transfers at once, of which 30 were seen to do without", sync(30)],
    ["spending limits at once, of which 8 were seen to fail", change(newLimits(4))],
    [
      "spending limits to be stored, of which 12 were seen to fail",
      createSettingsTransactionInstruction({ ...common, actions: newLimits(4) }),
    ],
    ["removals of limits at once, of which 5 were seen to fail in accounts of many members", change(removals(5))],
    ["transfers to be stored", store(16)],
  ])("is asked for by many %s", (_, instruction) => {
    expect(asks(instruction)).toBe(true);
  });

  it("is asked for by two inner instructions with 52 accounts each, of which six were seen to fail", () => {
    const twelve = Array.from({ length: 12 }, (_, i) => ({ address: named(50 + i), role: AccountRole.WRITABLE }));
    const inner: Instruction = {
      programAddress: named(200),
      accounts: Array.from({ length: 52 }, (_, i) => twelve[i % 12] ?? twelve[0]).filter((meta) => meta !== undefined),
      data: new Uint8Array(12),
    };
    const instructions = Array.from({ length: 2 }, () => inner);
    expect(asks(executeTransactionSyncInstruction({ settings, members: [creator], instructions }))).toBe(true);
  });

  it("is asked for by any call for an account of very many signers", () => {
    const vote = voteInstruction({ ...common, action: "approve" });
    expect(heapFrameFor([vote], 24)).toBeUndefined();
    expect(heapFrameFor([vote], 25)).toBe(largestHeapFrameBytes);
    expect(heapFrameFor(transfers(1), 25)).toBeUndefined();
  });
});

describe("memory that a caller asks for", () => {
  const ask = (bytes: number) => getRequestHeapFrameInstruction({ bytes });
  const limit = getSetComputeUnitLimitInstruction({ units: 1 });

  it("is what the transaction says, wherever that stands", () => {
    expect(requestedHeapFrame([limit, ...transfers(1), ask(131_072)], "transaction")).toBe(131_072);
    expect(requestedHeapFrame([limit, ...transfers(1)], "transaction")).toBeUndefined();
  });

  it("is refused where the chain would refuse it", () => {
    for (const asked of [[ask(32_767)], [ask(262_145)], [ask(33_000)], [ask(65_536), ask(65_536)]]) {
      expect(() => requestedHeapFrame(asked, "transaction")).toThrow("asks for memory once");
    }
    const short = { ...ask(65_536), data: new Uint8Array([1, 0]) };
    expect(() => requestedHeapFrame([short], "transaction")).toThrow("asks for memory once");
  });
});

const asks = (...instructions: Instruction[]): boolean => heapFrameFor(instructions, 3) !== undefined;
