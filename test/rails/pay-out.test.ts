import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { moveSandboxTransfer } from "../../src/sandbox-controls/move-transfer.js";
import { cancelOverdueIntents } from "../../src/submissions/intent-states.js";
import { useTestNetwork } from "../support/scene.js";
import { errorOf, type HeldAccount } from "../support/test-network.js";
import {
  addBank,
  away,
  bent,
  held,
  openApproved,
  payBank,
  railsOf,
  readIntent,
  settle,
  submitBank,
  usAccount,
  waitOut,
} from "./transfers-support.js";

let holder: HeldAccount & { readonly verification: never };
let address: string;
let bank: string;
const test = useTestNetwork();
beforeAll(async () => {
  holder = (await openApproved(test, "payout@example.org")) as never;
  address = holder.address;
  bank = (await addBank(test, address)).id;
});

describe("a payment to a bank", () => {
  it("pays the partner's deposit address, and is processed when the partner says so", async () => {
    const before = await held(test, address);
    const prepared = await payBank(test, address, bank, "5000000");
    expect(prepared).toMatchObject({
      state: "awaiting_funds",
      amount: "5000000",
      destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank },
      source_deposit_instructions: { payment_rail: "solana", amount: "5.00", currency: "usdc", from_address: address },
    });
    const to = prepared.source_deposit_instructions?.to_address as string;
    expect(prepared).toHaveProperty("summary", [
      expect.objectContaining({ type: "transfer", from: address, to, amount: "5000000" }),
    ]);
    const { transaction_signature } = await submitBank(test, holder, prepared);
    // The chain's part is done; the bank's is not.
    expect(await readIntent(test, address, prepared.id)).toMatchObject({
      state: "awaiting_funds",
      transaction_signature,
    });
    await settle(test);
    expect(await readIntent(test, address, prepared.id)).toMatchObject({
      state: "payment_processed",
      transaction_signature,
      receipt: { final_amount: "5.00", source_tx_hash: transaction_signature },
    });
    expect(before - (await held(test, address))).toBe(5_000_000n);
    expect(await eventsOf(prepared.id)).toEqual([
      ["payment_intent.created", "awaiting_funds"],
      ["payment_intent.updated", "payment_processed"],
    ]);
    // Submitted again it is the same payment.
    expect(await submitBank(test, holder, prepared)).toMatchObject({ transaction_signature });
  });

  it("is returned where the bank rejects it, and the coins are on the account again", async () => {
    const before = await held(test, address);
    for (const amount of ["3030000", "3040000"]) {
      const prepared = await payBank(test, address, bank, amount);
      await submitBank(test, holder, prepared);
      await settle(test);
      expect(await readIntent(test, address, prepared.id)).toMatchObject({ state: "refunded" });
    }
    expect(await held(test, address)).toBe(before);
  });

  it("is returned after it was processed, and only then", async () => {
    const before = await held(test, address);
    const prepared = await payBank(test, address, bank, "2000000");
    const move = (state: string) => test.call(moveSandboxTransfer, { params: { id: prepared.id }, body: { state } });
    expect(await errorOf(move("payment_processed"))).toMatchObject({ code: "invalid_request" });
    await submitBank(test, holder, prepared);
    await settle(test);
    expect(await errorOf(move("funds_received"))).toMatchObject({ code: "invalid_request" });
    await move("returned");
    expect(await readIntent(test, address, prepared.id)).toMatchObject({
      state: "returned",
      return_details: { reason: expect.any(String) },
    });
    await move("refunded");
    expect(await readIntent(test, address, prepared.id)).toMatchObject({ state: "refunded" });
    expect(await held(test, address)).toBe(before);
  });

  it("is moved however many others wait for their coins, one of a token that is configured no more among them", async () => {
    const prepared = await payBank(test, address, bank, "2000000");
    await submitBank(test, holder, prepared);
    const newest = (await transfers()).at(-1)?.ref;
    const [others, noCaller] = ["waits-before-", "1".repeat(32)];
    await sql`insert into simulated_transfer (ref, environment, customer_ref, operation_key, client_reference, direction,
        amount, coin, mint, base_units, from_leg, to_leg, watched, state, looked_at, created_at, updated_at)
      select ${others}::text || n, environment, customer_ref, ${others} || n, ${others} || n, direction, amount, coin,
        case n when 1 then ${noCaller}::text else mint end, base_units, from_leg, to_leg, ${noCaller}::text,
        state, -1, created_at, updated_at
      from simulated_transfer, generate_series(1, 1000) n where ref = ${newest}`.execute(test.needs.db);
    const move = (state: string) => test.call(moveSandboxTransfer, { params: { id: prepared.id }, body: { state } });
    expect(await move("payment_processed")).toMatchObject({ state: "payment_processed" });
    await test.needs.db.deleteFrom("simulated_transfer").where("ref", "like", `${others}%`).execute();
  });

  it("is processed at the next read however many others wait for their coins", async () => {
    const prepared = await payBank(test, address, bank, "2000000");
    const newest = (await transfers()).at(-1)?.ref;
    const [others, noCaller] = ["waits-too-", "1".repeat(32)];
    await sql`insert into simulated_transfer (ref, environment, customer_ref, operation_key, client_reference, direction,
        amount, coin, mint, base_units, from_leg, to_leg, watched, state, looked_at, created_at, updated_at)
      select ${others}::text || n, environment, customer_ref, ${others} || n, ${others} || n, direction, amount, coin,
        mint, base_units, from_leg, to_leg, ${noCaller}::text, state, -1, created_at, updated_at
      from simulated_transfer, generate_series(1, 350) n where ref = ${newest}`.execute(test.needs.db);
    await submitBank(test, holder, prepared);
    await railsOf(test).simulator?.play();
    const { state } = (await transfers()).find(({ ref }) => ref === newest) ?? {};
    expect(state).toBe("payment_processed");
    await test.needs.db.deleteFrom("simulated_transfer").where("ref", "like", `${others}%`).execute();
    await settle(test);
  });

  it("is one transfer however often and wherever its first attempts stop", async () => {
    const count = (await transfers()).length;
    const parts = { operationId: "operation-1" };
    const again = (needs?: object) =>
      payBank(test, address, bank, "1000000", { ...parts, ...(needs ? { needs } : {}) });
    // The partner is away; then it hears, and its answer is lost.
    expect(await errorOf(again(bent(test, () => ({ createTransfer: away }))))).toMatchObject({
      code: "partner_unavailable",
    });
    const deaf = bent(test, (partner) => ({
      createTransfer: async (request) => {
        await partner.createTransfer(request);
        return away();
      },
    }));
    expect(await errorOf(again(deaf))).toMatchObject({ code: "partner_unavailable" });
    // The transfer is known, and the chain does not answer when the payment is prepared.
    const rpc = new Proxy(test.network.rpc, {
      get: (target, name) =>
        name === "simulateTransaction"
          ? () => ({ send: async () => Promise.reject(new Error("down")) })
          : Reflect.get(target, name),
    });
    const dead = { ...test.network, rpc };
    expect(await errorOf(payBank(test, address, bank, "1000000", { ...parts, network: dead }))).toMatchObject({
      code: "chain_unavailable",
    });
    const prepared = await again();
    // The answer is lost: the same transaction is sent again, not another one to the same address.
    expect(await again()).toEqual(prepared);
    expect((await transfers()).length).toBe(count + 1);
    await submitBank(test, holder, prepared);
    await settle(test);
    expect(await again()).toMatchObject({
      id: prepared.id,
      state: "payment_processed",
      transaction: prepared.transaction,
    });
  });

  it("is searched first when the partner was away longer than it keeps keys", async () => {
    const count = (await transfers()).length;
    const parts = { operationId: "operation-2" };
    const deaf = bent(test, (partner) => ({
      createTransfer: async (request) => {
        await partner.createTransfer(request);
        return away();
      },
      findTransfer: away,
    }));
    expect(await errorOf(payBank(test, address, bank, "1000000", { ...parts, needs: deaf }))).toMatchObject({
      code: "partner_unavailable",
    });
    test.needs.realClock.advance(25 * 3_600_000);
    // The approval is a day old, too, and is read anew.
    const forgetful = bent(test, () => ({
      createTransfer: async () => {
        throw new Error("the key is forgotten: this would be a second transfer");
      },
    }));
    const prepared = await payBank(test, address, bank, "1000000", { ...parts, needs: forgetful });
    expect(prepared.state).toBe("awaiting_funds");
    expect((await transfers()).length).toBe(count + 1);
  });

  it("is cancelled at the partner when the client does not return for it, or its transaction expires", async () => {
    const deaf = bent(test, (partner) => ({
      createTransfer: async (request) => {
        await partner.createTransfer(request);
        return away();
      },
    }));
    await errorOf(payBank(test, address, bank, "1110000", { operationId: "operation-3", needs: deaf }));
    const prepared = await payBank(test, address, bank, "1120000");
    test.needs.realClock.advance(120_000);
    await test.network.sandbox?.advanceClock(120);
    await cancelOverdueIntents(test.needs.db, test.network);
    await waitOut(test);
    await waitOut(test);
    expect(await readIntent(test, address, prepared.id)).toMatchObject({
      state: "canceled",
      error: { code: "payload_expired" },
    });
    const states = (await transfers()).filter(({ amount }) => amount === "1.11" || amount === "1.12");
    expect(states.map(({ state }) => state)).toEqual(["canceled", "canceled"]);
    expect(await errorOf(submitBank(test, holder, prepared))).toBeDefined();
    // The same key begins anew: nothing of the first attempt can be paid.
    const anew = await payBank(test, address, bank, "1110000", { operationId: "operation-3" });
    expect(anew.source_deposit_instructions?.to_address).not.toBe(states[0]?.watched);
  });

  it("continues when the approval is revoked on the way, and the next one is refused", async () => {
    const prepared = await payBank(test, address, bank, "1000000");
    await submitBank(test, holder, prepared);
    await railsOf(test).simulator?.setVerification(holder.verification, { status: "rejected" });
    await settle(test);
    expect(await readIntent(test, address, prepared.id)).toMatchObject({ state: "payment_processed" });
    expect(await errorOf(payBank(test, address, bank, "1000000"))).toMatchObject({ code: "kyc_required" });
    await railsOf(test).simulator?.setVerification(holder.verification, { status: "approved" });
    await settle(test);
  });

  it("waits a day for a partner that is away, and neither expires nor is reported wrongly", async () => {
    const prepared = await payBank(test, address, bank, "1000000");
    await submitBank(test, holder, prepared);
    const removed = bent(test, () => ({ readTransfer: away, changesSince: away }));
    const { followRails } = await import("../../src/rails/follow-rails.js");
    for (let hour = 0; hour < 24; hour += 6) {
      test.needs.realClock.advance(6 * 3_600_000);
      await test.network.sandbox?.advanceClock(6 * 3_600);
      await followRails({ ...test.needs, ...removed }, test.network);
      await cancelOverdueIntents(test.needs.db, test.network);
    }
    expect(await readIntent(test, address, prepared.id)).toMatchObject({ state: "awaiting_funds" });
    test.needs.realClock.advance(3_600_000);
    await settle(test);
    expect(await readIntent(test, address, prepared.id)).toMatchObject({ state: "payment_processed" });
  });

  it("is refused before the partner hears of it where it cannot be paid", async () => {
    const count = (await transfers()).length;
    const codes: unknown[] = [];
    const refused = async (amount: string, destination: object) => {
      const { preparePayment } = await import("../../src/payments/prepare-payment.js");
      const body = { amount, source: { account: address, currency: "usdc" }, destination };
      codes.push((await errorOf(test.call(preparePayment, { params: { address }, body }))).code);
    };
    const to = { payment_rail: "ach_push", currency: "usd", external_account_id: bank };
    await refused("1000001", to);
    await refused("900000000000", to);
    await refused("1000000", { ...to, payment_rail: "ach_pull" });
    await refused("1000000", { ...to, payment_rail: "sepa" });
    await refused("1000000", { ...to, currency: "eur" });
    await refused("1000000", { ...to, external_account_id: "00000000-0000-4000-8000-000000000000" });
    expect(codes).toEqual([
      "invalid_amount",
      "insufficient_balance",
      "rail_not_available",
      "rail_not_available",
      "rail_not_available",
      "external_account_not_found",
    ]);
    expect((await transfers()).length).toBe(count);
  });

  it("is hidden from other accounts and tenants", async () => {
    const prepared = await payBank(test, address, bank, "1000000");
    const stranger = await test.addTenant("tenant-of-strangers");
    expect(await errorOf(readIntent(test, address, prepared.id, { caller: stranger }))).toMatchObject({
      code: "account_not_found",
    });
    const move = test.call(moveSandboxTransfer, {
      params: { id: prepared.id },
      body: { state: "canceled" },
      caller: stranger,
    });
    expect(await errorOf(move)).toMatchObject({ code: "rail_transfer_not_found" });
    const other = await openApproved(test, "other@example.org");
    expect(await errorOf(payBank(test, other.address, bank, "1000000"))).toMatchObject({
      code: "external_account_not_found",
    });
    expect(usAccount.account.account_number).toHaveLength(9);
  });
});

const transfers = () => test.needs.db.selectFrom("simulated_transfer").selectAll().orderBy("created_at").execute();

const eventsOf = async (id: string) =>
  (
    await test.needs.db
      .selectFrom("event")
      .select(["type", "data"])
      .where("object_id", "=", id)
      .orderBy("sequence")
      .execute()
  ).map(({ type, data }) => [type, JSON.parse(data).state]);
