import { AccountRole, type Address, type Instruction } from "@solana/kit";
import { getAdvanceNonceAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import { getApproveInstruction, getCloseAccountInstruction, getSetAuthorityInstruction } from "@solana-program/token";
import {
  buildPasskeyExecution,
  decodeSettings,
  executeByPasskeySessionInstruction,
  executeTransactionSyncInstruction,
} from "@trellis/program-client";
import { asSigner } from "@trellis/program-client/plain-instruction.js";
import { memoInstruction } from "@trellis/solana/memo.js";
import { describe, expect, it } from "vitest";
import {
  addSigner,
  anAddress,
  feePayer,
  messageOf,
  ofKind,
  opaqueOf,
  opening,
  payee,
  payment,
  proposed,
  settings,
  settingsChange,
  smartAccount,
  sol,
  tokenAccountOf,
  tokens,
  unknownCall,
  wallet,
  withData,
} from "../../../test/support/custodian-messages.js";
import { classify } from "./classify.js";

const read = (...instructions: readonly Instruction[]) => classify(messageOf(instructions), wallet);

/** The same instruction with another account in one place, or behind the others. */
function withAccount(instruction: Instruction, at: number, address: Address, role: AccountRole): Instruction {
  const accounts = [...(instruction.accounts ?? [])];
  accounts[at] = { address, role };
  return { ...instruction, accounts };
}

const paid = payment(sol(1n));
const passkey = anAddress(70);
/** A payment by a passkey, and another member, which the signature program executes. */
function bySession(...members: readonly Address[]): Instruction {
  const inside = executeTransactionSyncInstruction({
    settings,
    members: [passkey, ...members],
    instructions: [sol(1n)],
  });
  const execution = buildPasskeyExecution(passkey, "passkey_account", [inside]);
  const signer = { signingAddress: "passkey_account", passkeyAccount: passkey, sessionKey: anAddress(71) } as const;
  return executeByPasskeySessionInstruction({ ...signer, execution });
}
const vault = asSigner(smartAccount);
const held = tokenAccountOf(smartAccount);
const nonce = (authority: Address) =>
  getAdvanceNonceAccountInstruction({ nonceAccount: anAddress(61), nonceAuthority: asSigner(authority) });
const fromWallet = getTransferSolInstruction({ source: asSigner(wallet), destination: payee, amount: 1n });
const store = proposed([sol(1n)])[0] as Instruction;
const { READONLY, READONLY_SIGNER, WRITABLE, WRITABLE_SIGNER } = AccountRole;

const rows: readonly (readonly [name: string, instructions: readonly Instruction[], reason: string])[] = [
  ["by an unknown program behind a payment", [paid, unknownCall()], "unknown_program"],
  ["by handing the wallet's signature to an unknown program", [paid, unknownCall([wallet])], "wallet_exposed"],
  ["by calling an unknown program from within", [payment(sol(1n), unknownCall())], "unknown_program"],
  ["by what a passkey's session has executed beside it", [paid, bySession()], "unknown_program"],
  ["by what a passkey's session has executed with the wallet's signature", [bySession(wallet)], "wallet_exposed"],
  ["by paying out of the wallet itself", [paid, fromWallet], "wallet_exposed"],
  ["by paying the wallet itself from within", [payment(sol(1n, wallet))], "wallet_exposed"],
  ["by opening a token account for the wallet", [paid, opening(wallet)], "wallet_exposed"],
  ["by having the wallet pay rent", [withAccount(store, 3, wallet, WRITABLE_SIGNER), paid], "wallet_exposed"],
  [
    "by a memo that the wallet signs",
    [paid, withAccount(memoInstruction("x"), 0, wallet, READONLY_SIGNER)],
    "wallet_exposed",
  ],
  ["by a durable nonce", [nonce(feePayer), paid], "durable_nonce"],
  ["by a durable nonce of the wallet", [nonce(wallet), paid], "durable_nonce"],
  [
    "by a delegate",
    [payment(getApproveInstruction({ source: held, delegate: payee, owner: vault, amount: 1n }))],
    "unknown_instruction",
  ],
  [
    "by closing a token account",
    [payment(getCloseAccountInstruction({ account: held, destination: payee, owner: vault }))],
    "unknown_instruction",
  ],
  [
    "by giving a token account away",
    [payment(getSetAuthorityInstruction({ owned: held, owner: vault, authorityType: 2, newAuthority: payee }))],
    "unknown_instruction",
  ],
  [
    "by the transfer that names no mint",
    [payment(withData(tokens(1n), (data) => Uint8Array.of(3, ...data.slice(1, 9))))],
    "unknown_instruction",
  ],
  [
    "by a batch of token instructions",
    [payment(withData(tokens(1n), (data) => Uint8Array.of(255, 4, 10, ...data)))],
    "unknown_instruction",
  ],
  [
    "by an amount of more than 64 bits",
    [payment(withData(sol(1n), (data) => Uint8Array.from([...data, 1])))],
    "malformed",
  ],
  ["by an account for a transfer hook", [payment(withAccount(tokens(1n), 4, anAddress(62), READONLY))], "malformed"],
  [
    "by another authority than the smart account",
    [payment(withAccount(tokens(1n), 3, feePayer, READONLY_SIGNER))],
    "unknown_instruction",
  ],
  [
    "by a token account at another address than its owner's",
    [payment(withAccount(opening(), 1, tokenAccountOf(anAddress(63)), WRITABLE))],
    "malformed",
  ],
  ["by another smart account of the settings", [withData(paid, (data) => data.with(8, 1))], "other_smart_account"],
  [
    "by an account that no call takes",
    [withAccount(paid, paid.accounts?.length ?? 0, anAddress(64), WRITABLE)],
    "malformed",
  ],
  [
    "by signers in the form of version 1",
    [withData(settingsChange(addSigner(payee)), (data) => data.with(12, 1))],
    "malformed",
  ],
];

describe("an attack", () => {
  it.each(rows)("%s is opaque", (_, instructions, reason) => {
    expect(opaqueOf(read(...instructions))).toEqual([reason]);
  });

  it("with the wallet as fee payer is opaque as a whole", () => {
    expect(opaqueOf(classify(messageOf([paid], { payer: wallet }), wallet))).toEqual(["wallet_pays_fee"]);
  });

  it("by a message that does not ask for the wallet is opaque as a whole", () => {
    expect(opaqueOf(read(memoInstruction("hi")))).toEqual(["wallet_does_not_sign"]);
  });

  it("by a message of a version that is not known is opaque as a whole", () => {
    const message = messageOf([paid]);
    expect(opaqueOf(classify(message.with(0, 0x81), wallet))).toEqual(["not_a_message"]);
  });

  it("by the same account twice is opaque as a whole", () => {
    const message = messageOf([paid]);
    const twice = message.slice();
    twice.set(message.slice(5, 37), 5 + 32);
    expect(opaqueOf(classify(twice, wallet))).toEqual(["duplicate_account"]);
  });

  it("behind a memo is seen", () => {
    const facts = read(memoInstruction("only a greeting"), payment(sol(1_000n)));
    expect(ofKind(facts, "transfer")).toMatchObject([{ amountBaseUnits: 1_000n }]);
  });

  it("as a second instruction of the same call, or a second call, is seen", () => {
    expect(ofKind(read(payment(sol(1n), sol(1_000n))), "transfer")).toHaveLength(2);
    expect(ofKind(read(payment(sol(1n)), payment(sol(1_000n))), "transfer")).toHaveLength(2);
  });

  it("by a settings account with signers in the form of version 1 is refused by its decoder", () => {
    const account = new Uint8Array(168);
    account.set([0xdf, 0xb3, 0xa3, 0xbe, 0xb1, 0xe0, 0x43, 0xad]);
    account[78] = 1;
    account[120] = 1;
    expect(decodeSettings(account).signers).toHaveLength(1);
    expect(() => decodeSettings(account.with(123, 1))).toThrow();
  });
});
