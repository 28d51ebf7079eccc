import { createHash, randomBytes } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { AccountRole, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressOfKey } from "@trellis/sdk";
import { judgeByOneNode, listByOneNode } from "@trellis/solana/one-node.js";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bendNetwork } from "../../test/support/bent-network.js";
import { openPlayedCluster, type PlayedNode } from "../../test/support/played-cluster.js";
import {
  type OwnAccount,
  openOwnAccount,
  prepareSelfPaid,
  type SelfPaidPayment,
  sendByWallet,
} from "../../test/support/self-paid.js";
import { sendAs } from "../../test/support/standing-orders.js";
import {
  breakConnection,
  errorOf,
  openTestNetwork,
  publicKeyOf,
  type TestNetwork,
} from "../../test/support/test-network.js";
import { confirmLegacyPaymentIntent } from "../legacy/confirm-legacy-payment-intent.js";
import { getLegacyPaymentIntent } from "../legacy/read-legacy-payment-intents.js";
import { getPaymentIntent } from "../payments/get-payment-intent.js";
import { listPaymentIntents } from "../payments/list-payment-intents.js";
import type { PaymentIntent } from "../payments/payment-intent.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { cancelOverdueIntents } from "./intent-states.js";
import { recoverSubmissions } from "./recover-submissions.js";
import { searchSelfPaid } from "./search-self-paid.js";

let test: TestNetwork;
let account: OwnAccount;
let number = 0;
let payee: string;
beforeAll(async () => {
  test = await openTestNetwork();
});
afterAll(() => test?.close());
beforeEach(async () => {
  number += 1;
  payee = publicKeyOf(`payee ${number} of wallets that send`);
  account = await openOwnAccount(test);
  test.logLines.length = 0;
  // What the test before left open is not this one's.
  await test.needs.db.updateTable("payment_intent").set({ attempt_at: null }).execute();
});

describe("a payment that its holder's wallet sends", () => {
  it("is answered as confirmed where the same bytes are submitted, and stays paid when its time is over", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    const signature = await sendByWallet(test, payment);
    expect(await submit(payment)).toMatchObject({ transaction_signature: signature });
    await clock(120);
    await pass();
    expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
  });

  it("waits after its time, and is processed with the chain's signature and time once the history shows it", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    const signature = await sendByWallet(test, payment);
    await clock(120);
    await cancelOverdueIntents(test.needs.db, test.network);
    expect(await read(payment)).toMatchObject({ state: "awaiting_funds" });
    expect(await list("canceled")).toEqual([]);
    expect(await list("awaiting_funds")).toMatchObject([{ id: payment.id }]);
    expect(await pass()).toBe(1);
    const found = await test.network.rpc
      .getTransaction(signature, { encoding: "base64", maxSupportedTransactionVersion: 0 })
      .send();
    const confirmed_at = new Date(Number(found?.blockTime) * 1000).toISOString();
    expect(await read(payment)).toMatchObject({
      state: "payment_processed",
      transaction_signature: signature,
      confirmed_at,
    });
    const v0 = { smart_account_address: account.address, payment_intent_id: payment.id };
    expect(await test.call(getLegacyPaymentIntent, { params: v0 })).toMatchObject({
      PaymentProvider: { state: "payment_processed", receipt: { source_tx_hash: signature, final_amount: "1000000" } },
    });
    const body = { intent_payload: payment.wire, mpc_payload: "" };
    expect(await test.call(confirmLegacyPaymentIntent, { params: v0, body })).toMatchObject({
      PaymentProvider: { state: "payment_processed" },
    });
    const reported = await eventsOf(payment);
    expect(reported.map(({ state }) => state)).toEqual(["payment_submitted", "payment_processed"]);
    expect(reported.at(-1)).toMatchObject({ transaction_signature: signature, confirmed_at });
    expect(await submit(payment)).toMatchObject({ transaction_signature: signature });
    expect(await pass()).toBe(0);
    expect(await held()).toBe(1_000_000n);
  });

  it("is processed with a time that follows from its slot where the node has forgotten the time of its block", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    const signature = await sendByWallet(test, payment);
    await clock(120);
    const forgetful = bent(async ({ method, ask }) => {
      if (method === "getBlockTime") return { result: null };
      const answer = await ask();
      return method === "getTransaction" ? { ...answer, result: { ...answer.result, blockTime: null } } : answer;
    });
    expect(await pass(forgetful)).toBe(1);
    const { confirmed_at, ...found } = await read(payment);
    expect(found).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    expect(Math.abs(Date.parse(confirmed_at ?? "") - test.network.clock.now())).toBeLessThan(300_000);
  });

  it("is found where it is sent after its time, and before its blockhash ends", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    await clock(59);
    const { created_at } = await test.needs.db
      .selectFrom("payment_intent")
      .select("created_at")
      .where("id", "=", payment.id)
      .executeTakeFirstOrThrow();
    // The chain is slower than the clock.
    await sql`update payment_intent set created_at = ${created_at - 30_000n}, attempt_at = 0 where id = ${payment.id}`.execute(
      test.needs.db,
    );
    await sql`update prepared_transaction set expires_at = ${created_at} where account_address = ${account.address}`.execute(
      test.needs.db,
    );
    expect((await errorOf(submit(payment))).code).toBe("submission_in_progress");
    await pass();
    expect(await read(payment)).toMatchObject({ state: "awaiting_funds" });
    const signature = await sendByWallet(test, payment);
    await clock(limits.selfPaidSearchEveryMs / 1000);
    await pass();
    expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
  });

  it("is in error where the chain has executed and refused it", async () => {
    const payment = await prepareSelfPaid(test, account, payee, { amount: "900000000" });
    const other = await prepareSelfPaid(test, account, payee, { amount: "800000000" });
    await sendByWallet(test, other);
    const signature = await sendByWallet(test, payment, true);
    await clock(120);
    expect(await pass()).toBe(2);
    expect(await read(other)).toMatchObject({ state: "payment_processed" });
    expect(await read(payment)).toMatchObject({
      state: "error",
      transaction_signature: signature,
      error: { code: "transaction_failed" },
    });
    expect((await eventsOf(payment)).at(-1)).toMatchObject({ state: "error", error: { code: "transaction_failed" } });
  });

  it("answers a submit after its time with what was sent, before any pass has searched for it", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    const signature = await sendByWallet(test, payment);
    await clock(120);
    expect(await submit(payment)).toMatchObject({ transaction_signature: signature });
    expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
  });
});

describe("a payment that was submitted, and sent by a wallet under another signature of the same key", () => {
  /** Another valid Ed25519 signature than the usual one: with a nonce that is random. */
  const signedAnew = ({ wire, account: { key } }: SelfPaidPayment): string => {
    const bytes = Buffer.from(wire, "base64");
    const message = bytes.subarray(65);
    const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(key);
    const order = ed25519.Point.Fn.ORDER;
    const little = (from: Uint8Array) => BigInt(`0x${Buffer.from(from).reverse().toString("hex")}`) % order;
    const nonce = little(randomBytes(64));
    const point = ed25519.Point.BASE.multiply(nonce).toBytes();
    const challenge = little(createHash("sha512").update(point).update(pointBytes).update(message).digest());
    const answer = (nonce + challenge * scalar) % order;
    bytes.set(point, 1);
    bytes.set(Buffer.from(answer.toString(16).padStart(64, "0"), "hex").reverse(), 33);
    return bytes.toString("base64");
  };
  const submitUnsent = async (payment: SelfPaidPayment) => {
    const deaf = breakConnection(test.network, (method) => method === "sendTransaction");
    expect((await errorOf(submit(payment, deaf))).code).toBe("chain_unavailable");
  };
  const storedSignature = async (payment: SelfPaidPayment) => (await read(payment)).transaction_signature;

  it.each(["a pass", "a submit"])("is processed with that one by %s", async (by) => {
    const payment = await prepareSelfPaid(test, account, payee);
    await submitUnsent(payment);
    const signature = await sendByWallet(test, { ...payment, wire: signedAnew(payment) });
    expect(signature).not.toBe(await storedSignature(payment));
    await clock(200);
    if (by === "a pass") await recoverSubmissions(test.needs, test.network, 0);
    else expect(await submit(payment)).toMatchObject({ transaction_signature: signature });
    expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    expect(await submit(payment)).toMatchObject({ transaction_signature: signature });
    expect((await eventsOf(payment)).map(({ state }) => state)).toEqual(["payment_submitted", "payment_processed"]);
  });
});

describe("a payment that its holder's wallet never sends", () => {
  it("is canceled once the chain is past its last block, and not before", async () => {
    const [sent, unsent] = [await prepareSelfPaid(test, account, payee), await prepareSelfPaid(test, account, payee)];
    const signature = await sendByWallet(test, sent);
    await clock(59);
    await pass();
    expect(await read(unsent)).toMatchObject({ state: "awaiting_funds" });
    await clock(120);
    expect(await read(unsent)).toMatchObject({ state: "awaiting_funds" });
    await pass();
    expect(await read(unsent)).toMatchObject({ state: "canceled", error: { code: "payload_expired" } });
    expect(await read(sent)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
    expect((await eventsOf(unsent)).map(({ state }) => state)).toEqual(["canceled"]);
    expect((await errorOf(submit(unsent))).code).toBe("blockhash_expired");
    expect(await held()).toBe(1_000_000n);
  });

  it("is refused for good at a submit that proves it, and canceled with that", async () => {
    const payment = await prepareSelfPaid(test, account, payee);
    await clock(150);
    expect((await errorOf(submit(payment))).code).toBe("blockhash_expired");
    expect(await read(payment)).toMatchObject({ state: "canceled" });
  });
});

describe("while nodes do not prove what became of it", () => {
  const faults: readonly (readonly [string, Parameters<typeof bendNetwork>[1], boolean])[] = [
    [
      "keeps too short a ledger",
      async ({ method, ask }) => {
        if (method !== "getFirstAvailableBlock") return ask();
        return { result: ((await test.network.rpc.getSlot().send()) - 10n) as never };
      },
      true,
    ],
    [
      "lists it and does not show it",
      async ({ method, ask }) => (method === "getTransaction" ? { result: null } : ask()),
      true,
    ],
    [
      "does not answer",
      async ({ method, ask }) => {
        if (method === "getSignaturesForAddress") throw new Error("there is no answer");
        return ask();
      },
      false,
    ],
  ];
  it.each(faults)("a node that %s leaves it open, and an alarm says so once", async (_, bend, isAlarmedAtOnce) => {
    const payment = await prepareSelfPaid(test, account, payee);
    const isHidden = bend === faults[1]?.[1];
    const signature = isHidden ? await sendByWallet(test, payment) : undefined;
    await clock(150);
    const network = bent(bend);
    expect(await pass(network)).toBe(0);
    expect(alarms().length).toBe(isAlarmedAtOnce ? 1 : 0);
    expect((await errorOf(submit(payment, network))).code).toBe("submission_in_progress");
    for (let refresh = 0; refresh < 3; refresh += 1) {
      await clock(limits.selfPaidYoungMs / 1000);
      expect(await pass(network)).toBe(0);
    }
    expect(alarms()).toMatchObject([{ level: "error", fields: { intent: payment.id } }]);
    expect(await read(payment)).toMatchObject({ state: "awaiting_funds" });
    await clock(limits.selfPaidSearchLaterEveryMs / 1000);
    expect(await pass()).toBe(1);
    expect(await read(payment)).toMatchObject(
      signature === undefined
        ? { state: "canceled" }
        : { state: "payment_processed", transaction_signature: signature },
    );
  });

  it("of two nodes both have to prove it: one that lists nothing is not believed against one that does", async () => {
    const blind: PlayedNode = async ({ method }) =>
      method === "getSignaturesForAddress" ? { jsonrpc: "2.0", id: 1, result: [] } : undefined;
    for (const nodes of [
      [blind, () => undefined],
      [() => undefined, blind],
    ] as const) {
      const { network } = await openPlayedCluster(test, nodes);
      const own = await openOwnAccount(test, network);
      const payment = await prepareSelfPaid(test, own, payee, { network });
      const signature = await sendByWallet(test, payment);
      await clock(200);
      test.needs.realClock.advance(200_000);
      await pass(network);
      expect(await read(payment, network)).toMatchObject({
        state: "payment_processed",
        transaction_signature: signature,
      });
    }
  });

  it("on a cluster nothing is canceled before 150 seconds, whatever a node says of its height", async () => {
    const { network } = await openPlayedCluster(test);
    const own = await openOwnAccount(test, network);
    const payment = await prepareSelfPaid(test, own, payee, { network });
    await clock(120);
    test.needs.realClock.advance(120_000);
    expect(await pass(network)).toBe(0);
    expect(await read(payment, network)).toMatchObject({ state: "awaiting_funds" });
    test.needs.realClock.advance(40_000);
    expect(await pass(network)).toBe(1);
    expect(await read(payment, network)).toMatchObject({ state: "canceled" });
  });
});

describe("the search", () => {
  it("resumes where it stopped, reads a bounded part at a time, and finds it behind what others have named", async () => {
    const others = 250;
    const payment = await prepareSelfPaid(test, account, payee);
    const signature = await sendByWallet(test, payment);
    for (let one = 0; one < others; one += 1) {
      const source = createNoopSigner(test.network.feePayer.address);
      const transfer = getTransferSolInstruction({ source, destination: account.address, amount: BigInt(one + 1) });
      const named = { address: account.settings, role: AccountRole.READONLY };
      await sendAs(test.network, [{ ...transfer, accounts: [...transfer.accounts, named] }], []);
    }
    await clock(150);
    let reads = 0;
    const network = bent(async ({ method, ask }) => {
      if (method === "getTransaction") reads += 1;
      return ask();
    });
    expect(await pass(network)).toBe(0);
    expect(reads).toBe(limits.messageReadsInOneSearch);
    expect(await read(payment)).toMatchObject({ state: "awaiting_funds" });
    expect(await pass(network)).toBe(1);
    expect(reads).toBeLessThanOrEqual(others + 10);
    expect(await read(payment)).toMatchObject({ state: "payment_processed", transaction_signature: signature });
  });

  it("is made by one of two processes, and what a third began and left is brought to its end", async () => {
    const payments = await Promise.all([1, 2, 3, 4].map(() => prepareSelfPaid(test, account, payee)));
    for (const payment of payments.slice(0, 2)) await sendByWallet(test, payment);
    await clock(120);
    const isBroken = { after: 1 };
    const dying = bent(async ({ method, ask }) => {
      if (method === "getSignaturesForAddress" && isBroken.after-- <= 0) throw new Error("the process is gone");
      return ask();
    });
    const begun = await pass(dying);
    expect(begun).toBeLessThan(payments.length);
    await clock(limits.selfPaidSearchEveryMs / 1000);
    const [one, other] = await Promise.all([pass(), pass()]);
    expect(begun + one + other).toBe(payments.length);
    for (const [i, payment] of payments.entries()) {
      const states = (await eventsOf(payment)).map(({ state }) => state);
      expect(states).toEqual(i < 2 ? ["payment_submitted", "payment_processed"] : ["canceled"]);
    }
  });

  it("has nothing to do for payments that the service's key has to sign", async () => {
    const { rows } =
      await sql`select from payment_intent where attempt_at is not null and open_until_height is null`.execute(
        test.needs.db,
      );
    expect(rows).toEqual([]);
    expect(addressOfKey(account.key)).not.toBe(test.network.feePayer.address);
  });
});

const read = ({ id, account: { address, caller } }: SelfPaidPayment, network = test.network) =>
  test.call<PaymentIntent>(getPaymentIntent, { params: { address, id }, network, caller });

const submit = ({ wire, account: { address, caller } }: SelfPaidPayment, network = test.network) =>
  test.call<{ transaction_signature: string }>(submitTransactions, {
    params: { address },
    body: { transaction: wire, kms_payloads: [] },
    network,
    caller,
  });

const clock = (seconds: number) => test.network.sandbox?.advanceClock(seconds);

const pass = async (network: Network = test.network) => {
  await cancelOverdueIntents(test.needs.db, network);
  return searchSelfPaid(test.needs, network);
};

const list = (state: string) =>
  test.call<PaymentIntent[]>(listPaymentIntents, { params: { address: account.address }, query: { state: [state] } });

const held = async () => (await test.network.rpc.getBalance(payee as never).send()).value;

const alarms = () => test.logLines.filter(({ fields }) => "event" in fields && fields.event === "payment_unproven");

/** What its events report, by the state that it came from. */
const eventsOf = async ({ id }: SelfPaidPayment) => {
  const { rows } = await sql<{ data: string; previous_status: string }>`select data, previous_status from event
    where object_id = ${id} and type = 'payment_intent.updated' order by previous_status`.execute(test.needs.db);
  return rows.map(({ data, previous_status: from }) => ({ from, ...(JSON.parse(data) as PaymentIntent) }));
};

/** The same chain behind a node that answers as `bend` says, also where it is asked for proofs. */
const bent = (bend: Parameters<typeof bendNetwork>[1]): Network => {
  const network = bendNetwork(test.network, bend);
  const { rpc, clock: time } = network;
  return { ...network, judgeUnseen: judgeByOneNode(rpc, time), listLanded: listByOneNode(rpc, time) };
};
