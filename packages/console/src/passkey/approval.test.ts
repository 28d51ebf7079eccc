import { AccountRole, type Address, address, createNoopSigner, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { getTransferCheckedInstruction } from "@solana-program/token";
import {
  buildPasskeyExecution,
  createProposalInstruction,
  createSettingsTransactionInstruction,
  derivePasskeyAddress,
  encodePasskeyExecution,
  executeByPasskeyChallenge,
  executeSettingsTransactionSyncInstruction,
  executeTransactionSyncInstruction,
  voteInstruction,
} from "@trellis/program-client";
import { deriveAssociatedTokenAddress, tokenProgramAddress } from "@trellis/sdk";
import { memoInstruction } from "@trellis/solana/memo.js";
import { describe, expect, it } from "vitest";
import { smartAccountVector } from "../../../../test/vectors/smart-account.js";
import { describeApproval } from "./approval.js";
import { type Approval, refusalOf, toBase64Url } from "./ceremony.js";

const settings = address(smartAccountVector.settings);
const vault = address(smartAccountVector.vault0);
const payer = address("8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR");
const shop = address("GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq");
const other = address("LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY");
const usdc = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
const passkey = derivePasskeyAddress(Uint8Array.of(2, ...new Uint8Array(32).fill(9)));
const stranger = derivePasskeyAddress(Uint8Array.of(3, ...new Uint8Array(32).fill(9)));
/** The address of 32 bytes, each of which is 7. */
const sevens = { base58: "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx", bytes: new Uint8Array(32).fill(7) };

const paySol = (to: Address = shop, lamports = 1_500_000_000n): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(vault), destination: to, amount: lamports });
const tokenAccountOf = (owner: Address) => deriveAssociatedTokenAddress(owner, usdc, tokenProgramAddress);
const payToken: Instruction = getTransferCheckedInstruction({
  source: tokenAccountOf(vault),
  mint: usdc,
  destination: tokenAccountOf(shop),
  authority: createNoopSigner(vault),
  amount: 2_500_000n,
  decimals: 6,
});
const atOnce = (instructions: Instruction[], members: Address[] = [passkey], of = settings) =>
  executeTransactionSyncInstruction({ settings: of, members, instructions });
const vote = (action: "approve" | "reject" | "cancel", signer: Address = passkey) =>
  voteInstruction({ action, settings, transactionIndex: 7n, signer });
const change = (members = [passkey]) =>
  executeSettingsTransactionSyncInstruction({
    settings,
    members,
    rentPayer: payer,
    actions: [
      { __kind: "AddSigner", newSigner: { key: other, permissions: 7 } },
      { __kind: "ChangeThreshold", newThreshold: 2 },
    ],
  });

describe("what is approved is said in words, read off the bytes that are signed:", () => {
  it.each<[string, Instruction[], string[], boolean]>([
    ["a payment", [atOnce([paySol()])], [`Pays 1.5 SOL to ${shop}`], false],
    [
      "one with a memo",
      [atOnce([memoInstruction("customer 4711"), paySol()])],
      ["Writes into the transaction, where anyone can read it: “customer 4711”", `Pays 1.5 SOL to ${shop}`],
      false,
    ],
    [
      "one in tokens, to the owner of the token account",
      [atOnce([payToken])],
      [`Pays 2.5 USDC to ${shop}, to the token account ${tokenAccountOf(shop)}`],
      false,
    ],
    [
      "two at once",
      [atOnce([paySol(), paySol(other, 1n)])],
      [`Pays 1.5 SOL to ${shop}`, `Pays 0.000000001 SOL to ${other}`],
      false,
    ],
    [
      "a change of the account",
      [change()],
      [
        `Adds the signer ${other}, who may execute what is approved, propose, vote`,
        "Changes how many approvals a decision needs, to 2",
      ],
      false,
    ],
    [
      "a proposal",
      [
        createSettingsTransactionInstruction({
          settings,
          transactionIndex: 7n,
          creator: passkey,
          rentPayer: payer,
          actions: [{ __kind: "SetTimeLock", newTimeLock: 0 }],
        }),
        createProposalInstruction({ settings, transactionIndex: 7n, creator: passkey, rentPayer: payer, draft: false }),
      ],
      ["Proposes, for a vote: Ends the waiting time between approval and payment"],
      false,
    ],
  ])("%s", (_name, instructions, sentences, isUnseen) => {
    expect(say(approvalOf(instructions))).toEqual(sentences.map((text) => [text, isUnseen]));
  });

  it("of a vote only that it is one, with a warning where it says yes", () => {
    const [[yes, isUnseen] = []] = say(approvalOf([vote("approve")])) ?? [];
    expect(yes).toMatch(/^Votes yes on the proposal [1-9A-HJ-NP-Za-km-z]{32,44}$/);
    expect(isUnseen).toBe(true);
    expect(say(approvalOf([vote("reject")]))?.[0]?.[1]).toBe(false);
  });

  it("with the token account alone where nobody named owns it, whatever the service says", () => {
    for (const token_owners of [[], [other]]) {
      expect(say(approvalOf([atOnce([payToken])], { token_owners }))).toEqual([
        [`Pays 2.5 USDC to ${tokenAccountOf(shop)}`, false],
      ]);
    }
  });
});

describe("nothing is signed", () => {
  const strange: Instruction = { programAddress: other, accounts: [], data: Uint8Array.of(1) };
  it.each<[string, Instruction[], Partial<Approval>?]>([
    ["where a part cannot be said", [atOnce([paySol(), strange])]],
    ["for a call of another program", [strange]],
    [
      "for money of the passkey's own",
      [getTransferSolInstruction({ source: createNoopSigner(passkey), destination: shop, amount: 1n })],
    ],
    ["for another account", [atOnce([paySol()])], { account_address: shop }],
    ["where another signer acts", [atOnce([paySol()], [passkey, stranger])]],
    ["where another passkey votes", [vote("approve", stranger)]],
    ["where another signer changes the account", [change([stranger])]],
    [
      "where another key has to sign",
      [atOnce([{ ...strange, accounts: [{ address: shop, role: AccountRole.READONLY_SIGNER }] }])],
    ],
    ["for nothing", []],
  ])("%s", (_name, instructions, more) => {
    expect(describeApproval(approvalOf(instructions, more))).toBeUndefined();
  });

  it("for bytes that end early, or go on", () => {
    const approval = approvalOf([atOnce([paySol()])]);
    const bytes = Buffer.from(approval.execution, "base64");
    for (const bent of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0)]), Buffer.alloc(0)]) {
      expect(describeApproval({ ...approval, execution: bent.toString("base64") })).toBeUndefined();
    }
  });

  it("where the challenge is of another content, slot or payer, or the address says something else", () => {
    const approval = approvalOf([atOnce([paySol()])]);
    expect(refusalOf(approval, pageOf(approval))).toBeUndefined();
    const changes: Partial<Approval>[] = [
      { execution: approvalOf([atOnce([paySol(shop, 1n)])]).execution },
      { slot_hash: other },
      { payer: other },
    ];
    for (const changed of changes) {
      const one = { ...approval, ...changed };
      expect(refusalOf(one, pageOf(one))).toBe("other_challenge");
    }
    expect(refusalOf({ ...approval, app_name: "Your bank" }, pageOf(approval))).toBe("altered_address");
    expect(refusalOf({ ...approval, origin: "https://evil.example" }, pageOf(approval))).toBe("other_page");
  });
});

const say = (approval: Approval) =>
  describeApproval(approval)?.map(({ parts, isUnseen }) => [
    parts.map((part) => ("text" in part ? part.text : part.address)).join(""),
    isUnseen,
  ]);

function approvalOf(instructions: Instruction[], more: Partial<Approval> = {}): Approval {
  const execution = buildPasskeyExecution(passkey, "passkey_account", instructions);
  const transaction = { feePayer: payer, nonceSigner: payer, passkeyAccount: passkey };
  const slotHash = { slot: 123n, hash: sevens.bytes };
  return {
    ceremony_type: "approve",
    challenge: toBase64Url(executeByPasskeyChallenge({ ...transaction, slotHash, execution })),
    environment: "mainnet",
    tenant_name: "Default",
    app_name: "Shop",
    redirect_url: null,
    relying_party_id: "pay.example",
    origin: "https://pay.example",
    slot_number: 123,
    slot_hash: sevens.base58,
    payer,
    account_address: vault,
    passkey_address: passkey,
    token_owners: [shop],
    execution: Buffer.from(encodePasskeyExecution(transaction, execution)).toString("base64"),
    expires_in_seconds: 60,
    ...more,
  };
}

function pageOf({ environment, app_name, slot_number, challenge }: Approval) {
  const query = new URLSearchParams({
    env: environment,
    "app-name": app_name,
    "slot-num": String(slot_number),
    challenge: Buffer.from(challenge, "base64url").toString("base64"),
  });
  return { query, origin: "https://pay.example", hostname: "pay.example" };
}
