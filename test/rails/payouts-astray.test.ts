import type { Payout } from "@trellis/kernel/ports/rails.js";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readEnvironment } from "../../src/adapters/metrics/read-database.js";
import { findFailedRefunds, settleFailedRefund } from "../../src/rails/failed-refunds.js";
import { payoutAddressKind } from "../../src/rails/payout-addresses.js";
import { arePayoutsMoving } from "../../src/rails/payouts.js";
import { advanceClock } from "../../src/sandbox-controls/advance-clock.js";
import { createStandingOrder } from "../../src/standing-orders/create-standing-order.js";
import { listStandingOrderRuns } from "../../src/standing-orders/list-runs.js";
import { type HeldAccount, openTestNetwork, type TestNetwork } from "../support/test-network.js";
import { addBank, bent, openApproved, type PreparedBankIntent, submitBank, usAccount } from "./transfers-support.js";

const daySeconds = 86_400;

let test: TestNetwork;
let holder: HeldAccount;
let address: string;
let people = 0;
beforeAll(async () => {
  test = await openTestNetwork();
});
afterAll(() => test?.close());
beforeEach(async () => {
  people += 1;
  holder = await openApproved(test, `astray-${people}@example.org`);
  address = holder.address;
  test.logLines.length = 0;
});

it.each(["canceled", "error"] as const)(
  "a payout that its partner ends as %s is alarmed once, until it moves on",
  async (state) => {
    const { look: refresh, place } = await payOnce();
    expect(await refresh({ state })).toMatchObject({ state: "paid", payout: { state } });
    expect(await refresh({ state })).toMatchObject({ payout: { state } });
    expect(alarms()).toEqual(["error"]);
    expect(await gauge()).toBe(1);
    expect(await listed()).toMatchObject([{ kind: "payout", why: "astray", partner: "sandbox", currency: "usdc" }]);
    const now = () => test.network.clock.now();
    expect(await arePayoutsMoving(test.needs.db, place, now())).toBe(true);
    expect(await refresh({ state: "funds_received" })).toMatchObject({ payout: { state: "funds_received" } });
    expect(await gauge()).toBe(0);
    expect(await refresh({ state: "payment_processed" })).toMatchObject({ payout: { state: "payment_processed" } });
    expect(await listed()).toEqual([]);
    expect(await arePayoutsMoving(test.needs.db, place, now())).toBe(false);
  },
);

it("a payout that a bank gave back, and the partner cannot, is a failed refund and nothing else", async () => {
  const { look: refresh } = await payOnce();
  expect(await refresh({ state: "error" })).toMatchObject({ payout: { state: "error" } });
  expect(await gauge()).toBe(1);
  expect(await refresh({ state: "error", returned: { reason: "closed" } })).toMatchObject({
    payout: { state: "error" },
  });
  expect(await gauge()).toBe(0);
  expect(alarms()).toHaveLength(1);
  await refresh({ state: "refunded" });
});

it("a payout that no bank takes is alarmed after thirty days", async () => {
  const { look: refresh } = await payOnce();
  await refresh({ state: "undeliverable" });
  await advance(29 * daySeconds);
  await refresh({ state: "undeliverable" });
  expect(alarms()).toEqual([]);
  await test.network.sandbox?.advanceClock(2 * daySeconds);
  await refresh({ state: "undeliverable" });
  await refresh({ state: "undeliverable" });
  expect(alarms()).toEqual(["error"]);
  expect(await gauge()).toBe(1);
  await refresh({ state: "refunded" });
  expect(await gauge()).toBe(0);
});

it("an operator settles it", async () => {
  const { look: refresh } = await payOnce();
  await refresh({ state: "canceled" });
  const [one] = await listed();
  const word = { by: "ops", note: "the partner sends it back" };
  expect(await settleFailedRefund(test.needs.db, one?.id ?? "", word, test.needs.realClock.now())).toMatchObject({
    isDone: true,
    state: "canceled",
  });
  expect([await gauge(), await listed()]).toEqual([0, []]);
  // What goes wrong afterwards is to be seen to anew.
  await refresh({ state: "funds_received" });
  await refresh({ state: "canceled" });
  expect(await gauge()).toBe(1);
  expect(await listed()).toHaveLength(1);
  expect(alarms()).toHaveLength(2);
});

const advance = async (seconds: number) => {
  test.needs.realClock.advance(1000);
  await test.call(advanceClock, { body: { seconds } });
};

/** An order that has paid once, of whose payment its partner has reported nothing yet. */
async function payOnce() {
  const bank = await addBank(test, address, { ...usAccount, account_owner_name: `Ada ${people}` });
  const prepared = await test.call<PreparedBankIntent>(createStandingOrder, {
    params: { address },
    body: {
      amount: "5000000",
      frequency: "monthly",
      source: { account: address, currency: "usdc" },
      destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank.id },
    },
  });
  await submitBank(test, holder, prepared);
  await advance(60);
  const { rows } = await sql<{ payout_address_id: string }>`delete from rail_payout where order_id = ${prepared.id}
    returning payout_address_id`.execute(test.needs.db);
  const place = rows[0]?.payout_address_id ?? "";
  const refresh = async (change: Partial<Payout>) => {
    const liar = bent(test, (partner) => ({
      listPayouts: async (request, signal) => {
        const reported = await partner.listPayouts(request, signal);
        if (!reported.ok) return reported;
        const payouts = reported.value.payouts.map((one) => ({ ...one, ...change }));
        return { ok: true, value: { ...reported.value, payouts } };
      },
    }));
    const rails = liar.rails.get("sandbox");
    await payoutAddressKind.poll({ ...test.needs, ...liar }, test.network, rails as never, place);
    const [run] = await test.call<{ state: string; payout: { state: string } | null }[]>(listStandingOrderRuns, {
      params: { address, id: prepared.id },
    });
    return run;
  };
  return { place, look: refresh, id: prepared.id };
}

const alarms = () =>
  test.logLines
    .filter(({ fields }) => "event" in fields && fields.event === "rail_coins_astray")
    .map(({ level }) => level);

const gauge = async () =>
  (await readEnvironment(test.needs.db, test.network, test.needs.realClock)).find(
    ({ name }) => name === "trellis_rail_coins_astray",
  )?.value;

const listed = async () =>
  (await findFailedRefunds(test.needs.db, 1_000)).refunds.filter(
    ({ kind, why }) => kind === "payout" && why === "astray",
  );
