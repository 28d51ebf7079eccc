import { AccountRole, type Address, createNoopSigner, type Instruction, type Signature } from "@solana/kit";
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import { getTransferSolInstruction } from "@solana-program/system";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { memoInstruction } from "@trellis/solana/memo.js";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bendNetwork } from "../../test/support/bent-network.js";
import { useTestNetwork } from "../../test/support/scene.js";
import {
  changeAsWallet,
  type OwnAccount,
  openOwnAccount,
  prepareSelfPaid,
  type SelfPaidPayment,
  sendByWallet,
  type WalletParts,
} from "../../test/support/self-paid.js";
import { breakConnection, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { getLegacyPaymentIntent } from "../legacy/read-legacy-payment-intents.js";
import { getPaymentIntent } from "../payments/get-payment-intent.js";
import { listPaymentIntents } from "../payments/list-payment-intents.js";
import type { PaymentIntent } from "../payments/payment-intent.js";
import { removeOutdated } from "../scheduler/retention.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { cancelOverdueIntents } from "./intent-states.js";
import { recoverSubmissions } from "./recover-submissions.js";
import { searchSelfPaid } from "./search-self-paid.js";

let account: OwnAccount;
let number = 0;
let payee: string;
const otherPayer: SignerKey = crypto.getRandomValues(new Uint8Array(32));
const test = useTestNetwork();
beforeAll(() => test.network.sandbox?.airdrop(addressOfKey(otherPayer), 1_000_000_000n));
beforeEach(async () => {
  number += 1;
  payee = publicKeyOf(`payee ${number} of wallets that change bytes`);
  account = await openOwnAccount(test);
  // What the test before left open is not this one's.
  await test.needs.db.updateTable("payment_intent").set({ attempt_at: null }).execute();
});
const clock = (seconds: number) => test.network.sandbox?.advanceClock(seconds);
const blockhash = async () => (await test.network.rpc.getLatestBlockhash().send()).value.blockhash;
const isBudget = ({ programAddress }: Instruction) => programAddress.startsWith("ComputeBudget");
const price = (microLamports: number): Instruction => getSetComputeUnitPriceInstruction({ microLamports });
const changes: readonly (readonly [string, () => Change | Promise<Change>, keys: readonly SignerKey[]])[] = [
  ["another price of compute units", () => withPrice, []],
  [
    "no compute budget but a limit of its own",
    () =>
      ({ instructions }) => ({
        instructions: [
          getSetComputeUnitLimitInstruction({ units: 900_000 }),
          ...instructions.filter((each) => !isBudget(each)),
        ],
      }),
    [],
  ],
  [
    "instructions of another program around the call",
    () =>
      ({ instructions }) => ({ instructions: [memoInstruction("before"), ...instructions, memoInstruction("after")] }),
    [],
  ],
  [
    "a later blockhash",
    async () => {
      await clock(20);
      const later = await blockhash();
      return () => ({ blockhash: later });
    },
    [],
  ],
  ["another fee payer", () => () => ({ feePayer: addressOfKey(otherPayer) }), [otherPayer]],
];

describe("a payment that a wallet has changed and sent", () => {
  it.each(changes)("is processed with the signature on the chain: %s", async (_, changeOf, others) => {
    const payment = await prepareSelfPaid(test, account, payee);
    const signature = await send(changed(payment, await changeOf(), [account.key, ...others]));
    expect(await held()).toBe(1_000_000n);
    await runOut();
    expect(await pass()).toBe(1);
    const view = await read(payment);
    expect(view).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    const params = { address: account.address };
    expect(await test.call<PaymentIntent[]>(listPaymentIntents, { params, query: {} })).toEqual([view]);
    const v0 = { smart_account_address: account.address, payment_intent_id: payment.id };
    expect(await test.call(getLegacyPaymentIntent, { params: v0 })).toMatchObject({
      PaymentProvider: { state: "payment_processed", receipt: { source_tx_hash: signature } },
    });
    const reported = await statesOf(payment);
    expect(reported.map(({ state }) => state)).toEqual(["payment_submitted", "payment_processed"]);
    expect(reported.at(-1)).toMatchObject({ transaction_signature: signature, confirmed_at: view.confirmed_at });
    // The prepared bytes have their end, too, and pay nothing a second time.
    expect(await submit(payment)).toMatchObject({ transaction_signature: signature });
    expect(await held()).toBe(1_000_000n);
    expect(await pass()).toBe(0);
  });

  it("is answered at a submit of the prepared bytes after their time, before any pass has searched for it", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    const signature = await send(changed(payment, withPrice));
    await clock(80);
    expect(await submit(payment)).toMatchObject({ transaction_signature: signature });
    expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    expect(await held()).toBe(1_000_000n);
  });

  it("is found on the chain behind the last block of the prepared bytes, by an earlier blockhash", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    await clock(58);
    const later = await blockhash();
    await clock(30);
    await pass();
    expect(await read(payment)).toMatchObject({ state: "awaiting_funds" });
    expect((await errorOf(submit(payment))).code).toBe("submission_in_progress");
    const signature = await send(changed(payment, () => ({ blockhash: later })));
    await clock(10);
    await pass();
    expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
  });

  it.each(["before", "after"])(
    "is found where the prepared bytes were submitted %s it was sent, and never sent",
    async (when) => {
      const payment = await prepareSelfPaid(test, account, payee);
      const deaf = breakConnection(test.network, (method) => method === "sendTransaction");
      const first = when === "after" ? await send(changed(payment, withPrice)) : undefined;
      await clock(20);
      const body = { transaction: payment.wire, kms_payloads: [] };
      const params = { address: account.address };
      expect((await errorOf(test.call(submitTransactions, { params, body, network: deaf }))).code).toBe(
        "chain_unavailable",
      );
      const signature = first ?? (await send(changed(payment, withPrice)));
      await runOut();
      await recoverSubmissions(test.needs, test.network, 0);
      expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
      expect(await submit(payment)).toMatchObject({ transaction_signature: signature });
      expect(await held()).toBe(1_000_000n);
    },
  );

  it("is found where the prepared bytes are on the chain as well, and failed", async () => {
    const payment = await prepareSelfPaid(test, account, payee, { amount: "900000000" });
    const signature = await send(changed(payment, withPrice));
    await sendByWallet(test, payment, true);
    await runOut();
    await pass();
    expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
  });

  it("is found days later, where no node could prove anything before", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    const signature = await send(changed(payment, withPrice));
    // A node that does not show what it lists.
    const blind = bendNetwork(test.network, async ({ method, ask }) =>
      method === "getTransaction" ? { result: null } : ask(),
    );
    for (let day = 0; day < 3; day += 1) {
      await clock(86_400);
      await searchSelfPaid(test.needs, blind);
      await removeOutdated(test.needs, [test.network]);
      expect(await read(payment)).toMatchObject({ state: "awaiting_funds" });
    }
    await clock(86_400);
    await pass();
    expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
  });

  it("is canceled where what the wallet sent has failed", async () => {
    const payment = await prepareSelfPaid(test, account, payee, { amount: "900000000" });
    const before = await prepareSelfPaid(test, account, payee, { amount: "800000000" });
    await sendByWallet(test, before);
    await send(changed(payment, withPrice), true);
    await runOut();
    await pass();
    expect(await read(payment)).toMatchObject({ state: "canceled", error: { code: "payload_expired" } });
    expect(await held()).toBe(800_000_000n);
  });

  it("is canceled where the wallet paid something else", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    const [less, elsewhere] = [
      await prepareSelfPaid(test, account, payee, { amount: "900000" }),
      await prepareSelfPaid(test, account, publicKeyOf(`somebody else ${number}`)),
    ];
    for (const other of [less, elsewhere]) await send(changed(other, withPrice));
    const source = createNoopSigner(addressOfKey(account.key));
    const plain = getTransferSolInstruction({ source, destination: payee as Address, amount: 1_000_000n });
    const named = { address: account.settings, role: AccountRole.READONLY };
    await send(changed(payment, () => ({ instructions: [{ ...plain, accounts: [...plain.accounts, named] }] })));
    await runOut();
    expect(await pass()).toBe(3);
    expect(await read(payment)).toMatchObject({ state: "canceled" });
    for (const other of [less, elsewhere]) expect(await read(other)).toMatchObject({ state: "payment_processed" });
  });
});

describe("of payments with the same content", () => {
  const prepareTwo = async () => {
    const first = await prepareSelfPaid(test, account, payee);
    await clock(3);
    return [first, await prepareSelfPaid(test, account, payee)] as const;
  };

  it.each([0, 1])(
    "the one with the blockhash of what was sent is processed, and the other canceled: %s",
    async (at) => {
      const both = await prepareTwo();
      const [sent, unsent] = at === 0 ? both : ([both[1], both[0]] as const);
      const signature = await send(changed(sent, withPrice));
      await runOut();
      await Promise.all([pass(), pass()]);
      await clock(15);
      await pass();
      expect(await read(sent)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
      expect(await read(unsent)).toMatchObject({ state: "canceled" });
      expect((await errorOf(submit(unsent))).code).toBe("blockhash_expired");
      expect(await held()).toBe(1_000_000n);
    },
  );

  it("the one that was submitted has what its wallet made of it, and no older one takes it first", async () => {
    const [older, submitted] = await prepareTwo();
    const deaf = breakConnection(test.network, (method) => method === "sendTransaction");
    const body = { transaction: submitted.wire, kms_payloads: [] };
    const params = { address: account.address };
    await errorOf(test.call(submitTransactions, { params, body, network: deaf }));
    const signature = await send(changed(submitted, withPrice));
    for (let refresh = 0; refresh < 3; refresh += 1) {
      await pass();
      await clock(11);
      expect(await read(older)).toMatchObject({ state: "awaiting_funds" });
    }
    await runOut();
    await recoverSubmissions(test.needs, test.network, 0);
    await pass();
    expect(await read(submitted)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    expect(await read(older)).toMatchObject({ state: "canceled" });
    expect(await held()).toBe(1_000_000n);
  });

  it("none counts a transaction that was confirmed before it was prepared", async () => {
    const first = await prepareSelfPaid(test, account, payee);
    await clock(3);
    const signature = await send(changed(first, withPrice));
    await clock(3);
    const second = await prepareSelfPaid(test, account, payee);
    await runOut();
    for (let refresh = 0; refresh < 3; refresh += 1) {
      await pass();
      await clock(15);
    }
    expect(await read(first)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    expect(await read(second)).toMatchObject({ state: "canceled" });
  });

  it("the latest is processed by what has another blockhash, and each by one of two", async () => {
    for (const count of [1, 2]) {
      const [first, second] = await prepareTwo();
      const signatures: Signature[] = [];
      for (let one = 0; one < count; one += 1) {
        await clock(2);
        const later = await blockhash();
        signatures.push(await send(changed(first, () => ({ blockhash: later }))));
      }
      await runOut();
      for (let refresh = 0; refresh < 6; refresh += 1) {
        // Two at once: what one has claimed the other passes over, until the next time.
        await Promise.all([pass(), pass()]);
        await clock(15);
      }
      const [older, newer] = [await read(first), await read(second)];
      expect(newer).toMatchObject({ state: "payment_processed" });
      expect(older.state).toBe(count === 1 ? "canceled" : "payment_processed");
      const named = [older, newer].flatMap(({ transaction_signature }) => transaction_signature ?? []);
      expect(named.toSorted()).toEqual(signatures.toSorted());
    }
  });

  it("one that is confirmed unchanged is not mistaken for another one's", async () => {
    const [first, second] = await prepareTwo();
    const signature = await sendByWallet(test, first);
    await runOut();
    await pass();
    expect(await read(first)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    expect(await read(second)).toMatchObject({ state: "canceled" });
  });
});

describe("changed bytes that are submitted here as built elsewhere", () => {
  it("are answered as confirmed, and end the payment once", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    const wire = changed(payment, withPrice);
    const { transaction_signature: signature } = await submitWire(wire);
    await runOut();
    await pass();
    expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    for (const bytes of [wire, payment.wire])
      expect(await submitWire(bytes)).toMatchObject({ transaction_signature: signature });
    expect(await held()).toBe(1_000_000n);
  });

  it("are answered as confirmed after the payment was ended by them", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    const wire = changed(payment, withPrice);
    const signature = await send(wire);
    await clock(15);
    // Its search begins with its time.
    await test.needs.db.updateTable("payment_intent").set({ attempt_at: 0n }).where("id", "=", payment.id).execute();
    expect(await pass()).toBe(1);
    expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    expect(await submitWire(wire)).toMatchObject({ transaction_signature: signature });
    await clock(3 * 3_600);
    expect(await submitWire(wire)).toMatchObject({ transaction_signature: signature });
    expect(await held()).toBe(1_000_000n);
  });

  it("are answered as confirmed where they have ended the payment, hours after the last submit", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    const wire = changed(payment, withPrice);
    const signature = await send(wire);
    await clock(3 * 3_600);
    await pass();
    expect(await submitWire(wire)).toMatchObject({ transaction_signature: signature });
  });
});

type Change = (parts: WalletParts) => Partial<WalletParts>;

const withPrice: Change = ({ instructions }) => ({
  instructions: [price(7), ...instructions.filter((each) => !isBudget(each) || each.data?.[0] !== 3)],
});

/** Until nothing is open any more: later than any blockhash lives that a wallet can have taken. */
const runOut = () => clock(150);

const pass = async () => {
  await cancelOverdueIntents(test.needs.db, test.network);
  return searchSelfPaid(test.needs, test.network);
};

const read = ({ id, account: { address } }: SelfPaidPayment) =>
  test.call<PaymentIntent>(getPaymentIntent, { params: { address, id } });

const submitWire = (wire: string) =>
  test.call<{ transaction_signature: string }>(submitTransactions, {
    params: { address: account.address },
    body: { transaction: wire, kms_payloads: [] },
  });

const submit = ({ wire }: SelfPaidPayment) => submitWire(wire);

const held = async () => (await test.network.rpc.getBalance(payee as Address).send()).value;

const statesOf = async ({ id }: SelfPaidPayment) => {
  const { rows } = await sql<{ data: string }>`select data from event
    where object_id = ${id} and type = 'payment_intent.updated' order by sequence`.execute(test.needs.db);
  return rows.map(({ data }) => JSON.parse(data) as PaymentIntent);
};

/** The bytes that a wallet makes of a payment, signed. */
const changed = ({ wire }: SelfPaidPayment, change: Change, keys: readonly SignerKey[] = [account.key]): string =>
  signTransaction(changeAsWallet(wire, change), keys);

const send = (wire: string, skipPreflight = false): Promise<Signature> =>
  test.network.rpc.sendTransaction(wire as never, { encoding: "base64", skipPreflight }).send();
