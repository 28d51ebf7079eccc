import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  addBank,
  away,
  bent,
  notSimulated,
  openApproved,
  type PreparedBankIntent,
  submitBank,
  usAccount,
  withoutRails,
} from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf, type HeldAccount } from "../../test/support/test-network.js";
import { removeExternalAccount } from "../rails/remove-external-account.js";
import { createStandingOrder } from "../standing-orders/create-standing-order.js";
import { getStandingOrder } from "../standing-orders/get-standing-order.js";
import { closePayoutAddresses } from "./close-payout-addresses.js";

const test = useTestNetwork();
let holder: HeldAccount;
let address: string;
beforeAll(setUp);

describe("200", () => {
  it("closes the address that orders pay to, and makes them inactive, however often", async () => {
    const bank = await add("111111111");
    const order = await prepareOrder(bank);
    await submitBank(test, holder, order);
    const closed = [{ address: order.destination.address, status: "deactivated" }];
    for (const _ of [1, 2]) expect(await close(bank)).toEqual(closed);
    expect(await test.call(getStandingOrder, { params: { address, id: order.id } })).toMatchObject({
      status: "inactive",
      reason: "payout_address_deactivated",
    });
  });

  it("lets the next order have another address, and closes that one too", async () => {
    const bank = await add("222222222");
    const first = (await prepareOrder(bank)).destination.address;
    await close(bank);
    const second = (await prepareOrder(bank)).destination.address;
    expect(second).not.toBe(first);
    expect(await close(bank)).toEqual([first, second].map((place) => ({ address: place, status: "deactivated" })));
  });

  it("closes nothing of a bank account that no order pays", async () => {
    expect(await close(await add("333333333"))).toEqual([]);
  });

  it("is the same for several at once", async () => {
    const bank = await add("444444444");
    const place = (await prepareOrder(bank)).destination.address;
    const answers = await Promise.all([1, 2, 3].map(() => close(bank)));
    for (const answer of answers) expect(answer).toEqual([{ address: place, status: "deactivated" }]);
  });
});

describe("400", () => {
  it("where there are no rails, or nothing simulates them", async () => {
    const bank = await add("555555555");
    const unavailable = { code: "rail_not_available", status: 400 };
    for (const needs of [withoutRails, notSimulated(test)]) {
      expect(await errorOf(close(bank, { needs }))).toMatchObject(unavailable);
    }
  });
});

describe("404", () => {
  it("for a bank account that is another tenant's, nobody's, or being removed", async () => {
    const notFound = { code: "external_account_not_found", status: 404 };
    const bank = await add("666666666");
    const caller = await test.addTenant("stranger");
    expect(await errorOf(close(bank, { caller }))).toMatchObject(notFound);
    for (const other of [randomUUID(), "nothing"]) expect(await errorOf(close(other))).toMatchObject(notFound);
    const needs = bent(test, () => ({ removeBankAccount: away }));
    await errorOf(test.call(removeExternalAccount, { params: { address, id: bank }, needs }));
    expect(await errorOf(close(bank))).toMatchObject(notFound);
  });
});

describe("502", () => {
  it("while the partner does not say what became of it, which the next call reads", async () => {
    const bank = await add("777777777");
    const place = (await prepareOrder(bank)).destination.address;
    const needs = bent(test, () => ({ readPayoutAddress: away }));
    expect(await errorOf(close(bank, { needs }))).toMatchObject({ code: "partner_unavailable", status: 502 });
    expect(await close(bank)).toEqual([{ address: place, status: "deactivated" }]);
  });
});

async function setUp(): Promise<void> {
  holder = await openApproved(test, "holder@example.org");
  address = holder.verified.address;
}

const add = async (account_number: string) =>
  (await addBank(test, address, { ...usAccount, account: { ...usAccount.account, account_number } })).id;

const close = (external_account_id: string, parts: CallParts = {}) =>
  test.call<{ address: string; status: string }[]>(closePayoutAddresses, {
    params: { external_account_id },
    body: { status: "deactivated" },
    ...parts,
  });

const prepareOrder = (to: string) =>
  test.call<PreparedBankIntent>(createStandingOrder, {
    params: { address },
    body: {
      amount: "3000000",
      frequency: "daily",
      source: { account: address, currency: "usdc" },
      destination: { payment_rail: "ach_push", currency: "usd", external_account_id: to },
    },
  });
