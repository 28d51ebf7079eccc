import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { may, newKey } from "../../test/proposals/support.js";
import { addBank, approve, payBank, readIntent, usAccount } from "../../test/rails/transfers-support.js";
import { prepareIntent, somePayee, submitIntent, usePayer } from "../../test/support/payments.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, publicKeyOf } from "../../test/support/test-network.js";
import { useWebhooks } from "../../test/support/webhooks.js";
import { createCustomAccount } from "../accounts/create-custom-account.js";
import { preparePayment } from "./prepare-payment.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);
const ada = usePayer(test, "ada@example.org");

describe("201", () => {
  it("prepares a payment of SOL, which nothing is paid of before its submission", async () => {
    const { address } = ada.verified;
    const before = await held(somePayee);
    const prepared = await prepareIntent(test, ada);
    expect(prepared).toMatchObject({
      state: "awaiting_funds",
      amount: "1000000",
      currency: "sol",
      source: { account: address, currency: "sol" },
      destination: { address: somePayee, currency: "sol" },
      summary: [{ type: "transfer", from: address, to: somePayee, mint: null, amount: "1000000" }],
      transaction_signers: [ada.verified.policies.signers[0]?.address],
      kms_payloads: [{ provider: "kms_a", address: ada.verified.policies.signers[0]?.address }],
      fee: { paid_by: test.network.feePayer.address, rent_lamports: "0" },
    });
    expect(await readIntent(test, address, prepared.id)).toMatchObject({
      id: prepared.id,
      state: "awaiting_funds",
      created_at: prepared.created_at,
    });
    expect(await held(somePayee)).toBe(before);
    await submitIntent(test, ada, prepared);
    expect(await held(somePayee)).toBe(before + 1_000_000n);
  });

  it("prepares a payment of tokens, and opens the payee's account at the service's expense where there is no SOL", async () => {
    const { address } = (await test.openHolder("tokens@example.org")).verified;
    await test.airdrop(address, "usdc", "5000000");
    const payee = publicKeyOf("has no token account");
    const source = { account: address, currency: "usdc" };
    const wanted = { source, destination: { address: payee, currency: "usdc" } };
    const prepared = await prepareIntent(test, ada, wanted, { params: { address } });
    expect(prepared).toMatchObject({
      currency: "usdc",
      destination: { address: payee, currency: "usdc" },
      fee: { rent_lamports: expect.stringMatching(/^[1-9]/), paid_by: test.network.feePayer.address },
    });
  });

  it("prepares another payment for each request: nothing is taken for a repetition by its content", async () => {
    const all = await Promise.all([prepareIntent(test, ada), prepareIntent(test, ada)]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(2);
    expect(new Set(all.map(({ transaction }) => transaction)).size).toBe(2);
  });

  it("writes a memo into the transaction, wherever it is named", async () => {
    const destination = { address: somePayee, currency: "sol" };
    for (const more of [{ memo: "4711" }, { reference: "4711" }, { destination: { ...destination, memo: "4711" } }]) {
      const prepared = await prepareIntent(test, ada, more);
      expect(prepared.destination.memo).toBe("4711");
      expect(Buffer.from(prepared.transaction, "base64").toString("latin1")).toContain("4711");
    }
  });

  it("has the events of this payment alone sent to its webhook_url, signed with the secret of its answer", async () => {
    const prepared = await prepareIntent(test, ada, { webhook_url: `${hooks.base}/mine` });
    await prepareIntent(test, ada);
    await hooks.deliver();
    const { webhook_secret } = prepared as typeof prepared & { webhook_secret: string };
    const events = hooks.received.map(({ body, headers }) => new Webhook(webhook_secret).verify(body, headers));
    expect(events).toMatchObject([{ type: "payment_intent.created", data: { object: { id: prepared.id } } }]);
  });

  it("prepares a payment to a bank once for each idempotency key", async () => {
    const { address } = await openVerified("bank@example.org");
    const { id } = await addBank(test, address);
    const once = () => payBank(test, address, id, "5000000", { operationId: "operation-1" });
    const first = await once();
    expect(first).toMatchObject({ state: "awaiting_funds", source_deposit_instructions: { payment_rail: "solana" } });
    expect(await once()).toEqual(first);
    expect((await payBank(test, address, id, "5000000")).id).not.toBe(first.id);
  });

  it("says where the money has to be sent that comes from a bank; nothing is signed", async () => {
    const { address } = await openVerified("payer@example.org");
    const opened = await test.call(preparePayment, {
      params: { address },
      body: {
        amount: "10.00",
        source: { payment_rail: "ach_push", currency: "usd" },
        destination: { address, currency: "usdc" },
      },
    });
    expect(opened).toMatchObject({ state: "awaiting_funds", source_deposit_instructions: expect.any(Object) });
    expect(opened).not.toHaveProperty("transaction");
  });
});

describe("400", () => {
  it.each<[code: string, more: (own: string) => object]>([
    ["invalid_amount", () => ({ amount: "0" })],
    ["invalid_amount", () => ({ amount: "1.5" })],
    ["invalid_request", () => ({ source: { account: somePayee, currency: "sol" } })],
    ["unsupported_currency", (account) => ({ source: { account, currency: "doge" } })],
    ["unsupported_currency", () => ({ destination: { address: somePayee, currency: "usdc" } })],
    ["rail_not_available", () => ({ destination: { currency: "sol" } })],
    ["rail_not_available", () => ({ destination: { address: somePayee, payment_rail: "pigeon" } })],
    ["insufficient_balance", () => ({ amount: "6000000000" })],
    ["invalid_address", () => ({ destination: { address: "nobody" } })],
    ["forbidden_account", () => ({ destination: { address: test.network.feePayer.address } })],
    ["invalid_webhook_url", () => ({ webhook_url: "http://10.0.0.1/" })],
    ["unsupported_fee_config", (own) => ({ fee_config: { self_managed_fees: true }, payer_address: own })],
    ["invalid_request", () => ({ memo: "one", reference: "other" })],
  ])("refuses with %s", async (code, more) => {
    const count = async () => (await test.needs.db.selectFrom("payment_intent").select("id").execute()).length;
    const before = await count();
    const refused = prepareIntent(test, ada, more(ada.address));
    await expect(refused).rejects.toMatchObject({ status: 400, code });
    expect(await count()).toBe(before);
  });
});

describe("403", () => {
  it("refuses a named signer who is no member", async () => {
    const refused = prepareIntent(test, ada, { transaction_signers: [somePayee] });
    await expect(refused).rejects.toMatchObject({ status: 403, code: "insufficient_permissions" });
  });

  it("refuses a bank, and a webhook_url, to a publishable key", async () => {
    const caller = { ...test.caller, isPublishable: true };
    const bank = { payment_rail: "ach_push", currency: "usd", external_account_id: "any" };
    for (const more of [{ destination: bank }, { source: bank }, { webhook_url: hooks.base }]) {
      const refused = prepareIntent(test, ada, more, { caller });
      await expect(refused).rejects.toMatchObject({ status: 403, code: "secret_key_required" });
    }
  });

  it("refuses a bank before the account's holder is verified", async () => {
    const source = { payment_rail: "ach_push", currency: "usd" };
    const destination = { address: ada.address, currency: "usdc" };
    const refused = prepareIntent(test, ada, { amount: "10.00", source, destination });
    await expect(refused).rejects.toMatchObject({ status: 403, code: "kyc_required" });
  });
});

describe("404", () => {
  it("is the answer for an account that there is not, and to another tenant", async () => {
    const caller = await test.addTenant("a stranger to payments");
    const refused = prepareIntent(test, ada, {}, { caller });
    await expect(refused).rejects.toMatchObject({ status: 404, code: "account_not_found" });
    const source = { account: somePayee, currency: "sol" };
    const nowhere = prepareIntent(test, ada, { source }, { params: { address: somePayee } });
    await expect(nowhere).rejects.toMatchObject({ status: 404, code: "account_not_found" });
  });

  it("is the answer for another account's bank", async () => {
    const [one, other] = [await openVerified("one@example.org"), await openVerified("two@example.org")];
    const { id } = await addBank(test, other.address, usAccount);
    const refused = payBank(test, one.address, id, "5000000");
    await expect(refused).rejects.toMatchObject({ status: 404, code: "external_account_not_found" });
  });
});

describe("409", () => {
  it("is the answer where the signers cannot act at once", async () => {
    const signers = [may(newKey()), may(newKey())];
    const policies = { signers, threshold: 1, time_lock: 60 };
    const { address } = await test.call<{ address: string }>(createCustomAccount, { body: { policies } });
    const source = { account: address, currency: "sol" };
    const refused = prepareIntent(test, ada, { source }, { params: { address } });
    await expect(refused).rejects.toMatchObject({ status: 409, code: "proposal_required" });
  });
});

describe("502", () => {
  it("is the answer where no node answers", async () => {
    const network = breakConnection(test.network, () => true);
    const refused = prepareIntent(test, ada, {}, { network });
    await expect(refused).rejects.toMatchObject({ status: 502, code: "chain_unavailable" });
  });
});

const held = async (address: typeof somePayee) => (await test.network.rpc.getBalance(address).send()).value;

/** An account with coins, whose holder the partner has approved. */
async function openVerified(email: string) {
  const { address } = (await test.openHolder(email)).verified;
  await test.airdrop(address, "usdc", "50000000");
  await approve(test, address, email, ["base", "sepa"]);
  return { address };
}
