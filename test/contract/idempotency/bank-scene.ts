import { addressOfKey } from "@trellis/sdk";
import { expect } from "vitest";
import { newEmail, post } from "./requests.js";
import { scene } from "./scene.js";
import { app, client, onceInWorld, send, test } from "./world.js";

/** Has the partner approve the holder of the scene's account, once, and gives it play dollars. */
export const approveScene = onceInWorld(async () => {
  const person = { type: "individual", email: newEmail(), full_name: "Ada Lovelace" } as const;
  const { id } = await client.kyc.start(scene.account, person);
  expect((await send(app, post(`/sandbox/kyc/${id}`, { status: "approved" }))).status).toBe(200);
  await client.sandbox.airdrop({ address: scene.account, currency: "usdc", amount: "9000000000" });
});

let bankNumber = 1_000;
/** A bank account that was not added yet. */
export function newBank() {
  bankNumber += 1;
  return {
    account_type: "us",
    currency: "usd",
    account_owner_name: "Ada Lovelace",
    account: { account_number: `55555${bankNumber}`, routing_number: "021000021" },
    address: { street_line_1: "1 Main Street", city: "Springfield", postal_code: "62701", country: "USA" },
  } as const;
}

/** How many accounts with these last four the partner knows. */
export const banksOf = (last4: string) => async () =>
  (
    await test.needs.db
      .selectFrom("rail_external_account")
      .select("id")
      .where("last4", "=", last4)
      .where("partner_ref", "is not", null)
      .execute()
  ).length;

const findBank = onceInWorld(async () => (await client.externalAccounts.add(scene.account, newBank())).id);

/** An order to a bank account that was never paid, and how many addresses the partner has opened for it. */
export async function newBankOrder() {
  await approveScene();
  const { id } = await client.externalAccounts.add(scene.account, newBank());
  const effects = async () =>
    (
      await test.needs.db
        .selectFrom("rail_payout_address")
        .select("id")
        .where("external_account_id", "=", id)
        .where("address", "is not", null)
        .execute()
    ).length;
  const body = {
    amount: "2000000",
    frequency: "monthly",
    source: { account: scene.account, currency: "usdc" },
    destination: { payment_rail: "ach_push", currency: "usd", external_account_id: id },
    transaction_signers: scene.keys.map((key) => addressOfKey(key)),
  };
  return { body, effects };
}

let dollars = 1;
/** A payment to a bank, and how many transfers of its amount there are at the partner. */
export async function newBankPayment() {
  await approveScene();
  const bank = await findBank();
  dollars += 1;
  const amount = `${dollars}.00`;
  const effects = async () =>
    (await test.needs.db.selectFrom("simulated_transfer").select("ref").where("amount", "=", amount).execute()).length;
  const body = {
    amount: `${dollars}000000`,
    source: { account: scene.account, currency: "usdc" },
    destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank },
    transaction_signers: scene.keys.map((key) => addressOfKey(key)),
  };
  return { body, effects };
}
