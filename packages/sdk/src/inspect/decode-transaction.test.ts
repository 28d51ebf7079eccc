import { hex } from "@scure/base";
import {
  AccountRole,
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import {
  getRequestHeapFrameInstruction,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
  getSetLoadedAccountsDataSizeLimitInstruction,
} from "@solana-program/compute-budget";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getCreateAssociatedTokenInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from "@solana-program/token";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildSyncInstruction, buildTransaction } from "../../../../test/vectors/build-sync-transaction.js";
import { smartAccountVector } from "../../../../test/vectors/smart-account.js";
import { decodeBase64, encodeBase64 } from "../encoding.js";
import {
  associatedTokenProgramAddress,
  deriveAssociatedTokenAddress,
  smartAccountProgramAddress,
  systemProgramAddress,
  token2022ProgramAddress,
  tokenProgramAddress,
} from "../program-address.js";
import { type TransactionDifference, TransactionMismatchError } from "../transaction-mismatch-error.js";
import { decodeTransaction } from "./decode-transaction.js";

const settings = address(smartAccountVector.settings);
const vault = address(smartAccountVector.vault0);
const feePayer = address("8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR");
const member = address("CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8");
const recipient = address("GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq");
const attacker = address("LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY");
const mint = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");

const solTransfer = getTransferSolInstruction({
  source: createNoopSigner(vault),
  destination: recipient,
  amount: 1_000_000n,
});

describe("a transaction as the service prepares it", () => {
  it("the published call of the program decodes to its transfer", () => {
    const second = address("4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi");
    const transaction = buildTransaction(feePayer, [
      {
        programAddress: smartAccountProgramAddress,
        accounts: [
          { address: settings, role: AccountRole.WRITABLE },
          { address: smartAccountProgramAddress, role: AccountRole.READONLY },
          { address: member, role: AccountRole.READONLY_SIGNER },
          { address: second, role: AccountRole.READONLY_SIGNER },
          { address: vault, role: AccountRole.WRITABLE },
          { address: recipient, role: AccountRole.WRITABLE },
          { address: systemProgramAddress, role: AccountRole.READONLY },
        ],
        data: hex.decode(smartAccountVector.syncTransferData),
      },
    ]);
    const decoded = decodeTransaction(transaction);
    expect(decoded.feePayer).toBe(feePayer);
    expect(new Set(decoded.requiredSigners)).toEqual(new Set([feePayer, member, second]));
    expect(decoded.otherInstructions).toEqual([]);
    expect(decoded.syncCalls).toEqual([
      {
        type: "execute_transaction_sync_v2",
        settings,
        accountIndex: 0,
        vault,
        members: [member, second],
        instructions: [{ type: "system_transfer", from: vault, to: recipient, lamports: 1_000_000n }],
      },
    ]);
  });

  it.each(["legacy", 0] as const)(
    "a token transfer with its account creation and compute budget (version %s)",
    (version) => {
      const tokenProgram = token2022ProgramAddress;
      const source = deriveAssociatedTokenAddress(vault, mint, tokenProgram);
      const destination = deriveAssociatedTokenAddress(recipient, mint, tokenProgram);
      const create = getCreateAssociatedTokenIdempotentInstruction({
        payer: createNoopSigner(feePayer),
        ata: destination,
        owner: recipient,
        mint,
        tokenProgram,
      });
      const transfer = getTransferCheckedInstruction(
        { source, mint, destination, authority: createNoopSigner(vault), amount: 2n ** 64n - 1n, decimals: 6 },
        { programAddress: tokenProgram },
      );
      const transaction = buildTransaction(
        feePayer,
        [
          getSetComputeUnitLimitInstruction({ units: 120_000 }),
          getSetComputeUnitPriceInstruction({ microLamports: 3_000n }),
          getRequestHeapFrameInstruction({ bytes: 65_536 }),
          getSetLoadedAccountsDataSizeLimitInstruction({ accountDataSizeLimit: 200_000 }),
          create,
          buildSyncInstruction({ settings, members: [member], instructions: [create, transfer] }),
        ],
        version,
      );
      const decoded = decodeTransaction(transaction);
      const creation = {
        type: "create_associated_token_account",
        payer: feePayer,
        associatedToken: destination,
        owner: recipient,
        mint,
        tokenProgram,
      };
      expect(decoded.version).toBe(version);
      expect(decoded.computeBudget).toEqual({
        unitLimit: 120_000,
        unitPriceMicroLamports: 3_000n,
        heapFrameBytes: 65_536,
        loadedAccountsDataSizeLimitBytes: 200_000,
      });
      expect(decoded.otherInstructions).toEqual([creation]);
      expect(decoded.syncCalls[0]?.instructions).toEqual([
        creation,
        {
          type: "token_transfer_checked",
          tokenProgram,
          source,
          mint,
          destination,
          authority: vault,
          amount: 2n ** 64n - 1n,
          decimals: 6,
        },
      ]);
    },
  );
});

describe("what is not fully understood stays unknown", () => {
  const source = deriveAssociatedTokenAddress(vault, mint, tokenProgramAddress);
  const destination = deriveAssociatedTokenAddress(recipient, mint, tokenProgramAddress);
  const extraAccount = { address: attacker, role: AccountRole.READONLY } as const;
  const creation = getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(feePayer),
    ata: destination,
    owner: recipient,
    mint,
  });
  const transferChecked = getTransferCheckedInstruction({
    source,
    mint,
    destination,
    authority: createNoopSigner(vault),
    amount: 5n,
    decimals: 6,
  });
  it.each([
    ["an unchecked token transfer", getTransferInstruction({ source, destination, authority: vault, amount: 5n })],
    [
      "a creation that fails on an existing account",
      getCreateAssociatedTokenInstruction({
        payer: createNoopSigner(feePayer),
        ata: destination,
        owner: recipient,
        mint,
      }),
    ],
    ["a transfer with bytes behind it", { ...solTransfer, data: new Uint8Array([...solTransfer.data, 0]) }],
    ["a transfer cut short", { ...solTransfer, data: solTransfer.data.slice(0, 11) }],
    [
      "a token transfer with an extra account",
      { ...transferChecked, accounts: [...transferChecked.accounts, extraAccount] },
    ],
    ["a transfer with an extra account", { ...solTransfer, accounts: [...solTransfer.accounts, extraAccount] }],
    ["a transfer without a recipient", { ...solTransfer, accounts: solTransfer.accounts.slice(0, 1) }],
    ["a token transfer without authority", { ...transferChecked, accounts: transferChecked.accounts.slice(0, 3) }],
    ["a creation with an extra account", { ...creation, accounts: [...creation.accounts, extraAccount] }],
    ["a creation without token program", { ...creation, accounts: creation.accounts.slice(0, 5) }],
    [
      "a creation with another system program",
      { ...creation, accounts: creation.accounts.map((meta, at) => (at === 4 ? extraAccount : meta)) },
    ],
    ["another program with the data of a transfer", { ...solTransfer, programAddress: mint }],
    ["an instruction without data", { programAddress: associatedTokenProgramAddress, accounts: [] }],
  ])("%s", (_name, instruction) => {
    const transaction = buildTransaction(feePayer, [
      buildSyncInstruction({ settings, members: [member], instructions: [instruction] }),
    ]);
    expect(decodeTransaction(transaction).syncCalls[0]?.instructions[0]?.type).toBe("unknown");
  });

  it("another instruction of the smart account program", () => {
    const sync = buildSyncInstruction({ settings, members: [member], instructions: [solTransfer] });
    const data = Uint8Array.from(sync.data ?? []);
    data.set(hex.decode("2b66f859e7616886"));
    const decoded = decodeTransaction(buildTransaction(feePayer, [{ ...sync, data }]));
    expect(decoded.syncCalls).toEqual([]);
    expect(decoded.otherInstructions[0]?.type).toBe("unknown");
  });

  it("a synchronous call with a policy payload", () => {
    const sync = buildSyncInstruction({ settings, members: [member], instructions: [solTransfer] });
    const data = Uint8Array.from(sync.data ?? []);
    data[10] = 1;
    expect(decodeTransaction(buildTransaction(feePayer, [{ ...sync, data }])).syncCalls).toEqual([]);
  });
});

/** Rewrites the member count of a synchronous call. */
function withMembers(instruction: Instruction, count: number): Instruction {
  return { ...instruction, data: Uint8Array.from(instruction.data ?? []).with(9, count) };
}

/** Rewrites the first account index of the first instruction of an unsigned transaction. */
function withFirstIndex(transactionBase64: string, index: number): string {
  const transaction = getTransactionDecoder().decode(decodeBase64(transactionBase64));
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  if (message.version !== 0) throw new Error("the test builds version 0");
  const instructions = message.instructions.map((instruction) => ({
    ...instruction,
    accountIndices: (instruction.accountIndices ?? []).map((old, at) => (at === 0 ? index : old)),
  }));
  const messageBytes = getCompiledTransactionMessageEncoder().encode({ ...message, instructions });
  return encodeBase64(
    Uint8Array.from(
      getTransactionEncoder().encode({ ...transaction, messageBytes: messageBytes as typeof transaction.messageBytes }),
    ),
  );
}

describe("what cannot be read is refused", () => {
  const sync = buildSyncInstruction({ settings, members: [member], instructions: [solTransfer] });
  const withData = (change: (data: Uint8Array) => Uint8Array) =>
    buildTransaction(feePayer, [{ ...sync, data: change(Uint8Array.from(sync.data ?? [])) }]);
  const good = buildTransaction(feePayer, [sync]);
  const price = getSetComputeUnitPriceInstruction({ microLamports: 1n });

  it.each([
    ["rubbish", "no base64!"],
    ["nothing", ""],
    ["a byte behind the end", encodeBase64(new Uint8Array([...decodeBase64(good), 0]))],
    ["a byte missing", encodeBase64(decodeBase64(good).slice(0, -1))],
    ["a transaction longer than a packet", encodeBase64(new Uint8Array(1_233))],
    ["a payload with bytes behind it", withData((data) => new Uint8Array([...data, 0]))],
    ["more members than accounts", withData((data) => data.with(9, 9))],
    [
      "more members than accounts, where the vault does nothing",
      buildTransaction(feePayer, [
        withMembers(buildSyncInstruction({ settings, members: [member], instructions: [] }), 2),
      ]),
    ],
    [
      "bytes behind the last inner instruction",
      withData((data) => new Uint8Array([...data.with(11, (data[11] ?? 0) + 1), 0])),
    ],
    ["an account index beyond the accounts", withFirstIndex(good, 99)],
    [
      "an instruction too long for a packet",
      buildTransaction(feePayer, [sync, { programAddress: mint, accounts: [], data: new Uint8Array(1_000) }]),
    ],
    ["an inner account that is not listed", withData((data) => data.with(18, 200))],
    ["a price named twice", buildTransaction(feePayer, [price, price, sync])],
    ["a compute-budget tag nobody knows", buildTransaction(feePayer, [{ ...price, data: new Uint8Array([9]) }, sync])],
    [
      "a call whose second account is another program",
      buildTransaction(feePayer, [
        {
          ...sync,
          accounts: (sync.accounts ?? []).map((meta, at) => (at === 1 ? { ...meta, address: mint } : meta)),
        },
      ]),
    ],
  ])("%s", (_name, transaction) => {
    expect(differenceOf(() => decodeTransaction(transaction))).toBe("unreadable");
  });

  it("addresses from lookup tables", () => {
    const table = address("4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi");
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayer(feePayer, empty),
      (paid) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: table as string as Blockhash, lastValidBlockHeight: 1n },
          paid,
        ),
      (timed) => appendTransactionMessageInstruction(sync, timed),
      (full) => compressTransactionMessageUsingAddressLookupTables(full, { [table]: [recipient] }),
    );
    const transaction = getBase64EncodedWireTransaction(compileTransaction(message));
    expect(differenceOf(() => decodeTransaction(transaction))).toBe("lookup_tables");
  });

  it("never ends in another error, whatever bytes are changed", () => {
    const bytes = decodeBase64(good);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (changes) => {
          const altered = Uint8Array.from(bytes);
          for (const [at, byte] of changes) altered[at] = byte;
          expect(["none", "unreadable", "lookup_tables"]).toContain(
            differenceOf(() => decodeTransaction(encodeBase64(altered))),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

function differenceOf(action: () => unknown): TransactionDifference | "none" {
  try {
    action();
  } catch (error) {
    if (error instanceof TransactionMismatchError) return error.difference;
    throw error;
  }
  return "none";
}
