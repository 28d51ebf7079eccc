import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  addBank,
  openApproved,
  type PreparedBankIntent,
  settle,
  submitBank,
} from "../../test/rails/transfers-support.js";
import { beginOrderOf, createOrderOf, dayMs, iso, type WireRun } from "../../test/standing-orders/support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type OwnAccount, openOwnAccount } from "../../test/support/self-paid.js";
import { type CallParts, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { createStandingOrder } from "./create-standing-order.js";
import { listStandingOrderRuns } from "./list-runs.js";
import { payStandingOrders } from "./pay-orders.js";

const test = useTestNetwork();
let account: OwnAccount;
beforeAll(setUp);

describe("200", () => {
  it("lists every due date that has come, oldest first, and what became of it", async () => {
    const start = test.network.clock.now() + 30_000;
    const { id } = await beginOrderOf(test, account, payee, { start_date: iso(start) });
    expect(await list(id)).toEqual({ items: [], cursor: undefined });
    await passAfter(31);
    const [paid] = (await list(id)).items;
    expect(paid).toEqual({
      standing_order_id: id,
      account: account.address,
      due_at: iso(start),
      state: "paid",
      amount: "1000000",
      currency: "sol",
      attempts: 1,
      paid_at: iso(start + 1_000),
      signature: expect.stringMatching(/^\w{80,90}$/),
      error: null,
    });
    expect(await lamportsOf(payee)).toBe(1_000_000n);
    await passAfter(86_400);
    expect((await list(id)).items).toMatchObject([paid, { due_at: iso(start + dayMs), state: "paid" }]);
  });

  it("says what stands in the way of a payment", async () => {
    const { id } = await beginOrderOf(test, account, poorPayee, { amount: "900000000000" });
    await passAfter(31);
    expect((await list(id)).items).toMatchObject([
      { state: "retrying", signature: null, error: "insufficient_balance" },
    ]);
    expect(await lamportsOf(poorPayee)).toBe(0n);
  });

  it("lists each due date once, page by page", async () => {
    const start = test.network.clock.now() + 30_000;
    const { id } = await beginOrderOf(test, account, payee, { start_date: iso(start) });
    for (const seconds of [31, 86_400, 86_400]) await passAfter(seconds);
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await list(id, { query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) } });
      pages.push(page.items.map(({ due_at }) => due_at));
      cursor = page.cursor;
    } while (cursor !== undefined && pages.length < 9);
    expect(pages).toEqual([[iso(start), iso(start + dayMs)], [iso(start + 2 * dayMs)]]);
    expect(await list(id, { query: { limit: 0 } })).toEqual({ items: [], cursor: undefined });
  });

  it("shows what became of a payment at the bank, once the partner has reported it", async () => {
    const holder = await openApproved(test, "runs@example.org");
    const { address } = holder.verified;
    const bank = await addBank(test, address);
    const order = await test.call<PreparedBankIntent>(createStandingOrder, {
      params: { address },
      body: {
        amount: "5000000",
        frequency: "monthly",
        source: { account: address, currency: "usdc" },
        destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank.id },
      },
    });
    await submitBank(test, holder, order);
    await passAfter(61);
    const parts = { params: { address, id: order.id } };
    expect((await list(order.id, parts)).items).toMatchObject([{ state: "paid", payout: null }]);
    await settle(test);
    await settle(test);
    expect((await list(order.id, parts)).items).toMatchObject([
      { state: "paid", payout: { state: "payment_processed", amount: "5.00", return_reason: null } },
    ]);
  });
});

describe("400", () => {
  it.each(["x", "", Buffer.from("d1_x").toString("base64url")])("for the cursor %j", async (cursor) => {
    const { id } = await createOrderOf(test, account, payee);
    expect(await errorOf(list(id, { query: { cursor } }))).toMatchObject({ code: "invalid_cursor", status: 400 });
  });
});

describe("404", () => {
  it("for an order of another account, or of none", async () => {
    const { id } = await createOrderOf(test, await openOwnAccount(test), payee);
    for (const other of [id, randomUUID(), "x"]) {
      expect(await errorOf(list(other))).toMatchObject({ code: "standing_order_not_found", status: 404 });
    }
  });

  it("for an account that is another tenant's, or nobody's", async () => {
    const { id } = await createOrderOf(test, account, payee);
    const caller = await test.addTenant("stranger");
    const notFound = { code: "account_not_found", status: 404 };
    expect(await errorOf(list(id, { caller }))).toMatchObject(notFound);
    expect(await errorOf(list(id, { params: { address: payee, id } }))).toMatchObject(notFound);
  });
});

async function setUp(): Promise<void> {
  account = await openOwnAccount(test);
}

const payee = publicKeyOf("the payee of an order whose runs are listed");
const poorPayee = publicKeyOf("the payee of an order that cannot pay");

const list = (id: string, parts: CallParts = {}) =>
  test.page<WireRun>(listStandingOrderRuns, { params: { address: account.address, id }, ...parts });

async function passAfter(seconds: number): Promise<void> {
  await test.network.sandbox?.advanceClock(seconds);
  await payStandingOrders(test.needs, test.network);
}

const lamportsOf = async (address: string) => (await test.network.rpc.getBalance(address as never).send()).value;
