import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { PartnerRef, Rails } from "@trellis/kernel/ports/rails.js";
import { sql } from "kysely";
import { askPartner, kycRequired, refusalError } from "./ask-partner.js";
import {
  type ExternalAccountRow,
  externalAccountRows,
  isMoneyOnItsWayTo,
  isShared,
  type KnownBankAccount,
  ofAccount,
  openDetails,
  writeAdded,
} from "./external-account-store.js";
import { defineObject, factsOf, type PartnerObject } from "./partner-object.js";
import { postponeRefresh } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { cancelPaymentsToBank } from "./transfer-store.js";

const dayMs = 86_400_000;
/** How often it is asked whether payouts to an account that is to be removed have ended. */
const payoutsApartMs = 15 * 60_000;

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
  // Orders that pay it have stopped with that. What was paid already still has to reach it: a pass continues afterwards.
  if (await isMoneyOnItsWayTo(db, row, now)) {
    await postponeRefresh(db, externalAccountKind, id, realNow + payoutsApartMs);
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

/**
 * Writes down whether the partner can still pay an account; what it no longer knows it cannot. One that an order pays, or is
 * about to, and one that cannot be paid at present, is read again after a day; others when a caller asks. Throws
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
  const isRemoved = !answer.ok && answer.refused.reason === "not_found";
  if (!answer.ok && !isRemoved) {
    log.warn(
      { event: "rail_bank_account_unread", ...factsOf(row), words: answer.refused.forOperator },
      "partner refuses to report a bank account",
    );
  }
  const active = answer.ok ? answer.value.active : isRemoved ? false : null;
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

/** External accounts: the pass ends what was interrupted, and asks whether one can be paid. */
export const externalAccountKind: PartnerObject<ExternalAccountRow> = defineObject<
  ExternalAccountRow,
  KnownBankAccount
>({
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
