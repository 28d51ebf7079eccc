import type { StandingOrderTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { beforeAll, describe, expect, it } from "vitest";
import { beginOrderOf, createOrderOf, type WireOrder } from "../../test/standing-orders/support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type OwnAccount, openOwnAccount } from "../../test/support/self-paid.js";
import { type CallParts, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { cancelStandingOrder } from "./cancel-standing-order.js";
import { getStandingOrder } from "./get-standing-order.js";
import { listAllStandingOrders } from "./list-all-standing-orders.js";

const test = useTestNetwork();
const hourMs = 3_600_000;
const payee = publicKeyOf("the payee of all orders");
let ada: OwnAccount;
let grace: OwnAccount;
/** From the oldest to the newest: two that pay, of two accounts; one that was cancelled, and one that waits for its limit. */
let ofAda: string;
let ofGrace: string;
let cancelled: string;
let pending: string;
beforeAll(async () => {
  [ada, grace] = [await openOwnAccount(test), await openOwnAccount(test)];
  // The older one is due later.
  ofAda = (await beginOrderOf(test, ada, payee, { start_date: inHours(48) })).id;
  await test.network.sandbox?.advanceClock(1);
  ofGrace = (await beginOrderOf(test, grace, payee, { start_date: inHours(24) })).id;
  await test.network.sandbox?.advanceClock(1);
  cancelled = (await beginOrderOf(test, ada, payee, { start_date: inHours(1) })).id;
  await test.call(cancelStandingOrder, { params: { address: ada.address, id: cancelled }, body: {} });
  await test.network.sandbox?.advanceClock(1);
  pending = (await createOrderOf(test, grace, payee, { start_date: inHours(2) })).id;
});

describe("200, newest first", () => {
  it("lists the orders of all accounts, each as it is read alone", async () => {
    const { items } = await list();
    expect(items.map(({ id }) => id)).toEqual([pending, cancelled, ofGrace, ofAda]);
    const owners = [grace, ada, grace, ada];
    const params = items.map(({ id }, i) => ({ id, address: owners[i]?.address }));
    expect(items).toEqual(await Promise.all(params.map((each) => test.call(getStandingOrder, { params: each }))));
  });

  it("lists those of a status, of several, of an account, and of both", async () => {
    expect(await idsIn({ status: ["cancelled"] })).toEqual([cancelled]);
    expect(await idsIn({ status: ["active", "cancelled"] })).toEqual([cancelled, ofGrace, ofAda]);
    expect(await idsIn({ status: ["completed"] })).toEqual([]);
    expect(await idsIn({ account: ada.address })).toEqual([cancelled, ofAda]);
    expect(await idsIn({ account: ada.address, status: ["active"] })).toEqual([ofAda]);
    expect(await idsIn({ limit: 0 })).toEqual([]);
  });

  it("goes through all of them page by page, whatever is added meanwhile", async () => {
    const caller = await test.addTenant("one with many orders");
    for (let n = 0; n < 9; n += 1) await insert(n, { tenant_id: caller.tenantId });
    const whole = await idsIn({}, { caller });
    expect(whole).toHaveLength(9);
    let added = 50;
    const seen = await pagesOf({ limit: 2 }, { caller }, async () => {
      added += 1;
      await insert(added, { tenant_id: caller.tenantId });
    });
    expect(seen).toEqual(whole);
  });
});

describe("200, by due date", () => {
  it("lists the active ones that are due before an instant, the earliest first", async () => {
    expect(await idsIn({ due_before: inHours(72) })).toEqual([ofGrace, ofAda]);
    expect(await idsIn({ due_before: inHours(30) })).toEqual([ofGrace]);
    expect(await idsIn({ due_before: inHours(23) })).toEqual([]);
    const [first] = (await list({ due_before: inHours(72) })).items;
    // Before it, and not at it.
    expect(await idsIn({ due_before: first?.next_execution_date })).toEqual([]);
    expect(await idsIn({ due_before: inHours(72), account: ada.address })).toEqual([ofAda]);
    expect(await idsIn({ due_before: inHours(30), account: ada.address })).toEqual([]);
    expect(await idsIn({ due_before: inHours(72), limit: 0 })).toEqual([]);
  });

  it("goes through them page by page, whatever is added and paid meanwhile", async () => {
    const caller = await test.addTenant("one with a calendar");
    const now = BigInt(test.network.clock.now());
    const own = { tenant_id: caller.tenantId };
    // Three in a row are due at the same instant.
    for (let n = 0; n < 9; n += 1) await insert(100 + n, { ...own, next_due_at: now + BigInt(Math.floor(n / 3)) });
    const whole = await idsIn({ due_before: inHours(1) }, { caller });
    expect(whole).toHaveLength(9);
    const [paid = ""] = whole;
    let added = 200;
    const seen = await pagesOf({ limit: 2, due_before: inHours(1) }, { caller }, async () => {
      added += 1;
      // One that is due before the place of the page, and the first one moves to its next due date behind it.
      await insert(added, { ...own, next_due_at: now - 1n });
      const moved = test.needs.db.updateTable("standing_order").set({ next_due_at: now + 1_000n });
      await moved.where("id", "=", paid).execute();
    });
    expect(seen).toEqual([...whole, paid]);
  });

  it("goes through those of one account page by page", async () => {
    const account = ada.address;
    const added = [300, 301].map((n) => ({ n, place: 10 + n - 300 }));
    const next_due_at = BigInt(test.network.clock.now() + hourMs);
    for (const { n, place } of added) await insert(n, { account_address: account, place, next_due_at });
    const ids = added.map(({ n }) => idOf(n));
    expect(await pagesOf({ limit: 1, due_before: inHours(72), account })).toEqual([...ids, ofAda]);
    await test.needs.db.deleteFrom("standing_order").where("id", "in", ids).execute();
  });
});

describe("isolation", () => {
  it("has nothing of another tenant, and nothing of another environment", async () => {
    const caller = await test.addTenant("one with two environments");
    const own = { tenant_id: caller.tenantId };
    await insert(400, own);
    await insert(401, { ...own, environment: "devnet" });
    const devnet: Network = { ...test.network, name: "devnet" };
    for (const query of [{}, { due_before: inHours(1_000_000) }]) {
      expect(await idsIn(query, { caller })).toEqual([idOf(400)]);
      expect(await idsIn(query, { caller, network: devnet })).toEqual([idOf(401)]);
      expect(await idsIn(query, { network: devnet })).toEqual([]);
      expect(await idsIn(query)).not.toContain(idOf(400));
    }
  });
});

describe("400", () => {
  it("refuses due_before beside a status, and what is no instant", async () => {
    const refused = { status: 400, code: "invalid_request" };
    expect(await errorOf(list({ due_before: inHours(1), status: ["active"] }))).toMatchObject(refused);
    for (const due_before of ["tomorrow", "2026-01-01", ""]) {
      expect(await errorOf(list({ due_before }))).toMatchObject(refused);
    }
  });

  it("refuses the cursor of the other order, and what is none", async () => {
    const { cursor: newest } = await list({ limit: 1 });
    const { cursor: due } = await list({ limit: 1, due_before: inHours(72) });
    const refused = { status: 400, code: "invalid_cursor" };
    for (const cursor of [due, "", "x"]) expect(await errorOf(list({ cursor }))).toMatchObject(refused);
    for (const cursor of [newest, "", "x"]) {
      expect(await errorOf(list({ cursor, due_before: inHours(72) }))).toMatchObject(refused);
    }
  });
});

describe("404", () => {
  it("is the answer for another tenant's account, and for no account", async () => {
    const caller = await test.addTenant("a stranger to all orders");
    for (const query of [{}, { due_before: inHours(72) }]) {
      for (const account of [ada.address, payee, "x"]) {
        const asked = errorOf(list({ ...query, account }, { caller }));
        expect(await asked).toMatchObject({ status: 404, code: "account_not_found" });
      }
    }
  });
});

const inHours = (hours: number) => new Date(test.network.clock.now() + hours * hourMs).toISOString();

const list = (query: object = {}, parts: CallParts = {}) =>
  test.page<WireOrder>(listAllStandingOrders, { query, ...parts });

const idsIn = async (query: object = {}, parts: CallParts = {}) => (await list(query, parts)).items.map(({ id }) => id);

/** The ids of all pages of a query; `between` happens between one page and the next. */
async function pagesOf(query: object, parts: CallParts = {}, between?: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...query, ...(cursor === undefined ? {} : { cursor }) }, parts);
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.cursor;
    await between?.();
  } while (cursor !== undefined);
  return seen;
}

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** Writes down an active order like one that is there; three in a row are of the same instant. */
async function insert(n: number, more: Partial<StandingOrderTable>): Promise<void> {
  const { db } = test.needs;
  const row = await db.selectFrom("standing_order").selectAll().where("id", "=", ofAda).executeTakeFirstOrThrow();
  const own = {
    id: idOf(n),
    account_address: publicKeyOf(`account ${n}`),
    spending_limit_address: publicKeyOf(`limit ${n}`),
    prepared_id: `prepared ${n}`,
    created_at: BigInt(test.network.clock.now() + Math.floor(n / 3)),
  };
  await db
    .insertInto("standing_order")
    .values({ ...row, ...own, ...more })
    .execute();
}
