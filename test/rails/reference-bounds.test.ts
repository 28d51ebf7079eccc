/** What a payee's statement can say is bounded by the way it is paid, in the sandbox as in production. */
import { randomUUID } from "node:crypto";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { beforeAll, expect, it } from "vitest";
import { type Answered, apiPath, expectError } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";
import { usAccount } from "./transfers-support.js";

const owner: SignerKey = new Uint8Array(32).fill(9);
let account: string;
const banks = new Map<string, string>();
const trellis = useTestService();
beforeAll(async () => {
  const { client } = trellis;
  ({ address: account } = await client.accounts.create({
    type: "signers",
    signers: [addressOfKey(owner)],
    threshold: 1,
  }));
  await client.sandbox.airdrop({ address: account, currency: "usdc", amount: "100000000" });
  const person = { type: "individual", email: "references@example.org", full_name: "Ada Lovelace" } as const;
  const { id } = await client.kyc.start(account, { ...person, endorsements: ["base", "sepa"] });
  await client.sandbox.setKyc(id, { status: "approved" });
  banks.set("usd", (await client.externalAccounts.add(account, usAccount as never)).id);
  banks.set("eur", (await client.externalAccounts.add(account, ibanAccount as never)).id);
});
const ways = { ach_push: "usd", wire: "usd", sepa: "eur" } as const;
/** The names that references have by each way. */
const fields = { ach_push: "ach_reference", wire: "wire_message", sepa: "sepa_reference" } as const;
const carried: readonly (readonly [Way, string])[] = [
  ["ach_push", "R"],
  ["ach_push", "RENT 05 26"],
  ["wire", "R"],
  ["wire", "Miete für März, Überweisung"],
  ["wire", "x".repeat(140)],
  ["sepa", "RENT 5"],
  ["sepa", "Invoice 2026/17 - (A+B): paid, 'now'? ."],
  ["sepa", "x".repeat(140)],
];
const notCarried: readonly (readonly [Way, string])[] = [
  ["ach_push", "RENT 05 261"],
  ["ach_push", "RENT\n05"],
  ["wire", "x".repeat(141)],
  ["wire", "Invoice\n2026"],
  ["wire", "Invoice\t2026"],
  ["wire", "Invoice\u007f2026"],
  ["sepa", "R"],
  ["sepa", "RENT5"],
  ["sepa", "x".repeat(141)],
  ["sepa", "Miete für März"],
  ["sepa", "Rent \u{1f3e0} in May"],
  ["sepa", "Invoice\n2026"],
  ["sepa", "Invoice;2026"],
];

it.each(carried)("is accepted by the payment endpoint where the rail carries it: %s %j", async (way, reference) => {
  expect((await payBank(way, reference)).status).toBe(201);
});

it.each(notCarried)(
  "is refused there, field and reason named, before anything is prepared: %s %j",
  async (way, reference) => {
    const before = await countIntents();
    const refused = await payBank(way, reference);
    if (reference.length > 140) {
      expectError(refused, 400, "invalid_request");
      expect(refused.body).toMatchObject({ details: [{ field: "destination.reference" }] });
    } else {
      expectError(refused, 400, "partner_refused");
      expect(refused.body).toMatchObject({ details: [{ reason: "invalid_details", field: fields[way] }] });
    }
    expect(await countIntents()).toBe(before);
  },
);

const ibanAccount = {
  account_type: "iban",
  currency: "eur",
  account_owner_name: "Ada Lovelace",
  account_owner_type: "individual",
  first_name: "Ada",
  last_name: "Lovelace",
  bank_name: "Bank of Nowhere",
  iban: { account_number: "DE89370400440532013000", bic: "COBADEFFXXX", country: "DEU" },
};

type Way = keyof typeof ways;

const countIntents = async () => (await trellis.client.paymentIntents.page(account, { limit: 100 })).intents.length;

function payBank(way: Way, reference: string, key: string = randomUUID()): Promise<Answered> {
  const currency = ways[way];
  return trellis.request(
    "POST",
    `${apiPath}/accounts/${account}/payment-intent`,
    {
      amount: "1000000",
      source: { account, currency: "usdc" },
      destination: { payment_rail: way, currency, external_account_id: banks.get(currency), reference },
    },
    { "idempotency-key": key },
  );
}
