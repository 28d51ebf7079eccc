/** The bytes and sizes of known instructions around votes, settings changes and spending limits. */
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressEncoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { getCreateAssociatedTokenIdempotentInstruction, getTransferCheckedInstruction } from "@solana-program/token";
import { describe, expect, it } from "vitest";
import {
  candidateSettings,
  deriveSettingsAddress,
  deriveSmartAccountAddress,
  deriveSpendingLimitAddress,
  SMART_ACCOUNT_PROGRAM_ADDRESS as program,
  ZERO_ADDRESS,
} from "./addresses.js";
import { createSmartAccountInstruction } from "./create-smart-account.js";
import { Period } from "./generated/types/index.js";
import { asSigner, type PlainInstruction } from "./plain-instruction.js";
import { addressOfBytes } from "./program-address.js";
import { proposalSize } from "./proposal.js";
import { createProposalInstruction, voteInstruction } from "./proposal-instructions.js";
import {
  changeAsAuthorityInstruction,
  closeSettingsTransactionInstruction,
  createSettingsTransactionInstruction,
  executeSettingsTransactionInstruction,
  executeSettingsTransactionSyncInstruction,
} from "./settings-instructions.js";
import { settingsTransactionSize } from "./settings-transaction.js";
import { spendingLimitSize } from "./spending-limit.js";
import { addSpendingLimitAsAuthorityInstruction, useSpendingLimitInstruction } from "./spending-limit-instructions.js";
import { executeTransactionSyncInstruction } from "./sync-payload.js";
import {
  closeTransactionInstruction,
  createTransactionInstruction,
  executeTransactionInstruction,
} from "./transaction-instructions.js";
import { compileWrappedMessage, encodeWrappedMessage, transactionSize } from "./wrapped-message.js";

const key = (byte: number): Address => addressOfBytes(new Uint8Array(32).fill(byte));
const a = key(1);
const b = key(2);
const c = key(3);
const d = key(4);
const seed = key(7);
const mint = key(8);
const feePayer = key(9);
const hexOf = (address: Address): string => Buffer.from(getAddressEncoder().encode(address)).toString("hex");

const settings = deriveSettingsAddress(1n);
const smartAccount = deriveSmartAccountAddress(settings);
const transfer = getTransferSolInstruction({ source: asSigner(smartAccount), destination: d, amount: 1_000_000n });

describe("a payment put to a vote", () => {
  const message = compileWrappedMessage(smartAccount, [transfer]);
  const messageHex =
    `01010103${hexOf(smartAccount)}${hexOf(d)}${"00".repeat(32)}` +
    `0102${"020001"}0c00${"0200000040420f0000000000"}00`;

  it("wraps a transfer by the smart account", () => {
    expect(hex(encodeWrappedMessage(message))).toBe(messageHex);
    expect(messageHex.length / 2).toBe(120);
  });

  it("encodes create_transaction with it", () => {
    const instruction = createTransactionInstruction({
      settings,
      transactionIndex: 1n,
      creator: a,
      rentPayer: feePayer,
      message,
    });
    expect(dataOf(instruction)).toBe(`e3c135ef377e706900000078000000${messageHex}00`);
    expect(instruction.accounts).toEqual(
      metas(
        [settings, WRITABLE],
        [transaction, WRITABLE],
        [a, READONLY_SIGNER],
        [feePayer, WRITABLE_SIGNER],
        [ZERO_ADDRESS, READONLY],
        [program, READONLY],
      ),
    );
  });

  it("takes the space the program allocates", () => {
    expect(transactionSize(message)).toBe(254);
    expect(proposalSize(1)).toBe(198);
    expect(proposalSize(3)).toBe(390);
  });

  it("encodes create_proposal and its votes", () => {
    const open = createProposalInstruction({ settings, transactionIndex: 1n, creator: a, rentPayer: feePayer });
    expect(dataOf(open)).toBe("847444aed8a0c616010000000000000000");
    expect(open.accounts).toEqual(
      metas(
        [settings, READONLY],
        [proposal, WRITABLE],
        [a, READONLY_SIGNER],
        [feePayer, WRITABLE_SIGNER],
        [ZERO_ADDRESS, READONLY],
        [program, READONLY],
      ),
    );
    const vote = (action: "approve" | "reject" | "cancel") =>
      voteInstruction({ action, settings, transactionIndex: 1n, signer: a });
    expect(dataOf(vote("approve"))).toBe("886c66556272079300");
    expect(dataOf(vote("reject"))).toBe("72a2a452bf0b661900");
    expect(dataOf(vote("cancel"))).toBe("6a4a80921341271700");
    expect(vote("approve").accounts).toEqual(
      metas([settings, READONLY], [a, WRITABLE_SIGNER], [proposal, WRITABLE], [program, READONLY], [program, READONLY]),
    );
    expect(vote("cancel").accounts[3]).toEqual({ address: ZERO_ADDRESS, role: READONLY });
  });

  it("lists the accounts of its execution", () => {
    const instruction = executeTransactionInstruction({ settings, transactionIndex: 1n, signer: a, message });
    expect(dataOf(instruction)).toBe("e7ad315beb184413");
    expect(instruction.accounts).toEqual(
      metas(
        [settings, WRITABLE],
        [proposal, WRITABLE],
        [transaction, READONLY],
        [a, READONLY_SIGNER],
        [program, READONLY],
        [smartAccount, WRITABLE],
        [d, WRITABLE],
        [ZERO_ADDRESS, READONLY],
      ),
    );
  });
});

describe("settings changes", () => {
  it("by enough members at once", () => {
    const instruction = executeSettingsTransactionSyncInstruction({
      settings,
      members: [a, b],
      rentPayer: feePayer,
      actions: [
        { __kind: "AddSigner", newSigner: { key: c, permissions: 2 } },
        { __kind: "ChangeThreshold", newThreshold: 2 },
        { __kind: "SetTimeLock", newTimeLock: 60 },
      ],
    });
    expect(dataOf(instruction)).toBe(`8ad140a34f43e94c020300000000${hexOf(c)}02020200033c00000000`);
    expect(instruction.accounts).toEqual(
      metas(
        [settings, WRITABLE],
        [feePayer, WRITABLE_SIGNER],
        [ZERO_ADDRESS, READONLY],
        [program, READONLY],
        [a, READONLY_SIGNER],
        [b, READONLY_SIGNER],
      ),
    );
  });

  it("carry the spending limits they create or remove, each once", () => {
    const limit = deriveSpendingLimitAddress(settings, seed);
    const instruction = executeSettingsTransactionInstruction({
      settings,
      transactionIndex: 1n,
      signer: a,
      rentPayer: feePayer,
      actions: [
        { __kind: "RemoveSpendingLimit", spendingLimit: key(40) },
        {
          __kind: "AddSpendingLimit",
          seed,
          accountIndex: 0,
          mint,
          amount: 1,
          period: Period.Week,
          signers: [a],
          destinations: [],
          expiration: 1,
        },
        { __kind: "RemoveSpendingLimit", spendingLimit: limit },
      ],
    });
    expect(instruction.accounts).toEqual(
      metas(
        [settings, WRITABLE],
        [a, READONLY_SIGNER],
        [proposal, WRITABLE],
        [transaction, READONLY],
        [feePayer, WRITABLE_SIGNER],
        [ZERO_ADDRESS, READONLY],
        [program, READONLY],
        [key(40), WRITABLE],
        [limit, WRITABLE],
      ),
    );
  });

  it("by vote", () => {
    const actions = [{ __kind: "RemoveSigner" as const, oldSigner: b }];
    const instruction = createSettingsTransactionInstruction({
      settings,
      transactionIndex: 1n,
      creator: a,
      rentPayer: feePayer,
      actions,
    });
    expect(dataOf(instruction)).toBe(`65a8fecbde665fc00100000001${hexOf(b)}00`);
    expect(settingsTransactionSize(actions)).toBe(117 + 33);
  });

  it("by the admin", () => {
    const by = { settings, settingsAuthority: c, rentPayer: feePayer };
    const data = (change: Parameters<typeof changeAsAuthorityInstruction>[0]["change"]) =>
      dataOf(changeAsAuthorityInstruction({ ...by, change }));
    expect(data({ __kind: "SetSettingsAuthority", newSettingsAuthority: null })).toBe(
      `dd7085e5923a5a38${"00".repeat(33)}`,
    );
    expect(data({ __kind: "SetTimeLock", newTimeLock: 3_600 })).toBe("02ea5d5d285c1fea100e000000");
    expect(data({ __kind: "ChangeThreshold", newThreshold: 3 })).toBe("338d4e85462f5f7c030000");
    expect(data({ __kind: "RemoveSigner", oldSigner: b })).toBe(`3a139510b5107d94${hexOf(b)}00`);
    expect(data({ __kind: "AddSigner", newSigner: { key: b, permissions: 5 } })).toBe(
      `50c6e49a07ea6338${hexOf(b)}0500`,
    );
    const timeLock = changeAsAuthorityInstruction({ ...by, change: { __kind: "SetTimeLock", newTimeLock: 1 } });
    expect(timeLock.accounts).toEqual(
      metas(
        [settings, WRITABLE],
        [c, READONLY_SIGNER],
        [feePayer, WRITABLE_SIGNER],
        [ZERO_ADDRESS, READONLY],
        [program, READONLY],
      ),
    );
  });
});

describe("spending limits", () => {
  const spendingLimit = deriveSpendingLimitAddress(settings, seed);

  it("are created by the admin", () => {
    const instruction = addSpendingLimitAsAuthorityInstruction({
      settings,
      settingsAuthority: c,
      rentPayer: feePayer,
      limit: {
        seed,
        mint,
        amountBaseUnits: 1_000_000n,
        period: Period.Day,
        signers: [a],
        destinations: [d],
        expiration: null,
      },
    });
    expect(dataOf(instruction)).toBe(
      `a9bd54361ef4dfd4${hexOf(seed)}00${hexOf(mint)}40420f000000000001` +
        `01000000${hexOf(a)}01000000${hexOf(d)}ffffffffffffff7f00`,
    );
    expect(instruction.accounts).toEqual(
      metas(
        [settings, READONLY],
        [c, READONLY_SIGNER],
        [spendingLimit, WRITABLE],
        [feePayer, WRITABLE_SIGNER],
        [ZERO_ADDRESS, READONLY],
        [program, READONLY],
      ),
    );
    expect(spendingLimitSize(1, 1)).toBe(147 + 64);
  });

  it("pay tokens and SOL", () => {
    const base = { settings, spendingLimit, signer: a, destination: d, amountBaseUnits: 1_000n };
    const tokens = useSpendingLimitInstruction({
      ...base,
      token: {
        mint,
        decimals: 6,
        tokenProgram: key(20),
        smartAccountTokenAccount: key(21),
        destinationTokenAccount: key(22),
      },
    });
    const fixed = metas(
      [settings, READONLY],
      [a, READONLY_SIGNER],
      [spendingLimit, WRITABLE],
      [smartAccount, WRITABLE],
      [d, WRITABLE],
    );
    const absent = { address: program, role: READONLY };
    expect(dataOf(tokens)).toBe("29b34605c293ef9ee8030000000000000600");
    expect(tokens.accounts).toEqual([
      ...fixed,
      absent,
      ...metas([mint, READONLY], [key(21), WRITABLE], [key(22), WRITABLE], [key(20), READONLY]),
      absent,
    ]);
    const sol = useSpendingLimitInstruction({ ...base, token: null });
    expect(dataOf(sol)).toBe("29b34605c293ef9ee8030000000000000900");
    expect(sol.accounts).toEqual([
      ...fixed,
      { address: ZERO_ADDRESS, role: READONLY },
      ...Array.from({ length: 5 }, () => absent),
    ]);
  });
});

describe("whole transactions have the size their accounts and data give them", () => {
  const legacySize = (instructions: readonly Instruction[]): number => {
    const message = pipe(
      createTransactionMessage({ version: "legacy" }),
      (m) => setTransactionMessageFeePayer(feePayer, m),
      (m) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash(ZERO_ADDRESS), lastValidBlockHeight: 1n },
          m,
        ),
      (m) => appendTransactionMessageInstructions(instructions, m),
    );
    return getTransactionEncoder().encode(compileTransaction(message)).length;
  };
  const create = (signerCount: number, candidateCount: number) =>
    createSmartAccountInstruction({
      creator: feePayer,
      treasury: c,
      candidates: candidateSettings(0n, candidateCount),
      signers: Array.from({ length: signerCount }, (_, i) => ({ address: key(50 + i), mask: 7 })),
      threshold: 1,
      timeLockSeconds: 0,
      settingsAuthority: null,
    });
  const base = { settings, transactionIndex: 1n };
  const tokenAccount = key(30);
  const ata = getCreateAssociatedTokenIdempotentInstruction({
    payer: asSigner(feePayer),
    ata: tokenAccount,
    owner: d,
    mint,
  });
  const spl = getTransferCheckedInstruction({
    source: key(31),
    mint,
    destination: tokenAccount,
    authority: asSigner(smartAccount),
    amount: 1n,
    decimals: 6,
  });
  const sync = (members: number, ...instructions: Instruction[]) =>
    executeTransactionSyncInstruction({ settings, members: [a, b, c].slice(0, members), instructions });
  const wrap = (instructions: Instruction[]) => compileWrappedMessage(smartAccount, instructions);
  const approve = (signer: Address) => voteInstruction({ ...base, action: "approve", signer });
  const propose = (...instructions: Instruction[]) => [
    createTransactionInstruction({ ...base, creator: a, rentPayer: feePayer, message: wrap(instructions) }),
    createProposalInstruction({ ...base, creator: a, rentPayer: feePayer }),
    approve(a),
  ];
  const execute = (...instructions: Instruction[]) =>
    executeTransactionInstruction({ ...base, signer: a, message: wrap(instructions) });
  const actions = [{ __kind: "AddSigner", newSigner: { key: c, permissions: 7 } }] as const;
  const collectors = { proposalRentCollector: feePayer, transactionRentCollector: feePayer };

  it.each<[string, readonly Instruction[], number]>([
    ["create, 1 signer, 1 candidate", [create(1, 1)], 357],
    ["create, 3 signers, 5 candidates", [create(3, 5)], 555],
    ["create, 3 signers, 10 candidates", [create(3, 10)], 720],
    ["create, 10 signers, 5 candidates", [create(10, 5)], 787],
    ["sync SOL, 1 member", [sync(1, transfer)], 433],
    ["sync SOL, 3 members", [sync(3, transfer)], 627],
    ["sync SPL, 1 member", [sync(1, spl)], 499],
    ["sync ATA + SPL, 2 members", [sync(2, ata, spl)], 707],
    ["propose SOL", propose(transfer), 579],
    ["propose SPL", propose(spl), 643],
    ["execute SOL", [execute(transfer)], 473],
    ["execute SPL", [execute(spl)], 539],
    ["propose and execute SOL", [...propose(transfer), execute(transfer)], 662],
    ["approve x 3", [a, b, c].map(approve), 569],
    [
      "add a signer at once",
      [executeSettingsTransactionSyncInstruction({ settings, members: [a], rentPayer: feePayer, actions })],
      382,
    ],
    [
      "execute a settings change",
      [executeSettingsTransactionInstruction({ ...base, signer: a, rentPayer: feePayer, actions })],
      408,
    ],
    ["close a payment", [closeTransactionInstruction({ ...base, ...collectors })], 312],
    ["close a settings change", [closeSettingsTransactionInstruction({ ...base, ...collectors })], 312],
  ])("%s", (_, instructions, size) => {
    expect(legacySize(instructions)).toBe(size);
  });
});

const proposal = "3ACP3AgQ2HpEn6JsFgkYpWeRG1vHofUGX9vrYo618E1a";
const transaction = "5GUmzesvqTGwixGKUE6KBo7PqdkDxufuAwdyxiTfoEoT";
const { READONLY, READONLY_SIGNER, WRITABLE, WRITABLE_SIGNER } = AccountRole;

const hex = (bytes: ArrayLike<number>): string => Buffer.from(Uint8Array.from(bytes)).toString("hex");

const dataOf = (instruction: PlainInstruction): string => hex(instruction.data);

const metas = (...list: [string, AccountRole][]) => list.map(([address, role]) => ({ address, role }));
