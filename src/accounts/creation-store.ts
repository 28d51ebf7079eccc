import type { Address } from "@solana/kit";
import { assertOurs } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { deriveSmartAccountAddress } from "@trellis/program-client";
import { sql } from "kysely";
import { reportExhausted } from "../sponsorship/report-exhausted.js";
import {
  assertWithinTransactionLimit,
  budgetDay,
  takeFromBudgets,
  takeFromPages,
  withBudgetErrors,
} from "../sponsorship/sponsorship.js";
import { finalMembers, storeSigned } from "../submissions/submission-store.js";
import { type CreatedAccount, type Creation, type CreationNeeds, isByPage, type Landed } from "./creation.js";
import type { ResolvedPlan } from "./creation-plan.js";
import { canHaveProposals, toPolicies } from "./policy.js";
import type { SignedCreation } from "./sign-creation.js";

/** Not to be found by: without fresh statistics a plain comparison makes the server read the index of all open ones. */
const isPending = "state || '' = 'pending'";

/**
 * Stores the signed bytes, their budget and the creation's pointer to them in one statement. False when another call
 * has moved the creation on meanwhile: then these bytes are forgotten, and no process ever sends them.
 */
export async function storeBytes(
  needs: Pick<CreationNeeds, "db" | "realClock">,
  network: Network,
  creation: Creation,
  signed: SignedCreation,
): Promise<boolean> {
  const realNow = needs.realClock.now();
  const submission = {
    ...signed,
    reservedOn: budgetDay(realNow),
    tenantId: creation.tenant_id,
    environment: network.name,
    accountAddress: null,
    purpose: "account_creation",
  } as const;
  const reservation = {
    submissionId: signed.id,
    tenantId: creation.tenant_id,
    accountAddress: null,
    costs: signed.costs,
    realNow,
  };
  assertWithinTransactionLimit(network, signed.reservedLamports);
  const pages = isByPage(creation)
    ? sql`, ${takeFromPages(network, [reservation], realNow, "recorded", { makesAccount: true })}`
    : sql``;
  // Equal bytes recorded for another creation must not become this one's, so the pointer moves last.
  const statement = sql<{ moved: boolean }>`
    with open as (
      select id from account_creation
      where id = ${creation.id} and ${sql.raw(isPending)} and submission_id is not distinct from ${creation.submission_id}::text
      for update
    ), recorded as (${storeSigned([submission], network.clock.now(), "open")}),
    ${takeFromBudgets(network, [reservation], realNow, "recorded")} ${pages},
    moved as (
      update account_creation set submission_id = recorded.id, looked_at = ${realNow}::int8
      from recorded where account_creation.id = ${creation.id}
      returning account_creation.id
    )
    select exists (select 1 from moved) as moved`;
  const { rows } = await withBudgetErrors(realNow, statement.execute(needs.db), () =>
    reportExhausted(needs.db, network, reservation, network.clock.now()),
  );
  return rows[0]?.moved === true;
}

/**
 * Writes the account, its signers, the end of the creation and of its submission in one statement; repeating it changes
 * nothing.
 */
export async function writeAccount(
  { db }: Pick<CreationNeeds, "db">,
  network: Network,
  creation: Creation,
  plan: ResolvedPlan,
  { settingsAddress, submissionId, outcome }: Landed,
): Promise<CreatedAccount> {
  const address = deriveSmartAccountAddress(settingsAddress);
  const now = network.clock.now();
  const { signers } = plan;
  // Its proposals are followed from the start where it can have some.
  await sql`
    with ${finalMembers([{ id: submissionId, outcome }], now)}, landed as (
      update account_creation set state = 'landed', account_address = ${address}
      where id = ${creation.id} and ${sql.raw(isPending)}
      returning tenant_id, environment, user_id, type
    ), proved as (
      delete from pending_account
      where tenant_id = ${creation.tenant_id} and environment = ${network.name}
        and email = (select email from app_user where id = ${creation.user_id})
        and exists (select from landed where type = 'email')
      returning memo
    ), created as (
      insert into account (environment, address, tenant_id, settings_address, type, user_id, memo, created_at, updated_at)
      select environment, ${address}::text, tenant_id, ${settingsAddress}::text, type, user_id,
        coalesce(${plan.memo}::text, (select memo from proved)), ${now}::int8, ${now}::int8
      from landed
      returning environment, tenant_id
    ), subscribed as (
      insert into proposal_watch (environment, settings_address, transaction_index, stale_transaction_index, read_slot,
        tenant_id, active_at, due_at)
      select environment, ${settingsAddress}::text, 0, 0, -1, tenant_id, ${now}::int8, ${now}::int8
      from created where ${canHaveProposals(plan)}::boolean
    ), recorded as (
      insert into history_watch (environment, account_address, tenant_id, active_at, due_at)
      select environment, ${address}::text, tenant_id, ${now}::int8, ${now}::int8 from created
    )
    insert into account_signer (environment, account_address, signer_address, role, provider, wallet_id, position)
    select created.environment, ${address}::text, signer.address, signer.role, signer.provider, signer.wallet_id,
      signer.place::int4 - 1
    from created, unnest(${signers.map((signer) => signer.address)}::text[], ${signers.map(({ role }) => role)}::text[],
      ${signers.map(({ provider }) => provider)}::text[], ${signers.map(({ walletId }) => walletId)}::text[])
      with ordinality as signer (address, role, provider, wallet_id, place)`.execute(db);
  return { address, settingsAddress, userId: creation.user_id, policies: toPolicies(plan) };
}

/** The account of a creation that has landed, as it was written. */
export async function loadCreated(
  db: Db,
  network: Network,
  creation: Creation,
  plan: ResolvedPlan,
): Promise<CreatedAccount> {
  const row = await db
    .selectFrom("account")
    .select(["address", "settings_address"])
    .where("environment", "=", network.name)
    .where("address", "=", creation.account_address ?? "")
    .executeTakeFirst();
  assertOurs(row, "a landed creation has its account");
  return {
    address: row.address as Address,
    settingsAddress: row.settings_address as Address,
    userId: creation.user_id,
    policies: toPolicies(plan),
  };
}

/** Ends a creation whose plan the program refuses. */
export async function markFailed(db: Db, creation: Creation): Promise<void> {
  await db
    .updateTable("account_creation")
    .set({ state: "failed" })
    .where("id", "=", creation.id)
    .where("state", "=", "pending")
    .execute();
}

/** Ends a creation for which nothing was signed; false where something is, or it has ended. */
export async function markUnsignedFailed(db: Db, { id }: Pick<Creation, "id">): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("account_creation")
    .set({ state: "failed" })
    .where("id", "=", id)
    .where("state", "=", "pending")
    .where("submission_id", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A creation as it stands now. */
export async function reload(db: Db, id: string): Promise<Creation> {
  const row = await db.selectFrom("account_creation").selectAll().where("id", "=", id).executeTakeFirst();
  assertOurs(row, "a creation stays recorded");
  return row;
}
