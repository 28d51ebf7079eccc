import type { PartnerRef } from "@trellis/kernel/ports/rails.js";
import { generateEncryptionKeyPair } from "@trellis/sdk";
import { settleRails } from "../../../src/rails/follow-rails.js";
import { recordVerification } from "../../../src/rails/verification-store.js";
import { refreshVerification } from "../../../src/rails/verifications.js";
import { newEmail, post } from "./requests.js";
import { client, onceInWorld, type Rows, test } from "./world.js";

/** A user whom the partner has approved, without a virtual account. */
async function approve(): Promise<string> {
  const email = newEmail();
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  const { address } = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: generateEncryptionKeyPair().publicKeySpkiBase64 },
  });
  const { needs, network, caller } = test;
  const rails = needs.rails.get("sandbox");
  if (rails?.simulator === undefined) throw new Error("the sandbox has no partner");
  const row = await recordVerification(needs, network, {
    account: { tenantId: caller.tenantId, environment: "sandbox", address },
    partner: "sandbox",
    type: "individual",
    person: { email, fullName: "Ada Lovelace" },
    wanted: ["base"],
  });
  const begun = await refreshVerification(needs, network, rails, row.id);
  await rails.simulator.setVerification(begun?.partner_ref as PartnerRef, { status: "approved", terms: "approved" });
  await settleRails(needs, network);
  return address;
}

/** A virtual account that takes money. */
const findDetails = onceInWorld(async () => {
  await client.virtualAccounts.request(await approve(), { currency: "usd" });
  const row = await test.needs.db
    .selectFrom("rail_virtual_account")
    .select("id")
    .where("partner_ref", "is not", null)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return row.id;
});

/** At the partner, and here. */
const opened = (address: string) => async () => {
  const count = async (
    table: "simulated_virtual_account" | "rail_virtual_account",
    column: "address" | "account_address",
  ) =>
    (
      await test.needs.db
        .selectFrom(table)
        .selectAll()
        .where(column as never, "=", address as never)
        .execute()
    ).length;
  const [there, here] = [
    await count("simulated_virtual_account", "address"),
    await count("rail_virtual_account", "account_address"),
  ];
  return there === here ? here : Number.NaN;
};

export const rowsOfVirtualAccounts: Rows = {
  requestVirtualAccount: {
    single: async () => {
      const address = await approve();
      return post(`/accounts/${address}/virtual-account`, { currency: "usd" }, { effects: opened(address) });
    },
  },
  requestLegacyVirtualAccount: {
    single: async () => {
      const address = await approve();
      const path = `/api/v0/service/smart-accounts/${address}/virtual-accounts`;
      return { ...post("", { currency: "usd" }, { effects: opened(address) }), path };
    },
  },
  sandboxDeposit: {
    single: async () => {
      const id = await findDetails();
      const count = async () => (await test.needs.db.selectFrom("simulated_deposit").select("ref").execute()).length;
      const before = await count();
      const effects = async () => (await count()) - before;
      return post(`/sandbox/virtual-accounts/${id}/deposits`, { amount: "10.00" }, { effects });
    },
  },
  sandboxSetVirtualAccountStatus: {
    // Doing it again changes nothing.
    single: async () => post(`/sandbox/virtual-accounts/${await findDetails()}`, { status: "activated" }),
  },
};
