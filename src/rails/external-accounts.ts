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
import type { BankAccountDetails, PartnerAnswer, PartnerBankAccount, PartnerRef, Rails } from "../ports/rails.js";
import { waitingStates } from "../submissions/intent-states.js";
import { submissionStates } from "../submissions/submission-states.js";
import { askPartner, kycRequired, refusalError } from "./ask-partner.js";
import { arePayoutsMoving } from "./payouts.js";
import { postponeLook, type RailAccount, type RailKind } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { endedStates, movingStates } from "./transfer-states.js";
import { cancelPaymentsToBank } from "./transfer-store.js";
import { whileVerified } from "./verification-store.js";

export type ExternalAccountRow = Selectable<RailExternalAccountTable>;

const dayMs = 86_400_000;
/** How often it is asked whether payouts to an account that is to be removed have ended. */
const payoutsApartMs = 15 * 60_000;
/** What has not reached a bank by then is no longer waited for. */
const returnsForMs = 30 * 86_400_000;

/** What the sealed columns of a row are bound to. */
export const detailsContext = (id: string): string => `rail_external_account/${id}/details`;
export const shownContext = (id: string): string => `rail_external_account/${id}/shown`;

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
export async function addExternalAccount(needs: RailNeeds, rails: Rails, id: string): Promise<ExternalAccountRow> {
  const { db, keyring, realClock, random } = needs;
  let row = await readRow(db, id);
  if (row === undefined) throw new TrellisError("partner_unavailable");
  if (row.partner_ref !== null) return row;
  if (realClock.now() - Number(row.operation_begun_at) > limits.partnerKeyMs) {
    // Its partner answers a known account as one, so that a key it may have forgotten adds none twice.
    await sql`update rail_external_account set operation_key = ${random.uuid()},
        operation_begun_at = ${Math.floor(realClock.now())}
      where id = ${id} and operation_key = ${row.operation_key} and partner_ref is null`.execute(db);
    row = (await readRow(db, id)) ?? row;
  }
  if (row.details === null) throw new AssertionFailed("an account the partner does not know has its details");
  const account = JSON.parse(
    Buffer.from(keyring.unwrap(row.details, detailsContext(id))).toString("utf8"),
  ) as BankAccountDetails;
  const { operation_key: idempotencyKey, customer_ref, last4 } = row;
  const answer: PartnerAnswer<PartnerBankAccount> = await askPartner((signal) =>
    rails.partner.addBankAccount({ idempotencyKey, signal, customer: customer_ref as PartnerRef, account }),
  );
  const known = answer.ok
    ? answer.value
    : answer.refused.reason === "duplicate" && answer.refused.existing !== undefined
      ? { ref: answer.refused.existing, last4, bankName: account.bankName ?? null, active: true }
      : undefined;
  if (known === undefined) {
    if (answer.ok) throw new AssertionFailed("an answer is one of the two");
    const { reason, forOperator } = answer.refused;
    needs.log.warn({ partner: row.partner, id, reason, words: forOperator }, "a partner refuses a bank account");
    await db.deleteFrom("rail_external_account").where("id", "=", id).where("partner_ref", "is", null).execute();
    throw refusalError(answer.refused);
  }
  const shown: ShownDetails = { ownerName: account.ownerName, bankName: known.bankName ?? account.bankName ?? null };
  await sql`update rail_external_account set partner_ref = ${known.ref}, details = null,
      look_at = null, told_at_real = ${Math.floor(realClock.now())}::int8,
      shown = ${seal(keyring, shown, shownContext(id))}::bytea, active = ${known.active}
    where id = ${id} and partner_ref is null`.execute(db);
  const added = await readRow(db, id);
  // Forgotten with all rail data of the account while its partner was asked: there is nothing here to pay to.
  if (added === undefined) throw kycRequired(["kyc", "tos"]);
  return added;
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
      needs.log.warn({ partner: row.partner, id, reason, words: forOperator }, "a partner keeps a bank account");
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

const readRow = (db: Db, id: string): Promise<ExternalAccountRow | undefined> =>
  db.selectFrom("rail_external_account").selectAll().where("id", "=", id).executeTakeFirst();

/**
 * Writes down whether the partner can still pay an account; what it no longer knows it cannot. One that an order pays, or is
 * about to, and one that cannot be paid at present, is read again after a day; others when somebody asks. Throws
 * PartnerUnavailable.
 */
export async function readExternalAccount(
  { db, realClock, log }: Pick<RailNeeds, "db" | "realClock" | "log">,
  network: Network,
  { partner }: Rails,
  { id, partner_ref, customer_ref }: ExternalAccountRow,
  options: { readonly isToBePaid?: boolean } = {},
): Promise<void> {
  const ref = partner_ref as PartnerRef;
  const customer = customer_ref as PartnerRef;
  const answer = await askPartner((signal) => partner.readBankAccount({ customer, ref }, signal));
  const isGone = !answer.ok && answer.refused.reason === "not_found";
  if (!answer.ok && !isGone) {
    log.warn(
      { partner: partner.name, id, words: answer.refused.forOperator },
      "a partner does not tell of a bank account",
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

/** External accounts as the pass follows them: it ends what was interrupted, and asks whether one can be paid. */
export const externalAccountKind: RailKind = {
  table: "rail_external_account",
  hints: ["bank_account"],
  look: async (needs, network, rails, id) => {
    const row = await readRow(needs.db, id);
    if (row === undefined || row.partner !== rails.partner.name) return;
    try {
      if (row.removed_at !== null) await removeExternalAccount(needs, network, rails, id);
      else if (row.partner_ref === null) await addExternalAccount(needs, rails, id);
      else await readExternalAccount(needs, network, rails, row);
    } catch (error) {
      if (!(error instanceof TrellisError)) throw error;
      // It was said in the log, and there is nobody else to tell.
      await postponeLook(needs.db, externalAccountKind, id, needs.realClock.now() + dayMs);
    }
  },
  // A removal that the partner has not answered could never be ended without its row; one that it refused has no end.
  isMoving: async (trx, account) =>
    (await ofAccount(trx, account)
      .where("removed_at", "is not", null)
      .where("removal_refused_at", "is", null)
      .limit(1)
      .executeTakeFirst()) !== undefined,
  forget: async (trx, { tenantId, environment, address }) => {
    const { numDeletedRows } = await trx
      .deleteFrom("rail_external_account")
      .where("environment", "=", environment)
      .where("account_address", "=", address)
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
};
