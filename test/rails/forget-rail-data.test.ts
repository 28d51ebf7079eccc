import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { removeExternalAccount } from "../../src/rooms/external-accounts/remove-external-account.js";
import { deleteRailData } from "../../src/rooms/kyc/delete-rail-data.js";
import type { PaymentIntent } from "../../src/rooms/payment-intents/payment-intent.js";
import { preparePayment } from "../../src/rooms/payment-intents/prepare-payment.js";
import { moveSandboxTransfer } from "../../src/rooms/sandbox/move-transfer.js";
import { postgresUrl } from "../support/test-database.js";
import { errorOf, openTestNetwork, type TestNetwork } from "../support/test-network.js";
import { addBank, away, bent, openApproved, payBank, waitOut } from "./transfers-support.js";

let test: TestNetwork;
beforeAll(async () => {
  test = await openTestNetwork();
});
afterAll(() => test?.close());

let people = 0;
const open = async () => {
  people += 1;
  return (await openApproved(test, `forget-${people}@example.org`)).verified.address;
};
const forget = (address: string) => test.call<{ deleted: boolean }>(deleteRailData, { params: { address } });
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

it("nothing is forgotten while somebody can sign a payment to a bank, until it is cancelled at the partner", async () => {
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
it.runIf(postgresUrl !== undefined)("a payment stays that was begun while everything is being forgotten", async () => {
  const { db } = test.needs;
  const address = await open();
  const { forgetting, id } = await db.transaction().execute(async (trx) => {
    await trx.selectFrom("rail_verification").select("id").where("account_address", "=", address).forUpdate().execute();
    // Found that no money is moving, and waits for what is locked here.
    const forgetting = forget(address);
    for (let waiting = 0; waiting === 0; ) {
      const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      waiting = rows[0]?.count ?? 0;
    }
    const { id } = await test.call<PaymentIntent>(preparePayment, {
      params: { address },
      body: { amount: "25.00", source: { payment_rail: "wire", currency: "usd" }, destination: { currency: "usdc" } },
    });
    return { forgetting, id };
  });
  expect(await forgetting).toMatchObject({ deleted: true });
  expect(await kept(address)).toBe(1);
  await test.call(moveSandboxTransfer, { params: { id }, body: { state: "canceled" } });
});
