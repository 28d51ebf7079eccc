import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { afterEach, describe, expect, it } from "vitest";
import { type Answered, apiPath, dataOf, expectError, type Holder, makeKey, stamp } from "../adversarial/support.js";
import { use, useTestService } from "../support/scene.js";
import type { TestService } from "../support/test-service.js";

/** The service over a node that lags, and over forks that are left: it reaches the true outcome, and one only (gap 126). */

const trellis = useTestService();
const ada = use(() => trellis.openHolder({ sol: "1000000000000" }));
afterEach(() => trellis.client.sandbox.setFaults({}));
const amount = 10_000_000n;

describe("a payment of the client library", () => {
  for (const [name, faults] of Object.entries({
    "lands on a fork first": { fork: 1 },
    "is seen later than it lands": { lag: 4 },
    "meets all of it": { lag: 4, fork: 1, drop: 1 },
  })) {
    it(`is made once though it ${name}, and is in every answer then`, async () => {
      await setFaults(faults);
      const payee = makeKey().address;
      const { client } = trellis;
      const sent = await client.transfers.send({
        account: ada.address,
        session: ada.session,
        currency: "sol",
        destination: payee,
        amount,
      });
      expect(await signaturesOf(payee)).toEqual([sent.signature]);
      expect(await trellis.lamportsOf(payee)).toBe(amount);
      const { items } = await client.history.transactionsPage(ada.address, { limit: 1 });
      expect(items).toMatchObject([{ signature: sent.signature }]);
      await setFaults({});
      expect(await signaturesOf(payee)).toEqual([sent.signature]);
      expect(await trellis.lamportsOf(payee)).toBe(amount);
    }, 120_000);
  }

  it("is one however many submit it at the same time", async () => {
    await setFaults({ lag: 4, fork: 1 });
    const { payee, body } = await newPayment();
    const answers = await Promise.all(Array.from({ length: 4 }, () => submit(body)));
    const signatures = answers.map((one) => dataOf<{ transaction_signature: string }>(one).transaction_signature);
    expect(new Set(signatures).size).toBe(1);
    await setFaults({});
    expect(await signaturesOf(payee)).toEqual([signatures[0]]);
    expect(await trellis.lamportsOf(payee)).toBe(amount);
  }, 120_000);
});

describe("an account by e-mail", () => {
  it("is made once over a node that lags, and over a fork", async () => {
    const ofProgram = () => rpc().getProgramAccounts(SMART_ACCOUNT_PROGRAM_ADDRESS, { encoding: "base64" }).send();
    const before = new Set((await ofProgram()).map(({ pubkey }) => pubkey));
    await setFaults({ lag: 3, fork: 1 });
    const grace = await trellis.openHolder();
    expect((await trellis.client.accounts.get(grace.address)).status).toBe("active");
    await setFaults({});
    const made = (await ofProgram()).map(({ pubkey }) => pubkey).filter((address) => !before.has(address));
    expect(made).toEqual([grace.settingsAddress]);
  }, 120_000);
});

describe("the service", () => {
  it("expires nothing that is confirmed beyond its node's slot", async () => {
    // From then on the node is 32 seconds behind, and what it knows the newest blockhash of may still be confirmed for 28.
    await setFaults({ lag: 80 });
    await pass(60);
    const { payee, body } = await newPayment();
    let answered: Answered | undefined;
    const answering = submit(body).then((known) => {
      answered = known;
    });
    await untilSent();
    // The chain is past the last block at which it could land; the node has not reached the one in which it did.
    await pass(30);
    while (answered === undefined) {
      await pass(1);
      await setImmediate();
    }
    await answering;
    const { transaction_signature } = dataOf<{ transaction_signature: string }>(answered as Answered);
    await setFaults({});
    expect(await signaturesOf(payee)).toEqual([transaction_signature]);
    expect(await trellis.lamportsOf(payee)).toBe(amount);
  }, 120_000);

  it("says that a payment has expired which only forks have held, and nothing has moved", async () => {
    await setFaults({ fork: 1_000_000 });
    const { payee, body } = await newPayment();
    let answered: Answered | undefined;
    const answering = submit(body).then((known) => {
      answered = known;
    });
    await untilSent();
    expect(answered).toBeUndefined();
    while (answered === undefined) {
      await pass(30);
      await setImmediate();
    }
    await answering;
    expectError(answered, 400, "blockhash_expired");
    await setFaults({});
    expect(await signaturesOf(payee)).toEqual([]);
    expect(await trellis.lamportsOf(payee)).toBe(0n);
    dataOf(await submit((await newPayment()).body));
  }, 120_000);

  it("says which of two payments failed that were both prepared before it knew of either", async () => {
    const grace = await trellis.openHolder({ sol: amount.toString() });
    const wanted = (amount * 7n) / 10n;
    await setFaults({ lag: 4 });
    const [first, second] = [await newPayment(grace, wanted), await newPayment(grace, wanted)];
    const answers = await Promise.all([submit(first.body, grace), submit(second.body, grace)]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses, JSON.stringify(answers.map(({ body }) => body))).toEqual([200, 400]);
    for (const answer of answers) if (answer.status === 400) expectError(answer, 400, "transaction_failed");
    await setFaults({});
    const held = [await trellis.lamportsOf(first.payee), await trellis.lamportsOf(second.payee)];
    expect(held).toEqual(answers.map(({ status }) => (status === 200 ? wanted : 0n)));
    expect(await trellis.lamportsOf(grace.address)).toBe(amount - wanted);
  }, 120_000);

  it("lists what others have paid in when its node has reached it, and never before its balance includes it", async () => {
    const stranger = makeKey();
    await trellis.client.sandbox.airdrop({ address: stranger.address, currency: "sol", amount: "1000000000" });
    await pass(1);
    const view = async () => {
      const balance = await trellis.lamportsOf(ada.address);
      const { items } = await trellis.client.history.transactionsPage(ada.address, { limit: 1 });
      return { balance, newest: items[0]?.signature };
    };
    const before = await view();
    await setFaults({ lag: 100 });
    const transfer = getTransferSolInstruction({
      source: createNoopSigner(stranger.address),
      destination: ada.address,
      amount,
    });
    const signature = await trellis.sendDirectly(stranger, [transfer]);
    expect(await view()).toEqual(before);
    // The list has been refreshed since it was confirmed: it must be refreshed again.
    await pass(60);
    expect(await view()).toEqual({ balance: before.balance + amount, newest: signature });
  }, 120_000);

  it("pays each due date of a standing order once, however late it sees that it has", async () => {
    const payee = makeKey().address;
    const daySeconds = 86_400;
    const { now } = await trellis.client.sandbox.advanceClock(1);
    const start = new Date(Date.parse(now) + daySeconds * 1000);
    const end = new Date(start.getTime() + 40 * daySeconds * 1000);
    const { client } = trellis;
    const order = { currency: "sol", amount, payee, frequency: "monthly", start, end } as const;
    const { id } = await client.standingOrders.create({ account: ada.address, session: ada.session, order });
    await setFaults({ lag: 3, fork: 1 });
    // Every due date is waited for, in one call.
    const moved = await trellis.request("POST", `${apiPath}/sandbox/clock/advance`, { seconds: 60 * daySeconds });
    expect(dataOf(moved)).toMatchObject({ standing_order_runs: { paid: 2, missed: 0, left: 0 } });
    const runs = await client.standingOrders.runs(ada.address, id);
    expect(runs.map(({ state }) => state)).toEqual(["paid", "paid"]);
    await setFaults({});
    expect(await trellis.lamportsOf(payee)).toBe(2n * amount);
    expect(new Set(await signaturesOf(payee))).toEqual(new Set(runs.map(({ signature }) => signature)));
  }, 240_000);

  it("answers with balances as its node knows them, and with the present ones when it lags no longer", async () => {
    const grace = await trellis.openHolder();
    const held = async () => (await trellis.client.accounts.balances(grace.address)).lamports;
    await setFaults({ lag: 150 });
    await trellis.client.sandbox.airdrop({ address: grace.address, currency: "sol", amount: "5000000" });
    expect(BigInt(await held())).toBe(0n);
    await setFaults({});
    expect(BigInt(await held())).toBe(5_000_000n);
  }, 120_000);
});

const setFaults = (faults: Parameters<TestService["client"]["sandbox"]["setFaults"]>[0]) =>
  trellis.client.sandbox.setFaults(faults);

const pass = (seconds: number) => trellis.client.sandbox.advanceClock(seconds);

const rpc = () => trellis.network.rpc;

const signaturesOf = async (address: ReturnType<typeof makeKey>["address"]) =>
  (await rpc().getSignaturesForAddress(address).send()).map(({ signature }) => signature);

/** A payment that is prepared and stamped. */
async function newPayment(from: Holder = ada, wanted = amount) {
  const payee = makeKey().address;
  const prepared = await trellis.preparePayment(from, { amount: wanted.toString(), currency: "sol", to: payee });
  return { payee, body: { transaction: prepared.transaction, kms_payloads: stamp(prepared, from.session) } };
}

const submit = (body: object, from = ada): Promise<Answered> =>
  trellis.request("POST", `${apiPath}/accounts/${from.address}/submit`, body, { "x-idempotency-key": randomUUID() });

/** Waits until the service has sent something of which it does not know what became. */
async function untilSent(): Promise<void> {
  for (;;) {
    const rows = await trellis.service.db.selectFrom("submission").select("id").where("state", "=", "sent").execute();
    if (rows.length > 0) return;
    await setImmediate();
  }
}
