import { expect } from "vitest";
import { emailKeyOf } from "../../../src/rails/verification-store.js";
import { approveScene, banksOf, newBank, newBankOrder } from "./bank-scene.js";
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

export const rowsOfRails: Rows = {
  addExternalAccount: {
    single: async () => {
      await approveScene();
      const body = newBank();
      return { ...onAccount("/external-accounts", body), effects: banksOf(body.account.account_number.slice(-4)) };
    },
  },
  removeExternalAccount: {
    single: async () => {
      await approveScene();
      const { id, last_4 } = await client.externalAccounts.add(scene.account, newBank());
      const known = banksOf(last_4);
      return { ...onAccount(`/external-accounts/${id}`, {}, "DELETE"), effects: async () => 1 - (await known()) };
    },
  },
  sandboxMoveTransfer: {
    single: async () => {
      await approveScene();
      const { id } = await client.transfers.receiveFromBank(scene.account, {
        amount: "10.00",
        source: { payment_rail: "wire", currency: "usd" },
        destination: {},
      });
      const effects = async () => Number((await client.paymentIntents.get(scene.account, id)).state === "canceled");
      return post(`/sandbox/transfers/${id}`, { state: "canceled" }, { effects });
    },
  },
  sandboxClosePayoutAddresses: {
    single: async () => {
      const { body } = await newBankOrder();
      expect((await send(app, onAccount("/standing-order-intent", body))).status).toBe(201);
      const { external_account_id: id } = body.destination;
      const effects = async () =>
        (
          await test.needs.db
            .selectFrom("rail_payout_address")
            .select("id")
            .where("external_account_id", "=", id)
            .where("status", "=", "deactivated")
            .execute()
        ).length;
      return post(`/sandbox/external-accounts/${id}/payout-addresses`, { status: "deactivated" }, { effects });
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
