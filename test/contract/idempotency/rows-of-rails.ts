import { addressOfKey } from "@trellis/sdk";
import { expect } from "vitest";
import { emailKeyOf } from "../../../src/core/rails/verification-store.js";
import { newEmail, post } from "./requests.js";
import { onAccount, scene } from "./scene.js";
import { app, client, type Rows, send, test } from "./world.js";

const person = () => ({ type: "individual", email: newEmail(), full_name: "Ada Lovelace" }) as const;

/** Verifications of an address that the partner knows, and whom it knows by it. */
const verificationsOf = (email: string) => async () => {
  const { tenantId } = test.caller;
  const rows = await test.needs.db
    .selectFrom("rail_verification")
    .select("partner_ref")
    .where("email_key", "=", emailKeyOf(test.needs.keyring, tenantId, email))
    .execute();
  return rows.filter(({ partner_ref }) => partner_ref !== null).length;
};

const started = async () => client.kyc.start(scene.account, person());

/** Bank accounts of the scene's account by their last four. */
const banksOf = (last4: string) => async () =>
  (
    await test.needs.db
      .selectFrom("rail_external_account")
      .select("id")
      .where("last4", "=", last4)
      .where("partner_ref", "is not", null)
      .execute()
  ).length;

let bankNumber = 1_000;
const newBank = () => {
  bankNumber += 1;
  return {
    account_type: "us",
    currency: "usd",
    account_owner_name: "Ada Lovelace",
    account: { account_number: `55555${bankNumber}`, routing_number: "021000021" },
    address: { street_line_1: "1 Main Street", city: "Springfield", postal_code: "62701", country: "USA" },
  } as const;
};
let isApproved = false;
async function approved(): Promise<void> {
  if (isApproved) return;
  const { id } = await started();
  expect((await send(app, post(`/sandbox/kyc/${id}`, { status: "approved" }))).status).toBe(200);
  await client.sandbox.airdrop({ address: scene.account, currency: "usdc", amount: "900000000" });
  isApproved = true;
}

/** Transfers that a payment of this amount has made at the partner. */
const transfersOf = (amount: string) => async () =>
  (await test.needs.db.selectFrom("simulated_transfer").select("ref").where("amount", "=", amount).execute()).length;
let dollars = 1;
async function bankPayment() {
  await approved();
  const bank = await client.externalAccounts.add(scene.account, newBank());
  dollars += 1;
  const body = {
    amount: `${dollars}000000`,
    source: { account: scene.account, currency: "usdc" },
    destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank.id },
    transaction_signers: scene.keys.map((key) => addressOfKey(key)),
  };
  return { body, effects: transfersOf(`${dollars}.00`) };
}

export const rowsOfRails: Rows = {
  addExternalAccount: {
    single: async () => {
      await approved();
      const body = newBank();
      return { ...onAccount("/external-accounts", body), effects: banksOf(body.account.account_number.slice(-4)) };
    },
  },
  removeExternalAccount: {
    single: async () => {
      await approved();
      const { id, last_4 } = await client.externalAccounts.add(scene.account, newBank());
      const known = banksOf(last_4);
      return { ...onAccount(`/external-accounts/${id}`, {}, "DELETE"), effects: async () => 1 - (await known()) };
    },
  },
  sandboxMoveTransfer: {
    single: async () => {
      const { body } = await bankPayment();
      const { text } = await send(app, onAccount("/payment-intent", body));
      const { id } = (JSON.parse(text) as { data: { id: string } }).data;
      const effects = async () => Number((await client.paymentIntents.get(scene.account, id)).state === "canceled");
      return post(`/sandbox/transfers/${id}`, { state: "canceled" }, { effects });
    },
  },
  startKyc: {
    single: () => {
      const body = person();
      return { ...onAccount("/kyc", body), effects: verificationsOf(body.email) };
    },
  },
  startLegacyKyc: {
    single: () => {
      const body = person();
      const path = `/api/v0/service/smart-accounts/${scene.account}/kyc`;
      return { ...post("", body), path, effects: verificationsOf(body.email) };
    },
  },
  sandboxSetKyc: {
    single: async () => {
      const { id } = await started();
      const effects = async () => Number((await client.kyc.get(scene.account, id)).status === "approved");
      return post(`/sandbox/kyc/${id}`, { status: "approved" }, { effects });
    },
  },
  deleteRailData: {
    single: async () => {
      const { email } = await started();
      const known = verificationsOf(email);
      return { ...onAccount("/rail-data", {}, "DELETE"), effects: async () => 1 - (await known()) };
    },
  },
};
