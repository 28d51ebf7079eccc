import { AccountRole, type Address, type Instruction } from "@solana/kit";
import {
  getRequestHeapFrameInstruction,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from "@solana-program/compute-budget";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { memoInstruction } from "@trellis/solana/memo.js";
import { writeTransaction } from "@trellis/solana/transaction-bytes.js";
import { parseWireTransaction, toBase64 } from "@trellis/solana/wire-transaction.js";
import { beforeAll, describe, expect, it } from "vitest";
import { makeKey, signWire } from "../../test/adversarial/support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { changeAsWallet, type WalletParts } from "../../test/support/self-paid.js";
import { errorOf, type HeldAccount, publicKeyOf, stampKmsA } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { confirmLegacyPaymentIntent } from "../legacy/confirm-legacy-payment-intent.js";
import { createLegacyPaymentIntent } from "../legacy/create-legacy-payment-intent.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { submitTransactions } from "./submit-transactions.js";

const lighthouse = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95" as Address;
const payee = publicKeyOf("a shop");
const unnamed = publicKeyOf("a program");
const key = makeKey();
let account: string;
const test = useTestNetwork();
beforeAll(async () => {
  const created = await test.call<{ address: string }>(createAccount, {
    body: { type: "signers", signers: [key.address], threshold: 1 },
  });
  account = created.address;
  await give(account);
});
const [limit, ...heap] = [
  getSetComputeUnitLimitInstruction({ units: 1_400_000 }),
  getRequestHeapFrameInstruction({ bytes: 262_144 }),
];
const cases: [string, (parts: WalletParts) => Partial<WalletParts>, readonly object[], RegExp][] = [
  [
    "guards around the call, and a price",
    ({ instructions: [budget, ...rest] }) => ({
      instructions: [budget as Instruction, price(1_000), guard(1), guard(2), ...rest, guard(3)],
    }),
    [{ what: "instructions_added", program: lighthouse, count: 3 }, { what: "compute_unit_price" }],
    /it added 3 instructions of program L2TEx\S+ \(Lighthouse, guards of wallets\) and changed the price of compute units\./,
  ],
  [
    "one instruction of a program without a name",
    ({ instructions }) => ({ instructions: [...instructions, { programAddress: unnamed, data: Uint8Array.of(1) }] }),
    [{ what: "instructions_added", program: unnamed, count: 1 }],
    new RegExp(`it added 1 instruction of program ${unnamed}\\.`),
  ],
  [
    "a memo",
    ({ instructions }) => ({ instructions: [...instructions, memoInstruction("guard")] }),
    [{ what: "instructions_added", program: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", count: 1 }],
    /\(Memo\)/,
  ],
  [
    "the call a second time",
    ({ instructions }) => ({ instructions: [...instructions, ...instructions.slice(-1)] }),
    [{ what: "instructions_added", program: SMART_ACCOUNT_PROGRAM_ADDRESS, count: 1 }],
    /\(smart account\)/,
  ],
  [
    "another limit",
    ({ instructions }) => ({ instructions: [limit, ...instructions.slice(1)] }),
    [{ what: "compute_unit_limit" }],
    /it changed the limit of compute units\./,
  ],
  [
    "no limit",
    ({ instructions }) => ({ instructions: instructions.slice(1) }),
    [{ what: "compute_unit_limit" }],
    /limit of compute units/,
  ],
  [
    "the same limit twice",
    ({ instructions: [budget, ...rest] }) => ({
      instructions: [budget as Instruction, budget as Instruction, ...rest],
    }),
    [{ what: "compute_unit_limit" }],
    /limit of compute units/,
  ],
  [
    "a request for memory",
    ({ instructions }) => ({ instructions: [...heap, ...instructions] }),
    [{ what: "heap_frame" }],
    /memory/,
  ],
  ["another blockhash", () => ({ blockhash: payee }), [{ what: "blockhash" }], /it replaced the blockhash\./],
  [
    "changed bytes of the call",
    ({ instructions: [budget, call] }) => ({
      instructions: [
        budget as Instruction,
        { ...(call as Instruction), data: Uint8Array.from([...(call?.data ?? []), 0]) },
      ],
    }),
    [{ what: "instructions_changed", program: SMART_ACCOUNT_PROGRAM_ADDRESS, count: 1 }],
    /it changed 1 instruction of program SMRT/,
  ],
  [
    "the rights of an account",
    ({ instructions: [budget, call] }) => ({
      instructions: [
        budget as Instruction,
        {
          ...(call as Instruction),
          accounts: (call?.accounts ?? []).map((each) =>
            each.address === payee ? { ...each, role: AccountRole.READONLY } : each,
          ),
        } as Instruction,
      ],
    }),
    [{ what: "accounts" }],
    /order or the rights of accounts/,
  ],
];

describe("a prepared transaction that a wallet has changed", () => {
  it.each(cases)("is refused, and the refusal names what was changed: %s", async (_, change, alterations, words) => {
    const { transaction } = await prepare();
    const altered = signWire(changeAsWallet(transaction, change), [key]);
    const error = await errorOf(submit({ transaction: altered }));
    expect(error.code).toBe("transaction_not_prepared");
    expect(error.message).toMatch(words);
    expect(error.details).toMatchObject([{ field: "transaction", alterations }]);
    expect(error.details[0]?.suggestion).toMatch(/wallet/);
    // What was prepared is as good as before.
    await submit({ transaction: signWire(transaction, [key]) });
  });

  it("is compared with what it resembles most", async () => {
    const { transaction } = await prepare();
    await prepare({ amount: "4000000" });
    const altered = changeAsWallet(transaction, ({ instructions }) => ({ instructions: [...instructions, guard(1)] }));
    const error = await errorOf(submit({ transaction: signWire(altered, [key]) }));
    expect(error.details[0]?.alterations).toEqual([{ what: "instructions_added", program: lighthouse, count: 1 }]);
  });

  it("is named by its place in the multiple form", async () => {
    const [one, two] = [await prepare({ amount: "1000" }), await prepare({ amount: "2000" })];
    const altered = changeAsWallet(two.transaction, ({ instructions }) => ({
      instructions: [...instructions, guard(1)],
    }));
    const transactions = [signWire(one.transaction, [key]), signWire(altered, [key])];
    const error = await errorOf(submit({ transactions, kms_payloads: [[], []] }));
    expect(error.details).toMatchObject([{ field: "transactions.1", alterations: [{ program: lighthouse }] }]);
  });

  it("is named where a custodian's key is to sign", async () => {
    const ada: HeldAccount = await test.openHolder("ada@example.org");
    const { address } = ada.verified;
    await give(address);
    const { transaction, kms_payloads } = await prepare({}, address);
    const signature = stampKmsA(kms_payloads[0]?.payload ?? "", ada.authorizationKey);
    const altered = changeAsWallet(transaction, ({ instructions }) => ({ instructions: [price(7), ...instructions] }));
    const error = await errorOf(
      submit(
        { transaction: altered, kms_payloads: [{ provider: "kms_a", kms_signed_payload: { signature } }] },
        address,
      ),
    );
    expect(error).toMatchObject({ code: "transaction_not_prepared" });
    expect(error.message).toMatch(/price of compute units/);
  });

  it("is named by v0, and another transaction of the account is not called changed", async () => {
    interface Created {
      readonly PaymentProvider: { readonly id: string };
      readonly intent_payload: string;
    }
    const create = () =>
      test.call<Created>(createLegacyPaymentIntent, {
        params: { smart_account_address: account },
        body: { amount: "1000000", source: { currency: "sol" }, destination: { address: payee, currency: "sol" } },
      });
    const confirm = (id: string, payload: string) =>
      test.call(confirmLegacyPaymentIntent, {
        params: { smart_account_address: account, payment_intent_id: id },
        body: { intent_payload: signWire(payload, [key]), mpc_payload: "" },
      });
    const [one, other] = [await create(), await create()];
    const { id } = one.PaymentProvider;
    const altered = changeAsWallet(one.intent_payload, ({ instructions }) => ({
      instructions: [...instructions, guard(1)],
    }));
    const error = await errorOf(confirm(id, altered));
    expect(error.details).toMatchObject([{ field: "intent_payload", alterations: [{ program: lighthouse }] }]);
    const mixedUp = await errorOf(confirm(id, other.intent_payload));
    expect(mixedUp.message).toBe("intent_payload is not the transaction of this payment intent.");
  });

  it("leaves a hint where its signature is put into the bytes as they were prepared", async () => {
    const { transaction } = await prepare();
    const altered = changeAsWallet(transaction, ({ instructions }) => ({ instructions: [...instructions, guard(1)] }));
    const signature = parseWireTransaction(signWire(altered, [key])).transaction.signatures[key.address];
    const { messageBytes } = parseWireTransaction(transaction).transaction;
    const spliced = toBase64(writeTransaction([null, signature], Uint8Array.from(messageBytes)));
    const error = await errorOf(submit({ transaction: spliced }));
    expect(error.code).toBe("invalid_signature");
    expect(error.details[0]?.suggestion).toMatch(/wallet/);
  });

  it("is named for some minutes after it has expired, and not for ever", async () => {
    const { transaction } = await prepare();
    const altered = changeAsWallet(transaction, ({ instructions }) => ({ instructions: [...instructions, guard(1)] }));
    const refused = () => errorOf(submit({ transaction: signWire(altered, [key]) }));
    test.needs.realClock.advance(2 * 60_000);
    expect((await refused()).message).toMatch(/Lighthouse/);
    test.needs.realClock.advance(10 * 60_000);
    expect((await refused()).details[0]).not.toHaveProperty("alterations");
  });
});

describe("a transaction that resembles nothing prepared for the account", () => {
  it("gets the plain refusal", async () => {
    const { transaction } = await prepare();
    const stranger = makeKey();
    const { address: elsewhere } = await test.call<{ address: string }>(createAccount, {
      body: { type: "signers", signers: [stranger.address], threshold: 1 },
    });
    const altered = changeAsWallet(transaction, ({ instructions }) => ({ instructions: [...instructions, guard(1)] }));
    const error = await errorOf(submit({ transaction: signWire(altered, [key]) }, elsewhere));
    expect(error).toMatchObject({ code: "transaction_not_prepared" });
    expect(error.details[0]).not.toHaveProperty("alterations");
  });
});

interface Prepared {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

const guard = (byte: number): Instruction => ({ programAddress: lighthouse, data: Uint8Array.of(byte) });

const price = (microLamports: number) => getSetComputeUnitPriceInstruction({ microLamports });

const give = (address: string) => test.airdrop(address, "sol", "1000000000");

function prepare(more: object = {}, address = account): Promise<Prepared> {
  return test.call<Prepared>(preparePayment, {
    params: { address },
    body: {
      amount: "5000000",
      source: { account: address, currency: "sol" },
      destination: { address: payee, currency: "sol" },
      ...more,
    },
  });
}

const submit = (body: object, address = account) => test.call(submitTransactions, { params: { address }, body });
