import type { Signature } from "@solana/kit";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { describe, expect, it } from "vitest";
import { approve, bent, held, openApproved, readIntent } from "../../test/rails/transfers-support.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { errorOf, type TestNetwork } from "../../test/support/test-network.js";
import { confirmLegacyPaymentIntent } from "../legacy/confirm-legacy-payment-intent.js";
import { createLegacyPaymentIntent } from "../legacy/create-legacy-payment-intent.js";
import type { PaymentIntent } from "../payments/payment-intent.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { followRails } from "../rails/follow-rails.js";
import { moveSandboxTransfer } from "./move-transfer.js";

const test = useTestNetwork();
const holder = use(() => openApproved(test, "payin@example.org"));
const body = { amount: "25.00", source: { payment_rail: "wire", currency: "usd" }, destination: { currency: "usdc" } };

describe("a payment from a bank", () => {
  it("says where the money has to be sent, and is processed once it was seen on chain", async () => {
    const before = await held(test, holder.address);
    const intent = await open("25.00", "operation-in");
    expect(intent).toMatchObject({
      state: "awaiting_funds",
      amount: "25.00",
      currency: "usd",
      source: { payment_rail: "wire", currency: "usd" },
      destination: { address: holder.address, currency: "usdc" },
      source_deposit_instructions: { deposit_message: expect.any(String), bank_name: "SANDBOX - DO NOT PAY" },
    });
    expect(intent).not.toHaveProperty("transaction");
    expect(await open("25.00", "operation-in")).toEqual(intent);
    expect(await move(intent.id, "funds_received")).toEqual({ id: intent.id, state: "payment_processed" });
    expect(await readIntent(test, holder.address, intent.id)).toMatchObject({
      state: "payment_processed",
      transaction_signature: expect.any(String),
      confirmed_at: expect.any(String),
    });
    expect((await held(test, holder.address)) - before).toBe(25_000_000n);
    const { rows } = await import("kysely").then(({ sql }) =>
      sql<{
        n: number;
      }>`select count(*)::int4 as n from rail_transfer where encode(instructions, 'escape') like '%SANDBOX%'`.execute(
        test.needs.db,
      ),
    );
    expect(rows[0]?.n).toBe(0);
  });

  it("is reported in its events with the instant that its reading has, by the block that paid it", async () => {
    const intent = await open("26.00");
    await move(intent.id, "funds_received");
    const view = await readIntent(test, holder.address, intent.id);
    const events = await test.needs.db
      .selectFrom("event")
      .select(["type", "data"])
      .where("object_id", "=", intent.id)
      .orderBy("sequence")
      .execute();
    const reported = events.map(({ type, data }) => ({ type, ...(JSON.parse(data) as PaymentIntent) }));
    const isProcessed = ({ state }: { state: string }) => state === "payment_processed";
    expect(reported.filter(isProcessed)).toMatchObject([
      {
        type: "payment_intent.updated",
        confirmed_at: view.confirmed_at,
        transaction_signature: view.transaction_signature,
      },
    ]);
    for (const early of reported.filter((one) => !isProcessed(one))) expect(early).not.toHaveProperty("confirmed_at");
    const block = await test.network.rpc
      .getTransaction(view.transaction_signature as Signature, {
        maxSupportedTransactionVersion: 0,
        encoding: "base64",
      })
      .send();
    expect(view.confirmed_at).toBe(new Date(Number(block?.blockTime) * 1_000).toISOString());
  });

  it("is not processed on the word of a partner that has paid nothing, or names another's payment", async () => {
    const earlier = await open("30.00");
    await move(earlier.id, "funds_received");
    const paid = (await readIntent(test, holder.address, earlier.id)).transaction_signature as string;
    const intent = await open("30.00");
    const lying = bent(test, (partner) => ({
      readTransfer: async (ref, signal) => {
        const answer = await partner.readTransfer(ref, signal);
        if (!answer.ok || answer.value.state === "payment_processed") return answer;
        return {
          ok: true,
          value: { ...answer.value, state: "payment_processed", receipt: { destination_tx_hash: paid } },
        };
      },
    }));
    test.needs.realClock.advance(120_000);
    await followRails({ ...test.needs, ...lying }, test.network);
    const view = await readIntent(test, holder.address, intent.id);
    expect(view.state).toBe("payment_submitted");
    expect(view).not.toHaveProperty("transaction_signature");
  });

  it("is created, confirmed without a signature, and read by v0", async () => {
    const params = { smart_account_address: holder.address };
    const created = await test.call<{ PaymentProvider: { id: string }; intent_payload: null }>(
      createLegacyPaymentIntent,
      {
        params,
        body: {
          ...body,
          source: { ...body.source, payment_rail: "ach" },
          destination: { to_address: holder.address },
        },
        needs: offering(),
      },
    );
    expect(created).toMatchObject({
      intent_payload: null,
      mpc_payload: null,
      PaymentProvider: {
        state: "awaiting_funds",
        amount: "25.00",
        currency: "usd",
        source_deposit_instructions: { deposit_message: expect.any(String) },
        source: { payment_rail: "ach_push", bank_name: "SANDBOX - DO NOT PAY" },
        destination: { to_address: holder.address, payment_rail: "solana", currency: "usdc" },
      },
    });
    const { id } = created.PaymentProvider;
    const confirmed = await test.call(confirmLegacyPaymentIntent, {
      params: { ...params, payment_intent_id: id },
      body: {},
    });
    expect(confirmed).toMatchObject({ PaymentProvider: { id, state: "awaiting_funds" } });
  });

  it("is refused where the partner takes no such money, or the account is another one", async () => {
    const refused = (change: object) =>
      errorOf(
        test.call(preparePayment, {
          params: { address: holder.address },
          body: { ...body, ...change },
          needs: offering(),
        }),
      );
    expect(await refused({ source: { payment_rail: "sepa", currency: "eur" } })).toMatchObject({
      code: "rail_not_available",
    });
    expect(await refused({ amount: "0.001" })).toMatchObject({ code: "invalid_amount" });
    expect(await refused({ destination: { address: "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g" } })).toMatchObject({
      code: "invalid_request",
    });
    const none = { rails: new Map() };
    expect(
      await errorOf(test.call(preparePayment, { params: { address: holder.address }, body, needs: none })),
    ).toMatchObject({
      code: "rail_not_available",
    });
  });

  it("is tried again later where the chain refuses it, and delays no other payment", async () => {
    const [stuck, other] = [await open("41.00"), await open("42.00")];
    const { sandbox, currencies, feePayer } = test.network;
    const usdc = currencies.find(({ symbol }) => symbol === "usdc")?.mint;
    // No more of this coin can be made than one of them needs.
    const made = (await test.network.rpc.getTokenSupply(usdc as never).send()).value.amount;
    await sandbox?.mintTo(feePayer.address, usdc as never, 2n ** 64n - 1n - BigInt(made) - 500_000n);
    expect(await move(stuck.id, "funds_received")).toMatchObject({ state: "funds_received" });
    expect(await move(other.id, "canceled")).toMatchObject({ state: "canceled" });
    await followRails(test.needs, test.network);
    expect(await readIntent(test, holder.address, stuck.id)).toMatchObject({ state: "funds_received" });
  });
});

describe("the token account of a payment from a bank", () => {
  const ask = (payee: string, needs: object, network?: TestNetwork["network"]) =>
    test.call<PaymentIntent>(preparePayment, {
      params: { address: payee },
      body,
      needs,
      ...(network === undefined ? {} : { network }),
    });
  const newPayee = async (email: string) => {
    const { verified } = await test.openHolder(email);
    await approve(test, verified.address, email, ["base"]);
    return verified.address;
  };
  const tokenAccountOf = async (payee: string) => {
    const usdc = test.network.currencies.find(({ symbol }) => symbol === "usdc");
    if (usdc?.mint == null || usdc.tokenProgram === null) throw new Error("the sandbox has dollars");
    return readAccount(test.network, deriveTokenAccount(payee as never, usdc.mint, usdc.tokenProgram));
  };

  it("is there before the partner is asked", async () => {
    const payee = await newPayee("opened@example.org");
    expect(await tokenAccountOf(payee)).toBeUndefined();
    let wasThere = false;
    const watching = bent(test, (partner) => ({
      createTransfer: async (request) => {
        wasThere = (await tokenAccountOf(payee)) !== undefined;
        return partner.createTransfer(request);
      },
    }));
    await ask(payee, watching);
    expect(wasThere).toBe(true);
  });

  it("is not paid for by a service that opens none, and the partner hears of nothing", async () => {
    const payee = await newPayee("unopened@example.org");
    const { network } = test;
    const none = {
      ...network,
      sponsorship: { ...network.sponsorship, openings: { ...network.sponsorship.openings, perAccountForLife: 0 } },
    };
    const deaf = bent(test, () => ({ createTransfer: () => Promise.reject(new Error("it was asked")) }));
    expect(await errorOf(ask(payee, deaf, none))).toMatchObject({ code: "rent_not_sponsored" });
    const rows = await test.needs.db
      .selectFrom("rail_transfer")
      .select("id")
      .where("account_address", "=", payee)
      .execute();
    expect(rows).toEqual([]);
  });
});

/** A partner that takes dollars in. */
const offering = () =>
  bent(test, () => ({ payIns: [{ from: "usd", to: ["usdc"], rails: ["ach_push", "wire"], endorsement: "base" }] }));

const open = (amount = "25.00", operationId?: string) =>
  test.call<PaymentIntent>(preparePayment, {
    params: { address: holder.address },
    body: { ...body, amount },
    needs: offering(),
    ...(operationId === undefined ? {} : { operationId }),
  });

const move = (id: string, state: string) =>
  test.call<{ state: string }>(moveSandboxTransfer, { params: { id }, body: { state } });
