import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx, RailVerificationTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Verification } from "@trellis/kernel/ports/rails.js";
import { type Selectable, sql } from "kysely";
import { heldAccountAddress } from "../accounts/account-store.js";
import { kycRequired } from "./ask-partner.js";
import type { Written } from "./partner-object.js";
import { partnerRows } from "./partner-rows.js";
import { nextRefreshAt, type RailAccount } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";

export type VerificationRow = Selectable<RailVerificationTable>;

export const verificationRows = partnerRows<VerificationRow>("rail_verification", sql`operation_open`);

/** Who is checked. Personal data: sealed wherever it is stored. */
export interface Person {
  readonly email: string;
  readonly fullName: string;
  readonly redirectUri?: string;
}

/** What a partner reported that is private. */
export interface Reported {
  readonly verificationUrl: string | null;
  readonly termsUrl: string | null;
  readonly rejections: Verification["rejections"];
  readonly due: readonly string[];
}

/** What the sealed columns of a row are bound to. */
export const personContext = (id: string): string => `rail_verification/${id}/person`;
export const reportedContext = (id: string): string => `rail_verification/${id}/told`;

const sealJson = (keyring: Keyring, value: object, context: string) =>
  keyring.wrap(Buffer.from(JSON.stringify(value)), context);
const openJson = <T>(keyring: Keyring, sealed: Uint8Array, context: string): T =>
  JSON.parse(Buffer.from(keyring.unwrap(sealed, context)).toString("utf8")) as T;

export const openPerson = (keyring: Keyring, row: VerificationRow): Person =>
  openJson(keyring, row.person, personContext(row.id));
export const openReported = (keyring: Keyring, row: VerificationRow): Reported | undefined =>
  row.told === null ? undefined : openJson(keyring, row.told, reportedContext(row.id));

/** Tells addresses apart without revealing what they are, and under which owner at a partner they stand. */
export const emailKeyOf = (keyring: Keyring, tenantId: string, email: string): Uint8Array =>
  new Uint8Array(createHmac("sha256", keyring.deriveSecret("rail-email")).update(`${tenantId}\n${email}`).digest());

/** A verification of the tenant's own, by its id. */
export async function findVerificationOf(
  db: DbOrTrx,
  owner: Pick<RailAccount, "tenantId" | "environment">,
  id: string,
): Promise<VerificationRow | undefined> {
  // Anything else need not reach the database, which refuses some characters.
  if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
  return db
    .selectFrom("rail_verification")
    .selectAll()
    .where("id", "=", id)
    .where("tenant_id", "=", owner.tenantId)
    .where("environment", "=", owner.environment)
    .executeTakeFirst();
}

/** The same, of one account. */
export async function findVerification(
  db: DbOrTrx,
  account: RailAccount,
  id: string,
): Promise<VerificationRow | undefined> {
  const found = await findVerificationOf(db, account, id);
  return found?.account_address === account.address ? found : undefined;
}

/** The one of an account that was started last. */
export async function findLatestVerification(db: DbOrTrx, account: RailAccount): Promise<VerificationRow | undefined> {
  return db
    .selectFrom("rail_verification")
    .selectAll()
    .where("environment", "=", account.environment)
    .where("account_address", "=", account.address)
    .where("tenant_id", "=", account.tenantId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

/** Those of an account with a partner, the latest first, as many as anybody has use for. */
export async function listVerifications(
  db: DbOrTrx,
  account: RailAccount,
  partner: string,
): Promise<readonly VerificationRow[]> {
  return db
    .selectFrom("rail_verification")
    .selectAll()
    .where("environment", "=", account.environment)
    .where("account_address", "=", account.address)
    .where("partner", "=", partner)
    .where("tenant_id", "=", account.tenantId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(20)
    .execute();
}

/**
 * Records something that hangs on a verification, in one transaction that holds it: what forgets the account's rail data
 * holds it too (`forget-rail-data.ts`), so that nothing is recorded behind its back. Throws 403 `kyc_required` where the
 * verification was forgotten.
 */
export async function whileVerified<T>(db: Db, verificationId: string, record: (trx: DbOrTrx) => Promise<T>) {
  return db.transaction().execute(async (trx) => {
    const held = await trx
      .selectFrom("rail_verification")
      .select("id")
      .where("id", "=", verificationId)
      .forKeyShare()
      .executeTakeFirst();
    if (held === undefined) throw kycRequired(["kyc", "tos"]);
    return record(trx);
  });
}

/**
 * Records that a verification is wanted, before the partner hears of it, or finds the one that the same person of the same
 * account has. What is asked for in addition begins another operation, under a key of its own.
 */
export async function recordVerification(
  needs: RailNeeds,
  network: Network,
  request: {
    readonly account: RailAccount;
    readonly partner: string;
    readonly type: "individual" | "business";
    readonly person: Person;
    readonly wanted: readonly string[];
  },
): Promise<VerificationRow> {
  const { db, keyring, random } = needs;
  const { account, partner, type, person } = request;
  const id = random.uuid();
  const now = Math.floor(network.clock.now());
  const realNow = Math.floor(needs.realClock.now());
  const wanted = [...new Set(request.wanted)].sort();
  const { rows } = await sql<VerificationRow>`
    insert into rail_verification as mine (id, tenant_id, environment, account_address, partner, operation_key,
      operation_begun_at, type, email_key, person, wanted, status, terms, endorsements, active_since, look_at, created_at,
      updated_at)
    values (${id}, ${account.tenantId}, ${account.environment}, ${heldAccountAddress(account)}, ${partner}, ${random.uuid()},
      ${realNow}, ${type}, ${emailKeyOf(keyring, account.tenantId, person.email)},
      ${sealJson(keyring, person, personContext(id))}, ${wanted}::text[], 'not_started', 'pending', '{}', ${realNow},
      ${realNow + limits.railLeaseMs}, ${now}, ${now})
    on conflict (environment, account_address, partner, email_key) do update set
      active_since = excluded.active_since,
      look_at = excluded.look_at,
      operation_key = case when mine.partner_ref is not null and not mine.wanted @> excluded.wanted
        then excluded.operation_key else mine.operation_key end,
      operation_begun_at = case when mine.partner_ref is not null and not mine.wanted @> excluded.wanted
        then excluded.operation_begun_at else mine.operation_begun_at end,
      operation_open = mine.operation_open or not mine.wanted @> excluded.wanted,
      wanted = case when mine.partner_ref is null or mine.wanted @> excluded.wanted then mine.wanted
        else array(select distinct name from unnest(mine.wanted || excluded.wanted) as name order by name) end
    returning mine.*`.execute(db);
  return rows[0] as VerificationRow;
}

/**
 * Writes down what the partner reported, with its event, if no other process wrote since `row` was read: what was read before could
 * otherwise undo what is newer. It answers the operation of `row`, if that was open. `foreign`: it is about a customer of
 * another tenant, and nothing was written.
 */
export async function writeVerification(
  needs: RailNeeds,
  network: Network,
  row: VerificationRow,
  reported: Verification,
): Promise<Written> {
  const { db, keyring } = needs;
  const answers = row.operation_open ? row.operation_key : null;
  const now = Math.floor(network.clock.now());
  const realNow = Math.floor(needs.realClock.now());
  const endorsements = JSON.stringify(Object.fromEntries(Object.entries(reported.endorsements).sort()));
  const isChanged =
    row.partner_ref === null ||
    row.status !== reported.status ||
    row.terms !== reported.terms ||
    row.endorsements !== endorsements;
  const activeSince = isChanged ? realNow : Number(row.active_since);
  const isSettled = reported.status === "approved" && reported.terms === "approved" && reported.customer !== null;
  const refreshAt = nextRefreshAt({ activeSince, isSettled }, realNow);
  const { verificationUrl, termsUrl, rejections, due } = reported;
  const sealed = sealJson(
    keyring,
    { verificationUrl, termsUrl, rejections, due } satisfies Reported,
    reportedContext(row.id),
  );
  const refs = reported.customer === null ? [reported.ref] : [reported.ref, reported.customer];
  const { rows } = await sql<{ foreign: boolean; written: boolean }>`
    with owner as (
      insert into rail_owner as known (environment, partner, ref, tenant_id)
      select ${row.environment}, ${row.partner}, ref, ${row.tenant_id}
      from (select distinct unnest(${refs}::text[]) as ref order by 1) as reported
      on conflict (environment, partner, ref) do update set tenant_id = known.tenant_id
      returning tenant_id),
    written as (
      update rail_verification set partner_ref = ${reported.ref}, customer_ref = coalesce(${reported.customer}, customer_ref),
        status = ${reported.status}, terms = ${reported.terms}, endorsements = ${endorsements}, told = ${sealed}::bytea,
        operation_open = operation_open and operation_key is distinct from ${answers}, told_at = ${now}, told_at_real = ${realNow}, version = version + 1, active_since = ${activeSince},
        look_at = ${refreshAt}, updated_at = ${isChanged ? sql`${now}::int8` : sql`updated_at`}
      where id = ${row.id} and version = ${row.version}::int8
        and not exists (select from owner where tenant_id <> ${row.tenant_id})
      returning id)
    select exists (select from owner where tenant_id <> ${row.tenant_id}) as foreign,
      exists (select from written) as written`.execute(db);
  const [outcome] = rows;
  if (outcome?.foreign) return "foreign";
  return verificationRows.outcomeOf(db, row.id, outcome?.written ? rows : []);
}

/** The partner names another tenant's customer: nothing is kept, but for what was begun meanwhile under another key. */
export async function dropForeign(db: Db, row: VerificationRow): Promise<void> {
  await sql`delete from rail_verification where id = ${row.id} and operation_key = ${row.operation_key}
    and partner_ref is not distinct from ${row.partner_ref}`.execute(db);
}

/** What was asked for in addition is not to be had: what there was before stays, and is only read from now on. */
export async function closeOperation(db: Db, row: VerificationRow): Promise<void> {
  await sql`update rail_verification set operation_open = false,
      wanted = array(select name from json_object_keys(endorsements::json) as name order by name)
    where id = ${row.id} and operation_key = ${row.operation_key}`.execute(db);
}
