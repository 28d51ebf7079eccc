import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from "@solana/kit";
import type { Db } from "@trellis/kernel/ports/database.js";
import { accountKindOf, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { addressOf, signatureOf } from "@trellis/sandbox/node/address-bytes.js";
import { decodeRecord } from "@trellis/sandbox/node/transaction-record.js";
import { sql } from "kysely";
import { expect } from "vitest";
import type { CrashSite } from "./crashing-service.js";

/** All the lamports there are, and all that was ever paid for fees: their sum never changes. */
export async function totalLamports(db: Db): Promise<bigint> {
  const held = await db.selectFrom("chain_account").select("lamports").execute();
  const paid = await db.selectFrom("chain_transaction").select("meta").execute();
  return (
    held.reduce((sum, { lamports }) => sum + lamports, 0n) +
    paid.reduce((sum, { meta }) => sum + decodeRecord(meta).fee, 0n)
  );
}

/** The states of the submissions of these transactions, by identity (lower-case hex SHA-256 of the message). */
export async function submissionStates(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("submission").select(["id", "state"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/**
 * Holds the store against the chain, after a recovery pass and with no process at work: what one says, the other says
 * too, nothing is under way, and every lamport the service paid is accounted for.
 */
async function expectNothingLostOrDoubled(db: Db): Promise<void> {
  await expectAccountsMatchChain(db);
  await expectSubmissionsMatchChain(db);
  await expectIntentsMatchSubmissions(db);
  await expectSponsorshipSettled(db);
  await expectEventsMatchChanges(db);
}

/** Every change that is reported has its one event, and no event reports what did not happen. */
export async function expectEventsMatchChanges(db: Db): Promise<void> {
  const { rows } = await sql<{ what: string; object: string }>`
    with told as (select type, object_id, count(*) as count from event group by 1, 2),
    happened as (
      select 'account.created' as type, address as object_id from account
      union all select 'transaction.' || case state when 'landed' then 'confirmed' else state end, id from submission
        where state in ('landed', 'failed', 'expired') and purpose in ('transaction', 'standing_order')
      union all select 'payment_intent.created', id from payment_intent
    )
    select 'not told' as what, type || ' ' || object_id as object from happened
      where not exists (select from told where told.type = happened.type and told.object_id = happened.object_id)
    union all select 'told twice', type || ' ' || object_id from told
      where count > 1 and type not in ('payment_intent.updated', 'account.updated', 'proposal.voted')
    union all select 'did not happen', type || ' ' || object_id from told
      where (type like 'transaction.%' or type in ('account.created', 'payment_intent.created'))
        and not exists (select from happened where happened.type = told.type and happened.object_id = told.object_id)
    union all select 'state not told', intent.id from payment_intent as intent
      where state <> 'awaiting_funds' and state is distinct from (select data::json ->> 'state' from event
        where event.object_id = intent.id and type like 'payment_intent.%' order by sequence desc limit 1)`.execute(db);
  expect(rows).toEqual([]);
}

/** The same after one more start, which is a recovery pass, and a clean stop. */
export async function expectSoundAfterRecovery(site: CrashSite): Promise<void> {
  const service = await site.start();
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  await site.inspect(expectNothingLostOrDoubled);
}

async function expectAccountsMatchChain(db: Db): Promise<void> {
  const owned = await db.selectFrom("chain_account").select(["address", "owner", "data"]).execute();
  const onChain = owned
    .filter(({ owner, data }) => {
      return addressOf(owner) === SMART_ACCOUNT_PROGRAM_ADDRESS && accountKindOf(data) === "settings";
    })
    .map(({ address }) => addressOf(address) as string);
  const accounts = await db.selectFrom("account").select(["settings_address", "user_id", "type"]).execute();
  expect(accounts.map((account) => account.settings_address).sort()).toEqual(onChain.sort());

  const holders = accounts.flatMap((account) => (account.type === "email" ? [account.user_id] : []));
  expect(new Set(holders).size).toBe(holders.length);
  const creations = await db.selectFrom("account_creation").select(["state", "account_address"]).execute();
  expect(creations.filter(({ state }) => state !== "landed")).toEqual([]);
  expect(new Set(creations.map(({ account_address }) => account_address)).size).toBe(accounts.length);
  expect(creations).toHaveLength(accounts.length);

  const { rows: stray } = await sql`select 1 from pending_account as pending
    join app_user as owner on owner.email = pending.email and owner.tenant_id = pending.tenant_id
    join account on account.user_id = owner.id and account.type = 'email'`.execute(db);
  expect(stray).toEqual([]);
}

async function expectSubmissionsMatchChain(db: Db): Promise<void> {
  const submissions = await db.selectFrom("submission").select(["signature", "state"]).execute();
  expect(submissions.filter(({ state }) => state === "signed" || state === "sent")).toEqual([]);
  const landed = await db.selectFrom("chain_transaction").select(["signature", "error", "wire_transaction"]).execute();
  const byState = (state: string) =>
    submissions.flatMap((submission) => (submission.state === state ? [submission.signature] : [])).sort();
  const names = (rows: typeof landed) => rows.map(({ signature }) => signatureOf(signature) as string).sort();
  const known = new Set(submissions.map(({ signature }) => signature));
  const ours = landed.filter(({ signature }) => known.has(signatureOf(signature)));
  expect(names(ours.filter(({ error }) => error === null))).toEqual(byState("landed"));
  expect(names(ours.filter(({ error }) => error !== null))).toEqual(byState("failed"));

  // What the service's fee payer paid for was recorded before it was sent. The faucet's gifts have another payer.
  const payers = new Set(ours.map(({ wire_transaction }) => payerOf(wire_transaction)));
  const unknown = landed.filter((row) => !ours.includes(row) && payers.has(payerOf(row.wire_transaction)));
  expect(names(unknown)).toEqual([]);
}

/** A payment intent states its submission's outcome; one that never was submitted is over, or was not given up. */
async function expectIntentsMatchSubmissions(db: Db): Promise<void> {
  const { rows } = await sql<{ intent: string; submission: string | null; is_refused: boolean | null }>`
    select intent.state as intent, submission.state as submission, prepared.refused_at is not null as is_refused
    from payment_intent as intent left join submission on submission.id = intent.prepared_id
      left join prepared_transaction as prepared on prepared.id = intent.prepared_id`.execute(db);
  const expected: Readonly<Record<string, string>> = {
    landed: "payment_processed",
    failed: "error",
    expired: "canceled",
  };
  const wrong = rows.filter(({ intent, submission, is_refused }) =>
    submission === null
      ? intent !== (is_refused === true ? "canceled" : "awaiting_funds")
      : intent !== expected[submission],
  );
  expect(wrong).toEqual([]);
}

/**
 * What was reserved for every transaction was given back but for what it cost, and the budgets and the ledger say just
 * that.
 */
export async function expectSponsorshipSettled(db: Db): Promise<void> {
  const submissions = await db.selectFrom("submission").selectAll().execute();
  const reserved = submissions.filter(({ reserved_lamports }) => reserved_lamports > 0n);
  const unsettled = reserved.filter(({ spent_lamports }) => spent_lamports === null);
  expect(unsettled.map(({ signature, state }) => ({ signature, state }))).toEqual([]);
  const costs = await db.selectFrom("sponsored_cost").selectAll().execute();
  const sums = (amountOf: (cost: (typeof costs)[number]) => bigint | null) => {
    const bySubmission = new Map<string, bigint>();
    for (const cost of costs) {
      bySubmission.set(cost.submission_id, (bySubmission.get(cost.submission_id) ?? 0n) + (amountOf(cost) ?? -1n));
    }
    return bySubmission;
  };
  expect(sums((cost) => cost.reserved_lamports)).toEqual(
    new Map(reserved.map((row) => [row.id, row.reserved_lamports])),
  );
  expect(sums((cost) => cost.spent_lamports)).toEqual(new Map(reserved.map((row) => [row.id, row.spent_lamports])));
  const spent = new Map<string, bigint>();
  for (const cost of costs) {
    const isGiven = cost.kind === "token_account_rent" || cost.kind === "spending_limit_rent";
    const scopes = ["environment", `tenant:${cost.tenant_id}`];
    if (cost.account_address !== null) scopes.push(`account:${cost.account_address}`);
    for (const scope of scopes) {
      const name = `${isGiven ? "given:" : ""}${scope} on ${cost.reserved_on}`;
      spent.set(name, (spent.get(name) ?? 0n) + (cost.spent_lamports ?? 0n) - (cost.returned_lamports ?? 0n));
    }
  }
  const budgets = await db.selectFrom("sponsorship_budget").selectAll().execute();
  expect(new Map(budgets.map(({ scope, day, lamports }) => [`${scope} on ${day}`, lamports]))).toEqual(spent);
}

function payerOf(wire: Uint8Array): string {
  const { messageBytes } = getTransactionDecoder().decode(wire);
  return String(getCompiledTransactionMessageDecoder().decode(messageBytes).staticAccounts[0]);
}
