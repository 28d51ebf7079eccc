import type { PartnerRef, Payout, RailsPartner, RailTransfer } from "@trellis/kernel/ports/rails.js";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { readEnvironment } from "../../src/adapters/metrics/read-database.js";
import { describeRefunds, describeSettlement } from "../../src/cli/rails-refunds.js";
import { deleteRailData } from "../../src/rails/delete-rail-data.js";
import { findFailedRefunds, settleFailedRefund } from "../../src/rails/failed-refunds.js";
import { wakePayoutAddresses } from "../../src/rails/payout-address-store.js";
import { payoutAddressKind } from "../../src/rails/payout-addresses.js";
import { openPayoutReason, sealOldPayouts } from "../../src/rails/payouts.js";
import { openReturnReason, readTransferRow, sealOldTransfers } from "../../src/rails/transfer-store.js";
import { transferKind } from "../../src/rails/transfers.js";
import { advanceClock } from "../../src/sandbox-controls/advance-clock.js";
import { moveSandboxTransfer } from "../../src/sandbox-controls/move-transfer.js";
import { createStandingOrder } from "../../src/standing-orders/create-standing-order.js";
import { getStandingOrder } from "../../src/standing-orders/get-standing-order.js";
import { listStandingOrderRuns } from "../../src/standing-orders/list-runs.js";
import { resumeStandingOrder } from "../../src/standing-orders/resume-standing-order.js";
import { use, useTestNetwork } from "../support/scene.js";
import { postgresUrl } from "../support/test-database.js";
import { errorOf } from "../support/test-network.js";
import {
  addBank,
  bent,
  held,
  openApproved,
  type PreparedBankIntent,
  payBank,
  railsOf,
  readIntent,
  settle,
  submitBank,
  usAccount,
} from "./transfers-support.js";

let bank: string;
const test = useTestNetwork();
const holder = use(() => openApproved(test, "returns@example.org"));
beforeAll(async () => {
  bank = (await addBank(test, holder.address)).id;
}, 60_000);

describe("what is returned, and cannot be given back", () => {
  it("is in error for every reader, alarmed once, and refunded when that is done after all", async () => {
    const { id, ...prepared } = await payBank(test, holder.address, bank, "2000000");
    await submitBank(test, holder, { id, ...prepared });
    await settle(test);
    const refresh = async (change: Partial<RailTransfer>) => {
      const liar = bent(test, (partner) => ({
        readTransfer: async (ref, signal) => {
          const reported = await partner.readTransfer(ref, signal);
          return reported.ok ? { ok: true, value: { ...reported.value, ...change } } : reported;
        },
      }));
      await transferKind.poll({ ...test.needs, ...liar }, test.network, liar.rails.get("sandbox") as never, id);
      return readIntent(test, holder.address, id);
    };
    const before = alarms().length;
    expect(await refresh({ state: "error" })).toMatchObject({ state: "payment_processed" });
    expect(
      await refresh({ state: "returned", returned: { reason: "Ada Lovelace's account is closed" } }),
    ).toMatchObject({
      state: "returned",
    });
    expect((await errorOf(test.call(deleteRailData, { params: { address: holder.address } }))).code).toBe(
      "money_on_its_way",
    );
    expect(await failed()).toBe(0);
    for (const _ of [1, 2]) {
      expect(await refresh({ state: "error" })).toMatchObject({
        state: "error",
        return_details: { reason: "Ada Lovelace's account is closed" },
        error: { code: "partner_refused", message: expect.stringContaining("could not give it back") },
      });
    }
    expect(await refresh({ state: "returned", returned: { reason: "again" } })).toMatchObject({ state: "error" });
    expect(alarms()).toHaveLength(before + 1);
    expect(await failed()).toBe(1);
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      previous_status: "returned",
      state: "error",
      error: (await readIntent(test, holder.address, id)).error,
    });
    // The operator settles it within thirty days: it is still read.
    expect((await readTransferRow(test.needs.db, id))?.look_at).not.toBeNull();
    expect(await refresh({ state: "refunded" })).toMatchObject({ state: "refunded" });
    expect(await failed()).toBe(0);
    expect(alarms()).toHaveLength(before + 1);
  });

  it("is so at the simulated partner, too", async () => {
    const prepared = await payBank(test, holder.address, bank, "2000000");
    await submitBank(test, holder, prepared);
    await settle(test);
    const to = (state: string) => test.call(moveSandboxTransfer, { params: { id: prepared.id }, body: { state } });
    await to("returned");
    expect(await to("error")).toMatchObject({ state: "error" });
    expect(await failed()).toBe(1);
  });

  it("is so for a payment of a standing order, whatever was seen of it between", async () => {
    const order = await begin("5000000");
    await move(60);
    expect(await runsOf(order.id)).toMatchObject([{ payout: { state: "payment_processed" } }]);
    const [place] = await placesOf();
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
      await payoutAddressKind.poll({ ...test.needs, ...liar }, test.network, rails as never, place?.id ?? "");
      return (await runsOf(order.id))[0];
    };
    const before = [alarms().length, (await failed()) ?? 0] as const;
    expect(await refresh({ state: "error" })).toMatchObject({ payout: { state: "payment_processed" } });
    const reason = "GB29 NWBK 6016 1331 9268 19 is closed";
    expect(await refresh({ state: "error", returned: { reason } })).toMatchObject({
      state: "paid",
      payout: { state: "error", return_reason: reason },
    });
    expect(await refresh({ state: "error", returned: { reason } })).toMatchObject({ payout: { state: "error" } });
    expect(await refresh({ state: "returned", returned: { reason } })).toMatchObject({ payout: { state: "error" } });
    expect(alarms()).toHaveLength(before[0] + 1);
    expect(await failed()).toBe(before[1] + 1);
    const payout = await test.needs.db
      .selectFrom("rail_payout")
      .selectAll()
      .where("order_id", "=", order.id)
      .executeTakeFirstOrThrow();
    const events = await eventsOf(payout.id);
    expect(events.at(-1)).toMatchObject({ previous_status: "payment_processed", state: "error" });
    // Banks write names and numbers: they are nowhere in clear.
    expect(JSON.stringify([{ ...payout, due_at: 0, created_at: 0, updated_at: 0 }, events])).not.toContain("NWBK");
    expect(openPayoutReason(test.needs.keyring, payout)).toBe(reason);
    expect(await refresh({ state: "refunded" })).toMatchObject({
      payout: { state: "refunded", return_reason: reason },
    });
    expect(await failed()).toBe(before[1]);
  });
});

describe("an operator's word that a failed refund was seen to", () => {
  const settleIt = (id: string, note: string, by = "ops") =>
    settleFailedRefund(test.needs.db, id, { by, note }, test.needs.realClock.now());
  /** A payment that is stuck, as the partner says it. */
  const stuckPayment = async () => {
    const prepared = await payBank(test, holder.address, bank, "1500000");
    await submitBank(test, holder, prepared);
    await settle(test);
    for (const state of ["returned", "error"]) {
      await test.call(moveSandboxTransfer, { params: { id: prepared.id }, body: { state } });
    }
    return prepared.id;
  };

  it("takes it off the list and the figure, once, and moves nothing", async () => {
    const id = await stuckPayment();
    const before = (await failed()) ?? 0;
    const { refunds, isWhole } = await findFailedRefunds(test.needs.db, 1_000);
    expect(isWhole).toBe(true);
    const listed = refunds.find((one) => one.id === id);
    expect(listed).toMatchObject({
      kind: "payment",
      tenant_id: (await readTransferRow(test.needs.db, id))?.tenant_id,
      environment: "sandbox",
      partner: "sandbox",
      amount: "1.50",
      currency: "usdc",
    });
    expect(describeRefunds({ refunds, isWhole })).toContain(`${id}  payment  `);
    expect(describeRefunds({ refunds, isWhole })).not.toContain("more");
    const some = await findFailedRefunds(test.needs.db, refunds.filter(({ kind }) => kind === "payment").length - 1);
    expect(some.isWhole).toBe(false);
    expect(some.refunds.map((one) => one.id)).not.toContain(id);
    expect(describeRefunds({ refunds, isWhole: false })).toMatch(/they are listed once these are settled\.\n$/);
    const [was, events, row] = [
      await held(test, holder.address),
      await eventsOf(id),
      await readTransferRow(test.needs.db, id),
    ];

    const [one, other] = await Promise.all([settleIt(id, "paid by hand"), settleIt(id, "other words", "else")]);
    const first = one?.isDone === true ? one : other;
    expect([one?.isDone, other?.isDone].sort()).toEqual([false, true]);
    expect([one?.acknowledged, other?.acknowledged]).toEqual([first?.acknowledged, first?.acknowledged]);
    const again = await settleIt(id, "third words");
    expect(again).toMatchObject({ isDone: false, state: "error", acknowledged: first?.acknowledged });
    expect(describeSettlement(id, "third words", again)).toEqual({
      text: expect.stringMatching(/was seen to before: .*Nothing was changed\.$/),
      isDone: false,
    });
    // An operator who repeats it, because the answer was not read, gets the answer that it stands.
    expect(describeSettlement(id, first?.acknowledged?.acknowledged_for ?? "", again).isDone).toBe(true);

    expect((await findFailedRefunds(test.needs.db, 1_000)).refunds.map((each) => each.id)).not.toContain(id);
    expect(await failed()).toBe(before - 1);
    expect(await held(test, holder.address)).toBe(was);
    expect(await eventsOf(id)).toEqual(events);
    expect(await readTransferRow(test.needs.db, id)).toMatchObject({
      state: row?.state,
      look_at: row?.look_at,
      version: row?.version,
      updated_at: row?.updated_at,
    });
    // It is still followed, and given back when the partner does it after all.
    const giving = bent(test, (partner) => ({
      readTransfer: async (ref, signal) => {
        const reported = await partner.readTransfer(ref, signal);
        return reported.ok ? { ok: true, value: { ...reported.value, state: "refunded" } } : reported;
      },
    }));
    await transferKind.poll({ ...test.needs, ...giving }, test.network, giving.rails.get("sandbox") as never, id);
    expect(await readIntent(test, holder.address, id)).toMatchObject({ state: "refunded" });
    expect(await settleIt(id, "too late")).toMatchObject({ isDone: false, state: "refunded" });
  });

  it("is kept for what failed long ago, and until then it is counted, however old it is", async () => {
    const id = await stuckPayment();
    const before = (await failed()) ?? 0;
    await sql`update rail_transfer set updated_at = 1 where id = ${id}`.execute(test.needs.db);
    expect(await failed()).toBe(before);
    expect((await findFailedRefunds(test.needs.db, 1_000)).refunds[0]).toMatchObject({ id, since: 1n });
    await settleIt(id, "written off");
    expect(await failed()).toBe(before - 1);
  });

  it("is refused where nothing has failed, or there is nothing", async () => {
    const prepared = await payBank(test, holder.address, bank, "1000000");
    expect(await settleIt(prepared.id, "x")).toEqual({ state: "awaiting_funds", acknowledged: null, isDone: false });
    expect(await settleIt("no such id", "x")).toBeUndefined();
    expect(describeSettlement("no such id", "x", undefined).isDone).toBe(false);
  });

  it("is the same for a payout of a standing order", async () => {
    const { db } = test.needs;
    const order = await begin("5000000");
    await move(60);
    const stuckOnes = async () => (await findFailedRefunds(db, 1_000)).refunds.filter(({ kind }) => kind === "payout");
    expect(await stuckOnes()).toEqual([]);
    const { rows } = await sql<{ id: string; partner_ref: string }>`
      update rail_payout set state = 'error', return_reason = 'closed' where order_id = ${order.id}
      returning id, partner_ref`.execute(db);
    const [payout] = rows;
    expect(await stuckOnes()).toMatchObject([
      { id: payout?.id, partner: "sandbox", partner_ref: payout?.partner_ref, amount: "5.00", currency: "usdc" },
    ]);
    const [before, events] = [(await failed()) ?? 0, await eventsOf(payout?.id ?? "")];
    expect(await settleIt(payout?.id ?? "", "seen")).toMatchObject({
      isDone: true,
      acknowledged: { acknowledged_by: "ops" },
    });
    expect(await stuckOnes()).toEqual([]);
    expect(await failed()).toBe(before - 1);
    expect(await eventsOf(payout?.id ?? "")).toEqual(events);
  });
});

it("what earlier releases kept of a bank's reasons in clear is sealed, and read until then", async () => {
  const { db, keyring } = test.needs;
  await sql`update rail_payout set return_reason = 'old words', sealed_return_reason = null`.execute(db);
  const { rows } = await sql<{ id: string }>`update rail_transfer set return_reason = 'old words',
    sealed_return_reason = null where id = (select min(id) from rail_transfer) returning id`.execute(db);
  const id = rows[0]?.id ?? "";
  expect(await readIntent(test, holder.address, id)).toMatchObject({ return_details: { reason: "old words" } });
  const payouts = await db.selectFrom("rail_payout").selectAll().execute();
  expect(payouts.map((row) => openPayoutReason(keyring, row))).toEqual(payouts.map(() => "old words"));
  expect(await sealOldTransfers(test.needs)).toBe(1);
  expect(await sealOldPayouts(test.needs)).toBe(payouts.length);
  const row = await readTransferRow(db, id);
  expect(row?.return_reason).toBeNull();
  expect(row && openReturnReason(keyring, row)).toBe("old words");
  for (const after of await db.selectFrom("rail_payout").selectAll().execute()) {
    expect(after.return_reason).toBeNull();
    expect(openPayoutReason(keyring, after)).toBe("old words");
  }
  expect([await sealOldTransfers(test.needs), await sealOldPayouts(test.needs)]).toEqual([0, 0]);
});

it("webhooks of a payment that arrive during a read of its address are not lost", async () => {
  await settle(test);
  const { db, realClock } = test.needs;
  const [place] = await placesOf();
  const id = place?.id ?? "";
  const refreshAt = async () => (await placesOf()).find((one) => one.id === id)?.look_at;
  const refreshDuring = async (happens: () => Promise<void>) => {
    const busy = bent(test, (partner) => ({
      listPayouts: async (request, signal) => {
        const reported = await partner.listPayouts(request, signal);
        await happens();
        return reported;
      },
    }));
    const rails = busy.rails.get("sandbox");
    await payoutAddressKind.poll({ ...test.needs, ...busy }, test.network, rails as never, id);
  };
  await sql`update rail_payout_address set look_at = ${realClock.now() + 60_000}::int8 where id = ${id}`.execute(db);
  await refreshDuring(async () => {});
  expect(await refreshAt()).toBeGreaterThan(BigInt(realClock.now()));
  // Before a read as well as during it, so that only the count of the webhooks differs.
  await wakePayoutAddresses(db, [id]);
  await refreshDuring(() => wakePayoutAddresses(db, [id]));
  expect(await refreshAt()).toBe(0n);
  // Two reads, and the later one has seen what the earlier one has not.
  const soon = BigInt(realClock.now() + 1_000);
  await refreshDuring(async () => {
    await refreshDuring(async () => {});
    await sql`update rail_payout_address set look_at = ${soon}::int8 where id = ${id}`.execute(db);
  });
  expect(await refreshAt()).toBe(soon);
});

describe("an address that its partner has closed", () => {
  const openings = (partner: RailsPartner, change: (reported: object) => object, seen: string[]) => ({
    openPayoutAddress: async (request: Parameters<RailsPartner["openPayoutAddress"]>[0]) => {
      seen.push(request.idempotencyKey);
      const reported = await partner.openPayoutAddress(request);
      return reported.ok ? { ok: true as const, value: { ...reported.value, ...change(reported.value) } } : reported;
    },
  });

  it("is replaced for new orders by another one, once, and only by one that takes coins", async () => {
    const order = await begin("3000000");
    await move(60);
    const [first] = await placesOf();
    await railsOf(test).simulator?.closePayoutAddress(first?.partner_ref as PartnerRef);
    await settle(test);
    expect(await readOrder(order.id)).toMatchObject({ status: "inactive", reason: "payout_address_deactivated" });

    // One whose state is not known, and the closed one itself, are not paid.
    const seen: string[] = [];
    const closed = bent(test, (partner) => openings(partner, () => ({ address: first?.address }), seen));
    expect(await errorOf(prepareOrder("4000000", closed))).toMatchObject({ code: "partner_refused" });
    expect(await placesOf()).toHaveLength(1);
    const unknown = bent(test, (partner) => openings(partner, () => ({ status: "deactivated" }), seen));
    const stillUnknown = {
      ...unknown,
      rails: new Map([
        [
          "sandbox" as const,
          {
            ...railsOf(test),
            partner: {
              ...(unknown.rails.get("sandbox")?.partner as RailsPartner),
              readPayoutAddress: async (
                request: Parameters<RailsPartner["readPayoutAddress"]>[0],
                signal: AbortSignal,
              ) => {
                const reported = await railsOf(test).partner.readPayoutAddress(request, signal);
                return reported.ok
                  ? { ok: true as const, value: { ...reported.value, status: "deactivated" as const } }
                  : reported;
              },
            },
          },
        ],
      ]),
    };
    for (const _ of [1, 2, 3]) {
      expect(await errorOf(prepareOrder("4000000", stillUnknown))).toMatchObject({ code: "partner_refused" });
    }
    expect(await placesOf()).toHaveLength(2);
    expect(seen).toHaveLength(2);

    // It takes coins now, and every new order has the one.
    const before = await held(test, holder.address);
    const [one, other] = [await prepareOrder("4000000"), await prepareOrder("6000000")];
    const [old, present] = await placesOf();
    expect(old).toMatchObject({ id: first?.id, status: "deactivated" });
    expect(old?.retired_at).not.toBeNull();
    expect(present).toMatchObject({ status: "activated", retired_at: null });
    expect(one.destination.address).toBe(present?.address);
    expect(other.destination.address).toBe(present?.address);
    expect(one.destination.address).not.toBe(order.destination.address);
    await submitBank(test, holder, one);
    await move(60);
    expect(before - (await held(test, holder.address))).toBe(4_000_000n);
    expect(await runsOf(one.id)).toMatchObject([{ state: "paid", payout: { state: "payment_processed" } }]);
    // The order of the closed one stays with it, and what was paid there is known.
    expect(await runsOf(order.id)).toMatchObject([{ payout: { state: "payment_processed" } }]);
    const resuming = test.call(resumeStandingOrder, { params: { address: holder.address, id: order.id }, body: {} });
    expect(await errorOf(resuming)).toMatchObject({ code: "partner_refused" });
  });
});

// The embedded database has one connection, and no other session to wait for.
it.runIf(postgresUrl !== undefined)(
  "a revoked approval waits for no payment that itself waits for the approval",
  async () => {
    const { db } = test.needs;
    const number = { ...usAccount.account, account_number: "987654321" };
    const other = (await addBank(test, holder.address, { ...usAccount, account: number })).id;
    const orders = [await begin("1000000"), await begin("1000000", other)].map(({ id }) => id).sort();
    const places = (await placesOf())
      .filter(({ status }) => status === "activated")
      .map(({ id }) => id)
      .sort();
    expect(places).toHaveLength(2);
    // By their addresses they are in the other order than by their ids.
    for (const [at, id] of orders.entries()) {
      const payout_address_id = places[1 - at] ?? null;
      await db.updateTable("standing_order").set({ payout_address_id }).where("id", "=", id).execute();
    }
    const payer = await db.startTransaction().execute();
    const hold = (id: string | undefined) =>
      payer
        .selectFrom("standing_order")
        .select("id")
        .where("id", "=", id ?? "")
        .forUpdate()
        .execute();
    await hold(orders[0]);
    // In a transaction, because what stands for itself is made anew when the server ends a deadlock by it.
    const claimed = db
      .transaction()
      .execute((trx) =>
        trx
          .updateTable("rail_verification")
          .set({ status: "rejected" })
          .where("account_address", "=", holder.address)
          .execute(),
      );
    for (let waiting = 0; waiting === 0; ) {
      const { rows } = await sql<{ n: number }>`select count(*)::int4 as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      waiting = rows[0]?.n ?? 0;
    }
    await hold(orders[1]);
    await payer.commit().execute();
    await claimed;
    for (const id of orders) expect(await readOrder(id)).toMatchObject({ status: "inactive", reason: "kyc_required" });
  },
);

interface Order extends PreparedBankIntent {
  readonly status: string;
  readonly reason?: string;
}

interface Run {
  readonly state: string;
  readonly payout: { readonly state: string; readonly return_reason: string | null } | null;
}

const prepareOrder = (amount: string, needs: object = {}, to = bank) =>
  test.call<Order>(createStandingOrder, {
    params: { address: holder.address },
    body: {
      amount,
      frequency: "daily",
      source: { account: holder.address, currency: "usdc" },
      destination: { payment_rail: "ach_push", currency: "usd", external_account_id: to },
    },
    needs,
  });

async function begin(amount: string, to = bank): Promise<Order> {
  const prepared = await prepareOrder(amount, {}, to);
  await submitBank(test, holder, prepared);
  return prepared;
}

const readOrder = (id: string) => test.call<Order>(getStandingOrder, { params: { address: holder.address, id } });

const runsOf = (id: string) =>
  test.call<Run[]>(listStandingOrderRuns, { params: { address: holder.address, id }, query: { limit: 100 } });

const move = async (seconds: number) => {
  test.needs.realClock.advance(1000);
  await test.call(advanceClock, { body: { seconds } });
};

const eventsOf = async (id: string) =>
  (
    await test.needs.db
      .selectFrom("event")
      .select(["data", "previous_status"])
      .where("object_id", "=", id)
      .orderBy("sequence")
      .execute()
  ).map(({ data, previous_status }) => ({ previous_status, ...(JSON.parse(data) as Record<string, unknown>) }));

const alarms = () =>
  test.logLines.filter(({ level, message }) => level === "error" && message.includes("could not give it back"));

const failed = async () =>
  (await readEnvironment(test.needs.db, test.network, test.needs.realClock)).find(
    ({ name }) => name === "trellis_rail_refunds_failed",
  )?.value;

const placesOf = () =>
  test.needs.db
    .selectFrom("rail_payout_address")
    .selectAll()
    .where("account_address", "=", holder.address)
    .orderBy("created_at")
    .execute();
