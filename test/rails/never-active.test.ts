import type { Address } from "@solana/kit";
import type { PartnerRef, PayoutAddress, RailsPartner } from "@trellis/kernel/ports/rails.js";
import { expect, it } from "vitest";
import { removeExternalAccount } from "../../src/rails/remove-external-account.js";
import { createStandingOrder } from "../../src/standing-orders/create-standing-order.js";
import { use, useTestNetwork } from "../support/scene.js";
import { errorOf } from "../support/test-network.js";
import {
  addBank,
  bent,
  openApproved,
  type PreparedBankIntent,
  railsOf,
  settle,
  usAccount,
} from "./transfers-support.js";

const test = useTestNetwork();
const holder = use(() => openApproved(test, "never@example.org"));

it("an address that never accepted coins is waited for for a day, and then replaced, too", async () => {
  const bank = await openBlocked("111111111");
  for (const _ of [1, 2]) expect(await errorOf(prepareOrder(bank))).toMatchObject({ code: "partner_refused" });
  expect(await placesOf(bank)).toHaveLength(2);
  test.needs.realClock.advance(86_400_000);
  const [one, other] = await Promise.all([prepareOrder(bank), prepareOrder(bank)]);
  const places = await placesOf(bank);
  expect(places.filter(({ retired_at }) => retired_at === null)).toMatchObject([{ status: "activated" }]);
  expect(places).toHaveLength(3);
  const present = places.find(({ retired_at }) => retired_at === null)?.address;
  expect([one.destination.address, other.destination.address]).toEqual([present, present]);
});

it("coins that come after it was closed are seen in the next pass for thirty days, and within a day from then on", async () => {
  const { sandbox, clock, currencies } = test.network;
  const usdc = currencies.find(({ symbol }) => symbol === "usdc")?.mint as Address;
  const bank = (await addBank(test, holder.address, number("555555555"))).id;
  const order = await prepareOrder(bank);
  const [place] = await placesOf(bank);
  const ref = place?.partner_ref as PartnerRef;
  await close(ref);
  const pay = async (name: string) =>
    (await sandbox?.mintTo(order.destination.address as Address, usdc, 3_000_000n, name)) as string;
  const isSeen = async (signature: string) => {
    await railsOf(test).simulator?.play();
    const payouts = test.needs.db.selectFrom("simulated_transfer").select("ref");
    return (await payouts.where("source_signature", "=", signature).execute()).length === 1;
  };
  expect(await isSeen(await pay("soon"))).toBe(true);
  // They were not paid out: they are returned to the address itself, once.
  for (let refresh = 0; refresh < 4; refresh += 1) await railsOf(test).simulator?.play();
  const payouts = await test.needs.db
    .selectFrom("simulated_transfer")
    .select("state")
    .where("payout_address_ref", "=", ref)
    .execute();
  expect(payouts).toEqual([{ state: "refunded" }]);

  const late = await pay("late");
  const hour = 3_600_000;
  const was = async (closedHoursAgo: number, refreshedHoursAgo: number) =>
    test.needs.db
      .updateTable("simulated_payout_address")
      .set({
        closed_at: BigInt(Math.floor(clock.now()) - closedHoursAgo * hour),
        looked_at: BigInt(Math.floor(clock.now()) - refreshedHoursAgo * hour),
      })
      .where("ref", "=", ref)
      .execute();
  await was(31 * 24, 1);
  expect(await isSeen(late)).toBe(false);
  await was(31 * 24, 24);
  expect(await isSeen(late)).toBe(true);
});

it("its bank account can be removed, and added again", async () => {
  const bank = await openBlocked("222222222");
  const removed = await test.call(removeExternalAccount, { params: { address: holder.address, id: bank } });
  expect(removed).toMatchObject({ id: bank, active: false });
  const left = await test.needs.db.selectFrom("rail_external_account").select("id").where("id", "=", bank).execute();
  expect(left).toEqual([]);
  const again = await addBank(test, holder.address, number("222222222"));
  expect(again.id).not.toBe(bank);
  const order = await prepareOrder(again.id);
  expect((await placesOf(bank)).map((place) => place.address)).not.toContain(order.destination.address);
});

it("one that its partner names again stands for itself, and is paid once the partner says that it takes coins", async () => {
  const bank = (await addBank(test, holder.address, number("333333333"))).id;
  const order = await prepareOrder(bank);
  const [first] = await placesOf(bank);
  await close(first?.partner_ref);
  await settle(test);
  const named = { ref: first?.partner_ref as PartnerRef, address: first?.address ?? "" };
  const errors = () => test.logLines.filter(({ level }) => level === "error").length;
  const before = errors();
  const closed = saying({ status: "deactivated" }, { ...named, status: "deactivated" });
  expect(await errorOf(prepareOrder(bank, closed))).toMatchObject({
    code: "partner_refused",
    details: [{ reason: "wrong_state" }],
  });
  expect((await placesOf(bank)).map(({ id, retired_at }) => [id, retired_at !== null])).toEqual([[first?.id, true]]);
  // Its word at the opening is not enough.
  const lying = saying({ status: "deactivated" }, { ...named, status: "activated" });
  expect(await errorOf(prepareOrder(bank, lying))).toMatchObject({ code: "partner_refused" });
  const open = saying({ status: "activated" }, { ...named, status: "activated" });
  expect((await prepareOrder(bank, open)).destination.address).toBe(order.destination.address);
  expect(await placesOf(bank)).toMatchObject([{ id: first?.id, status: "activated", retired_at: null, look_at: 0n }]);
  expect(errors()).toBe(before);
});

type Reported = Awaited<ReturnType<RailsPartner["readPayoutAddress"]>>;

const prepareOrder = (to: string, needs: object = {}) =>
  test.call<PreparedBankIntent>(createStandingOrder, {
    params: { address: holder.address },
    body: {
      amount: "3000000",
      frequency: "daily",
      source: { account: holder.address, currency: "usdc" },
      destination: { payment_rail: "ach_push", currency: "usd", external_account_id: to },
    },
    needs,
  });

const placesOf = (bank: string) =>
  test.needs.db
    .selectFrom("rail_payout_address")
    .selectAll()
    .where("external_account_id", "=", bank)
    .orderBy("created_at")
    .orderBy("retired_at")
    .execute();

const close = (ref: string | null | undefined) => railsOf(test).simulator?.closePayoutAddress(ref as PartnerRef);

/** A partner that says something else of every address. */
const saying = (change: Partial<PayoutAddress>, opened: Partial<PayoutAddress> = change) => {
  const bend = async (reporting: Promise<Reported>, to: Partial<PayoutAddress>): Promise<Reported> => {
    const reported = await reporting;
    return reported.ok ? { ok: true, value: { ...reported.value, ...to } } : reported;
  };
  return bent(test, (partner) => ({
    openPayoutAddress: (request) => bend(partner.openPayoutAddress(request), opened),
    readPayoutAddress: (request, signal) => bend(partner.readPayoutAddress(request, signal), change),
  }));
};

const number = (account_number: string) => ({ ...usAccount, account: { ...usAccount.account, account_number } });

/** A bank account whose address was paid and closed, and whose second one never accepted coins. */
async function openBlocked(account_number: string): Promise<string> {
  const bank = (await addBank(test, holder.address, number(account_number))).id;
  await prepareOrder(bank);
  await close((await placesOf(bank))[0]?.partner_ref);
  await settle(test);
  expect(await errorOf(prepareOrder(bank, saying({ status: "deactivated" })))).toMatchObject({
    code: "partner_refused",
  });
  const places = await placesOf(bank);
  expect(places.map(({ was_active, retired_at }) => [was_active, retired_at !== null])).toEqual([
    [true, true],
    [false, false],
  ]);
  await close(places[1]?.partner_ref);
  await settle(test);
  return bank;
}
