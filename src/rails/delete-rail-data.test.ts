import type { PartnerRef } from "@trellis/kernel/ports/rails.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import {
  addBank,
  away,
  bent,
  openApproved,
  payBank,
  railsOf,
  readIntent,
  usAccount,
  waitOut,
} from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { postgresUrl } from "../../test/support/test-database.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import type { PaymentIntent } from "../payments/payment-intent.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { moveSandboxTransfer } from "../sandbox-controls/move-transfer.js";
import { createStandingOrder } from "../standing-orders/create-standing-order.js";
import { deleteRailData } from "./delete-rail-data.js";
import { removeExternalAccount } from "./remove-external-account.js";
import { transferKind } from "./transfers.js";

const test = useTestNetwork();
const kept = async (address: string) =>
  (await test.needs.db.selectFrom("rail_transfer").select("id").where("account_address", "=", address).execute())
    .length;

it("nothing is forgotten while the payer of a payment from a bank has its details", async () => {
  const address = await open();
  const { id } = await test.call<PaymentIntent>(preparePayment, {
    params: { address },
    body: { amount: "25.00", source: { payment_rail: "wire", currency: "usd" }, destination: { currency: "usdc" } },
  });
  expect((await errorOf(forget(address))).code).toBe("money_on_its_way");
  expect(await kept(address)).toBe(1);
  await test.call(moveSandboxTransfer, { params: { id }, body: { state: "canceled" } });
  expect(await forget(address)).toMatchObject({ deleted: true });
  expect(await kept(address)).toBe(0);
});

it("nothing is forgotten while a payment to a bank can still be signed, until it is cancelled at the partner", async () => {
  const address = await open();
  const bank = await addBank(test, address);
  const { id } = await payBank(test, address, bank.id, "5000000");
  expect((await errorOf(forget(address))).code).toBe("money_on_its_way");
  await test.call(moveSandboxTransfer, { params: { id }, body: { state: "canceled" } });
  expect(await forget(address)).toMatchObject({ deleted: true });
});

it("nothing is forgotten while the removal of an external account is open at the partner", async () => {
  const address = await open();
  const { id } = await addBank(test, address);
  const removing = { params: { address, id }, needs: bent(test, () => ({ removeBankAccount: away })) };
  expect((await errorOf(test.call(removeExternalAccount, removing))).code).toBe("partner_unavailable");
  expect((await errorOf(forget(address))).code).toBe("money_on_its_way");
  await waitOut(test);
  expect(await forget(address)).toMatchObject({ deleted: true });
  const banks = await test.needs.db.selectFrom("rail_external_account").select("id").execute();
  expect(banks.filter((bank) => bank.id === id)).toEqual([]);
});

// The embedded database has one connection: nothing happens there between two statements of a transaction.
const playedAtOnce = it.runIf(postgresUrl !== undefined);

/** Until so many statements wait for rows that others hold. */
async function untilCallerWaits(atLeast = 1): Promise<void> {
  for (let waiting = 0; waiting < atLeast; ) {
    const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(test.needs.db);
    waiting = rows[0]?.count ?? 0;
  }
}

const payIn = (address: string) =>
  test.call<PaymentIntent>(preparePayment, {
    params: { address },
    body: { amount: "25.00", source: { payment_rail: "wire", currency: "usd" }, destination: { currency: "usdc" } },
  });

playedAtOnce("what is begun before everything is forgotten keeps it from being forgotten", async () => {
  const { db } = test.needs;
  const address = await open();
  const { forgetting } = await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom("rail_verification")
      .select("id")
      .where("account_address", "=", address)
      .forKeyShare()
      .execute();
    const forgetting = errorOf(forget(address));
    await untilCallerWaits();
    // Held together with the lock above, as whoever records a transfer does.
    await payIn(address);
    return { forgetting };
  });
  expect(await forgetting).toMatchObject({ code: "money_on_its_way" });
  expect(await kept(address)).toBe(1);
});

const orderToBank = (address: string, bank: string, parts: CallParts = {}) =>
  test.call(createStandingOrder, {
    params: { address },
    body: {
      amount: "5000000",
      frequency: "monthly",
      source: { account: address, currency: "usdc" },
      destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank },
    },
    ...parts,
  });
const otherBank = { ...usAccount, account: { ...usAccount.account, account_number: "987654321" } };
const tables = ["rail_verification", "rail_external_account", "rail_transfer", "rail_payout_address"] as const;
const keptOf = async (address: string) => {
  const kept: Record<string, number> = {};
  for (const table of tables) {
    kept[table] = (
      await test.needs.db.selectFrom(table).select("id").where("account_address", "=", address).execute()
    ).length;
  }
  return kept;
};
const nothing = Object.fromEntries(tables.map((table) => [table, 0]));

describe("a concurrent request records nothing after everything was forgotten", () => {
  const asks: Record<string, (address: string, bank: string) => Promise<unknown>> = {
    "a payment from a bank": payIn,
    "a payment to a bank": (address, bank) => payBank(test, address, bank, "5000000"),
    "an external account": (address) => addBank(test, address, otherBank),
    "a standing order to a bank": orderToBank,
  };
  playedAtOnce.each(Object.keys(asks))("%s", async (name) => {
    const { db } = test.needs;
    const address = await open();
    const { id: bank } = await addBank(test, address);
    const { forgetting, asked } = await db.transaction().execute(async (trx) => {
      await trx
        .selectFrom("rail_verification")
        .select("id")
        .where("account_address", "=", address)
        .forUpdate()
        .execute();
      const forgetting = forget(address);
      await untilCallerWaits();
      // Behind it in the row's queue.
      const asked = errorOf(asks[name]?.(address, bank) ?? Promise.resolve());
      await untilCallerWaits(2);
      return { forgetting, asked };
    });
    expect(await forgetting).toMatchObject({ deleted: true });
    expect((await asked).code).toBe("kyc_required");
    expect(await keptOf(address)).toEqual(nothing);
  });

  it("a standing order whose payout address is forgotten while its partner answers", async () => {
    const address = await open();
    const { id: bank } = await addBank(test, address);
    const needs = bent(test, (partner) => ({
      readPayoutAddress: async (request, signal) => {
        const answer = await partner.readPayoutAddress(request, signal);
        await forget(address);
        return answer;
      },
    }));
    // Prepared once, never signed: the address is there, and no order pays it.
    await orderToBank(address, bank);
    await test.needs.db
      .updateTable("standing_order")
      .set({ status: "cancelled" })
      .where("account_address", "=", address)
      .execute();
    expect((await errorOf(orderToBank(address, bank, { needs }))).code).toBe("external_account_not_found");
    expect(await keptOf(address)).toEqual(nothing);
    const orders = await test.needs.db
      .selectFrom("standing_order")
      .select("status")
      .where("account_address", "=", address)
      .execute();
    expect(orders).toEqual([{ status: "cancelled" }]);
  });

  it("an external account that is forgotten while its partner answers", async () => {
    const address = await open();
    const needs = bent(test, (partner) => ({
      addBankAccount: async (request) => {
        const answer = await partner.addBankAccount(request);
        await forget(address);
        return answer;
      },
    }));
    expect((await errorOf(addBank(test, address, otherBank, { needs }))).code).toBe("kyc_required");
    expect(await keptOf(address)).toEqual(nothing);
  });
});

let people = 0;
const open = async () => {
  people += 1;
  return (await openApproved(test, `forget-${people}@example.org`)).verified.address;
};

const forget = (address: string) => test.call<{ deleted: boolean }>(deleteRailData, { params: { address } });

playedAtOnce("an intent that ends and a look at its transfer do not wait for each other in a circle", async () => {
  const { db } = test.needs;
  const address = await open();
  const bank = await addBank(test, address);
  const { id } = await payBank(test, address, bank.id, "5000000");
  const row = await db.selectFrom("rail_transfer").select("partner_ref").where("id", "=", id).executeTakeFirstOrThrow();
  await railsOf(test).simulator?.setTransfer(row.partner_ref as PartnerRef, "canceled");
  const { looking: refreshing } = await db.transaction().execute(async (trx) => {
    // As whoever ends an intent does: its transaction, the intent, and by a trigger its transfer.
    const { prepared_id } = await trx
      .selectFrom("payment_intent")
      .select("prepared_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await trx.selectFrom("prepared_transaction").select("id").where("id", "=", prepared_id).forUpdate().execute();
    await trx.selectFrom("payment_intent").select("id").where("id", "=", id).forUpdate().execute();
    const refreshing = transferKind.poll(test.needs, test.network, railsOf(test), id);
    refreshing.catch(() => undefined);
    await untilCallerWaits();
    await trx.updateTable("rail_transfer").set({ look_at: 0n }).where("id", "=", id).execute();
    return { looking: refreshing };
  });
  await refreshing;
  expect(await readIntent(test, address, id)).toMatchObject({ state: "canceled" });
});
