import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { beginOrderOf, createOrderOf, dayMs, iso, type WireOrder } from "../../test/standing-orders/support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type OwnAccount, openOwnAccount } from "../../test/support/self-paid.js";
import { type CallParts, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { cancelStandingOrder } from "./cancel-standing-order.js";
import { getStandingOrder } from "./get-standing-order.js";
import { payStandingOrders } from "./pay-orders.js";

const test = useTestNetwork();
let account: OwnAccount;
beforeAll(async () => {
  account = await openOwnAccount(test);
});

describe("200", () => {
  it("shows an order that waits for its limit", async () => {
    const start = test.network.clock.now() + 30_000;
    const { id, spending_limit_address } = await createOrderOf(test, account, payee, { start_date: iso(start) });
    const view = await get(id);
    expect(view).toMatchObject({
      id,
      status: "pending",
      mandate: "awaited",
      amount: "1000000",
      ui_amount: "0.001",
      currency: "sol",
      period: "daily",
      source: { account: account.address, currency: "sol" },
      destination: { address: payee, currency: "sol" },
      destinations: [payee],
      start_date: iso(start),
      next_execution_date: iso(start),
      spending_limit_address,
      executor_address: test.network.executor?.address,
    });
    for (const absent of ["reason", "end_date", "occurrences", "remaining_amount", "transaction"]) {
      expect(view).not.toHaveProperty(absent);
    }
  });

  it("shows what is left of an order that has an end, and when it pays next", async () => {
    const start = test.network.clock.now() + 30_000;
    const ending = { start_date: iso(start), end_date: iso(start + 2 * dayMs) };
    const { id } = await beginOrderOf(test, account, payee, ending);
    expect(await get(id)).toMatchObject({
      status: "active",
      mandate: "active",
      end_date: iso(start + 2 * dayMs),
      occurrences: 3,
      remaining_amount: "3000000",
      next_execution_date: iso(start),
    });
    await passAfter(31);
    const view = await get(id);
    expect(view).toMatchObject({ remaining_amount: "2000000", next_execution_date: iso(start + dayMs) });
    expect(view).toHaveProperty("last_execution_date");
    for (const _ of ["the second", "the third"]) await passAfter(86_400);
    expect(await get(id)).toMatchObject({
      status: "completed",
      remaining_amount: "0",
      next_execution_date: iso(start + 2 * dayMs),
    });
  });

  it("says why an order has ended", async () => {
    const { id } = await beginOrderOf(test, account, payee);
    await test.call(cancelStandingOrder, { params: { address: account.address, id }, body: {} });
    expect(await get(id)).toMatchObject({
      status: "cancelled",
      reason: "cancelled_by_user",
      mandate: "revocation_pending",
    });
  });
});

describe("404", () => {
  it("for an order of another account, or of none", async () => {
    const { id } = await createOrderOf(test, await openOwnAccount(test), payee);
    for (const other of [id, randomUUID(), "x"]) {
      expect(await errorOf(get(other))).toMatchObject({ code: "standing_order_not_found", status: 404 });
    }
  });

  it("for an account that is another tenant's, nobody's, or of another environment", async () => {
    const { id } = await createOrderOf(test, account, payee);
    const notFound = { code: "account_not_found", status: 404 };
    const caller = await test.addTenant("stranger");
    expect(await errorOf(get(id, { caller }))).toMatchObject(notFound);
    expect(await errorOf(get(id, { params: { address: payee, id } }))).toMatchObject(notFound);
    expect(await errorOf(get(id, { network: { ...test.network, name: "devnet" } }))).toMatchObject(notFound);
  });
});

const payee = publicKeyOf("the payee of an order that is read");

const get = (id: string, parts: CallParts = {}) =>
  test.call<WireOrder>(getStandingOrder, { params: { address: account.address, id }, ...parts });

async function passAfter(seconds: number): Promise<void> {
  await test.network.sandbox?.advanceClock(seconds);
  await payStandingOrders(test.needs, test.network);
}
