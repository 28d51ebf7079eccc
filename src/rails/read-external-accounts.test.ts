import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { addBank, away, bent, openApproved, usAccount } from "../../test/rails/transfers-support.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import type { ExternalAccount } from "./external-account.js";
import { followRails } from "./follow-rails.js";
import { getExternalAccount, listExternalAccounts } from "./read-external-accounts.js";
import { removeExternalAccount } from "./remove-external-account.js";

const test = useTestNetwork();
const holder = use(() => openApproved(test, "holder@example.org"));

describe("200", () => {
  it("lists the account's own, the newest first, and reads each alone", async () => {
    const older = await add("123456789");
    await test.network.sandbox?.advanceClock(1);
    const newer = await add("987654321");
    expect(await list()).toEqual([newer, older]);
    expect(await get(older.id)).toEqual(older);
    expect(older).toMatchObject({
      account: holder.address,
      account_type: "us",
      currency: "usd",
      account_owner_name: "Ada Lovelace",
      bank_name: "Bank of Nowhere",
      last_4: "6789",
      active: true,
    });
  });

  it("shows no number", async () => {
    const { id } = await add("555000111");
    const shown = JSON.stringify([await list(), await get(id)]);
    for (const secret of ["555000111", "021000021"]) expect(shown).not.toContain(secret);
  });

  it("has a bank account checked that was not for a day: it says when it can no longer be paid", async () => {
    const { id } = await add("555000222");
    const closed = bent(test, (partner) => ({
      readBankAccount: async (request, signal) => {
        const answer = await partner.readBankAccount(request, signal);
        return answer.ok ? { ok: true, value: { ...answer.value, active: false } } : answer;
      },
    }));
    const follow = () => followRails({ ...test.needs, ...closed }, test.network);
    await get(id);
    await follow();
    expect(await get(id)).toMatchObject({ active: true });
    test.needs.realClock.advance(86_400_001);
    await get(id);
    await follow();
    expect(await get(id)).toMatchObject({ active: false });
  });

  it("has none for an account that has none", async () => {
    const other = (await test.openHolder("none@example.org")).verified.address;
    expect(await list({ params: { address: other } })).toEqual([]);
  });
});

describe("404", () => {
  it("for a bank account of another account, or of none", async () => {
    const other = (await openApproved(test, "other@example.org")).verified.address;
    const { id } = await addBank(test, other);
    for (const wanted of [id, randomUUID(), "x"]) {
      expect(await errorOf(get(wanted))).toMatchObject({ code: "external_account_not_found", status: 404 });
    }
    expect((await list()).map((bank) => bank.id)).not.toContain(id);
  });

  it("for one that is removed, also where the partner does not answer to that", async () => {
    const { id } = await add("555000333");
    const needs = bent(test, () => ({ removeBankAccount: away }));
    const removing = test.call(removeExternalAccount, { params: { address: holder.address, id }, needs });
    expect((await errorOf(removing)).code).toBe("partner_unavailable");
    expect(await errorOf(get(id))).toMatchObject({ code: "external_account_not_found", status: 404 });
    expect((await list()).map((bank) => bank.id)).not.toContain(id);
  });

  it("for another tenant's account", async () => {
    const { id } = await add("555000444");
    const caller = await test.addTenant("stranger");
    const notFound = { code: "account_not_found", status: 404 };
    expect(await errorOf(get(id, { caller }))).toMatchObject(notFound);
    expect(await errorOf(list({ caller }))).toMatchObject(notFound);
  });
});

const add = (account_number: string) =>
  addBank(test, holder.address, { ...usAccount, account: { ...usAccount.account, account_number } });

const get = (id: string, parts: CallParts = {}) =>
  test.call<ExternalAccount>(getExternalAccount, { params: { address: holder.address, id }, ...parts });

const list = (parts: CallParts = {}) =>
  test.call<ExternalAccount[]>(listExternalAccounts, { params: { address: holder.address }, ...parts });
