import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject } from "node:crypto";
import type { Caller } from "@trellis/kernel/endpoint.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { describe, expect, it } from "vitest";
import { makeKey, signWire } from "../../test/adversarial/support.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, createP256Key, errorOf, publicKeyOf, stampKmsA } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { getPaymentIntent } from "../payments/get-payment-intent.js";
import type { PaymentIntent } from "../payments/payment-intent.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { confirmLegacyPaymentIntent } from "./confirm-legacy-payment-intent.js";
import { createLegacyPaymentIntent } from "./create-legacy-payment-intent.js";
import type { LegacyPaymentIntent } from "./legacy-payment-intent.js";
import { getLegacyPaymentIntent, listLegacyPaymentIntents } from "./read-legacy-payment-intents.js";

const test = useTestNetwork();
const ada = use(() => test.openHolder("ada@example.org", { sol: "5000000000" }));
const payee = publicKeyOf("who is paid by v0");

describe("a payment by v0", () => {
  it("is created and confirmed, and shown as the provider's object both times", async () => {
    const before = await held();
    const { intent_payload, mpc_payload, ...created } = await create();
    const { id, created_at } = created.PaymentProvider;
    const account = ada.address;
    expect(created).toEqual({
      PaymentProvider: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        amount: "1000000",
        blockchain_memo: null,
        client_reference_id: null,
        created_at,
        currency: "sol",
        destination: {
          ach_reference: null,
          blockchain_memo: null,
          bridge_wallet_id: null,
          currency: "sol",
          external_account_id: null,
          from_address: account,
          imad: null,
          omad: null,
          payment_rail: "solana",
          sepa_reference: null,
          swift_charges: null,
          swift_reference: null,
          to_address: payee,
          trace_number: null,
          uetr: null,
          wire_message: null,
        },
        developer_fee: "0",
        on_behalf_of: ada.verified.grid_user_id,
        receipt: {
          destination_tx_hash: null,
          developer_fee: "0",
          exchange_fee: "0",
          exchange_rate: null,
          final_amount: null,
          gas_fee: "0",
          initial_amount: "1000000",
          remaining_prefunded_balance: null,
          source_tx_hash: null,
          subtotal_amount: "1000000",
          url: null,
        },
        return_details: null,
        source: {
          bank_beneficiary_address: null,
          bank_beneficiary_name: null,
          bank_name: null,
          bank_routing_number: null,
          bridge_wallet_id: null,
          currency: "sol",
          description: null,
          external_account_id: null,
          from_address: account,
          imad: null,
          omad: null,
          payment_rail: "solana",
        },
        source_deposit_instructions: null,
        state: "awaiting_funds",
        updated_at: created_at,
      },
    });
    expect(await read(id)).toEqual(created);
    const confirmed = await confirm(id, signed({ ...created, intent_payload, mpc_payload }));
    const { PaymentProvider: paid } = confirmed;
    expect(paid).toEqual({
      ...created.PaymentProvider,
      state: "payment_processed",
      updated_at: paid.updated_at,
      receipt: {
        ...created.PaymentProvider.receipt,
        final_amount: "1000000",
        source_tx_hash: paid.receipt.destination_tx_hash,
        destination_tx_hash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/),
      },
    });
    expect(await held()).toBe(before + 1_000_000n);
    expect(await read(id)).toEqual(confirmed);
    const present = await test.call<PaymentIntent>(getPaymentIntent, { params: { address: account, id } });
    expect(present).toMatchObject({
      state: "payment_processed",
      transaction_signature: paid.receipt.destination_tx_hash ?? "",
    });
  });

  it("takes the signed payload in every form in which clients have it", async () => {
    const key = pointOf(ada.authorizationKey);
    const hexOf = (base64: string) => Buffer.from(base64, "base64").toString("hex");
    const forms: ((signature: string) => object)[] = [
      (signature) => ({ provider: "kms_a", signature }),
      (signature) => ({ provider: "kms_a", kms_signed_payload: { signature } }),
      (signature) => ({ public_key: key, signature }),
      (signature) => ({ public_key: key, signature: hexOf(signature) }),
    ];
    for (const form of forms) {
      for (const write of [(text: string) => text, (text: string) => Buffer.from(text).toString("base64")]) {
        const created = await create();
        const mpc_payload = write(JSON.stringify(form(signatureOf(created))));
        const { PaymentProvider } = await confirm(created.PaymentProvider.id, {
          intent_payload: created.intent_payload,
          mpc_payload,
        });
        expect(PaymentProvider.state).toBe("payment_processed");
      }
    }
  });

  it("is asked for in the words of either interface", async () => {
    const { address } = ada.verified;
    const bodies = [
      wanted({ source: { account: address, currency: "sol" } }),
      wanted({ source: { from_address: address, currency: "sol", payment_rail: "solana" } }),
      wanted({ destination: { to_address: payee, currency: "sol", payment_rail: "solana" } }),
      wanted({
        destination: { to_address: payee, address: payee },
        grid_user_id: "x",
        webhook_url: "http://127.0.0.1:9/",
      }),
    ];
    for (const body of bodies) {
      expect((await create(body)).PaymentProvider.destination.to_address).toBe(payee);
    }
    const refused: [object, string][] = [
      [wanted({ amount: "1.5" }), "invalid_amount"],
      [wanted({ webhook_url: "x" }), "invalid_webhook_url"],
      [wanted({ source: { account: payee, currency: "sol" } }), "invalid_request"],
      [wanted({ destination: { address: payee, to_address: address } }), "invalid_request"],
      [wanted({ destination: { payment_rail: "ach", currency: "usd" } }), "rail_not_available"],
      [wanted({ source: { payment_rail: "ach", currency: "sol" } }), "rail_not_available"],
      [wanted({ destination: { address: payee, currency: "usdc" } }), "unsupported_currency"],
    ];
    for (const [body, code] of refused) expect((await errorOf(create(body))).code).toBe(code);
    expect((await errorOf(create(wanted(), payee))).code).toBe("account_not_found");
  });

  it("is one payment, however often and by however many it is confirmed", async () => {
    const before = await held();
    const created = await create();
    const { id } = created.PaymentProvider;
    const answers = await Promise.all([1, 2, 3].map(() => confirm(id, signed(created))));
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    await test.network.sandbox?.advanceClock(3_600);
    expect(await confirm(id, signed(created))).toEqual(answers[0]);
    // Another signature over the same payload, and none at all.
    expect(await confirm(id, signed(created))).toEqual(answers[0]);
    expect(await confirm(id, { intent_payload: created.intent_payload })).toEqual(answers[0]);
    expect(await held()).toBe(before + 1_000_000n);
  });

  it("goes on where the answer to the first confirmation was lost", async () => {
    const before = await held();
    const created = await create();
    const { id } = created.PaymentProvider;
    const mute = breakConnection(test.network, (method) => method === "getSignatureStatuses");
    expect((await errorOf(confirm(id, signed(created), { network: mute }))).code).toBe("chain_unavailable");
    expect((await read(id)).PaymentProvider.state).toBe("payment_submitted");
    const confirmed = await confirm(id, signed(created));
    expect(confirmed.PaymentProvider.state).toBe("payment_processed");
    expect(await confirm(id, signed(created))).toEqual(confirmed);
    expect(await held()).toBe(before + 1_000_000n);
  });

  it("answers the landed outcome where a failover has lost its submission", async () => {
    const before = await held();
    const created = await create();
    const { id } = created.PaymentProvider;
    const first = await confirm(id, signed(created));
    const { db } = test.needs;
    const { prepared_id } = await db
      .selectFrom("payment_intent")
      .select("prepared_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await db.deleteFrom("sponsored_cost").where("submission_id", "=", prepared_id).execute();
    await db.deleteFrom("submission").where("id", "=", prepared_id).execute();
    await db
      .updateTable("kms_payload")
      .set({ used_by: null, stamp_hash: null })
      .where("prepared_id", "=", prepared_id)
      .execute();
    await db.updateTable("payment_intent").set({ state: "awaiting_funds" }).where("id", "=", id).execute();
    const again = await confirm(id, signed(created));
    expect(again.PaymentProvider).toMatchObject({ state: "payment_processed", receipt: first.PaymentProvider.receipt });
    expect(await held()).toBe(before + 1_000_000n);
  });

  it("may be confirmed by submit, and one of the present interface by confirm", async () => {
    await test.network.sandbox?.advanceClock(1);
    const created = await create();
    const { id } = created.PaymentProvider;
    const { address } = ada.verified;
    const kms_payloads = [{ provider: "kms_a", signature: signatureOf(created) }];
    const submitted = await test.call<{ transaction_signature: string }>(submitTransactions, {
      params: { address },
      body: { transaction: created.intent_payload, kms_payloads },
    });
    const { receipt } = (await confirm(id, signed(created))).PaymentProvider;
    expect(receipt.destination_tx_hash).toBe(submitted.transaction_signature);

    const prepared = await test.call<PaymentIntent & { transaction: string; kms_payloads: { payload: string }[] }>(
      preparePayment,
      { params: { address }, body: wanted({ source: { account: address, currency: "sol" } }) },
    );
    const mpc_payload = prepared.kms_payloads[0]?.payload ?? "";
    const confirmed = await confirm(
      prepared.id,
      signed({ ...created, intent_payload: prepared.transaction, mpc_payload }),
    );
    expect(confirmed.PaymentProvider.state).toBe("payment_processed");
    expect((await list({ limit: 2 })).map(({ PaymentProvider }) => PaymentProvider.id).sort()).toEqual(
      [id, prepared.id].sort(),
    );
  });

  it("is confirmed with its own bytes only, by its own tenant and account", async () => {
    const created = await create();
    const other = await create();
    const { id } = created.PaymentProvider;
    const before = await held();
    const stranger = await test.addTenant("a stranger to v0");
    const refusals: [() => Promise<unknown>, string][] = [
      [() => confirm(id, { ...signed(created), intent_payload: other.intent_payload }), "transaction_not_prepared"],
      [() => confirm(id, { ...signed(created), intent_payload: "AAAA" }), "invalid_transaction"],
      [() => confirm(id, { ...signed(created), mpc_payload: signed(other).mpc_payload }), "invalid_signature"],
      [() => confirm(id, { intent_payload: created.intent_payload }), "missing_signature"],
      [() => confirm("0".repeat(36), signed(created)), "payment_intent_not_found"],
      [() => confirm(id, signed(created), { caller: stranger }), "account_not_found"],
    ];
    for (const [call, code] of refusals) expect((await errorOf(call())).code).toBe(code);
    const grace = await test.openHolder("grace@example.org");
    const elsewhere = confirm(id, signed(created), { address: grace.address });
    expect((await errorOf(elsewhere)).code).toBe("payment_intent_not_found");
    expect(await held()).toBe(before);
    expect((await read(id)).PaymentProvider.state).toBe("awaiting_funds");
  });

  it("refuses what is no signed payload, and a key that did not sign", async () => {
    const created = await create();
    const { id } = created.PaymentProvider;
    const signature = signatureOf(created);
    const stranger = createP256Key();
    const refused: [unknown, string][] = [
      ["no JSON", "invalid_request"],
      [[], "invalid_request"],
      [{}, "invalid_request"],
      [{ provider: "kms_a", signature: 1 }, "invalid_request"],
      [{ provider: "kms_b", signature }, "provider_not_available"],
      [{ public_key: "04ff", signature }, "invalid_request"],
      [{ public_key: pointOf(stranger), signature }, "invalid_signature"],
      [{ public_key: pointOf(stranger), signature: signatureOf(created, stranger) }, "invalid_signature"],
      [{ provider: "kms_a", signature: `${signature}!` }, "invalid_signature"],
    ];
    for (const [payload, code] of refused) {
      const mpc_payload = typeof payload === "string" ? payload : JSON.stringify(payload);
      const refusal = await errorOf(confirm(id, { intent_payload: created.intent_payload, mpc_payload }));
      expect(refusal.code, mpc_payload).toBe(code);
    }
    expect((await confirm(id, signed(created))).PaymentProvider.state).toBe("payment_processed");
  });

  it("is canceled once its time is over, and says so as long as it is known", async () => {
    await test.network.sandbox?.advanceClock(1);
    const created = await create();
    const { id } = created.PaymentProvider;
    await test.network.sandbox?.advanceClock(61);
    for (let again = 0; again < 2; again += 1) {
      const refusal = await errorOf(confirm(id, signed(created)));
      expect(refusal).toMatchObject({ code: "payload_expired", status: 400 });
      expect(refusal.message).toContain("canceled");
      expect((await read(id)).PaymentProvider).toMatchObject({ state: "canceled" });
      await test.needs.db.deleteFrom("prepared_transaction").execute();
    }
    expect((await list({ state: ["canceled"], limit: 1 }))[0]?.PaymentProvider.id).toBe(id);
  });

  it("is signed by one wallet of kms_a, or by keys of the account's own", async () => {
    const count = async () => (await test.needs.db.selectFrom("payment_intent").select("id").execute()).length;
    const before = await count();
    const [primary, backup] = ada.verified.policies.signers.map(({ address }) => address);
    for (const transaction_signers of [[primary, backup], [backup]]) {
      expect((await errorOf(create(wanted({ transaction_signers })))).code).toBe("provider_not_available");
    }
    expect(await count()).toBe(before);

    const key = makeKey();
    const { address } = await test.call<{ address: string }>(createAccount, {
      body: { type: "signers", signers: [key.address], threshold: 1 },
    });
    await give(address);
    const created = await create(wanted(), address);
    expect(created.mpc_payload).toBeNull();
    const intent_payload = signWire(created.intent_payload, [key]);
    const { PaymentProvider } = await confirm(
      created.PaymentProvider.id,
      { intent_payload, mpc_payload: "" },
      { address },
    );
    expect(PaymentProvider.state).toBe("payment_processed");
  });
});

interface Created extends LegacyPaymentIntent {
  readonly intent_payload: string;
  readonly mpc_payload: string | null;
}

interface Parts {
  readonly network?: Network;
  readonly caller?: Caller;
  readonly address?: string;
}

const give = (address: string) => test.airdrop(address, "sol", "5000000000");

const held = async () => (await test.network.rpc.getBalance(payee).send()).value;

const wanted = (more: object = {}) => ({
  amount: "1000000",
  source: { currency: "sol" },
  destination: { address: payee, currency: "sol" },
  ...more,
});

const create = (body: object = wanted(), address: string = ada.address): Promise<Created> =>
  test.call<Created>(createLegacyPaymentIntent, { params: { smart_account_address: address }, body });

const confirm = (id: string, body: object, { address = ada.address, ...parts }: Parts = {}) =>
  test.call<LegacyPaymentIntent>(confirmLegacyPaymentIntent, {
    params: { smart_account_address: address, payment_intent_id: id },
    body,
    ...parts,
  });

const read = (id: string) =>
  test.call<LegacyPaymentIntent>(getLegacyPaymentIntent, {
    params: { smart_account_address: ada.address, payment_intent_id: id },
  });

const list = (query: object = {}) =>
  test.call<LegacyPaymentIntent[]>(listLegacyPaymentIntents, {
    params: { smart_account_address: ada.address },
    query,
  });

const signatureOf = ({ mpc_payload }: Created, key: KeyObject = ada.authorizationKey) =>
  stampKmsA(mpc_payload ?? "", key);

const pointOf = (key: KeyObject) =>
  createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-65).toString("hex");

const signed = (created: Created) => ({
  intent_payload: created.intent_payload,
  mpc_payload: JSON.stringify({ provider: "kms_a", signature: signatureOf(created) }),
});
