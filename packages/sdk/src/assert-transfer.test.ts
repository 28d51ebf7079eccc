import { AccountRole, type Address, address, createNoopSigner, type Instruction } from "@solana/kit";
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import { getTransferSolInstruction } from "@solana-program/system";
import { getCreateAssociatedTokenIdempotentInstruction, getTransferCheckedInstruction } from "@solana-program/token";
import { describe, expect, it } from "vitest";
import { buildSyncInstruction, buildTransaction } from "../../../test/vectors/build-sync-transaction.js";
import { smartAccountVector } from "../../../test/vectors/smart-account.js";
import { assertTransferMatches, type ExpectedTransfer } from "./assert-transfer.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import {
  deriveAssociatedTokenAddress,
  firstMemoProgramAddress,
  memoProgramAddress,
  token2022ProgramAddress,
  tokenProgramAddress,
} from "./program-address.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

describe("TransactionMismatchError", () => {
  it("says what was expected and what was found", () => {
    const transaction = decodeTransaction(build({ inner: [solTransfer({ amount: 7n })] }));
    expect(() => assertTransferMatches(transaction, sol)).toThrow(
      expect.objectContaining({
        name: "TransactionMismatchError",
        difference: "amount",
        expected: "1000",
        actual: "7",
      }),
    );
    expect(() => assertTransferMatches(transaction, sol)).toThrow(/expected 1000, found 7/);
  });
});

const settings = address(smartAccountVector.settings);
const otherSettings = address(smartAccountVector.otherSettings);
const vault = address(smartAccountVector.vault0);
const feePayer = address("8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR");
const member = address("CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8");
const recipient = address("GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq");
const attacker = address("LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY");
const mint = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
const otherMint = address("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB");

const memo = (text: string, change: Partial<Instruction> = {}): Instruction => ({
  programAddress: memoProgramAddress,
  data: new TextEncoder().encode(text),
  ...change,
});

const sol: ExpectedTransfer = { from: vault, to: recipient, mint: null, amount: 1_000n };
const token: ExpectedTransfer = { from: vault, to: recipient, mint, amount: 1_000n };

const limit = (units: number) => getSetComputeUnitLimitInstruction({ units });
const price = (microLamports: bigint) => getSetComputeUnitPriceInstruction({ microLamports });

describe("accepts", () => {
  const recipientTokens = deriveAssociatedTokenAddress(recipient, mint, tokenProgramAddress);
  it.each<[string, Parts, ExpectedTransfer]>([
    ["the transfer of SOL", { inner: [solTransfer()] }, sol],
    ["the transfer of a token", { inner: [tokenTransfer()] }, token],
    ["a Token-2022 token", { inner: [tokenTransfer({ tokenProgram: token2022ProgramAddress })] }, token],
    [
      "compute-budget settings within the caps",
      { inner: [solTransfer()], outer: [limit(100_000), price(5_000_000n)] },
      sol,
    ],
    ["the recipient's token account created inside by the fee payer", { inner: [creation(), tokenTransfer()] }, token],
    ["… or by the account", { inner: [creation({ payer: vault }), tokenTransfer()] }, token],
    ["… or outside by the fee payer", { inner: [tokenTransfer()], outer: [creation()] }, token],
    ["several members", { inner: [solTransfer()], members: [member, attacker] }, sol],
    ["the named settings account", { inner: [solTransfer()] }, { ...sol, settings }],
    ["the named fee payer", { inner: [solTransfer()] }, { ...sol, feePayer }],
    [
      "a member as fee payer when asked for",
      { inner: [solTransfer()], feePayer: member },
      { ...sol, feePayer: member },
    ],
    ["the memo beside the call", { inner: [solTransfer()], outer: [memo("hi")] }, { ...sol, memo: "hi" }],
    ["… or inside", { inner: [memo("hi"), creation(), tokenTransfer()] }, { ...token, memo: "hi" }],
    ["the named decimals", { inner: [tokenTransfer()] }, { ...token, decimals: 6 }],
    [
      "a token account as destination when said so",
      { inner: [tokenTransfer({ destination: recipientTokens })] },
      { ...token, to: recipientTokens, toIsTokenAccount: true },
    ],
  ])("%s", (_name, parts, expected) => {
    expect(differenceOf(build(parts), expected)).toBe("none");
  });
});

describe("refuses a memo that is", () => {
  it.each<[string, Parts, string | undefined]>([
    ["missing", { inner: [solTransfer()] }, "hi"],
    ["another one", { inner: [solTransfer()], outer: [memo("hi ")] }, "hi"],
    ["not asked for", { inner: [memo("hi"), solTransfer()] }, undefined],
    ["there twice", { inner: [memo("hi"), solTransfer()], outer: [memo("hi")] }, "hi"],
    [
      "signed by somebody",
      { inner: [memo("hi", { accounts: [{ address: vault, role: AccountRole.READONLY_SIGNER }] }), solTransfer()] },
      "hi",
    ],
    [
      "of the older program",
      { inner: [solTransfer()], outer: [memo("hi", { programAddress: firstMemoProgramAddress })] },
      "hi",
    ],
  ])("%s", (_name, parts, wanted) => {
    const expected = wanted === undefined ? sol : { ...sol, memo: wanted };
    expect(differenceOf(build(parts), expected)).toBe("memo");
  });

  it("no text", () => {
    const parts = { inner: [solTransfer()], outer: [memo("", { data: Uint8Array.of(0xff) })] };
    expect(differenceOf(build(parts), { ...sol, memo: "\ufffd" })).toBe("memo");
  });
});

describe("refuses SOL transfers with", () => {
  it.each<[string, Parts, string]>([
    ["another amount", { inner: [solTransfer({ amount: 1_001n })] }, "amount"],
    ["another destination", { inner: [solTransfer({ to: attacker })] }, "destination"],
    ["another source", { inner: [solTransfer({ from: feePayer })] }, "source"],
    ["a second transfer", { inner: [solTransfer(), solTransfer({ to: attacker })] }, "unexpected_instruction"],
    ["the same transfer twice", { inner: [solTransfer(), solTransfer()] }, "unexpected_instruction"],
    ["an instruction nobody knows", { inner: [{ ...solTransfer(), programAddress: mint }] }, "unexpected_instruction"],
    ["no transfer", { inner: [] }, "missing_instruction"],
    ["a token transfer instead", { inner: [tokenTransfer()] }, "mint"],
    ["a token account creation beside it", { inner: [creation(), solTransfer()] }, "unexpected_instruction"],
    ["other settings", { inner: [solTransfer()], settings: otherSettings }, "settings_account"],
    ["another vault index", { inner: [solTransfer()], accountIndex: 1 }, "vault_index"],
    ["a member as fee payer", { inner: [solTransfer()], feePayer: member }, "fee_payer"],
    ["no member", { inner: [solTransfer()], members: [] }, "signers"],
    [
      "the fee payer drained outside",
      { inner: [solTransfer()], outer: [solTransfer({ from: feePayer })] },
      "unexpected_instruction",
    ],
    [
      "a member drained outside",
      { inner: [solTransfer()], outer: [solTransfer({ from: member })] },
      "unexpected_instruction",
    ],
    [
      "a compute unit price above the cap",
      { inner: [solTransfer()], outer: [limit(1_000), price(5_000_001n)] },
      "compute_budget",
    ],
  ])("%s", (_name, parts, difference) => {
    expect(differenceOf(build(parts), sol)).toBe(difference);
  });

  it("a second call of the smart account program", () => {
    const call = buildSyncInstruction({ settings, members: [member], instructions: [solTransfer()] });
    expect(differenceOf(buildTransaction(feePayer, [call, call]), sol)).toBe("unexpected_instruction");
  });

  it("no call of the smart account program at all", () => {
    expect(differenceOf(buildTransaction(feePayer, [solTransfer({ from: feePayer })]), sol)).toBe(
      "missing_instruction",
    );
  });

  it("the account itself as fee payer", () => {
    expect(differenceOf(build({ inner: [solTransfer()], feePayer: vault }), sol)).toBe("fee_payer");
  });

  it("another fee payer than the one named", () => {
    expect(differenceOf(build({ inner: [solTransfer()], feePayer: attacker }), { ...sol, feePayer })).toBe("fee_payer");
  });

  it("other settings than the ones named, also when they would derive to the account", () => {
    expect(differenceOf(build({ inner: [solTransfer()] }), { ...sol, settings: otherSettings })).toBe(
      "settings_account",
    );
  });

  it("a signer who is neither fee payer nor member", () => {
    const call = buildSyncInstruction({ settings, members: [member], instructions: [solTransfer()] });
    const withStranger = {
      ...call,
      accounts: [...(call.accounts ?? []), { address: attacker, role: AccountRole.READONLY_SIGNER }],
    };
    expect(differenceOf(buildTransaction(feePayer, [withStranger]), sol)).toBe("signers");
  });

  it("a member who does not sign", () => {
    const call = buildSyncInstruction({ settings, members: [member], instructions: [solTransfer()] });
    const silent = {
      ...call,
      accounts: (call.accounts ?? []).map((meta) =>
        meta.address === member ? { address: member, role: AccountRole.READONLY } : meta,
      ),
    };
    expect(differenceOf(buildTransaction(feePayer, [silent]), sol)).toBe("signers");
  });

  it("a fee above the cap, counted with the largest limit where none is set", () => {
    const priced = build({ inner: [solTransfer()], outer: [price(5_000_000n)] });
    // 2 signatures and 1,400,000 units at 5 lamports.
    expect(differenceOf(priced, { ...sol, maxFeeLamports: 7_010_000n })).toBe("none");
    expect(differenceOf(priced, { ...sol, maxFeeLamports: 7_009_999n })).toBe("fee");
    const dear = build({ inner: [solTransfer()], outer: [price(8_000_000n)] });
    expect(differenceOf(dear, { ...sol, maxUnitPriceMicroLamports: 8_000_000n })).toBe("fee");
  });
});

describe("refuses token transfers with", () => {
  const attackersTokens = deriveAssociatedTokenAddress(attacker, mint, tokenProgramAddress);
  it.each<[string, Parts, string]>([
    ["another amount", { inner: [tokenTransfer({ amount: 999n })] }, "amount"],
    ["another destination", { inner: [tokenTransfer({ destination: attackersTokens })] }, "destination"],
    ["the owner's address as token account", { inner: [tokenTransfer({ destination: recipient })] }, "destination"],
    ["another mint", { inner: [tokenTransfer({ mint: otherMint })] }, "mint"],
    ["another source", { inner: [tokenTransfer({ source: attackersTokens })] }, "source"],
    ["another authority", { inner: [tokenTransfer({ authority: feePayer })] }, "authority"],
    ["SOL instead", { inner: [solTransfer()] }, "mint"],
    [
      "the fee payer drained outside",
      { inner: [tokenTransfer()], outer: [solTransfer({ from: feePayer })] },
      "unexpected_instruction",
    ],
    ["SOL besides", { inner: [tokenTransfer(), solTransfer()] }, "unexpected_instruction"],
    [
      "the token program of another kind at the source",
      {
        inner: [
          tokenTransfer({
            tokenProgram: token2022ProgramAddress,
            source: deriveAssociatedTokenAddress(vault, mint, tokenProgramAddress),
          }),
        ],
      },
      "source",
    ],
    [
      "a token account for somebody else",
      { inner: [creation({ owner: attacker }), tokenTransfer()] },
      "token_account_creation",
    ],
    [
      "a token account of another mint",
      { inner: [creation({ mint: otherMint }), tokenTransfer()] },
      "token_account_creation",
    ],
    [
      "a token account of another program",
      {
        inner: [creation({ tokenProgram: token2022ProgramAddress }), tokenTransfer()],
      },
      "token_account_creation",
    ],
    [
      "a token account at another address",
      { inner: [creation({ ata: attackersTokens }), tokenTransfer()] },
      "token_account_creation",
    ],
    ["two token accounts", { inner: [creation(), tokenTransfer()], outer: [creation()] }, "token_account_creation"],
    [
      "a token account paid by a member",
      { inner: [creation({ payer: member }), tokenTransfer()] },
      "token_account_creation",
    ],
    [
      "a token account paid by a member outside",
      {
        inner: [tokenTransfer()],
        outer: [creation({ payer: member })],
      },
      "token_account_creation",
    ],
    ["a token account created after the transfer", { inner: [tokenTransfer(), creation()] }, "token_account_creation"],
  ])("%s", (_name, parts, difference) => {
    expect(differenceOf(build(parts), token)).toBe(difference);
  });

  it("other decimals than the ones named", () => {
    expect(differenceOf(build({ inner: [tokenTransfer({ decimals: 9 })] }), { ...token, decimals: 6 })).toBe(
      "decimals",
    );
  });

  it("the owner's token account when the destination was said to be a token account, and any creation then", () => {
    const direct: ExpectedTransfer = { ...token, toIsTokenAccount: true };
    expect(differenceOf(build({ inner: [tokenTransfer()] }), direct)).toBe("destination");
    const created = build({ inner: [creation(), tokenTransfer({ destination: recipient })] });
    expect(differenceOf(created, direct)).toBe("unexpected_instruction");
  });
});

function solTransfer(change: { from?: Address; to?: Address; amount?: bigint } = {}): Instruction {
  return getTransferSolInstruction({
    source: createNoopSigner(change.from ?? vault),
    destination: change.to ?? recipient,
    amount: change.amount ?? 1_000n,
  });
}

type TokenChange = {
  source?: Address;
  destination?: Address;
  mint?: Address;
  authority?: Address;
  amount?: bigint;
  decimals?: number;
  tokenProgram?: Address;
};

function tokenTransfer(change: TokenChange = {}): Instruction {
  const tokenProgram = change.tokenProgram ?? tokenProgramAddress;
  const usedMint = change.mint ?? mint;
  return getTransferCheckedInstruction(
    {
      source: change.source ?? deriveAssociatedTokenAddress(vault, usedMint, tokenProgram),
      mint: usedMint,
      destination: change.destination ?? deriveAssociatedTokenAddress(recipient, usedMint, tokenProgram),
      authority: createNoopSigner(change.authority ?? vault),
      amount: change.amount ?? 1_000n,
      decimals: change.decimals ?? 6,
    },
    { programAddress: tokenProgram },
  );
}

type CreationChange = { payer?: Address; owner?: Address; mint?: Address; tokenProgram?: Address; ata?: Address };

function creation(change: CreationChange = {}): Instruction {
  const owner = change.owner ?? recipient;
  const usedMint = change.mint ?? mint;
  const tokenProgram = change.tokenProgram ?? tokenProgramAddress;
  return getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(change.payer ?? feePayer),
    ata: change.ata ?? deriveAssociatedTokenAddress(owner, usedMint, tokenProgram),
    owner,
    mint: usedMint,
    tokenProgram,
  });
}

type Parts = {
  inner: readonly Instruction[];
  outer?: readonly Instruction[];
  settings?: Address;
  accountIndex?: number;
  members?: readonly Address[];
  feePayer?: Address;
};

function build(parts: Parts): string {
  const sync = buildSyncInstruction({
    settings: parts.settings ?? settings,
    accountIndex: parts.accountIndex ?? 0,
    members: parts.members ?? [member],
    instructions: parts.inner,
  });
  return buildTransaction(parts.feePayer ?? feePayer, [...(parts.outer ?? []), sync]);
}

function differenceOf(transaction: string, expected: ExpectedTransfer): string {
  try {
    assertTransferMatches(decodeTransaction(transaction), expected);
  } catch (error) {
    if (error instanceof TransactionMismatchError) return error.difference;
    throw error;
  }
  return "none";
}
