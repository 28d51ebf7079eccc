import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { AssertionFailed, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx, RailExternalAccountTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { BankAccountDetails, PartnerBankAccount, PartnerRef } from "@trellis/kernel/ports/rails.js";
import { anyOf } from "@trellis/kernel/states.js";
import { type Selectable, sql } from "kysely";
import { waitingStates } from "../submissions/intent-states.js";
import { submissionStates } from "../submissions/submission-states.js";
import type { PartnerContext, Written } from "./partner-object.js";
import { partnerRows } from "./partner-rows.js";
import { arePayoutsMoving } from "./payouts.js";
import type { RailAccount } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { endedStates, movingStates } from "./transfer-states.js";
import { whileVerified } from "./verification-store.js";

export type ExternalAccountRow = Selectable<RailExternalAccountTable>;

export const externalAccountRows = partnerRows<ExternalAccountRow>("rail_external_account");

const dayMs = 86_400_000;
/** What has not reached a bank by then is no longer waited for. */
const returnsForMs = 30 * 86_400_000;

/** What the sealed columns of a row are bound to. */
export const detailsContext = (id: string): string => `rail_external_account/${id}/details`;
export const viewContext = (id: string): string => `rail_external_account/${id}/shown`;

/** What the partner reports of one that it has. */
export type KnownBankAccount = Pick<PartnerBankAccount, "ref" | "bankName" | "active">;

/** What responses hold of it besides what stands in clear. Personal data. */
interface WireDetails {
  readonly ownerName: string;
  readonly bankName: string | null;
}

const seal = (keyring: Keyring, value: object, context: string) =>
  keyring.wrap(Buffer.from(JSON.stringify(value)), context);

export function openView(keyring: Keyring, row: Pick<ExternalAccountRow, "id" | "shown">): WireDetails {
  return JSON.parse(Buffer.from(keyring.unwrap(row.shown, viewContext(row.id))).toString("utf8")) as WireDetails;
}

/** The account's own, by its id; one that is being removed counts as removed. */
export async function findExternalAccount(
  db: DbOrTrx,
  account: RailAccount,
  id: string,
): Promise<ExternalAccountRow | undefined> {
  if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
  return ofAccount(db, account)
    .where("id", "=", id)
    .where("partner_ref", "is not", null)
    .where("removed_at", "is", null)
    .executeTakeFirst();
}

/** The same, or 404; also one whose removal its partner has not answered, where that is wanted. */
export async function getExternalAccount(
  db: DbOrTrx,
  account: RailAccount,
  id: string,
  options: { readonly evenRemoved?: boolean } = {},
): Promise<ExternalAccountRow> {
  const found =
    options.evenRemoved === true && /^[0-9a-f-]{36}$/.test(id)
      ? await ofAccount(db, account).where("id", "=", id).executeTakeFirst()
      : await findExternalAccount(db, account, id);
  if (found === undefined) throw new TrellisError("external_account_not_found");
  return found;
}

/** All of an account, the newest first: there are few. */
export async function listExternalAccounts(db: DbOrTrx, account: RailAccount): Promise<readonly ExternalAccountRow[]> {
  return ofAccount(db, account)
    .where("partner_ref", "is not", null)
    .where("removed_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limits.externalAccountsMax)
    .execute();
}

export const ofAccount = (db: DbOrTrx, { tenantId, environment, address }: RailAccount) =>
  db
    .selectFrom("rail_external_account")
    .selectAll()
    .where("environment", "=", environment)
    .where("account_address", "=", address)
    .where("tenant_id", "=", tenantId);

/**
 * What makes a bank account another one (gap 146): its numbers, its owner and all else that is said of it, but not how that is
 * written. Letter case, spaces and a BIC's `XXX` for the head office change nothing.
 */
function folded<T>(details: T, name = ""): T {
  if (typeof details === "string") {
    const text = details.normalize("NFC").trim().replaceAll(/\s+/g, " ").toLowerCase();
    return (name === "bic" && text.length === 11 ? text.replace(/xxx$/, "") : text) as T;
  }
  if (typeof details !== "object" || details === null) return details;
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [key, folded(value, key)])) as T;
}

/**
 * Records that an account is to be added, before the partner hears of it, or finds the one with the same details. Throws 403
 * `kyc_required` where the account's rail data was forgotten.
 */
export async function recordExternalAccount(
  { db, keyring, random, realClock }: RailNeeds,
  network: Network,
  wanted: {
    readonly account: RailAccount;
    readonly partner: string;
    readonly customer: PartnerRef;
    readonly verificationId: string;
    readonly details: BankAccountDetails;
    readonly last4: string;
  },
): Promise<ExternalAccountRow> {
  const { account, details } = wanted;
  const id = random.uuid();
  const now = Math.floor(network.clock.now());
  const realNow = Math.floor(realClock.now());
  const secret = keyring.deriveSecret("rail-external-account");
  const fingerprintOf = (text: string) =>
    new Uint8Array(createHmac("sha256", secret).update(`${account.tenantId}\n${text}`).digest());
  const fingerprint = fingerprintOf(canonicalJson(folded(details)));
  // By these, rows of earlier releases are found.
  const exact = fingerprintOf(canonicalJson(details));
  const view: WireDetails = { ownerName: details.ownerName, bankName: details.bankName ?? null };
  const { rows } = await whileVerified(db, wanted.verificationId, (trx) =>
    sql<ExternalAccountRow>`
    with own as (
      select * from rail_external_account where environment = ${account.environment}
        and account_address = ${account.address} and removed_at is null
    ), known as (
      select coalesce((select fingerprint from own where partner = ${wanted.partner} and fingerprint = ${exact}::bytea),
        ${fingerprint}::bytea) as fingerprint
    )
    insert into rail_external_account as mine (id, tenant_id, environment, account_address, partner, customer_ref,
      operation_key, operation_begun_at, fingerprint, details, shown, kind, currency, last4, removal_key, look_at, created_at,
      updated_at)
    select ${id}, ${account.tenantId}, ${account.environment}, ${account.address}, ${wanted.partner}, ${wanted.customer},
      ${random.uuid()}, ${realNow}::int8, known.fingerprint, ${seal(keyring, details, detailsContext(id))}::bytea,
      ${seal(keyring, view, viewContext(id))}::bytea, ${details.kind}, ${details.currency}, ${wanted.last4}, ${random.uuid()},
      ${realNow + limits.railLeaseMs}::int8, ${now}::int8, ${now}::int8
    from known where (select count(*) from own where own.fingerprint <> known.fingerprint) < ${limits.externalAccountsMax}
    on conflict (environment, account_address, partner, fingerprint) where removed_at is null
      do update set look_at = case when mine.partner_ref is null then excluded.look_at else mine.look_at end
    returning mine.*`.execute(trx),
  );
  const [row] = rows;
  if (row === undefined) {
    throw new TrellisError("invalid_request", {
      message: `An account has at most ${limits.externalAccountsMax} external accounts. Remove one first.`,
    });
  }
  return row;
}

export function openDetails(
  { keyring }: Pick<RailNeeds, "keyring">,
  { id, details }: ExternalAccountRow,
): BankAccountDetails {
  if (details === null) throw new AssertionFailed("an account the partner does not know has its details");
  return JSON.parse(Buffer.from(keyring.unwrap(details, detailsContext(id))).toString("utf8")) as BankAccountDetails;
}

/** Writes down that the partner has it. From here on its numbers are with the partner alone. */
export async function writeAdded(
  { needs }: PartnerContext,
  row: ExternalAccountRow,
  { ref, bankName, active }: KnownBankAccount,
): Promise<Written> {
  const { db, keyring, realClock } = needs;
  const account = openDetails(needs, row);
  const view: WireDetails = { ownerName: account.ownerName, bankName: bankName ?? account.bankName ?? null };
  const { rows } = await sql`update rail_external_account set partner_ref = ${ref}, details = null,
      look_at = null, told_at_real = ${Math.floor(realClock.now())}::int8,
      shown = ${seal(keyring, view, viewContext(row.id))}::bytea, active = ${active}
    where id = ${row.id} and partner_ref is null returning id`.execute(db);
  return externalAccountRows.outcomeOf(db, row.id, rows);
}

/** Two accounts of one person can share what the partner knows: whether another one pays it, or has paid what is to arrive. */
export async function isShared(db: Db, row: ExternalAccountRow, now: number): Promise<boolean> {
  const others = await db
    .selectFrom("rail_external_account")
    .selectAll()
    .where("environment", "=", row.environment)
    .where("partner", "=", row.partner)
    .where("partner_ref", "=", row.partner_ref)
    .where("id", "<>", row.id)
    .execute();
  for (const other of others) {
    if (other.removed_at === null || (await isMoneyOnItsWayTo(db, other, now))) return true;
  }
  return false;
}

/** Whether a payment or an order has paid it what the bank may not have yet. `now`: environment time, Unix milliseconds. */
export async function isMoneyOnItsWayTo(
  db: Db,
  { id, environment, account_address }: Pick<ExternalAccountRow, "id" | "environment" | "account_address">,
  now: number,
): Promise<boolean> {
  const { rows } = await sql`select from rail_transfer as transfer
    where environment = ${environment} and account_address = ${account_address} and external_account_id = ${id}
      and updated_at > ${Math.floor(now - returnsForMs)}::int8
      and (state in ${anyOf([...movingStates, "undeliverable"])}
        or (state in ${anyOf(waitingStates)} and exists (select from payment_intent as intent
          left join submission on submission.id = intent.prepared_id
          where intent.id = transfer.id and (submission.state in ${anyOf([...submissionStates.open, "landed"])}
            or (transfer.state = 'in_review' and intent.state not in ${anyOf(endedStates)}))))
        -- A wallet may have sent it, or still may.
        or exists (select from payment_intent as intent where intent.id = transfer.id
          and intent.open_until_height is not null and intent.state in ${anyOf(waitingStates)}))
    limit 1`.execute(db);
  if (rows.length > 0) return true;
  const places = await db
    .selectFrom("rail_payout_address")
    .select("id")
    .where("external_account_id", "=", id)
    .execute();
  for (const place of places) if (await arePayoutsMoving(db, place.id, now)) return true;
  return false;
}

/** Has those of an account refreshed soon whose partner was not asked within a day: a caller wants to know. */
export async function wakeExternalAccounts(
  { db, realClock }: Pick<RailNeeds, "db" | "realClock">,
  { tenantId, environment, address }: RailAccount,
): Promise<void> {
  const before = Math.floor(realClock.now()) - dayMs;
  await sql`update rail_external_account set look_at = 0
    where id in (select id from rail_external_account where environment = ${environment} and account_address = ${address}
      and tenant_id = ${tenantId} and partner_ref is not null and look_at is null
      and (told_at_real is null or told_at_real < ${before}::int8) order by id for update skip locked)`.execute(db);
}
