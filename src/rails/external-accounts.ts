import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { canonicalJson } from "../kernel/crypto/canonical-json.js";
import type { Keyring } from "../kernel/crypto/envelope.js";
import { AssertionFailed, TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import { anyOf } from "../kernel/states.js";
import type { Db, DbOrTrx, RailExternalAccountTable } from "../ports/database.js";
import type { Network } from "../ports/network.js";
import type { BankAccountDetails, PartnerBankAccount, PartnerRef, Rails } from "../ports/rails.js";
import { waitingStates } from "../submissions/intent-states.js";
import { submissionStates } from "../submissions/submission-states.js";
import { askPartner, kycRequired, refusalError } from "./ask-partner.js";
import { defineObject, factsOf, type PartnerContext, type PartnerObject, type Written } from "./partner-object.js";
import { partnerRows } from "./partner-rows.js";
import { arePayoutsMoving } from "./payouts.js";
import { postponeLook, type RailAccount } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { endedStates, movingStates } from "./transfer-states.js";
import { cancelPaymentsToBank } from "./transfer-store.js";
import { whileVerified } from "./verification-store.js";

export type ExternalAccountRow = Selectable<RailExternalAccountTable>;

const externalAccountRows = partnerRows<ExternalAccountRow>("rail_external_account");

const dayMs = 86_400_000;
/** How often it is asked whether payouts to an account that is to be removed have ended. */
const payoutsApartMs = 15 * 60_000;
/** What has not reached a bank by then is no longer waited for. */
const returnsForMs = 30 * 86_400_000;

/** What the sealed columns of a row are bound to. */
export const detailsContext = (id: string): string => `rail_external_account/${id}/details`;
export const shownContext = (id: string): string => `rail_external_account/${id}/shown`;

/** What the partner reports of one that it has. */
type Known = Pick<PartnerBankAccount, "ref" | "bankName" | "active">;

/** What is shown of it besides what stands in clear. Personal data. */
export interface ShownDetails {
  readonly ownerName: string;
  readonly bankName: string | null;
}

const seal = (keyring: Keyring, value: object, context: string) =>
  keyring.wrap(Buffer.from(JSON.stringify(value)), context);

export function openShown(keyring: Keyring, row: Pick<ExternalAccountRow, "id" | "shown">): ShownDetails {
  return JSON.parse(Buffer.from(keyring.unwrap(row.shown, shownContext(row.id))).toString("utf8")) as ShownDetails;
}

/** The account's own, by its id; one that is being removed is gone. */
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

const ofAccount = (db: DbOrTrx, { tenantId, environment, address }: RailAccount) =>
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
  const shown: ShownDetails = { ownerName: details.ownerName, bankName: details.bankName ?? null };
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
      ${seal(keyring, shown, shownContext(id))}::bytea, ${details.kind}, ${details.currency}, ${wanted.last4}, ${random.uuid()},
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

/**
 * Brings a recorded account to the partner, under the key that was stored before, and forgets its numbers. Throws
 * PartnerUnavailable, and what the partner refuses: then nothing of it is kept.
 */
export async function addExternalAccount(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  id: string,
): Promise<ExternalAccountRow> {
  if ((await externalAccountRows.read(needs.db, id)) === undefined) throw new TrellisError("partner_unavailable");
  const added = await externalAccountKind.begin({ needs, network, rails }, id);
  // Forgotten with all rail data of the account while its partner was asked: there is nothing here to pay to.
  if (added === undefined) throw kycRequired(["kyc", "tos"]);
  return added;
}

function openDetails({ keyring }: Pick<RailNeeds, "keyring">, { id, details }: ExternalAccountRow): BankAccountDetails {
  if (details === null) throw new AssertionFailed("an account the partner does not know has its details");
  return JSON.parse(Buffer.from(keyring.unwrap(details, detailsContext(id))).toString("utf8")) as BankAccountDetails;
}

/** Writes down that the partner has it. From here on its numbers are with the partner alone. */
async function writeAdded(
  { needs }: PartnerContext,
  row: ExternalAccountRow,
  { ref, bankName, active }: Known,
): Promise<Written> {
  const { db, keyring, realClock } = needs;
  const account = openDetails(needs, row);
  const shown: ShownDetails = { ownerName: account.ownerName, bankName: bankName ?? account.bankName ?? null };
  const { rows } = await sql`update rail_external_account set partner_ref = ${ref}, details = null,
      look_at = null, told_at_real = ${Math.floor(realClock.now())}::int8,
      shown = ${seal(keyring, shown, shownContext(row.id))}::bytea, active = ${active}
    where id = ${row.id} and partner_ref is null returning id`.execute(db);
  return externalAccountRows.outcomeOf(db, row.id, rows);
}

/** Removes an account here and at its partner; what is noted before the call brings an interrupted one to its end. */
export async function removeExternalAccount(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  id: string,
): Promise<void> {
  const { db } = needs;
  const now = Math.floor(network.clock.now());
  const realNow = Math.floor(needs.realClock.now());
  const { rows } = await sql<ExternalAccountRow>`update rail_external_account set
      removed_at = coalesce(removed_at, ${now}::int8), look_at = ${realNow + limits.railLeaseMs}::int8
    where id = ${id} returning *`.execute(db);
  const [row] = rows;
  if (row === undefined) return;
  await cancelPaymentsToBank(db, row, now);
  // Orders that pay it have stopped with that. What was paid already still has to reach it: a pass goes on afterwards.
  if (await isMoneyOnItsWayTo(db, row, now)) {
    await postponeLook(db, externalAccountKind, id, realNow + payoutsApartMs);
    return;
  }
  if (row.partner_ref !== null && !(await isShared(db, row, now))) {
    const ref = row.partner_ref as PartnerRef;
    const customer = row.customer_ref as PartnerRef;
    const answer = await askPartner((signal) =>
      rails.partner.removeBankAccount({ idempotencyKey: row.removal_key, signal, customer, ref }),
    );
    if (!answer.ok && answer.refused.reason !== "not_found") {
      const { reason, forOperator } = answer.refused;
      needs.log.warn(
        { event: "rail_bank_account_kept", ...factsOf(row), reason, words: forOperator },
        "partner refuses to remove a bank account",
      );
      await sql`update rail_external_account set removal_refused_at = coalesce(removal_refused_at, ${realNow}::int8)
        where id = ${id}`.execute(db);
      throw refusalError(answer.refused);
    }
  }
  await db.deleteFrom("rail_external_account").where("id", "=", id).execute();
}

/** Two accounts of one person can share what the partner knows: whether another one pays it, or has paid what is to arrive. */
async function isShared(db: Db, row: ExternalAccountRow, now: number): Promise<boolean> {
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
async function isMoneyOnItsWayTo(
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

/**
 * Writes down whether the partner can still pay an account; what it no longer knows it cannot. One that an order pays, or is
 * about to, and one that cannot be paid at present, is read again after a day; others when somebody asks. Throws
 * PartnerUnavailable.
 */
export async function readExternalAccount(
  { db, realClock, log }: Pick<RailNeeds, "db" | "realClock" | "log">,
  network: Network,
  { partner }: Rails,
  row: ExternalAccountRow,
  options: { readonly isToBePaid?: boolean } = {},
): Promise<void> {
  const { id } = row;
  const ref = row.partner_ref as PartnerRef;
  const customer = row.customer_ref as PartnerRef;
  const answer = await askPartner((signal) => partner.readBankAccount({ customer, ref }, signal));
  const isGone = !answer.ok && answer.refused.reason === "not_found";
  if (!answer.ok && !isGone) {
    log.warn(
      { event: "rail_bank_account_unread", ...factsOf(row), words: answer.refused.forOperator },
      "partner refuses to report a bank account",
    );
  }
  const active = answer.ok ? answer.value.active : isGone ? false : null;
  const realNow = Math.floor(realClock.now());
  // A trigger reports it where that changed.
  await sql`update rail_external_account as bank set active = coalesce(${active}::boolean, active),
      updated_at = case when ${active}::boolean <> active then ${Math.floor(network.clock.now())}::int8 else updated_at end,
      told_at_real = case when ${active}::boolean is null then told_at_real else ${realNow}::int8 end,
      look_at = case when not coalesce(${active}::boolean, active) or ${options.isToBePaid === true}::boolean
        or exists (select from rail_payout_address as place join standing_order as paying on paying.payout_address_id = place.id
          where place.external_account_id = bank.id and paying.status in ('pending', 'active', 'inactive'))
        then ${realNow + dayMs}::int8 end
    where id = ${id} and removed_at is null`.execute(db);
}

/** Has those of an account looked at soon whose partner was not asked within a day: somebody wants to know. */
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

/** External accounts: the pass ends what was interrupted, and asks whether one can be paid. */
export const externalAccountKind: PartnerObject<ExternalAccountRow> = defineObject<ExternalAccountRow, Known>({
  rows: externalAccountRows,
  name: "bank account",
  hints: ["bank_account"],
  // Its partner answers a known account as one, so that a key it may have forgotten adds none twice.
  begin: ({ needs, rails }, row, signal) =>
    rails.partner.addBankAccount({
      idempotencyKey: row.operation_key,
      signal,
      customer: row.customer_ref as PartnerRef,
      account: openDetails(needs, row),
    }),
  duplicate: (_context, _row, ref) => ({ ref, bankName: null, active: true }),
  write: writeAdded,
  follow: async ({ needs, network, rails }, row) => {
    if (row.removed_at !== null) await removeExternalAccount(needs, network, rails, row.id);
    else if (row.partner_ref === null) await addExternalAccount(needs, network, rails, row.id);
    else await readExternalAccount(needs, network, rails, row);
  },
  refusedInPass: "later",
  // A removal that the partner has not answered could never be ended without its row; one that it refused has no end.
  isMoving: async (trx, account) =>
    (await ofAccount(trx, account)
      .where("removed_at", "is not", null)
      .where("removal_refused_at", "is", null)
      .limit(1)
      .executeTakeFirst()) !== undefined,
});
