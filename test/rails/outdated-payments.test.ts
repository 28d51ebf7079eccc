import { randomBytes } from "node:crypto";
import type { Address } from "@solana/kit";
import type { PartnerRef } from "@trellis/kernel/ports/rails.js";
import { refuse } from "@trellis/sandbox/partner/bank-accounts.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { PaymentIntent } from "../../src/payments/payment-intent.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { deleteRailData } from "../../src/rails/delete-rail-data.js";
import { externalAccountKind } from "../../src/rails/external-accounts.js";
import { followRails } from "../../src/rails/follow-rails.js";
import { forgetRailData } from "../../src/rails/forget-rail-data.js";
import { removeExternalAccount } from "../../src/rails/remove-external-account.js";
import { transferKind } from "../../src/rails/transfers.js";
import { createStandingOrder } from "../../src/standing-orders/create-standing-order.js";
import { payStandingOrders } from "../../src/standing-orders/pay-orders.js";
import { bendNetwork } from "../support/bent-network.js";
import { useTestNetwork } from "../support/scene.js";
import { postgresUrl } from "../support/test-database.js";
import { errorOf, type HeldAccount } from "../support/test-network.js";
import {
  addBank,
  approve,
  away,
  bent,
  held,
  openApproved,
  payBank,
  railsOf,
  readIntent,
  settle,
  submitBank,
  waitOut,
} from "./transfers-support.js";

/** Payments that must not be made any more: a holder of their transactions signs, and no coin leaves the account. */
const test = useTestNetwork();
let people = 0;

describe("a payment to a bank", () => {
  it.each(["error", "canceled"] as const)(
    "that its partner ended (%s) before it was answered is never answered",
    async (state) => {
      const { address, bank } = await open();
      let opened = "";
      const network = betweenOpeningAndAnswer(address, async (id) => {
        opened = id;
        await railsOf(test).simulator?.setTransfer((await rowOf(id)).partner_ref as PartnerRef, state);
        await transferKind.poll(test.needs, test.network, railsOf(test), id);
      });
      const refused = await errorOf(payBank(test, address, bank, "5000000", { network } as never));
      expect(refused).toMatchObject({ code: "partner_unavailable" });
      expect(await rowOf(opened)).toMatchObject({ answer: null });
      expect(await errorOf(readIntent(test, address, opened))).toMatchObject({ code: "payment_intent_not_found" });
    },
  );

  it("that was paid by another transaction is not paid again by the one that was prepared", async () => {
    const { holder, address, bank } = await open();
    const prepared = await payBank(test, address, bank, "5000000");
    const row = await rowOf(prepared.id);
    await test.network.sandbox?.mintTo(row.to_address as Address, row.mint as Address, 5_000_000n, "paid otherwise");
    await settle(test);
    expect(await readIntent(test, address, prepared.id)).toMatchObject({ state: "payment_processed" });
    const before = await held(test, address);
    expect(await errorOf(submitBank(test, holder, prepared))).toMatchObject({ code: "payload_expired" });
    await settle(test);
    expect(await held(test, address)).toBe(before);
  });

  it("that was paid by its own transaction is answered as before, however often it is submitted", async () => {
    const { holder, address, bank } = await open();
    const before = await held(test, address);
    const prepared = await payBank(test, address, bank, "5000000");
    const first = await submitBank(test, holder, prepared);
    await settle(test);
    expect(await readIntent(test, address, prepared.id)).toMatchObject({ state: "payment_processed" });
    expect(await submitBank(test, holder, prepared)).toMatchObject({
      transaction_signature: first.transaction_signature,
    });
    expect(await held(test, address)).toBe(before - 5_000_000n);
  });
});

describe("a bank account that is removed", () => {
  it("takes part in no payment that was prepared before, and is cancelled at the partner", async () => {
    const { holder, address, bank } = await open();
    const prepared = await payBank(test, address, bank, "5000000");
    const before = await held(test, address);
    await remove(address, bank);
    expect(await readIntent(test, address, prepared.id)).toMatchObject({ state: "canceled" });
    expect(await errorOf(submitBank(test, holder, prepared))).toMatchObject({ code: "payload_expired" });
    await settle(test);
    await waitOut(test);
    expect(await held(test, address)).toBe(before);
    expect(await rowOf(prepared.id)).toMatchObject({ state: "canceled" });
  });

  it("takes part in no payment that is being prepared", async () => {
    const { address, bank } = await open();
    let opened = "";
    const network = betweenOpeningAndAnswer(address, async (id) => {
      opened = id;
      await remove(address, bank);
    });
    const refused = await errorOf(payBank(test, address, bank, "5000000", { network } as never));
    expect(refused).toMatchObject({ code: "external_account_not_found" });
    expect(await rowOf(opened)).toMatchObject({ answer: null, given_up_at: expect.anything() });
    await waitOut(test);
  });

  it("is removed at the partner once what was submitted has arrived", async () => {
    const { holder, address, bank } = await open();
    const banks = await banksAtPartner();
    const prepared = await payBank(test, address, bank, "5000000");
    await submitBank(test, holder, prepared);
    expect(await remove(address, bank)).toMatchObject({ active: false });
    expect(await banksAtPartner()).toBe(banks);
    await settle(test);
    expect(await readIntent(test, address, prepared.id)).toMatchObject({ state: "payment_processed" });
    await waitOut(test, 3_600_000);
    expect(await banksAtPartner()).toBe(banks - 1);
  });

  it("stays at the partner while another account's payouts to the same one are on their way", async () => {
    const { holder, address, bank } = await open();
    const expiration = Math.floor(test.needs.realClock.now() / 1000) + 25 * 86_400;
    const other = (await test.openHolder("shares@example.org", { expiration })).verified.address;
    await approve(test, other, `outdated-${people}@example.org`, ["base"]);
    const shared = (await addBank(test, other)).id;
    const banks = await banksAtPartner();
    await submitBank(test, holder, await order(address, bank));
    await payStandingOrders(test.needs, test.network);
    await remove(address, bank);
    await remove(other, shared);
    expect(await banksAtPartner()).toBe(banks);
    await settle(test);
    const payouts = await test.needs.db
      .selectFrom("rail_payout")
      .select("state")
      .where("account_address", "=", address)
      .execute();
    expect(payouts).toEqual([{ state: "payment_processed" }]);
    await waitOut(test, 3_600_000);
    expect(await banksAtPartner()).toBe(banks - 1);
  });
});

describe("a bank account of a person who was approved twice, by two names at the partner", () => {
  it("is paid under the name it was added under, and under the other one once it was added anew after that is good no more", async () => {
    const { holder, address, bank } = await open();
    const second = await approve(test, address, `again-${people}@example.org`, ["base", "sepa"]);
    await sql`update rail_verification set created_at = created_at + 1 where partner_ref = ${second}`.execute(
      test.needs.db,
    );
    const first = await payBank(test, address, bank, "2000000");
    await submitBank(test, holder, first);
    await order(address, bank);
    await settle(test);
    expect(await readIntent(test, address, first.id)).toMatchObject({ state: "payment_processed" });
    expect((await addBank(test, address)).id).toBe(bank);

    await railsOf(test).simulator?.setVerification(holder.verification, { status: "rejected" });
    await settle(test);
    expect(await errorOf(payBank(test, address, bank, "2000000"))).toMatchObject({ code: "kyc_required" });
    const anew = (await addBank(test, address)).id;
    expect(anew).not.toBe(bank);
    const last = await payBank(test, address, anew, "2000000");
    await submitBank(test, holder, last);
    await settle(test);
    expect(await readIntent(test, address, last.id)).toMatchObject({ state: "payment_processed" });
  });
});

describe("a partner", () => {
  it("that returns an overlong word is followed on", async () => {
    const { holder, address, bank } = await open();
    const prepared = await payBank(test, address, bank, "2000000");
    await submitBank(test, holder, prepared);
    const [state, name] = [randomBytes(4_500).toString("base64"), randomBytes(4_500).toString("hex")];
    const at = test.needs.realClock.now();
    const wordy = bent(test, () => ({
      changesSince: async () => ({
        ok: true,
        value: {
          hints: [
            { eventId: `transfer/t/${state}`, kind: "transfer", ref: "t" as PartnerRef, at },
            { eventId: "transfer/u", kind: "transfer", ref: name as PartnerRef, at },
          ],
          cursor: "same",
        },
      }),
    }));
    test.needs.realClock.advance(86_400_000);
    await followRails({ ...test.needs, ...wordy }, test.network);
    expect(await readIntent(test, address, prepared.id)).toMatchObject({ state: "payment_processed" });
    const { rows } = await sql<{ event_id: string }>`select event_id from rail_notice where ref = 't'`.execute(
      test.needs.db,
    );
    expect(rows).toEqual([{ event_id: expect.stringMatching(/^sha256\/[0-9a-f]{64}$/) }]);
  });

  it("whose webhooks cannot be read is followed all the same, and the operator is alarmed", async () => {
    const { holder, address, bank } = await open();
    const prepared = await payBank(test, address, bank, "2000000");
    await submitBank(test, holder, prepared);
    const broken = bent(test, () => ({
      changesSince: async () => {
        throw new RangeError("nobody foresaw this");
      },
    }));
    test.needs.realClock.advance(86_400_000);
    await followRails({ ...test.needs, ...broken }, test.network);
    expect(await readIntent(test, address, prepared.id)).toMatchObject({ state: "payment_processed" });
    expect(test.logLines).toContainEqual(
      expect.objectContaining({ level: "error", fields: expect.objectContaining({ err: expect.any(RangeError) }) }),
    );
  });

  it("that has no such customer any more releases what it never opened", async () => {
    const { address, bank } = await open();
    const lost = bent(test, () => ({ createTransfer: away }));
    expect(await errorOf(payBank(test, address, bank, "2000000", { needs: lost }))).toMatchObject({
      code: "partner_unavailable",
    });
    const removed = bent(test, () => ({ findTransfer: async () => refuse("not_found", "no such customer") }));
    test.needs.realClock.advance(2 * 86_400_000);
    await followRails({ ...test.needs, ...removed }, test.network);
    expect(await test.call(deleteRailData, { params: { address } })).toMatchObject({ deleted: true });
  });
});

it("a payment to a bank that its partner does not see is reported", async () => {
  const { holder, address, bank } = await open();
  const prepared = await payBank(test, address, bank, "2000000");
  await submitBank(test, holder, prepared);
  const blind = bent(test, (partner) => ({
    readTransfer: async (ref, signal) => {
      const reported = await partner.readTransfer(ref, signal);
      return reported.ok ? { ok: true, value: { ...reported.value, state: "awaiting_funds" } } : reported;
    },
  }));
  const isReported = () =>
    test.logLines.some(({ level, fields }) => level === "error" && JSON.stringify(fields).includes(prepared.id));
  const { realClock } = test.needs;
  await followRails({ ...test.needs, ...blind }, test.network);
  expect(isReported()).toBe(false);
  realClock.advance(2 * 86_400_000);
  await followRails({ ...test.needs, ...blind }, test.network);
  expect(isReported()).toBe(true);
  await settle(test);
});

describe("rail data that is forgotten", () => {
  it("leaves no payment from a bank waiting for ever", async () => {
    const { address } = await open();
    const { id } = await test.call<PaymentIntent>(preparePayment, {
      params: { address },
      body: { amount: "25.00", source: { payment_rail: "wire", currency: "usd" }, destination: { currency: "usdc" } },
    });
    await test.needs.db.updateTable("rail_transfer").set({ created_at: 1n }).where("id", "=", id).execute();
    const stubborn = bent(test, () => ({ cancelTransfer: async () => refuse("wrong_state", "no") }));
    await followRails({ ...test.needs, ...stubborn }, test.network);
    expect(await test.call(deleteRailData, { params: { address } })).toMatchObject({ deleted: true });
    expect(await readIntent(test, address, id)).toMatchObject({ state: "canceled" });
  });

  // The embedded database has one connection: no session waits for another there.
  it.runIf(postgresUrl !== undefined)("does not deadlock with a read of a bank account", async () => {
    const { db } = test.needs;
    const { address, bank } = await open();
    await order(address, bank);
    await db
      .updateTable("standing_order")
      .set({ status: "cancelled" })
      .where("account_address", "=", address)
      .execute();
    const inactive = bent(test, (partner) => ({
      readBankAccount: async (request, signal) => {
        const reported = await partner.readBankAccount(request, signal);
        return reported.ok ? { ok: true, value: { ...reported.value, active: false } } : reported;
      },
    }));
    const needs = { ...test.needs, ...inactive };
    const before = await deadlocks();
    const account = { tenantId: test.caller.tenantId, environment: "sandbox" as const, address };
    const both = await db.transaction().execute(async (trx) => {
      await trx.selectFrom("standing_order").select("id").where("account_address", "=", address).forUpdate().execute();
      const forgetting = forgetRailData(db, account, test.network.clock.now());
      await untilCallerWaits(1);
      const refreshing = externalAccountKind.poll(needs, test.network, needs.rails.get("sandbox") as never, bank);
      await untilCallerWaits(2);
      // Not awaited in here: they wait for this transaction.
      return { settled: Promise.allSettled([forgetting, refreshing]) };
    });
    expect((await both.settled).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect(await deadlocks()).toBe(before);
  });

  async function untilCallerWaits(atLeast: number): Promise<void> {
    for (let waiting = 0; waiting < atLeast; ) {
      const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(test.needs.db);
      waiting = rows[0]?.count ?? 0;
    }
  }

  async function deadlocks(): Promise<string | undefined> {
    const { rows } = await sql<{ found: string }>`select deadlocks as found from pg_stat_database
      where datname = current_database()`.execute(test.needs.db);
    return rows[0]?.found;
  }
});

type Holder = HeldAccount & { readonly verification: PartnerRef };

async function open(): Promise<{ holder: Holder; address: string; bank: string }> {
  people += 1;
  const holder = await openApproved(test, `outdated-${people}@example.org`);
  const { address } = holder.verified;
  return { holder, address, bank: (await addBank(test, address)).id };
}

const rowOf = (id: string) =>
  test.needs.db.selectFrom("rail_transfer").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

const remove = (address: string, id: string) =>
  test.call<{ active: boolean }>(removeExternalAccount, { params: { address, id } });

const banksAtPartner = async () =>
  (await test.needs.db.selectFrom("simulated_bank_account").select("ref").execute()).length;

const order = (address: string, bank: string) =>
  test.call<never>(createStandingOrder, {
    params: { address },
    body: {
      amount: "5000000",
      frequency: "monthly",
      source: { account: address, currency: "usdc" },
      destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank },
    },
  });

/** A network that does something once, as soon as the partner has opened an unreported transfer of the account. */
function betweenOpeningAndAnswer(address: string, act: (id: string) => Promise<unknown>) {
  let isDone = false;
  return bendNetwork(test.network, async ({ ask }) => {
    const { rows } = await sql<{ id: string }>`select id from rail_transfer where account_address = ${address}
      and partner_ref is not null and answer is null and given_up_at is null`.execute(test.needs.db);
    if (!isDone && rows[0] !== undefined) {
      isDone = true;
      await act(rows[0].id);
    }
    return ask();
  });
}
