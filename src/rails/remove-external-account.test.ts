import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  addBank,
  away,
  bent,
  openApproved,
  payBank,
  readIntent,
  usAccount,
  withoutRails,
} from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import type { ExternalAccount } from "./external-account.js";
import { followRails } from "./follow-rails.js";
import { getExternalAccount } from "./read-external-accounts.js";
import { removeExternalAccount } from "./remove-external-account.js";

const test = useTestNetwork();
let address: string;
beforeAll(setUp);

describe("200", () => {
  it("answers the bank account as it was, no longer active, and forgets it here and at the partner", async () => {
    const bank = await add();
    const [ref] = await refsOf(bank.id);
    const removed: unknown[] = [];
    const needs = bent(test, (partner) => ({
      removeBankAccount: (request) => {
        removed.push(request.ref);
        return partner.removeBankAccount(request);
      },
    }));
    expect(await remove(bank.id, { needs })).toEqual({ ...bank, active: false });
    expect(removed).toEqual([ref]);
    expect(await refsOf(bank.id)).toEqual([]);
    expect(await errorOf(remove(bank.id))).toMatchObject({ code: "external_account_not_found", status: 404 });
  });

  it("is one removal for several at once", async () => {
    const bank = await add();
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => remove(bank.id)));
    const codes = outcomes.map((one) => (one.status === "fulfilled" ? one.value.id : one.reason.code));
    expect(codes).toContain(bank.id);
    for (const code of codes) expect([bank.id, "external_account_not_found"]).toContain(code);
    expect(await refsOf(bank.id)).toEqual([]);
  });

  it("cancels a payment to it that was not submitted", async () => {
    const bank = await add();
    const intent = await payBank(test, address, bank.id, "5000000");
    await remove(bank.id);
    expect(await readIntent(test, address, intent.id)).toMatchObject({ state: "canceled" });
  });

  it("lets the same bank account be added again, as another one", async () => {
    const bank = await add();
    await remove(bank.id);
    numbers -= 1;
    expect((await add()).id).not.toBe(bank.id);
  });
});

describe("400", () => {
  it("where the partner keeps it: it can be paid no longer, and is asked about again", async () => {
    const bank = await add();
    const needs = bent(test, () => ({
      removeBankAccount: async () => ({ ok: false, refused: { reason: "wrong_state", forOperator: "it is in use" } }),
    }));
    const error = await errorOf(remove(bank.id, { needs }));
    expect(error).toMatchObject({ code: "partner_refused", status: 400, details: [{ reason: "wrong_state" }] });
    expect(JSON.stringify(error.details)).not.toContain("it is in use");
    expect(await errorOf(get(bank.id))).toMatchObject({ code: "external_account_not_found" });
    expect(await remove(bank.id)).toMatchObject({ id: bank.id, active: false });
    expect(await refsOf(bank.id)).toEqual([]);
  });

  it("where there are no rails", async () => {
    const bank = await add();
    const error = await errorOf(remove(bank.id, { needs: withoutRails }));
    expect(error).toMatchObject({ code: "rail_not_available", status: 400 });
    expect(await get(bank.id)).toEqual(bank);
  });
});

describe("404", () => {
  it("for a bank account of another account, or of none", async () => {
    const other = (await openApproved(test, "other@example.org")).verified.address;
    const { id } = await addBank(test, other);
    for (const wanted of [id, randomUUID(), "x"]) {
      expect(await errorOf(remove(wanted))).toMatchObject({ code: "external_account_not_found", status: 404 });
    }
    expect(await get(id, { params: { address: other, id } })).toMatchObject({ active: true });
  });

  it("for another tenant's account", async () => {
    const bank = await add();
    const caller = await test.addTenant("stranger");
    expect(await errorOf(remove(bank.id, { caller }))).toMatchObject({ code: "account_not_found", status: 404 });
    expect(await get(bank.id)).toEqual(bank);
  });
});

describe("502", () => {
  it("while the partner is away: nothing more can be paid to it, and the pass removes it", async () => {
    const bank = await add();
    const needs = bent(test, () => ({ removeBankAccount: away }));
    expect(await errorOf(remove(bank.id, { needs }))).toMatchObject({ code: "partner_unavailable", status: 502 });
    expect(await errorOf(get(bank.id))).toMatchObject({ code: "external_account_not_found" });
    expect(await refsOf(bank.id)).toHaveLength(1);
    test.needs.realClock.advance(86_400_000);
    await followRails(test.needs, test.network);
    expect(await refsOf(bank.id)).toEqual([]);
  });
});

let numbers = 100_000_000;

async function setUp(): Promise<void> {
  address = (await openApproved(test, "holder@example.org")).verified.address;
}

/** A bank account whose number no other has. */
async function add(): Promise<ExternalAccount> {
  numbers += 1;
  return addBank(test, address, { ...usAccount, account: { ...usAccount.account, account_number: `${numbers}` } });
}

const remove = (id: string, parts: CallParts = {}) =>
  test.call<ExternalAccount>(removeExternalAccount, { params: { address, id }, ...parts });

const get = (id: string, parts: CallParts = {}) =>
  test.call<ExternalAccount>(getExternalAccount, { params: { address, id }, ...parts });

/** The partner's name of a bank account that is still kept here. */
const refsOf = async (id: string) => {
  const rows = test.needs.db.selectFrom("rail_external_account").select("partner_ref").where("id", "=", id);
  return (await rows.execute()).map(({ partner_ref }) => partner_ref);
};
