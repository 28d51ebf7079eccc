import { createHmac } from "node:crypto";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import { expect, it } from "vitest";
import { addBank, openApproved, usAccount } from "../../test/rails/transfers-support.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import type { ExternalAccount, NewExternalAccount } from "./external-account.js";
import { parseDetails } from "./external-account.js";
import { listExternalAccounts } from "./read-external-accounts.js";

const test = useTestNetwork();
const holder = use(() => openApproved(test, "payees@example.org", ["base", "sepa"]));

it("a bank account is one, however it is written", async () => {
  const id = await add(iban);
  const numbers = { account_number: "de89 3704 0044 0532 0130 00", bic: "cobadeffxxx", country: "deu" };
  expect(await add({ ...iban, account_owner_name: " ada  LOVELACE ", iban: numbers })).toBe(id);
  expect(await list()).toMatchObject([{ id, account_owner_name: "Ada Lovelace" }]);
});

it("a bank account with another owner's name, BIC or address is another one, which can be removed on its own", async () => {
  const ids = [
    await add(iban),
    await add({ ...iban, account_owner_name: "Ada King" }),
    await add({ ...iban, iban: { ...iban.iban, bic: "DEUTDEFF" } }),
  ];
  expect(new Set(ids).size).toBe(3);
  expect((await list()).map(({ last_4 }) => last_4)).toEqual(["3000", "3000", "3000"]);
});

it("one that a former release has added is found again", async () => {
  const id = await add(usAccount);
  const secret = test.needs.keyring.deriveSecret("rail-external-account");
  const details = canonicalJson(parseDetails(usAccount as NewExternalAccount).details);
  const fingerprint = createHmac("sha256", secret).update(`${test.caller.tenantId}\n${details}`).digest();
  await test.needs.db
    .updateTable("rail_external_account")
    .set({ fingerprint: new Uint8Array(fingerprint) })
    .where("id", "=", id)
    .execute();
  expect(await add(usAccount)).toBe(id);
});

const iban = {
  account_type: "iban",
  currency: "eur",
  account_owner_name: "Ada Lovelace",
  iban: { account_number: "DE89370400440532013000", bic: "COBADEFF", country: "DEU" },
};

const add = async (body: object) => (await addBank(test, holder.address, body)).id;

const list = () => test.call<ExternalAccount[]>(listExternalAccounts, { params: { address: holder.address } });
