import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeKey, signWire } from "../../test/adversarial/support.js";
import { useLegacyPayer, wantedOf } from "../../test/support/legacy-payments.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, createP256Key, errorOf } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import type { PaymentIntent } from "../payments/payment-intent.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { submitTransactions } from "../transactions/submit-transactions.js";

const test = useTestNetwork();
const { holder: ada, create, confirm, read, signed, signatureOf, held } = useLegacyPayer(test, "ada@example.org");

describe("200", () => {
  it("pays once, however often and by however many callers it is confirmed", async () => {
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

  it("takes the signatures of the account's own keys in the transaction, without a payload", async () => {
    const key = makeKey();
    const { address } = await test.call<{ address: string }>(createAccount, {
      body: { type: "signers", signers: [key.address], threshold: 1 },
    });
    await test.airdrop(address, "sol", "5000000000");
    const created = await create(wantedOf(), address);
    expect(created.mpc_payload).toBeNull();
    const intent_payload = signWire(created.intent_payload, [key]);
    const { PaymentProvider } = await confirm(
      created.PaymentProvider.id,
      { intent_payload, mpc_payload: "" },
      { address },
    );
    expect(PaymentProvider.state).toBe("payment_processed");
  });

  it("resumes where the answer to the first confirmation was lost", async () => {
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

  it("answers the confirmed outcome where a failover has lost its submission", async () => {
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

  it("answers what submit has paid, and pays an intent of the present interface", async () => {
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
      { params: { address }, body: wantedOf({ source: { account: address, currency: "sol" } }) },
    );
    const mpc_payload = prepared.kms_payloads[0]?.payload ?? "";
    const confirmed = await confirm(
      prepared.id,
      signed({ ...created, intent_payload: prepared.transaction, mpc_payload }),
    );
    expect(confirmed.PaymentProvider.state).toBe("payment_processed");
  });
});

describe("400", () => {
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

  it("refuses a payment whose time is over, also when its transaction is forgotten", async () => {
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
  });

  it("refuses other bytes than its own, and none", async () => {
    const [created, other, before] = [await create(), await create(), await held()];
    const { id } = created.PaymentProvider;
    const refusals: [body: object, code: string][] = [
      [{ ...signed(created), intent_payload: other.intent_payload }, "transaction_not_prepared"],
      [{ ...signed(created), intent_payload: "AAAA" }, "invalid_transaction"],
      [{ mpc_payload: signed(created).mpc_payload }, "invalid_request"],
      [{ ...signed(created), mpc_payload: signed(other).mpc_payload }, "invalid_signature"],
      [{ intent_payload: created.intent_payload }, "missing_signature"],
    ];
    for (const [body, code] of refusals) await expect(confirm(id, body)).rejects.toMatchObject({ status: 400, code });
    expect(await held()).toBe(before);
    expect((await read(id)).PaymentProvider.state).toBe("awaiting_funds");
  });
});

describe("404", () => {
  it("is the answer for a payment of another account or tenant, and for no id", async () => {
    const created = await create();
    const { id } = created.PaymentProvider;
    const before = await held();
    const notFound = { status: 404, code: "payment_intent_not_found" };
    await expect(confirm("0".repeat(36), signed(created))).rejects.toMatchObject(notFound);
    const { address } = (await test.openHolder("grace@example.org")).verified;
    await expect(confirm(id, signed(created), { address })).rejects.toMatchObject(notFound);
    const theirs = confirm(id, signed(created), { caller: await test.addTenant("a stranger to v0") });
    await expect(theirs).rejects.toMatchObject({ status: 404, code: "account_not_found" });
    expect(await held()).toBe(before);
  });
});

const pointOf = (key: KeyObject) =>
  createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-65).toString("hex");
