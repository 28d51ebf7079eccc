import { randomUUID } from "node:crypto";
import type { Static } from "typebox";
import { beforeAll, describe, expect, it } from "vitest";
import { away, bent, held, notSimulated, openApproved, withoutRails } from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import type { WireDeposit } from "../rails/deposit.js";
import { listDeposits } from "../rails/list-deposits.js";
import { requestVirtualAccount } from "../rails/request-virtual-account.js";
import { setVirtualAccountStatus } from "./set-virtual-account-status.js";
import { simulateDeposit } from "./simulate-deposit.js";

const test = useTestNetwork();
let address: string;
let virtual_account_id: string;
beforeAll(setUp);

describe("201", () => {
  it("pays coins out on chain, net of the fee, and answers what the chain shows", async () => {
    const before = await held(test, address);
    const paid = await deposit("250.00");
    expect(paid).toMatchObject({
      virtual_account_id,
      state: "processed",
      amount: "250.00",
      currency: "usd",
      payment_rail: "ach_push",
      fees: { developer_fee: "1.25", exchange_fee: "0.00", gas_fee: "0.00" },
      destination: { address, currency: "usdc" },
      credited: true,
      received: { amount: "248750000" },
    });
    expect((await held(test, address)) - before).toBe(248_750_000n);
    expect(await listed()).toContainEqual(paid);
  });

  it.each([
    ["10.02", "in_review", 0n],
    ["10.03", "refunded", 0n],
    ["0.05", "not_credited", 0n],
    ["10.06", "processed", 10_000_000n],
    ["10.07", "processed", 10_010_000n],
  ])("has the cents of %s say that it is %s", async (amount, state, credit) => {
    const before = await held(test, address);
    expect(await deposit(amount)).toMatchObject({ amount, state, credited: credit > 0n });
    expect((await held(test, address)) - before).toBe(credit);
  });

  it("comes by the rail that is named", async () => {
    expect(await deposit("5.00", { body: { amount: "5.00", payment_rail: "wire" } })).toMatchObject({
      payment_rail: "wire",
    });
  });

  it("pays once under an idempotency key, and each time without", async () => {
    const before = await held(test, address);
    const once = () => deposit("20.00", { operationId: "once" });
    const first = await once();
    expect((await once()).id).toBe(first.id);
    expect((await held(test, address)) - before).toBe(19_900_000n);
    expect((await deposit("20.00")).id).not.toBe(first.id);
    expect((await held(test, address)) - before).toBe(39_800_000n);
  });
});

describe("400", () => {
  it.each(["0", "-1", "1.001", "abc", "1e3", "1000000000.01", "99999999999"])("for the amount %s", async (amount) => {
    const count = (await listed()).length;
    expect(await errorOf(deposit(amount))).toMatchObject({ code: "invalid_amount", status: 400 });
    expect(await listed()).toHaveLength(count);
  });

  it("for a rail that the account does not have", async () => {
    const error = await errorOf(deposit("1.00", { body: { amount: "1.00", payment_rail: "sepa" } }));
    expect(error).toMatchObject({ code: "rail_not_available", status: 400, details: [{ field: "payment_rail" }] });
  });

  it("where there are no rails, or nothing simulates them", async () => {
    for (const needs of [withoutRails, notSimulated(test)]) {
      expect(await errorOf(deposit("1.00", { needs }))).toMatchObject({ code: "rail_not_available", status: 400 });
    }
  });
});

describe("404", () => {
  it("for an account that is another tenant's, or nobody's", async () => {
    const notFound = { code: "virtual_account_not_found", status: 404 };
    const count = (await listed()).length;
    expect(await errorOf(deposit("1.00", { caller: await test.addTenant("stranger") }))).toMatchObject(notFound);
    for (const other of [randomUUID(), "x"]) {
      expect(await errorOf(deposit("1.00", { params: { virtual_account_id: other } }))).toMatchObject(notFound);
    }
    expect(await listed()).toHaveLength(count);
  });
});

describe("409", () => {
  it("for an account that is deactivated", async () => {
    const set = (status: string) =>
      test.call(setVirtualAccountStatus, { params: { virtual_account_id }, body: { status } });
    await set("deactivated");
    const refused = { code: "virtual_account_deactivated", status: 409 };
    expect(await errorOf(deposit("1.00"))).toMatchObject(refused);
    await set("activated");
    expect(await deposit("1.00")).toMatchObject({ state: "processed" });
  });
});

describe("502", () => {
  it("while the partner does not say what became of it: the same call again finds the one payment", async () => {
    const before = await held(test, address);
    const needs = bent(test, () => ({ readVirtualAccount: away, listDeposits: away }));
    const error = await errorOf(deposit("30.00", { needs, operationId: "unanswered" }));
    expect(error).toMatchObject({ code: "partner_unavailable", status: 502 });
    expect(await deposit("30.00", { operationId: "unanswered" })).toMatchObject({ state: "processed" });
    expect((await held(test, address)) - before).toBe(29_850_000n);
  });
});

type Deposit = Static<typeof WireDeposit>;

async function setUp(): Promise<void> {
  address = (await openApproved(test, "holder@example.org")).verified.address;
  const body = { currency: "usd" };
  virtual_account_id = (await test.call<{ id: string }>(requestVirtualAccount, { params: { address }, body })).id;
}

const deposit = (amount: string, parts: CallParts = {}) =>
  test.call<Deposit>(simulateDeposit, { params: { virtual_account_id }, body: { amount }, ...parts });

const listed = () =>
  test.call<Deposit[]>(listDeposits, { params: { address, virtual_account_id }, query: { limit: 100 } });
