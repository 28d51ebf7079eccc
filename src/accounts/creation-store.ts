import type { Address } from "@solana/kit";
import { assertOurs } from "@trellis/kernel/errors.js";
import { groupCommit } from "@trellis/kernel/group-commit.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { namesOf, typedRows } from "@trellis/kernel/typed-rows.js";
import { deriveSmartAccountAddress } from "@trellis/program-client";
import { sql } from "kysely";
import { reportExhausted } from "../sponsorship/report-exhausted.js";
import {
  assertWithinTransactionLimit,
  budgetDay,
  type Reservation,
  takeFromBudgets,
  takeFromShares,
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
 * Stores the signed bytes, their budget and the creation's pointer to them, in one statement with others that a tenant stores at that
 * moment. False when another call has moved the creation on meanwhile: then these bytes are forgotten, and no process ever sends
 * them. Throws `sponsorship_limit_exceeded`.
 */
export async function storeBytes(
  needs: Pick<CreationNeeds, "db" | "realClock">,
  network: Network,
  creation: Creation,
  signed: SignedCreation,
): Promise<boolean> {
  assertWithinTransactionLimit(network, signed.reservedLamports);
  const realNow = needs.realClock.now();
  const reservation = { tenantId: creation.tenant_id, accountAddress: null, costs: signed.costs, realNow };
  return withBudgetErrors(realNow, storeTogether(needs.db, { network, creation, signed, reservation }), () =>
    reportExhausted(needs.db, network, reservation, network.clock.now()),
  );
}

interface Storing {
  readonly network: Network;
  readonly creation: Creation;
  readonly signed: SignedCreation;
  readonly reservation: Reservation;
}

/** A day's budgets are drawn from in one statement, and a creation has one set of bytes in it. */
const storeTogether = groupCommit<Db, Storing, boolean>(
  {
    laneOf: ({ network, reservation }) => `${network.name} ${reservation.tenantId} ${budgetDay(reservation.realNow)}`,
    keyOf: ({ creation }) => creation.id,
  },
  storeAll,
);

const pointerColumns = { id: "text", creation_id: "text", former: "text" } as const;

async function storeAll(db: Db, all: readonly Storing[]): Promise<readonly boolean[]> {
  const [first] = all;
  assertOurs(first, "nothing is not stored");
  const { network } = first;
  const { realNow } = first.reservation;
  const pointers = all.map(({ creation, signed }) => ({
    id: signed.id,
    creation_id: creation.id,
    former: creation.submission_id,
  }));
  const submissions = all.map(({ creation, signed }) => ({
    ...signed,
    reservedOn: budgetDay(realNow),
    tenantId: creation.tenant_id,
    environment: network.name,
    accountAddress: null,
    purpose: "account_creation" as const,
  }));
  const reservationOf = ({ signed, reservation }: Storing) => ({ ...reservation, submissionId: signed.id });
  const spender = { kind: "page", makesAccount: true } as const;
  const byPages = all
    .filter(({ creation }) => isByPage(creation))
    .map((storing) => ({ ...reservationOf(storing), spender }));
  const pages = byPages.length === 0 ? sql`` : sql`, ${takeFromShares(network, byPages, realNow, "recorded")}`;
  // Equal bytes recorded for another creation must not become this one's, so the pointer moves last. Of two creations in this very
  // statement the ledger refuses them, and they are stored one after the other.
  const { rows } = await sql<{ id: string }>`
    with open as materialized (
      select stored.id, account_creation.id as creation_id
      from ${typedRows("stored", pointerColumns, pointers)} join account_creation on account_creation.id = stored.creation_id
      where ${sql.raw(isPending)} and account_creation.submission_id is not distinct from stored.former
      order by account_creation.id for update of account_creation
    ), recorded as (${storeSigned(submissions, network.clock.now(), "open")}),
    ${takeFromBudgets(network, all.map(reservationOf), realNow, "recorded")} ${pages},
    moved as (
      update account_creation set submission_id = recorded.id, looked_at = ${realNow}::int8
      from recorded join open on open.id = recorded.id where account_creation.id = open.creation_id
      returning account_creation.id
    )
    select id from moved`.execute(db);
  const moved = new Set(rows.map(({ id }) => id));
  return all.map(({ creation }) => moved.has(creation.id));
}

/**
 * Writes the account, its signers, the end of the creation and of its submission in one statement, with other accounts of the tenant
 * that are made at that moment; repeating it changes nothing.
 */
export async function writeAccount(
  { db }: Pick<CreationNeeds, "db">,
  network: Network,
  creation: Creation,
  plan: ResolvedPlan,
  landed: Landed,
): Promise<CreatedAccount> {
  const { settingsAddress } = landed;
  const address = deriveSmartAccountAddress(settingsAddress);
  await writeTogether(db, { network, creation, plan, landed, address });
  return { address, settingsAddress, userId: creation.user_id, policies: toPolicies(plan) };
}

interface Writing {
  readonly network: Network;
  readonly creation: Creation;
  readonly plan: ResolvedPlan;
  readonly landed: Landed;
  readonly address: Address;
}

/** A tenant that is being frozen holds up its own accounts alone. */
const writeTogether = groupCommit<Db, Writing, void>(
  {
    laneOf: ({ network, creation }) => `${network.name} ${creation.tenant_id}`,
    keyOf: ({ creation }) => creation.id,
  },
  async (db, all) => {
    await writeAll(db, all);
    return all.map(() => undefined);
  },
);

const madeColumns = {
  creation_id: "text",
  address: "text",
  settings_address: "text",
  memo: "text",
  is_subscribed: "boolean",
} as const;

const signerColumns = {
  account_address: "text",
  signer_address: "text",
  role: "text",
  provider: "text",
  wallet_id: "text",
  position: "int4",
} as const;

async function writeAll(db: Db, all: readonly Writing[]): Promise<void> {
  const [first] = all;
  assertOurs(first, "nothing is not written");
  const now = first.network.clock.now();
  const decided = all.map(({ landed }) => ({ id: landed.submissionId, outcome: landed.outcome }));
  const made = all.map(({ creation, plan, landed, address }) => ({
    creation_id: creation.id,
    address,
    settings_address: landed.settingsAddress,
    memo: plan.memo,
    is_subscribed: canHaveProposals(plan),
  }));
  const signers = all.flatMap(({ plan, address }) =>
    plan.signers.map((signer, position) => ({
      account_address: address,
      signer_address: signer.address,
      role: signer.role,
      provider: signer.provider,
      wallet_id: signer.walletId,
      position,
    })),
  );
  // Its proposals are followed from the start where it can have some.
  await sql`
    with ${finalMembers(decided, now)}, open as materialized (
      select made.* from ${typedRows("made", madeColumns, made)} join account_creation on account_creation.id = made.creation_id
      where ${sql.raw(isPending)} order by account_creation.id for update of account_creation
    ), landed as (
      update account_creation set state = 'landed', account_address = open.address
      from open where account_creation.id = open.creation_id and ${sql.raw(isPending)}
      returning tenant_id, environment, user_id, type, open.*,
        case when type = 'email' then (select email from app_user where app_user.id = account_creation.user_id) end as email
    ), proved as (
      delete from pending_account as pending using landed
      where pending.tenant_id = landed.tenant_id and pending.environment = landed.environment and pending.email = landed.email
      returning landed.address, pending.memo
    ), created as (
      insert into account (environment, address, tenant_id, settings_address, type, user_id, memo, created_at, updated_at)
      select environment, address, tenant_id, settings_address, type, user_id, coalesce(landed.memo, proved.memo),
        ${now}::int8, ${now}::int8
      from landed left join proved using (address) order by address
      returning environment, address
    ), subscribed as (
      insert into proposal_watch (environment, settings_address, transaction_index, stale_transaction_index, read_slot,
        tenant_id, active_at, due_at)
      select environment, settings_address, 0, 0, -1, tenant_id, ${now}::int8, ${now}::int8
      from landed where is_subscribed
    ), recorded as (
      insert into history_watch (environment, account_address, tenant_id, active_at, due_at)
      select environment, address, tenant_id, ${now}::int8, ${now}::int8 from landed
    )
    insert into account_signer (environment, ${namesOf(signerColumns)})
    select created.environment, signer.*
    from created join ${typedRows("signer", signerColumns, signers)} on signer.account_address = created.address
    order by signer.account_address, signer.position`.execute(db);
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
