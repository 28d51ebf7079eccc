import { randomUUID } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import type { DatabaseSchema } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { createClientKey, errorOf, sessionOf, stampKmsA, type Verified } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { createWebhookEndpoint } from "../events/create-webhook-endpoint.js";
import { deleteWebhookEndpoint } from "../events/delete-webhook-endpoint.js";
import { publishEvents } from "../events/publish-events.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { refreshSession } from "../sign-in/refresh-session.js";
import { startAuthentication } from "../sign-in/start-authentication.js";
import { verifyAuthentication } from "../sign-in/verify-authentication.js";
import { settleSubmissions } from "../submissions/settle-submissions.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { removeOutdated, sweptTables } from "./retention.js";

const dayMs = 86_400_000;
const test = useTestNetwork({ each: true });
const holder = use(() => test.openHolder("keeper@example.org", { sol: "1000000000" }), { each: true });

describe("what has served its time", () => {
  it("is removed step by step, and the same bytes answer the first result for 400 days", async () => {
    const payment = await signedPayment();
    await signedPayment();
    const first = await test.call(submitTransactions, payment);
    await settleSubmissions(test.needs.db, test.network);
    await publishEvents(test.needs.db, test.network);
    const end = test.network.clock.now();
    const until = (ms: number) => test.needs.realClock.advance(end + ms - test.network.clock.now());
    const wires = async () => {
      const rows = await test.needs.db.selectFrom("submission").select("wire_transaction").execute();
      return rows.map(({ wire_transaction }) => wire_transaction.length > 0);
    };

    until(limits.kept.preparedTransactionMs);
    expect(await sweepNow()).toMatchObject({ prepared_transaction: 0, one_time_code: 0, submission: 0 });
    until(limits.kept.preparedTransactionMs + limits.otpLifetimeMs);
    expect(await sweepNow()).toMatchObject({ prepared_transaction: 2, one_time_code: 1 });
    expect(await count("kms_payload")).toBe(0);
    expect(await test.call(submitTransactions, payment)).toEqual(first);

    until(limits.kept.mailMs + 1);
    expect(await sweepNow()).toMatchObject({ mail: 1 });

    until(limits.kept.submissionBytesMs - 1);
    await sweepNow();
    expect(await wires()).toEqual([true, true]);
    until(limits.kept.submissionBytesMs + 1);
    expect(await sweepNow()).toMatchObject({ submission: 2 });
    expect(await wires()).toEqual([false, false]);
    expect(await test.call(submitTransactions, payment)).toEqual(first);

    until(limits.kept.submissionMs - 1);
    await sweepNow();
    expect(await test.call(submitTransactions, payment)).toEqual(first);
    expect(await count("account_creation")).toBe(1);
    until(limits.kept.submissionMs + 1);
    expect(await sweepNow()).toMatchObject({ submission: 2, account_creation: 1, payment_intent: 2 });
    // They are bytes from elsewhere then, and custody signs nothing in those.
    expect((await errorOf(test.call(submitTransactions, payment))).code).toBe("transaction_not_prepared");

    for (const table of sweptTables) {
      // The audit log keeps what it says for longer, and its hashes for good.
      if (table !== "audit_entry") expect([table, await count(table)]).toEqual([table, 0]);
    }
    expect(await count("account")).toBe(1);
    expect(await count("account_signer")).toBe(2);
    expect(await count("kms_wallet")).toBe(2);
    // The account still works.
    await test.call(startAuthentication, { body: { email: holder.email } });
    const clientKey = await createClientKey();
    const verified = await test.call<Verified>(verifyAuthentication, {
      body: {
        email: holder.email,
        otp_code: await test.latestCode(holder.email),
        kms_provider_config: { encryption_public_key: clientKey.spki },
      },
    });
    expect(verified.address).toBe(holder.address);
  });

  it("sessions go 60 days after the code of their chain, and their keys after them", async () => {
    const refresh = async (refresh_token: string) => {
      const body = {
        encryption_public_key: holder.clientKey.spki,
        kms_payload: { provider: "kms_a", session: { refresh_token } },
      };
      const answer = await test.call<{ kms_payload: Verified["authentication"][number] }>(refreshSession, { body });
      return sessionOf({ authentication: [answer.kms_payload] }).refresh_token;
    };
    const began = test.needs.realClock.now();
    let token = sessionOf(holder.verified).refresh_token;
    for (let i = 1; i <= 5; i += 1) {
      test.needs.realClock.advance(5 * dayMs);
      token = await refresh(token);
    }
    expect([await count("session"), await count("kms_authorization_key")]).toEqual([6, 6]);
    const until = (ms: number) => test.needs.realClock.advance(began + ms - test.needs.realClock.now());
    until(limits.kept.sessionMs - 1);
    expect(await sweepNow()).toMatchObject({ session: 0, kms_authorization_key: 0 });
    expect((await errorOf(refresh(token))).code).toBe("session_expired");
    until(limits.kept.sessionMs + 1_000);
    expect(await sweepNow()).toMatchObject({ session: 6 });
    until(limits.kept.authorizationKeyMs + limits.sessionMaxMs + 1_000);
    await sweepNow();
    expect([await count("session"), await count("kms_authorization_key")]).toEqual([0, 0]);
    expect((await errorOf(refresh(token))).code).toBe("invalid_refresh_token");
  });

  it("a key whose session is still there stays with it", async () => {
    const { db } = test.needs;
    await db.updateTable("kms_authorization_key").set({ expires_at: 0n }).execute();
    expect(await sweepNow()).toMatchObject({ session: 0, kms_authorization_key: 0 });
    await db.updateTable("session").set({ chain_started_at: 0n }).execute();
    expect(await sweepNow()).toMatchObject({ session: 1, kms_authorization_key: 1 });
  });

  it("what is not over stays however old it is", async () => {
    await test.call(createAccount, { body: { type: "email", email: "slow@example.org" } });
    const { db } = test.needs;
    await db.updateTable("account_creation").set({ state: "pending", created_at: 0n }).execute();
    await db.updateTable("submission").set({ state: "sent", updated_at: 0n }).execute();
    const before = await db.selectFrom("submission").selectAll().execute();
    test.needs.realClock.advance(1_000 * dayMs);
    await sweepNow();
    expect(await db.selectFrom("submission").selectAll().execute()).toEqual(before);
    expect(await count("account_creation")).toBe(1);
  });

  it("is removed in small statements, and each row once however many processes sweep", async () => {
    const { db, realClock } = test.needs;
    const rows = Array.from({ length: 5 * limits.sweptInOneStatement + 1 }, () => ({
      id: randomUUID(),
      tenant_id: test.caller.tenantId,
      environment: "sandbox",
      email: "busy@example.org",
      failed_at: BigInt(realClock.now()),
    }));
    await db.insertInto("otp_failure").values(rows).execute();
    realClock.advance(limits.kept.otpFailureMs - 1);
    expect(await sweepNow()).toMatchObject({ otp_failure: 0 });
    realClock.advance(1);
    const swept = await Promise.all([sweepNow(), sweepNow(), sweepNow()]);
    const left = (await sweepNow()).otp_failure ?? 0;
    expect(swept.reduce((sum, { otp_failure = 0 }) => sum + otp_failure, left)).toBe(rows.length);
    expect(await count("otp_failure")).toBe(0);
  });

  it("a deleted webhook endpoint is removed once nothing is left that was scheduled for it", async () => {
    const { db, realClock } = test.needs;
    const created = await test.call<{ id: string }>(createWebhookEndpoint, {
      body: { url: "https://192.0.2.1.example.org/", types: ["*"] },
    });
    realClock.advance(limits.kept.deletedEndpointMs);
    expect(await sweepNow()).toMatchObject({ webhook_endpoint: 0 });
    const params = { endpoint_id: created.id };
    await test.call(deleteWebhookEndpoint, { params });
    realClock.advance(limits.kept.deletedEndpointMs - 1);
    // Deleting it again is the same, and no reason to keep it longer.
    expect(await test.call(deleteWebhookEndpoint, { params })).toEqual({ id: created.id, deleted: true });
    expect(await sweepNow()).toMatchObject({ webhook_endpoint: 0 });
    realClock.advance(1);
    expect(await sweepNow()).toMatchObject({ webhook_endpoint: 1 });
    expect(await db.selectFrom("webhook_endpoint").select("id").execute()).toEqual([]);
  });

  it("is judged by the clock of its environment", async () => {
    const { db } = test.needs;
    const ahead = { name: "sandbox", clock: { now: () => test.network.clock.now() + 1_000 * dayMs } } as const;
    await db.updateTable("one_time_code").set({ environment: "devnet" }).execute();
    const devnet = { name: "devnet", clock: test.network.clock } as const;
    const removed = await removeOutdated(test.needs, [ahead, devnet]);
    expect(removed).toMatchObject({ one_time_code: 0, submission: 2, session: 0, kms_authorization_key: 0 });
  });
});

it("every table is swept, or stays for good and is known to", async () => {
  const { rows } = await sql<{ table_name: string }>`select table_name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely_%'`.execute(test.needs.db);
  const unknown = rows
    .map(({ table_name }) => table_name as keyof DatabaseSchema)
    .filter((name) => !sweptTables.has(name));
  expect(unknown.sort()).toEqual([
    "account",
    "account_signer",
    "api_key",
    "app_user",
    // The sandbox chain keeps its history, as the node it plays would.
    "chain_account",
    "chain_address_signature",
    "chain_state",
    "chain_transaction",
    // Follow from the chain, and are what lists show.
    // One row: whoever holds it gives out places in the feed.
    "derived_secret",
    "event_feed",
    "history_address",
    "history_sum",
    "history_transaction",
    "history_transfer",
    "history_unread",
    "history_watch",
    // Until the key is revoked, or has expired.
    "key_removal",
    // With its prepared transaction.
    "kms_payload",
    "kms_wallet",
    // Until somebody removes it.
    "label",
    "member",
    "member_passkey",
    "meta",
    // Whose a passkey is, for as long as it signs.
    "passkey_signer",
    // Follow from the chain, and are what lists show.
    "proposal",
    "proposal_listing",
    // With the member, or with what the tenant set.
    "proposal_mail",
    "proposal_mail_count",
    "proposal_mail_feed",
    "proposal_watch",
    // Rows that are few: how far news were read, and whose a customer is.
    // What an account's list of transfers rests on.
    "rail_deposit",
    "rail_feed",
    "rail_owner",
    // One row for each tenant.
    "request_count",
    // With the signers of an account.
    "signed_account",
    // The simulated partner keeps what it knows, as real ones do.
    "simulated_bank_account",
    "simulated_feed",
    "simulated_payout_address",
    "simulated_verification",
    "simulated_virtual_account",
    // With their account; what the chain says of it.
    "spending_limit_listing",
    "spending_limit_watch",
    // A number for the account's whole life.
    "sponsored_opening",
    // What somebody asked for once, and what came of it, for years.
    "standing_order",
    "standing_order_run",
    "tenant",
    // Of the audit log: its proofs are for good.
    "tlog",
    "tlog_cosignature",
    "tlog_refused",
    "tlog_tile",
    "tlog_witnessed",
    "wallet",
    "wallet_root",
    // With its event, and its endpoint.
    "webhook_delivery",
  ]);
});

const sweepNow = () => removeOutdated(test.needs, [test.network]);

const count = async (table: keyof DatabaseSchema) =>
  (await sql<{ count: number }>`select count(*)::int4 as count from ${sql.table(table)}`.execute(test.needs.db)).rows[0]
    ?.count;

async function signedPayment() {
  const { address } = holder.verified;
  const prepared = await test.call<{ transaction: string; kms_payloads: readonly { payload: string }[] }>(
    preparePayment,
    {
      params: { address },
      body: {
        amount: "5000000",
        source: { account: address, currency: "sol" },
        destination: { address: "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y", currency: "sol" },
      },
    },
  );
  const signature = stampKmsA(prepared.kms_payloads[0]?.payload ?? "", holder.authorizationKey);
  return {
    params: { address },
    body: {
      transaction: prepared.transaction,
      kms_payloads: [{ provider: "kms_a", kms_signed_payload: { signature } }],
    },
  };
}
