import type { Address } from "@solana/kit";
import { beforeEach, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import {
  type ControlledAccount,
  type OrderTerms,
  openControlledAccount,
  openOrder,
  orderOf,
  runsOf,
} from "../../test/support/standing-orders.js";
import { publicKeyOf } from "../../test/support/test-network.js";
import { advanceClock } from "../sandbox-controls/advance-clock.js";
import { payStandingOrders } from "./pay-orders.js";
import { advanceTime } from "./play-time.js";
import { dueAt } from "./schedule.js";

const dayMs = 86_400_000;
const daySeconds = 86_400;
let account: ControlledAccount;
let number = 0;
const test = useTestNetwork();
beforeEach(async () => {
  number += 1;
  // What other tests left open would be paid as well.
  await db().updateTable("standing_order").set({ status: "cancelled", attempt_at: null }).execute();
  account = await openControlledAccount(test.network, `holder ${number}`);
});

it("pays every due date of every order at its time, and in the order of time", async () => {
  await fund(10_000_000_000n);
  const start = now() + 16 * dayMs;
  const orders = [
    { id: "daily", frequency: "daily", startAt: start + 3_600_000, endAt: start + 20 * dayMs },
    { id: "weekly", frequency: "weekly", startAt: start + 7_200_000, endAt: start + 371 * dayMs },
    { id: "monthly", frequency: "monthly", startAt: start },
  ] as const;
  for (const [place, order] of orders.entries()) await open(order.id, { ...order, place });
  const before = now();
  const answer = await test.call<{ standing_order_runs: object }>(advanceClock, {
    body: { seconds: 400 * daySeconds },
  });
  expect(answer.standing_order_runs).toEqual({ paid: 20 + 53 + 13, missed: 0, left: 0 });
  expect(now() - before).toBeGreaterThanOrEqual(400 * dayMs);
  expect(now() - before).toBeLessThan(400 * dayMs + 1_000);

  const landed: { readonly slot: bigint; readonly dueAt: number }[] = [];
  for (const { id, ...schedule } of orders) {
    const runs = await paidOf(id);
    for (const [i, run] of runs.entries()) {
      expect(Number(run.due_at)).toBe(dueAt(schedule, i));
      expect(run.state).toBe("paid");
      // The chain's own time at the payment: the due date, to the second.
      expect(Number(run.paid_at) - Number(run.due_at)).toBeGreaterThanOrEqual(0);
      expect(Number(run.paid_at) - Number(run.due_at)).toBeLessThan(1_000);
      const { slot } = await db()
        .selectFrom("submission")
        .select("slot")
        .where("id", "=", run.submission_id ?? "")
        .executeTakeFirstOrThrow();
      landed.push({ slot: slot ?? 0n, dueAt: Number(run.due_at) });
    }
    expect(await balanceOf(payeeOf(id))).toBe(1_000_000n * BigInt(runs.length));
  }
  landed.sort((a, b) => a.dueAt - b.dueAt);
  expect(landed.toSorted((a, b) => Number(a.slot - b.slot))).toEqual(landed);
  expect(await orderOf(db(), "weekly")).toMatchObject({ status: "completed", attempt_at: null, next_due_at: null });
});

it("plays retries as well: missing money may arrive meanwhile, or never", async () => {
  await fund(3_500_000n);
  const startAt = now() + dayMs;
  await open("poor", { startAt, frequency: "weekly" });
  // The second payment would leave less than an account must keep; nothing comes.
  const reported = await advance(60);
  expect(reported).toMatchObject({ paid: 2, missed: 3 });
  const runs = await runsOf(db(), "poor");
  expect(runs.map((run) => run.slice(17))).toEqual([
    "paid",
    "paid",
    ...Array.from({ length: 3 }, () => "missed insufficient_balance"),
  ]);
  expect(await orderOf(db(), "poor")).toMatchObject({
    status: "inactive",
    reason: "missed_repeatedly",
    attempt_at: null,
  });
});

it("moves on to its end where there is more to pay than one move plays, and the passes pay the rest", async () => {
  await fund(1_000_000_000n);
  const begun = now();
  const startAt = begun + dayMs;
  await open("long", { startAt, frequency: "daily", endAt: startAt + 29 * dayMs });
  const bounds = { runs: 4, stops: 1_000 };
  const reported = await advanceTime(test.needs, test.network, 33 * daySeconds, undefined, bounds);
  expect(reported).toMatchObject({ paid: 4, missed: 0, left: 1 });
  expect(reported.now - begun).toBeGreaterThanOrEqual(33 * dayMs);
  expect(await balanceOf(payeeOf("long"))).toBe(4_000_000n);
  // One after the other, each a minute behind the one before it.
  for (let pass = 0; pass < 26; pass += 1) {
    expect(await payStandingOrders(test.needs, test.network)).toEqual({ paid: 1, missed: 0 });
    await test.network.sandbox?.advanceClockTo(now() + 60_000);
  }
  expect(await payStandingOrders(test.needs, test.network)).toEqual({ paid: 0, missed: 0 });
  expect(await balanceOf(payeeOf("long"))).toBe(30_000_000n);
  const runs = await paidOf("long");
  expect(runs.map(({ due_at }) => Number(due_at))).toEqual(Array.from({ length: 30 }, (_, i) => startAt + i * dayMs));
  expect(new Set(runs.map(({ signature }) => signature)).size).toBe(30);
});

it("moves on to its end after so many stops as well", async () => {
  await fund(1_000_000_000n);
  const startAt = now() + dayMs;
  await open("stops", { startAt, frequency: "daily", endAt: startAt + 29 * dayMs });
  const begun = now();
  const reported = await advanceTime(test.needs, test.network, 33 * daySeconds, undefined, { runs: 1_000, stops: 3 });
  expect(reported.now - begun).toBeGreaterThanOrEqual(33 * dayMs);
  expect(reported.paid).toBeLessThanOrEqual(3);
  expect(reported.left).toBe(1);
});

it("is done once by several calls at once, whose seconds add up", async () => {
  await fund(1_000_000_000n);
  const begun = now();
  await open("shared", { startAt: begun + dayMs, frequency: "daily" });
  const reported = await Promise.all([advance(5), advance(10), advance(1)]);
  expect(now() - begun).toBeGreaterThanOrEqual(16 * dayMs);
  expect(now() - begun).toBeLessThan(16 * dayMs + 5_000);
  expect(reported.reduce((sum, { paid }) => sum + paid, 0)).toBe(16);
  expect(await balanceOf(payeeOf("shared"))).toBe(16_000_000n);
});

it("seldom reads limits that are not removed, however far time is moved", async () => {
  await fund(1_000_000_000n);
  for (const place of [1, 2, 3, 4, 5]) await open(`left ${place}`, { startAt: now() + 500 * dayMs, place });
  const left = {
    status: "cancelled",
    mandate: "revocation_pending",
    attempt_at: BigInt(now()),
    updated_at: BigInt(now() - dayMs),
  } as const;
  await db().updateTable("standing_order").set(left).where("id", "like", "left %").execute();
  let refreshes = 0;
  const rpc = new Proxy(test.network.rpc, {
    get(target, name, receiver) {
      if (name === "getMultipleAccounts") refreshes += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  await advanceTime(test.needs, { ...test.network, rpc }, 400 * daySeconds);
  // Once now, once at the end, and all of them in one question.
  expect(refreshes).toBeLessThanOrEqual(2);
  expect(await orderOf(db(), "left 1")).toMatchObject({ mandate: "revocation_pending", attempt_at: null });
});

it("reads a limit again that is not removed yet, also when that is as soon as a new read would be", async () => {
  await open("removed soon", { startAt: now() + 500 * dayMs });
  const left = { status: "cancelled", mandate: "revocation_pending", attempt_at: BigInt(now()) } as const;
  const since = { updated_at: BigInt(now()) };
  await db()
    .updateTable("standing_order")
    .set({ ...left, ...since })
    .where("id", "=", "removed soon")
    .execute();
  await payStandingOrders(test.needs, test.network);
  expect(Number((await orderOf(db(), "removed soon")).attempt_at)).toBeGreaterThanOrEqual(now() + 60_000);
});

const now = () => test.network.clock.now();

const db = () => test.needs.db;

const payeeOf = (id: string) => publicKeyOf(`payee of ${id}`);

const open = (id: string, terms: Partial<OrderTerms> = {}) =>
  openOrder(db(), test.network, account, {
    id,
    amount: 1_000_000n,
    frequency: "monthly",
    startAt: now(),
    payee: payeeOf(id),
    ...terms,
  });

const fund = (lamports: bigint) => test.network.sandbox?.airdrop(account.address, lamports);

const balanceOf = async (address: Address) => (await test.network.rpc.getBalance(address).send()).value;

const advance = (days: number) => advanceTime(test.needs, test.network, days * daySeconds);

const paidOf = (id: string) =>
  db().selectFrom("standing_order_run").selectAll().where("order_id", "=", id).orderBy("due_at").execute();
