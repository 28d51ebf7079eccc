import { limits } from "@trellis/kernel/limits.js";
import type { PartnerAnswer, PartnerRef, RailsPartner, Refusal } from "@trellis/kernel/ports/rails.js";
import { beforeAll, expect, it } from "vitest";
import type { PaymentIntent } from "../../src/payments/payment-intent.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { deleteRailData } from "../../src/rails/delete-rail-data.js";
import { followRails } from "../../src/rails/follow-rails.js";
import { findPayment } from "../../src/rails/pay-in-credit.js";
import { getExternalAccount } from "../../src/rails/read-external-accounts.js";
import { removeExternalAccount } from "../../src/rails/remove-external-account.js";
import { requestVirtualAccount } from "../../src/rails/request-virtual-account.js";
import { readTransferRow } from "../../src/rails/transfer-store.js";
import { moveSandboxTransfer } from "../../src/sandbox-controls/move-transfer.js";
import { useTestNetwork } from "../support/scene.js";
import { errorOf } from "../support/test-network.js";
import { addBank, bent, held, openApproved, railsOf, readIntent, settle } from "./transfers-support.js";

/** The end of what is not paid, refuses for good or can be paid (gap 112). */
let address: string;
const test = useTestNetwork();
beforeAll(async () => {
  address = await open();
}, 60_000);

it("an unpaid payment from a bank is canceled at the partner in time, and its personal data is deleted", async () => {
  const payee = await open();
  const intent = await payIn(payee);
  expect(Date.parse(intent.expires_at ?? "") - Date.parse(intent.created_at)).toBeLessThanOrEqual(
    limits.payInOpenForMs,
  );
  await test.network.sandbox?.advanceClock(limits.payInOpenForMs / 1000 - 3_600);
  await settle(test);
  expect(await readIntent(test, payee, intent.id)).toMatchObject({ state: "awaiting_funds" });
  expect((await errorOf(forget(payee))).code).toBe("money_on_its_way");

  await test.network.sandbox?.advanceClock(3_601);
  await settle(test);
  const view = await readIntent(test, payee, intent.id);
  expect(view).toMatchObject({ state: "canceled", error: { code: "payload_expired" } });
  expect(view).not.toHaveProperty("expires_at");
  expect((await eventsOf(intent.id)).at(-1)).toMatchObject({
    type: "payment_intent.updated",
    state: "canceled",
    error: { code: "payload_expired" },
  });
  const theirs = await test.needs.db
    .selectFrom("simulated_transfer")
    .select("state")
    .where("client_reference", "=", intent.id)
    .execute();
  expect(theirs).toEqual([{ state: "canceled" }]);
  expect(await forget(payee)).toMatchObject({ deleted: true });
});

it("money that arrives after that is credited or sent back, and late webhooks undo nothing", async () => {
  const [credited, sentBack] = [await payIn(), await payIn()];
  await expire();
  const saying =
    (id: string, reported: object) =>
    (partner: RailsPartner): Partial<RailsPartner> => ({
      readTransfer: async (ref, signal) => {
        const answer = await partner.readTransfer(ref, signal);
        return answer.ok && answer.value.clientReference === id
          ? { ok: true, value: { ...answer.value, ...reported } }
          : answer;
      },
    });
  const stateOf = async ({ id }: PaymentIntent) => (await readIntent(test, address, id)).state;
  expect([await stateOf(credited), await stateOf(sentBack)]).toEqual(["canceled", "canceled"]);
  await follow(saying(credited.id, { state: "awaiting_funds" }));
  expect(await stateOf(credited)).toBe("canceled");
  // It is canceled once more.
  await follow();
  await follow(saying(credited.id, { state: "funds_received" }));
  expect(await stateOf(credited)).toBe("funds_received");
  expect((await errorOf(forget(address))).code).toBe("money_on_its_way");
  const destination_tx_hash = await pay(25_000_000n, "late money");
  await follow(saying(credited.id, { state: "payment_processed", receipt: { destination_tx_hash } }));
  expect(await readIntent(test, address, credited.id)).toMatchObject({
    state: "payment_processed",
    transaction_signature: destination_tx_hash,
  });
  await follow(saying(sentBack.id, { state: "refunded" }));
  expect(await stateOf(sentBack)).toBe("refunded");
});

it("the personal data of one that the partner will not cancel, or no longer knows, is deleted too", async () => {
  const payee = await open();
  const intent = await payIn(payee);
  await expire(() => ({ cancelTransfer: refuse("wrong_state") }));
  expect(await readIntent(test, payee, intent.id)).toMatchObject({ state: "awaiting_funds" });
  expect(await forget(payee)).toMatchObject({ deleted: true });

  const unknown = await payIn();
  await expire(() => ({ cancelTransfer: refuse("not_found"), readTransfer: refuse("not_found") }));
  expect(await readIntent(test, address, unknown.id)).toMatchObject({ state: "canceled" });
});

it("a bank account that the partner keeps for good does not keep the rest of the data", async () => {
  const payee = await open();
  const { id } = await addBank(test, payee);
  const removing = {
    params: { address: payee, id },
    needs: bent(test, () => ({ removeBankAccount: refuse("wrong_state") })),
  };
  expect((await errorOf(test.call(removeExternalAccount, removing))).code).toBe("partner_refused");
  // It takes part in nothing any more, and is asked about again.
  expect((await errorOf(test.call(getExternalAccount, removing))).code).toBe("external_account_not_found");
  await follow(() => ({ removeBankAccount: refuse("wrong_state") }));
  expect(await forget(payee)).toMatchObject({ deleted: true });
  expect((await eventsOf(id)).at(-1)).toMatchObject({ type: "external_account.deleted" });
});

it("a bank account that becomes unusable, or usable again, is reported with the change itself and once", async () => {
  const { id } = await addBank(test, address);
  const saying = (active: boolean) => (partner: RailsPartner) => ({
    readBankAccount: async (...asked: Parameters<RailsPartner["readBankAccount"]>) => {
      const answer = await partner.readBankAccount(...asked);
      return answer.ok ? { ok: true as const, value: { ...answer.value, active } } : answer;
    },
  });
  // It is not paid: it is read on request, and once it cannot be paid each day.
  await follow(saying(false));
  expect(await eventsOf(id)).toHaveLength(1);
  const read = () => test.call(getExternalAccount, { params: { address, id } });
  expect(await read()).toMatchObject({ active: true });
  await follow(saying(false));
  await follow(saying(false));
  await follow(saying(true));
  for (const reason of ["not_enabled", "not_found"] as const) {
    test.needs.realClock.advance(25 * 3_600_000);
    expect(await read()).toMatchObject({ active: true });
    await follow(() => ({ readBankAccount: refuse(reason) }));
  }
  expect((await eventsOf(id)).map((event) => [event.type, (event as { active?: unknown }).active])).toEqual([
    ["external_account.created", true],
    ["external_account.updated", false],
    ["external_account.updated", true],
    ["external_account.updated", false],
  ]);
  expect(await read()).toMatchObject({ active: false });
});

it("returned and unpaid payments are read for a while and not for ever", async () => {
  const [canceled, refunded] = [await payIn(), await payIn()];
  await test.call(moveSandboxTransfer, { params: { id: refunded.id }, body: { state: "refunded" } });
  await expire();
  expect(await readIntent(test, address, canceled.id)).toMatchObject({ state: "canceled" });
  expect(await readIntent(test, address, refunded.id)).toMatchObject({ state: "refunded" });
  const asked: string[] = [];
  const listening = (partner: RailsPartner): Partial<RailsPartner> => ({
    readTransfer: async (ref, signal) => {
      const answer = await partner.readTransfer(ref, signal);
      if (answer.ok) asked.push(answer.value.clientReference);
      return answer;
    },
  });
  await follow(listening);
  await follow(listening);
  expect(asked).toContain(canceled.id);
  expect(asked).toContain(refunded.id);
  test.needs.realClock.advance(31 * 86_400_000);
  // The last read of it.
  await follow(listening);
  asked.length = 0;
  for (let day = 0; day < 3; day += 1) await follow(listening);
  expect(asked.filter((id) => id === canceled.id || id === refunded.id)).toEqual([]);
});

it("play money that the chain keeps refusing is sent back after so many tries, and never when it was paid", async () => {
  const { simulator } = railsOf(test);
  await test.call(requestVirtualAccount, { params: { address }, body: { currency: "usd" } });
  const account = (await test.needs.db
    .selectFrom("rail_virtual_account")
    .select("partner_ref")
    .where("account_address", "=", address)
    .executeTakeFirstOrThrow()) as { partner_ref: PartnerRef };
  const pays = async (amount: string) => {
    const answer = await simulator?.deposit(account.partner_ref, amount);
    if (answer?.ok !== true) throw new Error("the bank takes it");
    return answer.value.ref;
  };
  const read = (ref: string) =>
    test.needs.db.selectFrom("simulated_deposit").selectAll().where("ref", "=", ref).executeTakeFirstOrThrow();

  // Paid, and the process that paid it died before it could say so, again and again.
  const before = await held(test, address);
  const paid = await pays("100.00");
  const signature = await pay(99_500_000n, `deposit ${paid}`);
  await test.needs.db
    .updateTable("simulated_deposit")
    .set({ tries: limits.simulatedPaymentTries })
    .where("ref", "=", paid)
    .execute();
  await settle(test);
  expect(await read(paid)).toMatchObject({ state: "processed", signature });
  expect((await held(test, address)) - before).toBe(99_500_000n);

  // No more of this coin can be made.
  const made = BigInt((await test.network.rpc.getTokenSupply(mintOf("usdc")).send()).value.amount);
  await pay(2n ** 64n - 1n - made, "all of it", test.network.feePayer.address);
  const [stuck, transfer] = [await pays("200.00"), await payIn()];
  await test.call(moveSandboxTransfer, { params: { id: transfer.id }, body: { state: "funds_received" } });
  const rests: bigint[] = [];
  await settle(test);
  for (let due = (await read(stuck)).due_at; due !== null; due = (await read(stuck)).due_at) {
    rests.push(due);
    await test.network.sandbox?.advanceClockTo(Number(due) + 60_000);
    await settle(test);
  }
  expect(rests).toHaveLength(limits.simulatedPaymentTries);
  expect(await read(stuck)).toMatchObject({ state: "refunded", signature: null, due_at: null });
  expect(await readIntent(test, address, transfer.id)).toMatchObject({ state: "refunded" });
  expect((await held(test, address)) - before).toBe(99_500_000n);
  const { rows } = await import("kysely").then(({ sql }) =>
    sql`select state from rail_deposit where partner_ref = ${stuck}`.execute(test.needs.db),
  );
  expect(rows).toEqual([{ state: "refunded" }]);
});

it("a payment whose amount the partner does not report is settled by what can be proven", async () => {
  const { id } = await payIn();
  const row = await readTransferRow(test.needs.db, id);
  if (row === undefined) throw new Error("it is recorded");
  // All of the play dollars are made: these are from a holder of them.
  const paid = async (units: bigint, coin: string, name: string) =>
    (await test.network.sandbox?.mintTo(address as never, mintOf(coin), units, name)) as string;
  const judge = async (change: object, destination_tx_hash: string, receipt: Record<string, string> = {}) =>
    (
      await findPayment(
        test.needs,
        test.network,
        { ...row, ...change },
        { receipt: { destination_tx_hash, ...receipt } },
      )
    )?.received;
  const euros = { coin: "eurc", mint: mintOf("eurc"), base_units: "25000000" };
  const one = await paid(24_000_000n, "eurc", "proven-1");
  // One for one: what was paid in, less the fees that the partner reports.
  expect(await judge({ ...euros, fiat: "eur" }, one)).toBeUndefined();
  expect(await judge({ ...euros, fiat: "eur" }, one, { developer_fee: "1.00" })).toBe(24_000_000n);
  expect(await judge({ ...euros, fiat: "eur" }, one, { developer_fee: "0.99" })).toBeUndefined();
  // At a rate that was not reported: what the chain has.
  expect(await judge({ ...euros, fiat: "mxn" }, one)).toBe(24_000_000n);
  expect(await judge({ ...euros, fiat: "mxn" }, one, { final_amount: "24.01" })).toBeUndefined();
  expect(await judge({ ...euros, fiat: "mxn", mint: mintOf("usdc") }, one)).toBeUndefined();
});

let people = 0;
async function open(): Promise<string> {
  people += 1;
  return (await openApproved(test, `ends-${people}@example.org`)).verified.address;
}

const payIn = (payee = address) =>
  test.call<PaymentIntent>(preparePayment, {
    params: { address: payee },
    body: { amount: "25.00", source: { payment_rail: "wire", currency: "usd" }, destination: { currency: "usdc" } },
  });

const forget = (whose: string) => test.call<{ deleted: boolean }>(deleteRailData, { params: { address: whose } });

const refuse = (reason: Refusal["reason"]) => async (): Promise<PartnerAnswer<never>> => ({
  ok: false,
  refused: { reason, forOperator: "no" },
});

/** Lets the time of pay-ins run out, and the pass follow, with a partner that is bent. */
async function expire(bend: (partner: RailsPartner) => Partial<RailsPartner> = () => ({})): Promise<void> {
  await test.network.sandbox?.advanceClock(limits.payInOpenForMs / 1000 + 1);
  await follow(bend);
}

async function follow(bend: (partner: RailsPartner) => Partial<RailsPartner> = () => ({})): Promise<void> {
  test.needs.realClock.advance(25 * 3_600_000);
  await followRails({ ...test.needs, ...bent(test, bend) }, test.network);
}

const eventsOf = async (id: string) =>
  (
    await test.needs.db
      .selectFrom("event")
      .select(["type", "data"])
      .where("object_id", "=", id)
      .orderBy("sequence")
      .execute()
  ).map(({ type, data }) => ({ type, ...(JSON.parse(data) as Record<string, unknown>) }));

const mintOf = (coin: string) => {
  const mint = test.network.currencies.find(({ symbol }) => symbol === coin)?.mint;
  if (mint == null) throw new Error(`the sandbox has ${coin}`);
  return mint;
};

async function pay(units: bigint, name: string, payee = address): Promise<string> {
  return (await test.network.sandbox?.mintTo(payee as never, mintOf("usdc"), units, name)) as string;
}
