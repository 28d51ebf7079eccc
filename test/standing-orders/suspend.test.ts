import { addressOfKey } from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { changeOrder } from "../../src/standing-orders/standing-order-store.js";
import { releaseOrder, suspendOrder } from "../../src/standing-orders/suspend-order.js";
import { dataOf, may, newKey, refusalOf } from "../proposals/support.js";
import { bareOf } from "../spending-limits/support.js";
import { use, useTestService } from "../support/scene.js";
import { between, dayMs, iso, ordersOf, type WireOrder } from "./support.js";

const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000" });
const api = ordersOf(trellis);
const account = use(() => api.open({ signers: [may(a)], threshold: 1 }));
beforeAll(() => trellis.network.sandbox?.airdrop(account.address, 1_000_000_000n));
const a = newKey();

describe("a standing order that the operator has suspended", () => {
  it("pays nothing, is not resumed by its people, and continues with the next due date once it is released", async () => {
    const { id } = await api.begin(account, order(), [a]);
    expect(await suspend(id)).toMatchObject({ isDone: true });
    expect(await suspend(id)).toMatchObject({ isDone: false, order: { reason: "operator" } });
    const view = await api.order(account, id);
    expect(view).toMatchObject({ status: "inactive", reason: "operator", mandate: "active" });
    expect(JSON.stringify(view)).not.toContain("bank");
    await advance(2.5 * dayMs);
    expect(await api.runs(account, id)).toEqual([]);
    const refused = await api.resume(account, id);
    expect(refusalOf(refused)).toEqual([409, "invalid_standing_order_status"]);
    expect(JSON.stringify(refused.body)).toContain("The operator of this service has suspended");

    expect(await release(id)).toMatchObject({ isDone: true });
    await advance(dayMs);
    expect(await api.order(account, id)).toMatchObject({ status: "active" });
    expect((await api.runs(account, id)).map(({ state }) => state)).toEqual(["missed", "missed", "paid"]);
    expect(await release(id)).toMatchObject({ isDone: false });
    expect(await events(id)).toEqual([
      "standing_order.created",
      "standing_order.activated",
      "standing_order.deactivated operator",
      "standing_order.activated",
    ]);
    dataOf(await api.cancel(account, id));
  });

  it("is cancelled by its people all the same, and then not released", async () => {
    const { id } = await api.begin(account, order(), [a]);
    await suspend(id);
    const cancelled = dataOf<WireOrder>(await api.cancel(account, id));
    expect(cancelled).toMatchObject({ status: "cancelled", mandate: "revocation_pending" });
    expect(await release(id)).toMatchObject({ isDone: false, order: { status: "cancelled" } });
    expect(await suspend(id)).toMatchObject({ isDone: false });
  });

  it("takes a limit that is confirmed meanwhile, and pays once it is released", async () => {
    const made = dataOf<WireOrder & { transaction: string }>(await api.createOrder(account, order()));
    await suspend(made.id);
    await api.submitNow(account, made, [a]);
    expect(await api.order(account, made.id)).toMatchObject({ status: "inactive", reason: "operator" });
    await release(made.id);
    await advance(dayMs + 60_000);
    expect((await api.runs(account, made.id)).map(({ state }) => state)).toEqual(["paid"]);
    dataOf(await api.cancel(account, made.id));
  });

  it("rests for its former reason again where it rested before, and not before its people give it a limit", async () => {
    const begun = await api.begin(account, order(), [a]);
    const removal = bareOf<{ transaction: string }>(await api.remove(account, begun.spending_limit_address));
    await api.submitNow(account, removal, [a]);
    const offered = dataOf<WireOrder & { transaction: string }>(await api.resume(account, begun.id));
    await suspend(begun.id);
    // What was offered before is confirmed: it is the order's limit, and no more.
    await api.submitNow(account, offered, [a]);
    expect(await api.order(account, begun.id)).toMatchObject({
      status: "inactive",
      reason: "operator",
      spending_limit_address: offered.renewal_limit_address,
    });
    await release(begun.id);
    expect(await api.order(account, begun.id)).toMatchObject({ status: "inactive", reason: "spending_limit_missing" });
    await api.resume(account, begun.id);
    expect(await api.order(account, begun.id)).toMatchObject({ status: "active" });
    expect((await events(begun.id)).slice(-3)).toEqual([
      "standing_order.deactivated operator",
      "standing_order.deactivated spending_limit_missing",
      "standing_order.activated",
    ]);
    dataOf(await api.cancel(account, begun.id));
  });

  it("continues all the same where it was released and suspended again before it was read", async () => {
    const { id } = await api.begin(account, order(), [a]);
    for (let round = 0; round < 2; round += 1) {
      await suspend(id);
      await release(id);
    }
    await advance(dayMs + 60_000);
    expect(await api.order(account, id)).toMatchObject({ status: "active" });
    expect((await api.runs(account, id)).map(({ state }) => state)).toEqual(["paid"]);
    dataOf(await api.cancel(account, id));
  });

  it("stays suspended under writes based on an older read, and is released where it was read as suspended", async () => {
    const { id } = await api.begin(account, order(), [a]);
    const read = () =>
      trellis.service.db.selectFrom("standing_order").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    await suspend(id);
    const whileSuspended = await read();
    await release(id);
    const onceReleased = await read();
    // A settings change after which the limit is missing leaves the order no other check.
    const noRefresh = { attempt_at: null };
    expect(await changeOrder(trellis.service.db, whileSuspended, noRefresh, api.now())).toBe(false);
    await suspend(id);
    const other = { reason: "spending_limit_missing", attempt_at: null };
    expect(await changeOrder(trellis.service.db, onceReleased, other, api.now())).toBe(false);
    expect(await read()).toMatchObject({ status: "inactive", reason: "operator", suspended_from: null });
    await release(id);
    await advance(dayMs + 60_000);
    expect((await api.runs(account, id)).map(({ state }) => state)).toEqual(["paid"]);
    dataOf(await api.cancel(account, id));
  });

  it("is completed when its end passes", async () => {
    const { id } = await api.begin(account, order({ end_date: iso(api.now() + 3 * dayMs + 1_000) }), [a]);
    await suspend(id);
    await advance(4 * dayMs);
    expect(await api.order(account, id)).toMatchObject({ status: "completed" });
    expect(await api.runs(account, id)).toMatchObject(
      Array.from({ length: 3 }, () => ({ state: "missed", error: "order_inactive", attempts: 0 })),
    );
  });

  it("is one that there is", async () => {
    expect(await suspend("nothing")).toBeUndefined();
    expect(await release("nothing")).toBeUndefined();
  });
});

const payee = addressOfKey(newKey());
const order = (more: object = {}) => ({
  amount: "5000000",
  frequency: "daily",
  ...between(account, payee),
  start_date: iso(api.now() + dayMs),
  ...more,
});

const suspend = (id: string) => suspendOrder(trellis.service.db, id, "asked by the bank", Date.now());

const release = (id: string) => releaseOrder(trellis.service.db, id, Date.now());

/** Moves time as the sandbox's own call does: what is due on the way is paid. */
const advance = async (ms: number) =>
  dataOf(await trellis.request("POST", "/api/service/v1/sandbox/clock/advance", { seconds: Math.ceil(ms / 1000) }));

const events = async (id: string) => {
  const { body } = await trellis.request("GET", "/api/service/v1/events?limit=200&type=standing_order&order=desc");
  const { data } = body as { data: { type: string; data: { object: { id: string; reason?: string } } }[] };
  return data
    .filter((one) => one.data.object.id === id)
    .map(({ type, data: { object } }) => `${type} ${object.reason ?? ""}`.trim())
    .reverse();
};
