import type { Address } from "@solana/kit";
import { decodeSpendingLimit } from "@trellis/program-client";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { deleteRailData } from "../../src/rails/delete-rail-data.js";
import { listExternalAccounts } from "../../src/rails/read-external-accounts.js";
import { removeExternalAccount } from "../../src/rails/remove-external-account.js";
import { advanceClock } from "../../src/sandbox-controls/advance-clock.js";
import { cancelStandingOrder } from "../../src/standing-orders/cancel-standing-order.js";
import { createStandingOrder } from "../../src/standing-orders/create-standing-order.js";
import { getStandingOrder } from "../../src/standing-orders/get-standing-order.js";
import { listStandingOrderRuns } from "../../src/standing-orders/list-runs.js";
import { payStandingOrders } from "../../src/standing-orders/pay-orders.js";
import { resumeStandingOrder } from "../../src/standing-orders/resume-standing-order.js";
import { releaseOrder, suspendOrder } from "../../src/standing-orders/suspend-order.js";
import { useTestNetwork } from "../support/scene.js";
import { type CallParts, errorOf, type HeldAccount } from "../support/test-network.js";
import {
  addBank,
  away,
  bent,
  held,
  openApproved,
  type PreparedBankIntent,
  railsOf,
  settle,
  submitBank,
  usAccount,
  waitOut,
} from "./transfers-support.js";

const daySeconds = 86_400;
const test = useTestNetwork();

describe("a standing order to a bank account", () => {
  it("pays each due date of a year once, and reports its outcome at the bank", async () => {
    const { holder, address, bank } = await openPayer();
    const before = await held(test, address);
    const order = await begin(holder, terms(address, bank));
    expect(order.destination).toMatchObject({
      external_account_id: bank,
      last_4: "6789",
      payment_rail: "ach_push",
      currency: "usd",
    });
    expect(order.destinations).toEqual([order.destination.address]);
    const limit = await readAccount(test.network, order.spending_limit_address);
    expect(decodeSpendingLimit(limit?.data ?? new Uint8Array())).toMatchObject({
      destinations: [order.destination.address],
      mint: test.network.currencies.find(({ symbol }) => symbol === "usdc")?.mint,
    });
    await move(364 * daySeconds);
    const runs = await runsOf(address, order.id);
    expect(runs).toHaveLength(12);
    expect(new Set(runs.map(({ due_at }) => due_at)).size).toBe(12);
    expect(new Set(runs.map(({ signature }) => signature)).size).toBe(12);
    for (const run of runs) {
      expect(run).toMatchObject({
        state: "paid",
        payout: { state: "payment_processed", receipt: { final_amount: "5.00", source_tx_hash: run.signature } },
      });
    }
    expect(before - (await held(test, address))).toBe(60_000_000n);
    const reported = (await eventsOf("standing_order_payout")).filter(
      ({ data }) => data.standing_order_id === order.id,
    );
    expect(reported.filter(({ type }) => type === "standing_order_payout.created")).toHaveLength(12);
    expect(reported.at(-1)?.data).toMatchObject({
      account: address,
      external_account_id: bank,
      currency: "usdc",
      amount: "5.00",
      state: "payment_processed",
    });
    // Nothing is reported twice after another read.
    await waitOut(test);
    await settle(test);
    expect((await eventsOf("standing_order_payout")).length).toBe(reported.length);
    expect(await runsOf(address, order.id)).toEqual(runs);
  });

  it("gives back what the bank does not take, and says so", async () => {
    const { holder, address, bank } = await openPayer();
    const before = await held(test, address);
    const order = await begin(holder, terms(address, bank, { amount: "3040000" }));
    await move(60);
    const [run] = await runsOf(address, order.id);
    expect(run).toMatchObject({
      state: "paid",
      payout: { state: "refunded", return_reason: expect.any(String) },
    });
    expect(await held(test, address)).toBe(before);
    const reported = (await eventsOf("standing_order_payout")).filter(
      ({ data }) => data.standing_order_id === order.id,
    );
    expect(reported.map(({ data }) => data.state)).toContain("refunded");
    // What a bank says of it is sealed, and an event is not.
    expect(reported.at(-1)?.data).not.toHaveProperty("return_reason");
  });

  it("two orders to the same bank account have one address, and each its own payments", async () => {
    const { holder, address, bank } = await openPayer();
    const first = await begin(holder, terms(address, bank));
    const second = await begin(holder, terms(address, bank, { amount: "2000000", frequency: "daily" }));
    expect(second.destination.address).toBe(first.destination.address);
    expect(second.spending_limit_address).not.toBe(first.spending_limit_address);
    expect(await addressesOf(address)).toHaveLength(1);
    // Another payer's money that arrives there is no payment of theirs.
    const usdc = test.network.currencies.find(({ symbol }) => symbol === "usdc")?.mint as Address;
    await move(60);
    await test.network.sandbox?.mintTo(first.destination.address, usdc, 7_000_000n, "somebody else's");
    await move(2 * daySeconds);
    expect((await runsOf(address, first.id)).map(({ payout }) => payout?.state)).toEqual(["payment_processed"]);
    const runs = await runsOf(address, second.id);
    expect(runs).toHaveLength(3);
    expect(runs.every(({ payout }) => payout?.state === "payment_processed")).toBe(true);
    const payouts = await test.needs.db
      .selectFrom("rail_payout")
      .select("id")
      .where("account_address", "=", address)
      .execute();
    expect(payouts).toHaveLength(4);
  });
});

describe("the address behind a bank account", () => {
  it("is opened once, wherever the first attempts stop", async () => {
    const { holder, address, bank } = await openPayer();
    const count = await opened();
    const keys: string[] = [];
    const body = terms(address, bank);
    const removed = bent(test, () => ({
      openPayoutAddress: async ({ idempotencyKey }) => {
        keys.push(idempotencyKey);
        return away();
      },
    }));
    expect(await errorOf(prepare(address, body, { needs: removed }))).toMatchObject({ code: "partner_unavailable" });
    const deaf = bent(test, (partner) => ({
      openPayoutAddress: async (request) => {
        keys.push(request.idempotencyKey);
        await partner.openPayoutAddress(request);
        return away();
      },
    }));
    expect(await errorOf(prepare(address, body, { needs: deaf }))).toMatchObject({ code: "partner_unavailable" });
    expect(new Set(keys).size).toBe(1);
    expect((await addressesOf(address)).map(({ operation_key }) => operation_key)).toEqual([keys[0]]);
    const order = await begin(holder, body);
    expect((await addressesOf(address)).map(({ address: at }) => at)).toEqual([order.destination.address]);
    expect(await opened()).toBe(count + 1);
  });

  it("is one, and each payment is reported once, with several processes at once", async () => {
    const { holder, address, bank } = await openPayer();
    const count = await opened();
    const [first] = await Promise.all([1, 2, 3].map(() => prepare(address, terms(address, bank))));
    expect(await addressesOf(address)).toHaveLength(1);
    expect(await opened()).toBe(count + 1);
    await submitBank(test, holder, first as WireOrder & PreparedBankIntent);
    await test.network.sandbox?.advanceClock(60);
    await Promise.all([1, 2, 3].map(() => payStandingOrders(test.needs, test.network)));
    await payStandingOrders(test.needs, test.network);
    await Promise.all([1, 2, 3].map(() => settle(test)));
    await waitOut(test);
    const id = first?.id ?? "";
    expect(await runsOf(address, id)).toMatchObject([{ state: "paid", payout: { state: "payment_processed" } }]);
    const reported = (await eventsOf("standing_order_payout.created")).filter(
      ({ data }) => data.standing_order_id === id,
    );
    expect(reported).toHaveLength(1);
  });

  it("is searched first when the partner may have forgotten the key", async () => {
    const { address, bank } = await openPayer();
    const deaf = bent(test, (partner) => ({
      openPayoutAddress: async (request) => {
        await partner.openPayoutAddress(request);
        return away();
      },
    }));
    await errorOf(prepare(address, terms(address, bank), { needs: deaf }));
    test.needs.realClock.advance(25 * 3_600_000);
    const forgetful = bent(test, () => ({
      openPayoutAddress: async () => {
        throw new Error("the key is forgotten: this would be a second address");
      },
    }));
    const prepared = await prepare(address, terms(address, bank), { needs: forgetful });
    expect(prepared.status).toBe("pending");
  });

  it("is opened by the pass when the client does not retry", async () => {
    const { address, bank } = await openPayer();
    const removed = bent(test, () => ({ openPayoutAddress: away }));
    await errorOf(prepare(address, terms(address, bank), { needs: removed }));
    await waitOut(test);
    expect(await addressesOf(address)).toMatchObject([{ status: "activated", address: expect.any(String) }]);
  });

  it("is not believed where it leads elsewhere", async () => {
    const { address, bank } = await openPayer();
    const lies = [
      { bankAccount: "somebody else's" },
      { currency: "eur" },
      { coin: "usdt" },
      { rail: "wire" },
      { address: "nowhere" },
      { address },
      { address: test.network.feePayer.address },
    ];
    for (const lie of lies) {
      const liar = bent(test, (partner) => ({
        openPayoutAddress: async (request) => {
          const reported = await partner.openPayoutAddress(request);
          return reported.ok ? { ok: true, value: { ...reported.value, ...(lie as object) } } : reported;
        },
      }));
      expect(await errorOf(prepare(address, terms(address, bank), { needs: liar }))).toMatchObject({
        code: "partner_refused",
      });
      expect(await addressesOf(address)).toEqual([]);
    }
    // Nor where it is another bank account's already.
    const first = await prepare(address, terms(address, bank));
    const number = { ...usAccount.account, account_number: "987654321" };
    const other = (await addBank(test, address, { ...usAccount, account: number })).id;
    const same = bent(test, (partner) => ({
      openPayoutAddress: async (request) => {
        const reported = await partner.openPayoutAddress(request);
        return reported.ok ? { ok: true, value: { ...reported.value, address: first.destination.address } } : reported;
      },
    }));
    expect(await errorOf(prepare(address, terms(address, other), { needs: same }))).toMatchObject({
      code: "partner_refused",
    });
    expect(await addressesOf(address)).toHaveLength(1);
  });

  it("stops its orders when it leads elsewhere later, and nothing is paid there", async () => {
    const { holder, address, bank } = await openPayer();
    const order = await begin(holder, terms(address, bank));
    await move(60);
    const liar = bent(test, (partner) => ({
      readPayoutAddress: async (request, signal) => {
        const reported = await partner.readPayoutAddress(request, signal);
        return reported.ok
          ? { ok: true, value: { ...reported.value, address: test.network.feePayer.address } }
          : reported;
      },
    }));
    const second = await errorOf(prepare(address, terms(address, bank, { amount: "7000000" }), { needs: liar }));
    expect(second.code).toBe("partner_refused");
    await settle(test);
    test.needs.realClock.advance(25 * 3_600_000);
    const { followRails } = await import("../../src/rails/follow-rails.js");
    await followRails({ ...test.needs, ...liar }, test.network);
    expect(await read(address, order.id)).toMatchObject({
      status: "inactive",
      reason: "payout_address_deactivated",
      destination: { address: order.destination.address },
    });
    // A request that begins or resumes asks the partner anew, however recently its answer was stored.
    expect(await errorOf(resume(address, order.id, { needs: liar }))).toMatchObject({ code: "partner_refused" });
    expect(await resume(address, order.id)).toMatchObject({ status: "active" });
  });
});

describe("what may be paid", () => {
  it("is asked before the partner hears of it", async () => {
    const { holder, address, bank } = await openPayer();
    const to = { payment_rail: "ach_push", currency: "usd", external_account_id: bank };
    const count = await opened();
    const refused = async (change: object, parts: CallParts = {}) =>
      (await errorOf(prepare(address, terms(address, bank, change), parts))).code;
    expect(await refused({ amount: "5000001" })).toBe("invalid_amount");
    expect(await refused({ amount: "990000" })).toBe("invalid_amount");
    expect(await refused({ source: { account: address, currency: "sol" } })).toBe("rail_not_available");
    expect(await refused({ source: { account: address } })).toBe("invalid_request");
    expect(await refused({ destination: { ...to, payment_rail: "sepa" } })).toBe("rail_not_available");
    expect(await refused({ destination: { ...to, payment_rail: undefined } })).toBe("rail_not_available");
    expect(await refused({ destination: { ...to, currency: "eur" } })).toBe("unsupported_currency");
    expect(await refused({ destination: { ...to, address: holder.address } })).toBe("invalid_request");
    expect(await refused({ destination: { ...to, external_account_id: crypto.randomUUID() } })).toBe(
      "external_account_not_found",
    );
    expect(await refused({}, { needs: { rails: new Map() } })).toBe("rail_not_available");
    const other = await openPayer();
    expect((await errorOf(prepare(other.address, terms(other.address, bank)))).code).toBe("external_account_not_found");
    expect(await refused({}, { network: { ...test.network, name: "devnet" } })).toBe("rail_not_available");
    const stranger = await test.addTenant("tenant-of-orders");
    expect(await refused({}, { caller: stranger })).toBe("account_not_found");
    expect(await opened()).toBe(count);
  });

  it("says what is missing, and stops with a revoked approval", async () => {
    const { holder, address, bank } = await openPayer();
    const order = await begin(holder, terms(address, bank, { frequency: "daily" }));
    const waiting = await prepare(address, terms(address, bank));
    await move(60);
    const suspendedOne = await begin(holder, terms(address, bank, { frequency: "weekly" }));
    await suspendOrder(test.needs.db, suspendedOne.id, "a look", test.needs.realClock.now());
    await railsOf(test).simulator?.setVerification(holder.verification, { status: "rejected" });
    await settle(test);
    expect(await read(address, order.id)).toMatchObject({ status: "inactive", reason: "kyc_required" });
    expect(await read(address, waiting.id)).toMatchObject({ status: "inactive", reason: "kyc_required" });
    const stopped = (await eventsOf("standing_order.deactivated")).filter(({ data }) => data.id === order.id);
    expect(stopped).toMatchObject([{ data: { reason: "kyc_required" }, previous_status: "active" }]);
    expect(await errorOf(resume(address, order.id))).toMatchObject({ code: "kyc_required" });
    expect(await errorOf(prepare(address, terms(address, bank)))).toMatchObject({ code: "kyc_required" });
    // What the operator suspended before does not continue by the release either.
    await releaseOrder(test.needs.db, suspendedOne.id, test.needs.realClock.now());
    await move(2 * daySeconds);
    expect(await read(address, suspendedOne.id)).toMatchObject({ status: "inactive", reason: "kyc_required" });
    // What was paid before is seen to its end.
    expect((await runsOf(address, order.id)).map(({ state, payout }) => [state, payout?.state])).toEqual([
      ["paid", "payment_processed"],
    ]);
    await railsOf(test).simulator?.setVerification(holder.verification, { status: "approved" });
    await settle(test);
    expect(await resume(address, order.id)).toMatchObject({ status: "active" });
    await move(2 * daySeconds);
    const states = (await runsOf(address, order.id)).map(({ state }) => state);
    expect(states.filter((state) => state === "paid").length).toBeGreaterThan(1);
    expect(states).toContain("missed");
  });

  it("is checked again by the payment where no pass noticed it", async () => {
    const { holder, address, bank } = await openPayer();
    const order = await begin(holder, terms(address, bank));
    // As it would be had the order been made while the approval was revoked.
    await railsOf(test).simulator?.setVerification(holder.verification, { status: "rejected" });
    await settle(test);
    await test.needs.db
      .updateTable("standing_order")
      .set({ status: "active", reason: null, attempt_at: BigInt(test.network.clock.now()) })
      .where("id", "=", order.id)
      .execute();
    const before = await held(test, address);
    await payStandingOrders(test.needs, test.network);
    expect(await read(address, order.id)).toMatchObject({ status: "inactive", reason: "kyc_required" });
    expect(await held(test, address)).toBe(before);
    await railsOf(test).simulator?.setVerification(holder.verification, { status: "approved" });
    await settle(test);
  });
});

describe("a bank account that is removed", () => {
  it("stops its orders at once, and is removed at the partner once what was paid has arrived", async () => {
    const { holder, address, bank } = await openPayer();
    const order = await begin(holder, terms(address, bank));
    // Paid, and the partner has not reported it.
    const silent = bent(test, () => ({ listPayouts: away, changesSince: away }));
    await payStandingOrders(test.needs, test.network);
    expect(await runsOf(address, order.id)).toMatchObject([{ state: "paid", payout: null }]);
    const removed: string[] = [];
    const watched = bent(test, (partner) => ({
      ...silent,
      removeBankAccount: async (request) => {
        removed.push(request.ref);
        return partner.removeBankAccount(request);
      },
    }));
    const remove = () =>
      test.call<{ active: boolean }>(removeExternalAccount, { params: { address, id: bank }, needs: watched });
    expect(await remove()).toMatchObject({ active: false });
    expect(removed).toEqual([]);
    expect(await read(address, order.id)).toMatchObject({ status: "inactive", reason: "external_account_removed" });
    expect(await test.call<unknown[]>(listExternalAccounts, { params: { address } })).toEqual([]);
    expect((await errorOf(test.call(deleteRailData, { params: { address } }))).code).toBe("money_on_its_way");
    await settle(test);
    expect(await runsOf(address, order.id)).toMatchObject([{ payout: { state: "payment_processed" } }]);
    test.needs.realClock.advance(3_600_000);
    const { followRails } = await import("../../src/rails/follow-rails.js");
    await followRails({ ...test.needs, ...watched }, test.network);
    expect(removed).toHaveLength(1);
    expect(await errorOf(resume(address, order.id))).toMatchObject({ code: "external_account_not_found" });
    // The order can only be cancelled now; then everything may be forgotten.
    expect((await errorOf(test.call(deleteRailData, { params: { address } }))).code).toBe("money_on_its_way");
    await test.call(cancelStandingOrder, { params: { address, id: order.id }, body: {} });
    expect(await test.call(deleteRailData, { params: { address } })).toMatchObject({ deleted: true });
    const forgotten = await read(address, order.id);
    expect(forgotten.destination.last_4).toBeUndefined();
    expect(JSON.stringify(forgotten)).not.toContain("6789");
    expect(await runsOf(address, order.id)).toMatchObject([{ state: "paid", payout: null }]);
    expect(await addressesOf(address)).toEqual([]);
  });
});

it("is seen by the simulated partner at its next read, however many addresses it follows", async () => {
  const { holder, address, bank } = await openPayer();
  await begin(holder, terms(address, bank));
  const { db } = test.needs;
  const others = "watched-too-";
  await sql`insert into simulated_payout_address (ref, environment, customer_ref, operation_key, bank_account_ref, coin, mint,
      fiat, rail, address, looked_at, created_at, closed)
    select ${others} || n, environment, customer_ref, ${others} || n, bank_account_ref, coin, mint, fiat, rail,
      ${"1".repeat(32)}::text, -1, created_at, true
    from generate_series(1, 350) as n, (select * from simulated_payout_address order by created_at desc limit 1) as one`.execute(
    db,
  );
  const seen = () =>
    db.selectFrom("simulated_transfer").select("ref").where("payout_address_ref", "is not", null).execute();
  const before = (await seen()).length;
  await payStandingOrders(test.needs, test.network);
  await railsOf(test).simulator?.play();
  expect(await seen()).toHaveLength(before + 1);
  await db.deleteFrom("simulated_payout_address").where("ref", "like", `${others}%`).execute();
  await settle(test);
});

it("webhooks in any order, and false reports of what was paid, undo nothing", async () => {
  const { holder, address, bank } = (await openPayer()) as { holder: Holder; address: string; bank: string };
  const order = await begin(holder, terms(address, bank));
  await move(60);
  const [run] = await runsOf(address, order.id);
  expect(run?.payout?.state).toBe("payment_processed");
  const { followRails } = await import("../../src/rails/follow-rails.js");
  const refresh = async (change: object) => {
    const liar = bent(test, (partner) => ({
      listPayouts: async (request, signal) => {
        const reported = await partner.listPayouts(request, signal);
        if (!reported.ok) return reported;
        return {
          ok: true,
          value: { ...reported.value, payouts: reported.value.payouts.map((one) => ({ ...one, ...change })) },
        };
      },
    }));
    test.needs.realClock.advance(25 * 3_600_000);
    await followRails({ ...test.needs, ...liar }, test.network);
    return (await runsOf(address, order.id))[0]?.payout;
  };
  const known = run?.payout;
  expect(await refresh({ state: "funds_received" })).toEqual(known);
  expect(await refresh({ ref: "another", state: "refunded" })).toEqual(known);
  expect(await refresh({ signature: null, state: "refunded" })).toEqual(known);
  expect(await refresh({ amount: "-5", state: "refunded" })).toEqual(known);
  expect(await refresh({ payoutAddress: "another", state: "refunded" })).toEqual(known);
  expect(await refresh({ coin: "usdt", state: "refunded" })).toEqual(known);
  expect(await refresh({ state: "returned", returned: { reason: "closed" } })).toMatchObject({
    state: "returned",
    return_reason: "closed",
  });
  // Two payments under one name are one that is known, and keep no other page from being read.
  await move(32 * 86_400);
  expect(await runsOf(address, order.id)).toHaveLength(2);
  const payoutStates = async () => (await runsOf(address, order.id)).map(({ payout }) => payout?.state);
  const isReported = (fields: object) =>
    expect.objectContaining({ level: "error", fields: expect.objectContaining(fields) });
  await test.needs.db.deleteFrom("rail_payout").where("order_id", "=", order.id).execute();
  expect(test.logLines).not.toContainEqual(isReported({ ref: "same" }));
  await refresh({ ref: "same" });
  expect(await payoutStates()).toEqual(["payment_processed", undefined]);
  expect(test.logLines).toContainEqual(isReported({ ref: "same" }));
  // The one that is known continues, whichever that is.
  await sql`update rail_payout as known set due_at = run.due_at, signature = run.signature from standing_order_run as run
    where known.order_id = ${order.id} and run.order_id = known.order_id and run.due_at > known.due_at`.execute(
    test.needs.db,
  );
  expect(await payoutStates()).toEqual([undefined, "payment_processed"]);
  await refresh({ ref: "same", state: "returned", returned: { reason: "closed" } });
  expect(await payoutStates()).toEqual([undefined, "returned"]);
});

interface WireOrder {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
  readonly mandate: string;
  readonly destination: {
    readonly address: Address;
    readonly external_account_id: string;
    readonly last_4?: string;
    readonly payment_rail: string;
  };
  readonly destinations: readonly string[];
  readonly spending_limit_address: Address;
}

interface WireRun {
  readonly due_at: string;
  readonly state: string;
  readonly signature: string | null;
  readonly error: string | null;
  readonly payout: { readonly state: string; readonly return_reason: string | null; readonly receipt: object } | null;
}

type Holder = Awaited<ReturnType<typeof openApproved>>;

let people = 0;
/** An account whose holder is approved, and a bank account of his. */
async function openPayer() {
  people += 1;
  const holder = await openApproved(test, `orders-${people}@example.org`);
  const bank = (await addBank(test, holder.address)).id;
  return { holder, address: holder.address, bank };
}

const terms = (address: string, bank: string, change: object = {}) => ({
  amount: "5000000",
  frequency: "monthly",
  source: { account: address, currency: "usdc" },
  destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank },
  ...change,
});

const prepare = (address: string, body: object, parts: CallParts = {}) =>
  test.call<WireOrder & PreparedBankIntent>(createStandingOrder, { params: { address }, body, ...parts });

const read = (address: string, id: string, parts: CallParts = {}) =>
  test.call<WireOrder>(getStandingOrder, { params: { address, id }, ...parts });

const runsOf = async (address: string, id: string) =>
  test.call<WireRun[]>(listStandingOrderRuns, { params: { address, id }, query: { limit: 100 } });

const resume = (address: string, id: string, parts: CallParts = {}) =>
  test.call<WireOrder>(resumeStandingOrder, { params: { address, id }, body: {}, ...parts });

async function begin(holder: HeldAccount, body: object): Promise<WireOrder> {
  const { address } = holder.verified;
  const prepared = await prepare(address, body);
  await submitBank(test, holder, prepared);
  const order = await read(address, prepared.id);
  expect(order).toMatchObject({ status: "active" });
  return order;
}

const move = async (seconds: number) => {
  test.needs.realClock.advance(1000);
  await test.call(advanceClock, { body: { seconds } });
};

const eventsOf = async (type: string) =>
  (
    await test.needs.db
      .selectFrom("event")
      .select(["type", "data", "previous_status"])
      .where("type", "like", `${type}%`)
      .orderBy("sequence")
      .execute()
  ).map(({ type: name, data, previous_status }) => ({ type: name, previous_status, data: JSON.parse(data) }));

const addressesOf = (address: string) =>
  test.needs.db.selectFrom("rail_payout_address").selectAll().where("account_address", "=", address).execute();

const opened = async () => (await test.needs.db.selectFrom("simulated_payout_address").select("ref").execute()).length;
