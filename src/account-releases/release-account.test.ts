import { randomUUID } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { everything, newKey } from "../../test/proposals/support.js";
import { openApproved } from "../../test/rails/transfers-support.js";
import { importsOf, type OpenedElsewhere, signedBy } from "../../test/support/imported-accounts.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, type CallParts, errorOf } from "../../test/support/test-network.js";
import { getAccount } from "../accounts/get-account.js";
import { importAccount } from "../accounts/import-account.js";
import { listTransfers } from "../history/list-transfers.js";
import { listPaymentIntents } from "../payments/list-payment-intents.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { createStandingOrder } from "../standing-orders/create-standing-order.js";
import { listStandingOrders } from "../standing-orders/list-standing-orders.js";

const test = useTestNetwork();
const { importAs, openElsewhere, openImported, release, releaseProofOf, proofOf } = importsOf(test);

interface Released extends OpenedElsewhere {
  readonly status: string;
  readonly obstacles: readonly { type: string; id: string }[];
  readonly challenge?: { readonly message: string; readonly expires_at: string };
}

const read = (address: string, more: CallParts = {}) => test.call(getAccount, { params: { address }, ...more });
const addTenant = () => test.addTenant(`other-${randomUUID()}`);

describe("200", () => {
  it("says what a signer has to sign, and changes nothing without a proof", async () => {
    const [, account] = await openImported();
    const found = await release<Released>(account);
    expect(found).toMatchObject({ ...account, status: "active", obstacles: [] });
    expect(found.challenge?.message).toContain(`Released by: ${test.caller.tenantId}`);
    expect(found.challenge?.message).toContain(`Account: ${account.address}`);
    expect(await read(account.address)).toMatchObject({ status: "active" });
  });

  it("releases the account, which another tenant imports then, and this one again", async () => {
    const [key, account] = await openImported();
    await test.airdrop(account.address, "sol", "5000000000");
    await test.call(listTransfers, { params: { address: account.address } });
    expect(await release<Released>(account, { proof: await releaseProofOf(key, account) })).toEqual({
      ...account,
      status: "released",
      obstacles: [],
    });
    expect(await errorOf(read(account.address))).toMatchObject({ code: "account_not_found" });
    expect(await rowsOf(account)).toEqual([]);

    const caller = await addTenant();
    await importAs(key, account, { caller });
    expect(await read(account.address, { caller })).toMatchObject({ status: "active" });
    const transfers = await test.page(listTransfers, { params: { address: account.address }, caller });
    expect(transfers.items).toHaveLength(1);
    expect(await errorOf(read(account.address))).toMatchObject({ code: "account_not_found" });
    const elsewhere = importAs(key, account);
    expect(await errorOf(elsewhere)).toMatchObject({ code: "account_served_elsewhere" });

    await release(account, { proof: await releaseProofOf(key, account, { caller }) }, { caller });
    await importAs(key, account);
    expect(await read(account.address)).toMatchObject({ status: "active" });
  });

  it("leaves records of money with the tenant that made them, and shows them to no other", async () => {
    const { key, account, id } = await openWithOrder();
    await endOrder(id);
    const intent = await test.call<{ id: string }>(preparePayment, {
      params: { address: account.address },
      body: payment(key, account),
    });
    await test.needs.db.updateTable("payment_intent").set({ state: "canceled" }).where("id", "=", intent.id).execute();
    await release(account, { proof: await releaseProofOf(key, account) });
    const caller = await addTenant();
    await importAs(key, account, { caller });
    const of = { params: { address: account.address }, caller };
    expect(await test.call(listStandingOrders, of)).toEqual([]);
    expect((await test.page(listPaymentIntents, of)).items).toEqual([]);
    const { db } = test.needs;
    for (const table of ["payment_intent", "standing_order"] as const) {
      const kept = await db
        .selectFrom(table)
        .select("tenant_id")
        .where("account_address", "=", account.address)
        .execute();
      expect(kept).toEqual([{ tenant_id: test.caller.tenantId }]);
    }
    const events = db.selectFrom("event").select(["tenant_id", "type"]).where("object_id", "=", account.address);
    const found = await events.orderBy("sequence").execute();
    expect(found.slice(-3).map(({ tenant_id, type }) => [tenant_id, type])).toEqual([
      [test.caller.tenantId, "account.created"],
      [test.caller.tenantId, "account.released"],
      [caller.tenantId, "account.created"],
    ]);
  });

  it("is in the audit log with the key and the signer, and in the events as it was", async () => {
    const [key, account] = await openImported();
    await release(account, { proof: await releaseProofOf(key, account) });
    const { rows } = await sql<{ body: string }>`select body from audit_entry
      where kind = 'account.released' and subject = ${`account/${account.address}`}`.execute(test.needs.db);
    expect(JSON.parse(rows[0]?.body ?? "")).toMatchObject({
      actor: `api_key/${test.caller.apiKeyId}`,
      environment: "sandbox",
      details: { settings_address: account.settings_address, signer: addressOfKey(key) },
    });
    const [event] = await test.needs.db
      .selectFrom("event")
      .select(["data", "previous_status"])
      .where("type", "=", "account.released")
      .where("object_id", "=", account.address)
      .execute();
    expect(event?.previous_status).toBe("active");
    expect(JSON.parse(event?.data ?? "")).toMatchObject({
      address: account.address,
      status: "released",
      type: "custom",
    });
  });

  it("ends the sessions that command no other account, and no others", async () => {
    const [ada, grace] = [await test.openHolder("ada-r@example.org"), await test.openHolder("grace-r@example.org")];
    const wallets = [ada, grace].map(({ verified }) => walletOf(verified));
    const [key, account] = await openImported(wallets.map((address) => ({ address, permissions: everything })));
    // Of Grace's account nothing is known here any more: her session commands the imported account alone.
    await importsOf(test).forget(grace.verified.address);
    await release(account, { proof: await releaseProofOf(key, account) });
    const ended = async (userId: string) => {
      const { rows } = await sql<{ end_reason: string | null }>`select distinct end_reason from session_chain
        join session on session.chain_id = session_chain.id where session.user_id = ${userId}`.execute(test.needs.db);
      return rows.map(({ end_reason }) => end_reason);
    };
    expect(await ended(grace.verified.grid_user_id)).toEqual(["ended_by_tenant"]);
    expect(await ended(ada.verified.grid_user_id)).toEqual([null]);
  });
});

describe("400", () => {
  it("refuses a proof of another signer, for something else, of another tenant, out of date, or not signed", async () => {
    const [key, account] = await openImported();
    const [otherKey, other] = await openImported();
    const good = await releaseProofOf(key, account);
    const stranger = newKey();
    const wrong = [
      signedBy(stranger, good.message),
      { ...signedBy(stranger, good.message), signer_address: addressOfKey(key) },
      await releaseProofOf(otherKey, other),
      // A text for an import, which another tenant may have had signed.
      await proofOf(key, account, { caller: await addTenant() }),
      signedBy(key, good.message.replace(test.caller.tenantId, "another")),
      signedBy(key, good.message.replace(/Valid until: .*/, "Valid until: 2099-01-01T00:00:00.000Z")),
      signedBy(key, ""),
      { ...good, signature: "" },
      { ...good, message: `${good.message}\n` },
    ];
    const refused = { status: 400, code: "invalid_release_proof" };
    for (const proof of wrong) expect(await errorOf(release(account, { proof })), proof.message).toMatchObject(refused);
    test.needs.realClock.advance(limits.importProofMs);
    expect(await errorOf(release(account, { proof: good }))).toMatchObject(refused);
    expect(await read(account.address)).toMatchObject({ status: "active" });
  });

  it("refuses a text of a release as the proof of an import", async () => {
    const [key, account] = await openImported();
    const { settings_address } = account;
    const proof = await releaseProofOf(key, account);
    const caller = await addTenant();
    const refused = { code: "invalid_import_proof" };
    for (const as of [caller, test.caller]) {
      expect(await errorOf(test.call(importAccount, { body: { settings_address, proof }, caller: as }))).toMatchObject(
        refused,
      );
    }
  });

  it("refuses a proof of before the account was imported again", async () => {
    const [key, account] = await openImported();
    const proof = await releaseProofOf(key, account);
    await release(account, { proof });
    await importAs(key, account);
    expect(await errorOf(release(account, { proof }))).toMatchObject({ code: "invalid_release_proof" });
  });
});

describe("the proof of an import", () => {
  it("is not good again once the account was released, and a new one is", async () => {
    const [key, account] = await openElsewhere();
    const { settings_address } = account;
    const bring = (proof: object) => test.call(importAccount, { body: { settings_address, proof } });
    for (let time = 0; time < 2; time += 1) {
      const proof = await proofOf(key, account);
      for (let again = 0; again < 2; again += 1) expect(await bring(proof)).toMatchObject({ status: "active" });
      await release(account, { proof: await releaseProofOf(key, account) });
      expect(await errorOf(bring(proof))).toMatchObject({ status: 400, code: "invalid_import_proof" });
    }
  });
});

describe("404", () => {
  it("is the answer for another tenant's account, and for one that was released", async () => {
    const [key, account] = await openImported();
    const missing = { status: 404, code: "account_not_found" };
    const caller = await addTenant();
    const proof = await releaseProofOf(key, account);
    expect(await errorOf(release(account, {}, { caller }))).toMatchObject(missing);
    expect(await errorOf(release(account, { proof }, { caller }))).toMatchObject(missing);
    await release(account, { proof });
    expect(await errorOf(release(account, { proof }))).toMatchObject(missing);
  });

  it("is the answer to all but one of those who release at the same time", async () => {
    const [key, account] = await openImported();
    const proof = await releaseProofOf(key, account);
    const all = await Promise.allSettled([1, 2, 3].map(() => release(account, { proof })));
    const refused = all.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(refused).toMatchObject([{ code: "account_not_found" }, { code: "account_not_found" }]);
    const { rows } =
      await sql`select from event where type = 'account.released' and object_id = ${account.address}`.execute(
        test.needs.db,
      );
    expect(rows).toHaveLength(1);
  });
});

describe("409", () => {
  it("is the answer for an account that was created here", async () => {
    const { verified } = await test.openHolder("made-here@example.org");
    const account = await importsOf(test).create([newKey()]);
    const refused = { status: 409, code: "account_not_releasable" };
    for (const made of [verified, account]) expect(await errorOf(release(made))).toMatchObject(refused);
  });

  it("names an order until it has ended and its limit is known to be gone", async () => {
    const { key, account, id } = await openWithOrder();
    const proof = await releaseProofOf(key, account);
    const inTheWay = {
      status: 409,
      code: "account_in_use",
      details: [{ obstacles: [{ type: "standing_order", id }] }],
    };
    expect(await errorOf(release(account, { proof }))).toMatchObject(inTheWay);
    const { db } = test.needs;
    const change = (to: object) => db.updateTable("standing_order").set(to).where("id", "=", id).execute();
    await change({ status: "cancelled" });
    expect(await errorOf(release(account, { proof }))).toMatchObject(inTheWay);
    await change({ mandate: "revoked", renewal_limit_address: "a renewal" });
    expect((await release<Released>(account)).obstacles).toEqual([{ type: "standing_order", id }]);
    await change({ renewal_limit_address: null });
    expect(await release<Released>(account, { proof })).toMatchObject({ status: "released" });
  });

  it("names payments and transactions that have not ended", async () => {
    const [key, account] = await openImported();
    await test.airdrop(account.address, "sol", "5000000000");
    const intent = await test.call<{ id: string }>(preparePayment, {
      params: { address: account.address },
      body: payment(key, account),
    });
    expect((await release<Released>(account)).obstacles).toEqual([{ type: "payment_intent", id: intent.id }]);
    const { db } = test.needs;
    await db.updateTable("payment_intent").set({ state: "payment_processed" }).where("id", "=", intent.id).execute();
    await db.insertInto("submission").values(submissionOf(account.address)).execute();
    expect((await release<Released>(account)).obstacles).toEqual([{ type: "transaction", id: "signed-elsewhere" }]);
    const proof = await releaseProofOf(key, account);
    expect(await errorOf(release(account, { proof }))).toMatchObject({ code: "account_in_use" });
    await db.updateTable("submission").set({ state: "landed" }).execute();
    expect(await release<Released>(account, { proof })).toMatchObject({ status: "released" });
  });

  it("names what is kept for bank rails", async () => {
    const { verified } = await openApproved(test, "rails-r@example.org");
    const { db } = test.needs;
    await db.updateTable("account").set({ imported_at: 1n }).where("address", "=", verified.address).execute();
    const { obstacles } = await release<Released>(verified);
    expect(obstacles.map(({ type }) => type)).toEqual(["kyc"]);
  });
});

describe("502", () => {
  it("is the answer where no node answers", async () => {
    const [key, account] = await openImported();
    const proof = await releaseProofOf(key, account);
    const refused = release(account, { proof }, { network: breakConnection(test.network, () => true) });
    expect(await errorOf(refused)).toMatchObject({ code: "chain_unavailable" });
  });
});

const walletOf = ({ policies }: { policies: { signers: readonly { address: string; provider: string }[] } }) =>
  policies.signers.find(({ provider }) => provider === "kms_a")?.address ?? "";

const payment = (key: SignerKey, { address: account }: OpenedElsewhere) => ({
  amount: "100000000",
  source: { account, currency: "sol", transaction_signers: [addressOfKey(key)] },
  destination: { address: addressOfKey(newKey()), currency: "sol" },
});

async function openWithOrder() {
  const [key, account] = await openImported();
  await test.airdrop(account.address, "sol", "5000000000");
  const payee = addressOfKey(newKey());
  await test.airdrop(payee, "sol", "1000000000");
  const { id } = await test.call<{ id: string }>(createStandingOrder, {
    params: { address: account.address },
    body: {
      amount: "5000000",
      currency: "sol",
      frequency: "weekly",
      start_date: new Date(test.network.clock.now() + 86_400_000).toISOString(),
      source: { account: account.address, currency: "sol", transaction_signers: [addressOfKey(key)] },
      destination: { address: payee, currency: "sol" },
    },
  });
  return { key, account, id };
}

const endOrder = (id: string) =>
  test.needs.db
    .updateTable("standing_order")
    .set({ status: "cancelled", mandate: "revoked" })
    .where("id", "=", id)
    .execute();

/** The rows that stand for an account. */
async function rowsOf({ address, settings_address }: OpenedElsewhere): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [table, column, value] of [
    ["account", "address", address],
    ["account_signer", "account_address", address],
    ["history_watch", "account_address", address],
    ["history_transaction", "account_address", address],
    ["history_transfer", "account_address", address],
    ["history_address", "account_address", address],
    ["history_unread", "account_address", address],
    ["proposal", "settings_address", settings_address],
    ["proposal_watch", "settings_address", settings_address],
    ["spending_limit_watch", "settings_address", settings_address],
    ["spending_limit_listing", "settings_address", settings_address],
  ] as const) {
    const { rows } = await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(
      test.needs.db,
    );
    if (rows.length > 0) found.push(table);
  }
  return found;
}

const submissionOf = (address: string) => ({
  id: randomUUID(),
  tenant_id: test.caller.tenantId,
  environment: "sandbox",
  account_address: address,
  purpose: "transaction" as const,
  signature: "signed-elsewhere",
  carried: false,
  wire_transaction: new Uint8Array([1]),
  last_valid_block_height: 1n,
  recorded_slot: 1n,
  state: "sent" as const,
  reserved_lamports: 0n,
  created_at: 1n,
  updated_at: 1n,
  looked_at: 0n,
});
