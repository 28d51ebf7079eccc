import type { Address } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { openPlayedCluster, type PlayedNode } from "../../test/support/played-cluster.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import {
  type OrderTerms,
  openControlledAccount,
  openOrder,
  orderOf,
  runsOf,
} from "../../test/support/standing-orders.js";
import { publicKeyOf } from "../../test/support/test-network.js";
import { recoverSubmissions } from "../submissions/recover-submissions.js";
import { payStandingOrders } from "./pay-orders.js";
import { changeOrder, endOrder } from "./standing-order-store.js";

const test = useTestNetwork();
const account = use(() => openControlledAccount(test.network, "holder"));

describe("the due dates of an order that has ended", () => {
  it("end with it when it is cancelled while one is tried again", async () => {
    await open("cancelled", 0, { frequency: "monthly" });
    await pass();
    expect(await statesOf("cancelled")).toEqual(["retrying insufficient_balance"]);
    expect(await cancel("cancelled")).toBe(true);
    expect(await statesOf("cancelled")).toEqual(["missed order_inactive"]);
    await advance(40 * dayMs);
    await pass();
    expect(await statesOf("cancelled")).toEqual(["missed order_inactive"]);
  });

  it("are all there when it is cancelled after it was inactive for a while", async () => {
    await open("rested", 1);
    await pass();
    await rest("rested");
    await advance(3 * dayMs);
    await cancel("rested");
    expect(await statesOf("rested")).toEqual(Array(4).fill("missed order_inactive"));
    expect(await cancel("rested")).toBe(true);
    expect(await statesOf("rested")).toHaveLength(4);
  });

  it("are all there when its end passes while it is inactive", async () => {
    await open("completed", 2, { endAt: now() + 5 * dayMs });
    await pass();
    await rest("completed");
    await advance(7 * dayMs);
    await pass();
    expect(await orderOf(db(), "completed")).toMatchObject({ status: "completed", next_due_at: null });
    expect(await statesOf("completed")).toEqual(Array(6).fill("missed order_inactive"));
  });

  it("are none where it never had its limit", async () => {
    await open("pending", 3);
    await db()
      .updateTable("standing_order")
      .set({ status: "pending", mandate: "awaited", mandated_at: null })
      .where("id", "=", "pending")
      .execute();
    await advance(2 * dayMs);
    await cancel("pending");
    expect(await statesOf("pending")).toEqual([]);
  });

  it("end as the chain decides where a payment is under way, and are not tried again where that expires", async () => {
    let isLost = false;
    const node: PlayedNode = async ({ method }) =>
      isLost && method === "sendTransaction" ? { jsonrpc: "2.0", id: 1, result: "1".repeat(64) } : undefined;
    const { network } = await openPlayedCluster(test, [node]);
    const needs = { ...test.needs, pause: async (ms: number) => test.needs.realClock.advance(ms) };
    await test.network.sandbox?.airdrop(account.address, 10_000_000_000n);
    const startAt = network.clock.now();
    const payee = publicKeyOf("payee of lost") as Address;
    const terms = { id: "lost", place: 4, amount: 1_000_000n, frequency: "monthly", startAt, payee } as const;
    await openOrder(db(), network, account, { ...terms, limit: { expiration: null } });
    isLost = true;
    await payStandingOrders(needs, network);
    expect(await statesOf("lost")).toEqual(["sending"]);
    const order = await orderOf(db(), "lost");
    const at = network.clock.now();
    await endOrder(db(), order, { status: "cancelled", reason: "cancelled_by_user", attemptAt: at }, at);
    expect(await statesOf("lost")).toEqual(["sending"]);
    // Its blockhash is over on chain as well.
    await test.network.sandbox?.advanceClock(600);
    test.needs.realClock.advance(600_000);
    await recoverSubmissions(needs, network, 0);
    test.needs.realClock.advance(60_000);
    await payStandingOrders(needs, network);
    expect(await statesOf("lost")).toEqual(["missed order_inactive"]);
  });
});

const dayMs = 86_400_000;

const db = () => test.needs.db;

const now = () => test.network.clock.now();

const pass = () => payStandingOrders(test.needs, test.network);

const advance = (ms: number) => test.network.sandbox?.advanceClockTo(now() + ms);

const open = (id: string, place: number, terms: Partial<OrderTerms> = {}) =>
  openOrder(db(), test.network, account, {
    id,
    place,
    amount: 1_000_000n,
    frequency: "daily",
    startAt: now(),
    payee: publicKeyOf(`payee of ${id}`) as Address,
    ...terms,
  });

const statesOf = async (id: string) => (await runsOf(db(), id)).map((run) => run.slice(17));

const cancel = async (id: string) =>
  endOrder(
    db(),
    await orderOf(db(), id),
    { status: "cancelled", reason: "cancelled_by_user", attemptAt: now() },
    now(),
  );

/** As where the people of the account have taken its limit away. */
const rest = async (id: string) => {
  const order = await orderOf(db(), id);
  const attempt_at = order.end_at === null ? null : order.end_at + 1n;
  const to = { status: "inactive", reason: "spending_limit_missing", mandate: "revoked", attempt_at } as const;
  await changeOrder(db(), order, to, now());
};
