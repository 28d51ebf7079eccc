import { beforeAll, describe, expect, it } from "vitest";
import { beginOrderOf, createOrderOf, type WireOrder } from "../../test/standing-orders/support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type OwnAccount, openOwnAccount } from "../../test/support/self-paid.js";
import { type CallParts, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { cancelStandingOrder } from "./cancel-standing-order.js";
import { getStandingOrder } from "./get-standing-order.js";
import { listStandingOrderRuns } from "./list-runs.js";
import { listStandingOrders } from "./list-standing-orders.js";
import { payStandingOrders } from "./pay-orders.js";

const test = useTestNetwork();
let account: OwnAccount;
/** From the oldest to the newest: one that pays, one that was cancelled, one in another coin that waits. */
let active: string;
let cancelled: string;
let pending: string;
beforeAll(openThree);

describe("200", () => {
  it("lists each order once, newest first, page by page", async () => {
    const sizes: number[] = [];
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      sizes.push(page.items.length);
      listed.push(...page.items.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== undefined && sizes.length < 9);
    expect(sizes).toEqual([2, 1]);
    expect(listed).toEqual([pending, cancelled, active]);
  });

  it("shows each as it is read alone", async () => {
    const { items } = await list();
    const params = items.map(({ id }) => ({ address: account.address, id }));
    expect(items).toEqual(await Promise.all(params.map((each) => test.call(getStandingOrder, { params: each }))));
  });

  it("lists those of a status, or of several", async () => {
    expect(await idsIn({ status: ["cancelled"] })).toEqual([cancelled]);
    expect(await idsIn({ status: ["active", "cancelled"] })).toEqual([cancelled, active]);
    expect(await idsIn({ status: ["completed"] })).toEqual([]);
    expect(await idsIn({ status: [] })).toEqual([pending, cancelled, active]);
  });

  it("lists those of a currency, or of its mint", async () => {
    const usdc = test.network.currencies.find(({ symbol }) => symbol === "usdc")?.mint;
    expect(await idsIn({ currency: "SOL" })).toEqual([cancelled, active]);
    expect(await idsIn({ currency: "usdc" })).toEqual([pending]);
    expect(await idsIn({ currency: usdc })).toEqual([pending]);
    expect(await idsIn({ currency: "nothing" })).toEqual([]);
  });

  it("lists those that were created in a span, its ends included", async () => {
    const { items } = await list();
    const [newest, middle, oldest] = items.map(({ created_at }) => created_at);
    expect(await idsIn({ start_date: middle, end_date: middle })).toEqual([cancelled]);
    expect(await idsIn({ start_date: middle })).toEqual([pending, cancelled]);
    expect(await idsIn({ end_date: middle })).toEqual([cancelled, active]);
    expect(await idsIn({ start_date: newest, end_date: oldest })).toEqual([]);
  });

  it("finds the order that made a payment by its signature", async () => {
    const params = { address: account.address, id: active };
    const [run] = await test.call<{ signature: string }[]>(listStandingOrderRuns, { params });
    expect(await idsIn({ tx_hash: run?.signature })).toEqual([active]);
    expect(await idsIn({ tx_hash: "unheard-of" })).toEqual([]);
  });

  it("has none of another account's, and none on a page for none", async () => {
    const { address } = await openOwnAccount(test);
    expect(await list({}, { params: { address } })).toEqual({ items: [], cursor: undefined });
    expect(await list({ limit: 0 })).toEqual({ items: [], cursor: undefined });
  });
});

describe("400", () => {
  it.each([
    [{ cursor: "x" }, "invalid_cursor"],
    [{ cursor: "" }, "invalid_cursor"],
    [{ start_date: "x" }, "invalid_request"],
    [{ end_date: "2026-01-01" }, "invalid_request"],
  ])("for %j", async (query, code) => {
    expect(await errorOf(list(query))).toMatchObject({ code, status: 400 });
  });
});

describe("404", () => {
  it("for an account that is another tenant's, or nobody's", async () => {
    const caller = await test.addTenant("stranger");
    const notFound = { code: "account_not_found", status: 404 };
    expect(await errorOf(list({}, { caller }))).toMatchObject(notFound);
    expect(await errorOf(list({}, { params: { address: payee } }))).toMatchObject(notFound);
  });
});

const payee = publicKeyOf("the payee of orders that are listed");

async function openThree(): Promise<void> {
  account = await openOwnAccount(test);
  active = (await beginOrderOf(test, account, payee)).id;
  await test.network.sandbox?.advanceClock(31);
  await payStandingOrders(test.needs, test.network);
  cancelled = (await beginOrderOf(test, account, payee)).id;
  await test.call(cancelStandingOrder, { params: { address: account.address, id: cancelled }, body: {} });
  await test.network.sandbox?.advanceClock(1);
  const inDollars = {
    source: { account: account.address, currency: "usdc" },
    destination: { address: payee, currency: "usdc" },
  };
  pending = (await createOrderOf(test, account, payee, inDollars)).id;
}

const list = (query: object = {}, parts: CallParts = {}) =>
  test.page<WireOrder & { readonly created_at: string }>(listStandingOrders, {
    params: { address: account.address },
    query,
    ...parts,
  });

const idsIn = async (query: object) => (await list(query)).items.map(({ id }) => id);
