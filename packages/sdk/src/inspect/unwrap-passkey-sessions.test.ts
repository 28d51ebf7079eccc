import { type Address, address, createNoopSigner, type Instruction } from "@solana/kit";
import { getSetComputeUnitLimitInstruction } from "@solana-program/compute-budget";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  buildPasskeyExecution,
  derivePasskeyAddress,
  executeByPasskeySessionInstruction,
  type PasskeySigningAddress,
} from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { buildSyncInstruction, buildTransaction } from "../../../../test/vectors/build-sync-transaction.js";
import { smartAccountVector } from "../../../../test/vectors/smart-account.js";
import { type AccountHolder, addressesOfHolder, signAs } from "../account-holder.js";
import { assertTransferMatches, type ExpectedTransfer } from "../assert-transfer.js";
import { addressOfKey } from "../sign-transaction.js";
import { TransactionMismatchError } from "../transaction-mismatch-error.js";
import { decodeTransaction } from "./decode-transaction.js";

const settings = address(smartAccountVector.settings);
const vault = address(smartAccountVector.vault0);
const feePayer = address("8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR");
const recipient = address("GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq");
const attacker = address("LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY");
const secret = new Uint8Array(32).fill(5);
const sessionKey = addressOfKey(secret);
const passkey = derivePasskeyAddress(Uint8Array.of(2, ...new Uint8Array(32).fill(9)));
const otherPasskey = derivePasskeyAddress(Uint8Array.of(3, ...new Uint8Array(32).fill(9)));

const asked: ExpectedTransfer = { from: vault, to: recipient, mint: null, amount: 1_000n };
const holder: AccountHolder = { passkeySessions: [{ passkeyAccount: passkey, key: secret }] };

describe("a payment that a passkey's session makes", () => {
  it("is read as the passkey's own, and signed with the session's key alone", async () => {
    const transaction = buildTransaction(feePayer, [bySession([payment()])]);
    const decoded = decodeTransaction(transaction);
    expect(decoded.requiredSigners).toEqual([feePayer, passkey]);
    expect(decoded.passkeySessions).toEqual([{ passkeyAccount: passkey, sessionKey }]);
    expect(decoded.syncCalls.map(({ members }) => members)).toEqual([[passkey]]);
    expect(() => assertTransferMatches(decoded, asked)).not.toThrow();
    expect(addressesOfHolder(holder)).toEqual([passkey]);
    const signed = await sign(transaction);
    expect(signed.kms_payloads).toEqual([]);
    expect(signed.transaction).not.toBe(transaction);
  });

  it.each<[string, Instruction[], string]>([
    ["of another amount", [bySession([payment({ amount: 1_001n })])], "amount"],
    ["to another payee", [bySession([payment({ destination: attacker })])], "destination"],
    ["beside a second one in the same session", [bySession([payment(), payment()])], "unexpected_instruction"],
    [
      "beside a second one in a session of its own",
      [bySession([payment()]), bySession([payment()])],
      "unexpected_instruction",
    ],
    ["beside money of the passkey's own", [bySession([payment(), transferFrom(passkey)])], "unexpected_instruction"],
    ["beside a call that nobody knows", [bySession([payment(), strange])], "unexpected_instruction"],
    ["by the passkey's other address", [bySession([payment()], { by: "execution_account" })], "missing_instruction"],
  ])("is refused %s", (_name, instructions, difference) => {
    const transaction = buildTransaction(feePayer, instructions);
    expectMismatch(() => assertTransferMatches(decodeTransaction(transaction), asked), difference);
  });

  it.each<[string, Address, Instruction[]]>([
    ["pays the fee", sessionKey, [bySession([payment()])]],
    ["is named by another instruction", feePayer, [bySession([payment()]), transferFrom(sessionKey)]],
    ["is named by what it executes", feePayer, [bySession([payment(), transferFrom(sessionKey)])]],
    [
      "signs for two passkeys",
      feePayer,
      [bySession([payment()]), bySession([payment()], { passkeyAccount: otherPasskey })],
    ],
    ["executes another session", feePayer, [bySession([bySession([payment()])])]],
    [
      "executes a setting of the transaction",
      feePayer,
      [bySession([payment(), getSetComputeUnitLimitInstruction({ units: 9 })])],
    ],
  ])("cannot be read where the session's key %s", (_name, payer, instructions) => {
    expectMismatch(() => decodeTransaction(buildTransaction(payer, instructions)), "unreadable");
  });

  it("cannot be read where its bytes do not add up", () => {
    const whole = bySession([payment()]);
    const data = Uint8Array.from(whole.data ?? []);
    for (const bytes of [data.slice(0, -1), Uint8Array.of(...data, 0), data.with(3, 2)]) {
      const transaction = buildTransaction(feePayer, [{ ...whole, data: bytes }]);
      expectMismatch(() => decodeTransaction(transaction), "unreadable");
    }
    const lacking = { ...whole, accounts: (whole.accounts ?? []).slice(0, 1) };
    expectMismatch(() => decodeTransaction(buildTransaction(feePayer, [lacking])), "unreadable");
  });

  it("is not signed by a session of another key or another passkey", async () => {
    const transaction = buildTransaction(feePayer, [bySession([payment()])]);
    const others: AccountHolder[] = [
      { passkeySessions: [{ passkeyAccount: passkey, key: new Uint8Array(32).fill(6) }] },
      { passkeySessions: [{ passkeyAccount: otherPasskey, key: secret }] },
      { keys: [secret] },
    ];
    for (const other of others) {
      await expect(sign(transaction, other)).rejects.toThrow(
        expect.objectContaining({ name: "TransactionMismatchError", difference: "signers" }),
      );
    }
  });
});

type Wrapping = { readonly by?: PasskeySigningAddress; readonly passkeyAccount?: Address };

function bySession(
  inner: readonly Instruction[],
  { by = "passkey_account", passkeyAccount = passkey }: Wrapping = {},
): Instruction {
  const execution = buildPasskeyExecution(passkeyAccount, by, inner);
  return executeByPasskeySessionInstruction({ passkeyAccount, sessionKey, signingAddress: by, execution });
}

type Payment = { readonly amount?: bigint; readonly destination?: Address };

function payment({ amount = 1_000n, destination = recipient }: Payment = {}): Instruction {
  const source = createNoopSigner(vault);
  const instructions = [getTransferSolInstruction({ source, destination, amount })];
  return buildSyncInstruction({ settings, members: [passkey], instructions });
}

function transferFrom(source: Address): Instruction {
  return getTransferSolInstruction({ source: createNoopSigner(source), destination: attacker, amount: 1n });
}

const strange: Instruction = { programAddress: attacker, accounts: [], data: new Uint8Array(1) };

const sign = (transaction: string, by: AccountHolder = holder) =>
  signAs(by, { transaction, kms_payloads: [] }, [passkey], { account: vault, environment: "sandbox", nowMs: 0 });

function expectMismatch(act: () => unknown, difference: string): void {
  let thrown: unknown;
  try {
    act();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(TransactionMismatchError);
  expect(thrown).toMatchObject({ difference });
}
