import type { Address } from "@solana/kit";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { importsOf as accountImportsOf } from "../../test/support/imported-accounts.js";
import { addOwnSigner } from "../../test/support/own-signers.js";
import { createPasskeySigner, createSessionKey, openSession } from "../../test/support/passkey-signers.js";
import { addSoftPasskey, byPasskey, requirement, toPayload } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { openControlledAccount, openOrder } from "../../test/support/standing-orders.js";
import { createRecipient, exportsOf } from "../../test/support/wallet-exports.js";
import { importsOf } from "../../test/support/wallet-imports.js";
import { replaceSecrets, retireSecrets } from "../adapters/replace-secrets.js";
import { putLabel } from "../labels/put-label.js";
import { removeLabel } from "../labels/remove-label.js";
import { noteMemberCounter } from "../members/sign-in-with-console-passkey.js";
import { replaceableSecrets } from "../modules.js";
import { setPasskeyRequirement } from "../passkeys/set-passkey-requirement.js";
import { getSigningKey } from "../sign-in/identity-keys.js";
import { noteAgentCall } from "../tenants/note-agent-call.js";
import { recordEntry } from "./actor.js";
import { auditTypes } from "./audit-event.js";
import { recordConfiguration } from "./record-configuration.js";

const test = useTestNetwork();

/** Whether a change of a table is one of security is decided for each table: those without a trigger of the log are here. */
const notLogged: Readonly<Record<string, string>> = {
  "what an account, a user or a wallet is, and their own tables log it":
    "account account_creation pending_account signed_account kms_wallet kms_passkey kms_wallet_export key_removal",
  "a step of a flow, over in minutes":
    "guardian_change kms_ceremony passkey_approval passkey_ceremony kms_payload kms_wallet_import wallet_import one_time_code otp_failure passkey_sign_in passkey_signer member_nonce mail proposal_mail proposal_mail_count proposal_mail_feed",
  "payments and votes, which the chain proves":
    "payment_intent prepared_transaction proposal proposal_listing proposal_watch standing_order_run sponsored_cost sponsored_opening sponsorship_budget",
  "what the chain or a partner has reported":
    "history_address history_sum history_transaction history_transfer history_unread history_watch rail_deposit rail_external_account rail_feed rail_notice rail_owner rail_payout rail_payout_address rail_transfer rail_verification rail_virtual_account spending_limit_listing spending_limit_watch",
  "the sandbox's own":
    "chain_account chain_address_signature chain_state chain_transaction simulated_bank_account simulated_deposit simulated_feed simulated_news simulated_payout_address simulated_transfer simulated_verification simulated_virtual_account",
  "the log itself": "audit_entry tlog tlog_checkpoint tlog_cosignature tlog_refused tlog_tile tlog_witnessed",
  "events and requests":
    "event event_feed idempotency_record request_count request_record tenant_writes webhook_attempt webhook_delivery webhook_endpoint",
  "the database's own": "meta kysely_migration kysely_migration_lock",
};

it("a table of the database is logged, or said not to be", async () => {
  const { rows } = await sql<{ name: string }>`
    select class.relname as name from pg_class as class
    where class.relkind = 'r' and class.relnamespace = current_schema()::regnamespace and not exists (
      select from pg_trigger as made join pg_proc as called on called.oid = made.tgfoid
      where made.tgrelid = class.oid and called.proname like 'audit\\_%')
    order by 1`.execute(test.needs.db);
  const said = Object.values(notLogged).flatMap((names) => names.split(" "));
  expect(rows.map(({ name }) => name).toSorted()).toEqual(said.toSorted());
});

it("every type of entry is written by the change that it is about", async () => {
  await changeKeys();
  await changeHolder();
  await changeOrder();
  await changeImported();
  await changeLabels();
  await changePasskeySession();
  const { rows } = await sql<{ kind: string }>`select distinct kind from audit_entry`.execute(test.needs.db);
  // By a command, which is tested as one: of the master key, of tenants' archives, and of logs of others.
  const archives = ["tenant.export_started", "tenant.exported", "tenant.frozen", "tenant.imported", "tenant.unfrozen"];
  const byCommand = ["log.accepted", "master_key.rotated", "master_key.rotation_started", ...archives];
  expect([...rows.map(({ kind }) => kind), ...byCommand].toSorted()).toEqual(auditTypes.toSorted());
});

it("a key at a custodian of another process is logged with the session that its answer made", async () => {
  const { db } = test.needs;
  const holder = await test.openHolder("remote@example.org");
  const { grid_user_id: user } = holder.verified;
  await run(`insert into wallet (id, provider, owner_id, environment, address, created_at)
    values ('elsewhere', 'kms_c', '${user}', 'sandbox', 'Elsewhere', 0)`);
  await run(`insert into session (id, user_id, provider, wallet_id, authorization_key_id, authorization_public_key, client_public_key,
      token_hash, access_token_hash, refresh_token_hash, state, chain_id, chain_started_at, created_at, expires_at)
    select 'remote', user_id, 'kms_c', 'elsewhere', 'key-elsewhere', authorization_public_key, client_public_key, 'a', 'b', 'c',
      state, chain_id, chain_started_at, created_at, expires_at from session where user_id = '${user}' limit 1`);
  await run("update session set key_revoked_at = 5 where id = 'remote'");
  await run("update session set key_revoked_at = 6 where id = 'remote'");
  const { rows } = await sql<{
    kind: string;
    user_id: string;
    body: string;
  }>`select kind, user_id, body from audit_entry
    where subject = 'authorization_key/key-elsewhere' order by sequence`.execute(db);
  expect(rows.map(({ kind, user_id }) => [kind, user_id])).toEqual([
    ["authorization_key.granted", user],
    ["authorization_key.revoked", user],
  ]);
  for (const { body } of rows) {
    expect(JSON.parse(body).details).toMatchObject({ wallet: "Elsewhere", provider: "kms_c" });
  }
});

it("a configuration is logged when it is another one, with the one before", async () => {
  const { db } = test.needs;
  const one = { master_keys: ["one"], custodians: [{ name: "kms_c", identity: "x", guardian: true }] };
  const other = { master_keys: ["two", "one"], custodians: [] };
  expect(await recordConfiguration(db, one)).toBe(true);
  expect(await recordConfiguration(db, one)).toBe(false);
  const both = await Promise.all([recordConfiguration(db, other), recordConfiguration(db, other)]);
  expect(both.toSorted()).toEqual([false, true]);
  const { rows } = await sql<{ body: string }>`select body from audit_entry where kind = 'configuration.changed'
    order by sequence desc limit 1`.execute(db);
  expect(JSON.parse(rows[0]?.body ?? "")).toMatchObject({
    actor: "configuration",
    details: { ...other, before: one },
  });
});

const run = (statement: string) => sql.raw(statement).execute(test.needs.db);

async function changeKeys(): Promise<void> {
  const { db, keyring, random, realClock } = test.needs;
  await run(`insert into tenant (id, name, created_at) values ('every', 'Every', 0)`);
  for (const change of [
    "disabled_at = 1",
    "disabled_at = null",
    "one_session = true",
    "relying_party = '{}'",
    "treasury_page = '{}'",
    `proposal_mails = '{"environments":["sandbox"]}'`,
    "wallet_export_delay_seconds = 60",
    "default_protection = 'guarded', recovery_address = 'x'",
  ])
    await run(`update tenant set ${change} where id = 'every'`);
  await noteAgentCall(db, { ...test.caller, agent: "Every" }, { operation: "getAccount" });
  await run(
    `insert into wallet_root (provider, generation, sealed, created_at, used_from) values ('kms_b', 9, 'x', 0, 0)`,
  );
  await run(`update wallet_root set sealed = null, retired_at = 1 where generation = 9`);
  await run(`insert into api_key (id, tenant_id, name, kind, key_hash, visible_prefix, scopes, environments, origin, created_at)
    values ('every', 'every', 'Every', 'secret', 'x', 'x', '[]', '["sandbox"]', 'created', 0)`);
  for (const change of ["expires_at = 5", "disabled_at = 1", "disabled_at = null", "revoked_at = 2"])
    await run(`update api_key set ${change} where id = 'every'`);
  await run(`insert into member (id, tenant_id, email, role, environments, status, created_at)
    values ('every', 'every', 'every@example.org', 'owner', '[]', 'invited', 0)`);
  await run(`insert into member_secret (id, member_id, kind, secret_hash, created_at, expires_at)
    values ('every', 'every', 'link', 'x', 0, 0)`);
  await run(`insert into member_session (id, member_id, token_hash, created_at, last_used_at, expires_at)
    values ('every', 'every', 'x', 0, 0, 0)`);
  await run(`update member set status = 'active' where id = 'every'`);
  await run(`insert into member_passkey (id, member_id, credential_id, public_key, rp_id, counter, name, aaguid, is_synced, created_at)
    values ('every', 'every', 'x', 'x', 'x', 7, 'x', 'x', false, 0)`);
  await noteMemberCounter(test.needs, { id: "every", member_id: "every" }, 7n);
  await run(`delete from member_passkey where id = 'every'`);
  await run(`delete from member where id = 'every'`);
  await getSigningKey(test.needs, realClock.now());
  const needs = { db, keyring, random, now: () => realClock.now(), pause: async () => {} };
  const [secret] = replaceableSecrets;
  if (secret === undefined) throw new Error("there are secrets");
  await replaceSecrets(needs, [{ ...secret, columns: [] }]);
  const later = { db, now: () => realClock.now() + 400 * 86_400_000 };
  expect(await retireSecrets(later, [{ ...secret, columns: [] }])).toHaveLength(1);
  const entry = { tenantId: null, subject: "configuration", details: {} };
  await recordEntry(db, { ...entry, kind: "configuration.changed" });
}

async function changeLabels(): Promise<void> {
  const label_address = "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y";
  for (const name of ["Landlord", "Former landlord"])
    await test.call(putLabel, { params: { label_address }, body: { name } });
  await test.call(removeLabel, { params: { label_address } });
}

async function changePasskeySession(): Promise<void> {
  const { passkey } = await createPasskeySigner(test);
  await openSession(test, "auth", passkey, createSessionKey().address, { seconds: 0 });
}

async function changeImported(): Promise<void> {
  const { openImported, release, releaseProofOf } = accountImportsOf(test);
  const [key, account] = await openImported();
  await release(account, { proof: await releaseProofOf(key, account) });
}

async function changeHolder(): Promise<void> {
  const holder = await test.openHolder("every@example.org");
  const { address } = holder;
  const user = holder.verified.grid_user_id;
  const exports = exportsOf(test, holder);
  const recipient = createRecipient();
  const first = await exports.order(recipient);
  await run(`update wallet_export set state = 'cancelled' where id = '${first.id}'`);
  await run(`update wallet_export set state = 'exported' where id = '${first.id}'`);
  await importsOf(test, { holder, key: await addOwnSigner(test.needs.db, address) }).all();
  const { passkey, begun } = await addSoftPasskey(test, holder);
  for (const counter of [5, 4]) {
    const { document, request } = await requirement(test, address, begun, passkey, false);
    const authorization = byPasskey(passkey, toPayload(document), { counter });
    await test.call(setPasskeyRequirement, { ...request, body: { ...request.body, authorization } }).catch(() => {});
  }
  for (const change of ["removed_at = 1", "removed_at = null"])
    await run(`update passkey set ${change} where user_id = '${user}'`);
  await run(`update app_user set passkey_sign_in = 'required' where id = '${user}'`);
  await run(`insert into session (id, user_id, provider, wallet_id, authorization_key_id, authorization_public_key, client_public_key,
      token_hash, access_token_hash, refresh_token_hash, state, chain_id, parent_id, chain_started_at, created_at, expires_at)
    select 'refreshed', user_id, provider, wallet_id, authorization_key_id, authorization_public_key, client_public_key, 'd', 'e', 'f',
      state, chain_id, id, chain_started_at, created_at, expires_at from session where user_id = '${user}' limit 1`);
  await run(`update session_chain set end_reason = 'ended_by_operator', ended_at = 1
    where id = (select chain_id from session where id = 'refreshed')`);
  const key = `id = (select authorization_key_id from session where id = 'refreshed')`;
  for (const change of ["revoked_at = 1", "revoked_at = null"])
    await run(`update kms_authorization_key set ${change} where ${key}`);
  await run(`delete from account_signer where account_address = '${address}'`);
  await run(`update submission set changes_settings = true, account_address = '${address}', state = 'sent'
    where purpose = 'account_creation'`);
  await run(`update submission set state = 'landed' where changes_settings`);
}

async function changeOrder(): Promise<void> {
  const { network, needs } = test;
  const account = await openControlledAccount(network, "every kind");
  const payee = "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y" as Address;
  const startAt = network.clock.now() + 86_400_000;
  await run(`update standing_order set place = 0`);
  await openOrder(needs.db, network, account, { id: "every", amount: 5n, frequency: "daily", startAt, payee });
  for (const change of [
    "reason = 'operator'",
    "reason = null",
    "mandate = 'revocation_pending'",
    "mandate = 'active'",
    "mandate = 'revoked'",
  ])
    await run(`update standing_order set ${change} where id = 'every'`);
}
