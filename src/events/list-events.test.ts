import { sql } from "kysely";
import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { createPasskeySigner, createSessionKey, openSession } from "../../test/support/passkey-signers.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { postgresUrl } from "../../test/support/test-database.js";
import { breakConnection, errorOf, publicKeyOf, stampKmsA } from "../../test/support/test-network.js";
import { learnDueMembers } from "../accounts/settings-change-signers.js";
import { eventCatalogue } from "../modules.js";
import { getPaymentIntent } from "../payments/get-payment-intent.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import type { WireEvent } from "./event-store.js";
import { eventTypeNames } from "./event-types.js";
import { getEvent } from "./get-event.js";
import { listEvents } from "./list-events.js";
import { publishEvents } from "./publish-events.js";
import { recordEvent } from "./record-event.js";

const test = useTestNetwork();
const holder = use(() => test.openHolder("events@example.org", { sol: "5000000000" }));

describe("the feed", () => {
  it("tells of an account as soon as it exists", async () => {
    const { events } = await page({ type: ["account"] });
    const { policies, authentication, ...account } = holder.verified as never as Record<string, unknown>;
    expect(events).toMatchObject([
      {
        id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        type: "account.created",
        environment: "sandbox",
        tenant: test.caller.tenantId,
        data: {
          object: {
            address: account.address,
            grid_user_id: account.grid_user_id,
            email: "events@example.org",
            type: "email",
          },
        },
      },
    ]);
    expect(Date.parse(events[0]?.timestamp ?? "")).toBe(Number(events[0] && Date.parse(events[0].timestamp)));
  });

  it("reports the outcome of a transaction after its earlier states, and continues from its last cursor", async () => {
    const { cursor } = await page({ cursor: "latest" });
    const signature = await pay();
    const { events, cursor: next } = await page({ cursor, type: ["transaction."] });
    expect(events.map(({ type, data }) => [type, data.object.signature, data.previous_status])).toEqual([
      ["transaction.confirmed", signature, "signed"],
    ]);
    const { events: none, cursor: same } = await page({ cursor: next, type: ["transaction"] });
    expect([none, same]).toEqual([[], next]);
    await pay();
    expect((await page({ cursor: next, type: ["transaction"] })).events).toHaveLength(1);
  });

  it("gives every event once, in one order, page by page, forwards and backwards", async () => {
    for (let n = 0; n < 7; n += 1) await record("webhook.test", n);
    const whole = (await page({ limit: 200 })).events.map(({ id }) => id);
    const walk = async (order: "asc" | "desc") => {
      const seen: string[] = [];
      for (let cursor: string | undefined, more = true; more; ) {
        const at: Awaited<ReturnType<typeof page>> = await page({ order, limit: 2, ...(cursor ? { cursor } : {}) });
        seen.push(...at.events.map(({ id }) => id));
        more = at.events.length === 2 && at.cursor !== undefined;
        cursor = at.cursor;
      }
      return seen;
    };
    expect(await walk("asc")).toEqual(whole);
    expect(await walk("desc")).toEqual([...whole].reverse());
    const sequences = (await page({ type: ["webhook.test"] })).events.map(({ data }) => data.sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    const merged = (await page({ type: ["webhook.test", "transaction"], limit: 200 })).events.map(({ id }) => id);
    expect(merged).toEqual(whole.filter((id) => merged.includes(id)));
  });

  it("hides the events of other tenants and other environments", async () => {
    const stranger = await test.addTenant("stranger");
    const [mine] = (await page()).events;
    expect((await page({}, stranger)).events).toEqual([]);
    const params = { event_id: mine?.id };
    expect(await test.call(getEvent, { params })).toEqual(mine);
    expect((await errorOf(test.call(getEvent, { params, caller: stranger }))).code).toBe("event_not_found");
    const devnet = { ...test.network, name: "devnet" as const };
    expect((await errorOf(test.call(getEvent, { params, network: devnet }))).code).toBe("event_not_found");
    expect((await errorOf(test.call(getEvent, { params: { event_id: "x\u0000" } }))).code).toBe("event_not_found");
  });

  it("refuses cursors it did not hand out, and types there are not", async () => {
    const { cursor = "" } = await page();
    for (const wrong of ["", "x", `${cursor}=`, Buffer.from("e1_asc_99999999999999999999").toString("base64url")]) {
      expect((await errorOf(page({ cursor: wrong }))).code).toBe("invalid_cursor");
    }
    expect((await errorOf(page({ cursor, order: "desc" }))).code).toBe("invalid_cursor");
    for (const wrong of ["transactions", "trans", ".", "transaction.confirmed.x"]) {
      expect((await errorOf(page({ type: [wrong] }))).code).toBe("unknown_event_type");
    }
  });

  it("reports a change with it or not at all", async () => {
    const { cursor } = await page({ cursor: "latest" });
    const address = holder.address;
    const touch = (fails: boolean) =>
      test.needs.db.transaction().execute(async (trx) => {
        await trx.updateTable("account").set({ updated_at: 1n }).where("address", "=", address).execute();
        if (fails) throw new Error("undone");
      });
    await touch(true).catch(() => undefined);
    expect((await page({ cursor })).events).toEqual([]);
    await touch(false);
    expect((await page({ cursor })).events.map(({ type }) => type)).toEqual(["account.updated"]);
  });

  it("reports a change of an account once, for any number of readers of its members", async () => {
    const { db } = test.needs;
    const { address } = holder.verified;
    const { cursor } = await page({ cursor: "latest" });
    const signature = await pay();
    // As if that had changed the settings, and its process had died before it read them.
    const change = { state: "sent", changes_settings: true } as const;
    await db.updateTable("submission").set(change).where("signature", "=", signature).execute();
    await db.updateTable("submission").set({ state: "landed" }).where("signature", "=", signature).execute();
    const due = () => db.selectFrom("account").select("members_due").where("address", "=", address).executeTakeFirst();
    expect((await due())?.members_due).not.toBeNull();
    const silent = breakConnection(test.network, (method) => method === "getMultipleAccounts");
    await expect(learnDueMembers(test.needs, silent)).rejects.toMatchObject({ code: "chain_unavailable" });
    await Promise.all([learnDueMembers(test.needs, test.network), learnDueMembers(test.needs, test.network)]);
    expect((await due())?.members_due).toBeNull();
    await learnDueMembers(test.needs, test.network);
    const { events } = await page({ cursor, type: ["account"] });
    expect(events.map(({ type, data }) => [type, data.object.address])).toEqual([["account.updated", address]]);
  });

  it("says of a payment that was not made why it was not, as its intent does", async () => {
    const { db } = test.needs;
    const { address } = holder.verified;
    const { cursor } = await page({ cursor: "latest" });
    const states = ["failed", "expired"] as const;
    for (const state of states) {
      const signature = await pay();
      const [{ id }] = (await db
        .selectFrom("submission")
        .select("id")
        .where("signature", "=", signature)
        .execute()) as [{ id: string }];
      await db
        .updateTable("payment_intent")
        .set({ state: "payment_submitted" })
        .where("prepared_id", "=", id)
        .execute();
      const failure = state === "failed" ? '{"error":{"InstructionError":[2,{"Custom":1}]},"logs":[]}' : null;
      await db.updateTable("submission").set({ state, failure }).where("id", "=", id).execute();
      const to = state === "failed" ? "error" : "canceled";
      await db.updateTable("payment_intent").set({ state: to }).where("prepared_id", "=", id).execute();
    }
    const overdue = await prepare();
    await db.updateTable("payment_intent").set({ state: "canceled" }).where("id", "=", overdue).execute();
    const { events } = await page({ cursor, type: ["payment_intent.updated"], limit: 200 });
    const reported = events.flatMap(({ data }) => (data.object.error === undefined ? [] : [data.object]));
    expect(reported.map(({ error }) => (error as { code: string }).code)).toEqual([
      "transaction_failed",
      "blockhash_expired",
      "payload_expired",
    ]);
    for (const { id, error } of reported) {
      const view = await test.call<{ error: object }>(getPaymentIntent, { params: { address, id } });
      expect(view.error).toEqual(error);
    }
  });

  it("has objects of the shape that is promised for their type, whatever trigger wrote them", async () => {
    const { db } = test.needs;
    const { address } = holder.verified;
    await pay();
    const { settings_address: settings } = await db
      .selectFrom("account")
      .select("settings_address")
      .where("address", "=", address)
      .executeTakeFirstOrThrow();
    // Names in place of what only has to look like an address, an id or a signature.
    const refreshes = (text: string) =>
      text
        .replaceAll(
          /(['"])(proposal-900|transaction-900|voter|payee|executor|limit|mint|account)\1(?!:)/g,
          (_, quote, name) => [quote, publicKeyOf(name), quote].join(""),
        )
        .replaceAll(
          /'(order|payout|check|details|deposit|bank|place|user)'/g,
          (_, name) => `'00000000-0000-4000-8000-${Buffer.from(name).toString("hex").padStart(12, "0").slice(-12)}'`,
        )
        .replaceAll("'signature'", `'${"5".repeat(88)}'`);
    const run = (text: string) => sql.raw(refreshes(text)).execute(db);
    const { cursor } = await page({ cursor: "latest" });
    // The shortest changes of rows that each trigger reports.
    await run(`insert into proposal (environment, settings_address, transaction_index, proposal_address,
        transaction_address, kind, status, chain_status, status_timestamp, approved, rejected, cancelled, votes, opened_at,
        last_modified_at, uses_durable_nonce, read_slot)
      values ('sandbox', '${settings}', 900, 'proposal-900', 'transaction-900', 'transaction', 'Active', 'active', 1000,
        '[]', '[]', '[]', '[]', 1000, 1000, false, 1)`);
    await run(`update proposal set approved = '["voter"]', last_modified_at = 2000 where transaction_index = 900`);
    for (const status of ["Approved", "Rejected", "Cancelled", "Executed"]) {
      await run(`update proposal set status = '${status}' where transaction_index = 900`);
    }
    await run("update account_creation set state = 'failed'");
    for (const state of ["failed", "expired", "landed"] as const) {
      const outcome = {
        failed: `failure = '{"error":{"InstructionError":[0,"Custom"]}}', slot = null, block_time = null`,
        expired: "failure = null",
        landed: "slot = 1, block_time = 1",
      }[state];
      await run(`update submission set state = '${state}', ${outcome} where purpose = 'transaction'`);
    }
    await run("update session_chain set ended_at = 1, end_reason = 'idle'");
    await run("update payment_intent set state = 'error'");
    await run(`insert into standing_order (id, tenant_id, environment, account_address, settings_address, status, amount,
        currency, frequency, source, destination, payee, start_at, executor_address, spending_limit_address, prepared_id,
        place, valid_until, mandate, missed_in_a_row, created_at, updated_at, next_due_at)
      values ('order', '${test.caller.tenantId}', 'sandbox', '${address}', '${settings}', 'pending', '1', 'sol', 'daily',
        '{"account":"${address}","currency":"sol","payment_rail":"solana","details":{"account":"${address}"}}',
        '{"address":"${address}","currency":"sol","payment_rail":"solana","details":{"address":"${address}"}}', 'payee', 0, 'executor', 'limit', 'prepared', 0, 1, 'awaited', 0, 1, 1, 1)`);
    for (const status of ["active", "inactive", "completed", "cancelled"]) {
      await run(`update standing_order set status = '${status}' where id = 'order'`);
    }
    for (const [due, state] of ["paid", "retrying", "missed"].entries()) {
      await run(`insert into standing_order_run (order_id, due_at, environment, state, attempts, created_at, updated_at)
        values ('order', ${due}, 'sandbox', '${state}', 1, 1, 1)`);
    }
    await run(`insert into rail_payout_address (id, tenant_id, environment, account_address, partner, customer_ref,
        operation_key, operation_begun_at, external_account_id, external_account_ref, coin, mint, fiat, rail, endorsement,
        created_at, updated_at)
      values ('place', '${test.caller.tenantId}', 'sandbox', '${address}', 'sandbox', 'ref', 'key', 1, 'bank', 'ref', 'usdc',
        'mint', 'usd', 'wire', 'base', 1, 1)`);
    await run(`insert into rail_payout (id, payout_address_id, tenant_id, environment, account_address, order_id, due_at,
        partner_ref, signature, state, amount, created_at, updated_at)
      values ('payout', 'place', '${test.caller.tenantId}', 'sandbox', '${address}', 'order', 0, 'ref', 'signature',
        'funds_received', '5.00', 1, 1)`);
    await run("update rail_payout set state = 'returned' where id = 'payout'");
    await run(`insert into rail_verification (id, tenant_id, environment, account_address, partner, operation_key,
        operation_begun_at, type, email_key, person, wanted, status, terms, endorsements, active_since, created_at, updated_at)
      values ('check', '${test.caller.tenantId}', 'sandbox', 'account', 'sandbox', 'key', 1, 'individual', 'x', 'x',
        array['base'], 'not_started', 'pending', '{}', 1, 1, 1)`);
    await run(
      `update rail_verification set partner_ref = 'ref', endorsements = '{"base":"incomplete"}' where id = 'check'`,
    );
    await run(`update rail_verification set status = 'approved', terms = 'approved',
      endorsements = '{"base":"approved"}' where id = 'check'`);
    await run(`insert into rail_virtual_account (id, tenant_id, environment, account_address, user_id, partner, customer_ref,
        operation_key, operation_begun_at, currency, coin, mint, active_since, created_at, updated_at)
      values ('details', '${test.caller.tenantId}', 'sandbox', 'account', 'user', 'sandbox', 'customer', 'key', 1, 'usd',
        'usdc', 'mint', 1, 1, 1)`);
    for (const status of ["activated", "deactivated"]) {
      await run(`update rail_virtual_account set partner_ref = 'ref', status = '${status}' where id = 'details'`);
    }
    await run(`insert into rail_deposit (id, virtual_account_id, tenant_id, environment, account_address, partner_ref, state,
        amount, currency, coin, mint, decimals, happened_at, created_at, updated_at)
      values ('deposit', 'details', '${test.caller.tenantId}', 'sandbox', 'account', 'ref', 'scheduled', '1.00', 'usd',
        'usdc', 'mint', 6, 1, 1, 1)`);
    await run(`update rail_deposit set state = 'processed', signature = 'signature', rail = 'wire',
      fees = '{"developer_fee":"0.01","exchange_fee":"0.00","gas_fee":"0.00"}' where id = 'deposit'`);
    await run(`update rail_deposit set confirmed_at = 1, received = '990000' where id = 'deposit'`);
    await run(`insert into rail_external_account (id, tenant_id, environment, account_address, partner, customer_ref,
        operation_key, operation_begun_at, fingerprint, shown, kind, currency, last4, removal_key, created_at, updated_at)
      values ('bank', '${test.caller.tenantId}', 'sandbox', 'account', 'sandbox', 'customer', 'key', 1, 'x', 'x', 'us', 'usd',
        '6789', 'removal', 1, 1)`);
    await run("update rail_external_account set partner_ref = 'ref'");
    await run("update rail_external_account set active = false");
    await run("delete from rail_external_account");
    const { passkey } = await createPasskeySigner(test);
    await openSession(test, "auth", passkey, createSessionKey().address, { seconds: 0 });
    const seen = new Set<string>();
    for (let from: string | undefined, more = true; more; ) {
      const { events, cursor: next } = await page({ limit: 200, ...(from ? { cursor: from } : {}) });
      for (const { type, data } of events) {
        const { schema } = eventCatalogue[type as keyof typeof eventCatalogue];
        expect([type, data.object, [...Value.Errors(schema, data.object)]]).toEqual([type, data.object, []]);
        const declared = Object.keys((schema as { properties: object }).properties);
        const undeclared = Object.keys(data.object).filter((name) => !declared.includes(name));
        // What a test of an endpoint sends is open.
        if (type !== "webhook.test") expect([type, undeclared]).toEqual([type, []]);
        seen.add(type);
      }
      more = events.length > 0;
      from = next;
    }
    // No trigger writes these, and transfers have tests of their own, with a chain behind them.
    const others = new Set([
      "transfer.received",
      "account.released",
      "passkey.added",
      "passkey.removed",
      "wallet_export.requested",
      "wallet_export.cancelled",
      "wallet_export.completed",
      "wallet_import.completed",
      "fee_payer.low",
      "sponsorship.exhausted",
      "webhook_endpoint.disabled",
    ]);
    expect(eventTypeNames.filter((type) => !seen.has(type) && !others.has(type))).toEqual([]);
    const { events } = await page({ cursor, type: ["proposal"], limit: 200 });
    // Nothing but the vote is new: the proposal's status is as old as the proposal.
    expect(events.slice(0, 2).map(({ type, timestamp }) => [type, Date.parse(timestamp)])).toEqual([
      ["proposal.created", 1_000_000],
      ["proposal.voted", 2_000_000],
    ]);
  });

  it.runIf(postgresUrl !== undefined)("never skips what is committed late under a smaller number", async () => {
    const { db } = test.needs;
    const { cursor } = await page({ cursor: "latest" });
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const late = db.transaction().execute(async (trx) => {
      await record("webhook.test", 100, trx);
      begun();
      await held;
    });
    await hasBegun;
    await record("webhook.test", 101);
    const first = await page({ cursor });
    expect(first.events.map(({ data }) => data.object.n)).toEqual([101]);
    goOn();
    await late;
    const second = await page({ cursor: first.cursor });
    expect(second.events.map(({ data }) => data.object.n)).toEqual([100]);
    expect(second.events[0]?.data.sequence).toBeLessThan(first.events[0]?.data.sequence ?? 0);
  });

  it.runIf(postgresUrl !== undefined)("is followed without a gap while many write and many publish", async () => {
    const { db } = test.needs;
    let { cursor } = await page({ cursor: "latest" });
    const total = 400;
    let written = 0;
    const writer = async () => {
      while (written < total) {
        written += 1;
        await db.transaction().execute(async (trx) => {
          await record("webhook.test", written, trx);
          await sql`select pg_sleep(random() * 0.01)`.execute(trx);
        });
      }
    };
    const writing = Promise.all(Array.from({ length: 4 }, writer)).then(() => true);
    const seen: string[] = [];
    for (let done = false; !done; ) {
      done = await Promise.race([writing, Promise.resolve(false)]);
      const [at] = await Promise.all([page({ cursor, limit: 7 }), publishEvents(db, test.network)]);
      seen.push(...at.events.map(({ id }) => id));
      cursor = at.cursor;
    }
    for (let more = true; more; ) {
      const at = await page({ cursor, limit: 200 });
      seen.push(...at.events.map(({ id }) => id));
      cursor = at.cursor;
      more = at.events.length > 0;
    }
    expect([seen.length, new Set(seen).size]).toEqual([written, written]);
  });
});

async function page(query: object = {}, caller = test.caller) {
  const answer = await listEvents.handle(test.needs, {
    query,
    caller,
    network: test.network,
  } as never);
  return { events: answer.data as WireEvent[], cursor: answer.headers?.["x-next-cursor"] };
}

const preparation = () => {
  const { address } = holder.verified;
  return test.call<{ id: string; transaction: string; kms_payloads: { payload: string }[] }>(preparePayment, {
    params: { address },
    body: {
      amount: "1000000",
      source: { account: address, currency: "sol" },
      destination: { address: publicKeyOf("the payee of events"), currency: "sol" },
    },
  });
};

const prepare = async () => (await preparation()).id;

async function pay(): Promise<string> {
  const { address } = holder.verified;
  const prepared = await preparation();
  const kms_payloads = prepared.kms_payloads.map(({ payload }) => ({
    provider: "kms_a",
    kms_signed_payload: { signature: stampKmsA(payload, holder.authorizationKey) },
  }));
  const { transaction_signature } = await test.call<{ transaction_signature: string }>(submitTransactions, {
    params: { address },
    body: { transaction: prepared.transaction, kms_payloads },
  });
  return transaction_signature;
}

const record = (type = "webhook.test" as const, n = 0, db: Parameters<typeof recordEvent>[0] = test.needs.db) =>
  recordEvent(db, {
    tenantId: test.caller.tenantId,
    environment: "sandbox",
    type,
    objectId: "thing",
    data: { n },
    now: test.network.clock.now(),
  });
