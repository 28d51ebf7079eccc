import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { BankRail, Coin, Fiat, Leg, PartnerAnswer, PartnerRef, Rails } from "@trellis/kernel/ports/rails.js";
import { anyOf } from "@trellis/kernel/states.js";
import { sql } from "kysely";
import { waitingStates } from "../submissions/intent-states.js";
import { askPartner } from "./ask-partner.js";
import {
  again,
  defineObject,
  factsOf,
  type PartnerContext,
  type PartnerObject,
  unlessOvertaken,
} from "./partner-object.js";
import { nextRefreshAt } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { findCoins } from "./transfer-coins.js";
import { type ReportedTransfer, returnsForMs, writeBegun, writeReading } from "./transfer-reading.js";
import { backStates, endedStates, movingStates } from "./transfer-states.js";
import { openReference, readTransferRow, type TransferRow, transferRows } from "./transfer-store.js";

/**
 * Brings a recorded transfer to exist at the partner, under the key that was stored before the first call. Throws
 * PartnerUnavailable, and what the partner refuses: then nothing of it is kept.
 */
export async function beginTransfer(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  id: string,
): Promise<TransferRow> {
  const begun = await transferKind.begin({ needs, network, rails }, id);
  if (begun === undefined) throw new TrellisError("partner_unavailable");
  return begun;
}

/** Nothing is paid where the partner asks for another amount than was ordered: it is cancelled there. */
async function requireSameAmount(
  { needs }: PartnerContext,
  row: TransferRow,
  reported: ReportedTransfer,
): Promise<ReportedTransfer> {
  if (row.direction === "in" || isSameAmount(reported.instructions?.amount ?? row.amount, row.amount)) return reported;
  needs.log.error(
    { event: "rail_transfer_amount_mismatch", ...factsOf(row) },
    "partner asks for another amount than was ordered: nothing is paid",
  );
  await giveUp(needs, row.id);
  throw new TrellisError("partner_refused", { facts: { reason: "amount_out_of_range" } });
}

/** `1.5` is `1.50`. */
const isSameAmount = (one: string, other: string): boolean => {
  const plain = (text: string) => (text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text);
  return plain(one) === plain(other);
};

const referenceOf = (row: TransferRow) => ({
  customer: row.customer_ref as PartnerRef,
  clientReference: row.id,
  // Clocks differ, and those of partners are not ours.
  since: Number(row.created_at) - 3_600_000,
});

function legsOf({ keyring }: RailNeeds, row: TransferRow): { readonly from: Leg; readonly to: Leg } {
  const chain: Leg = { kind: "solana", coin: row.coin as Coin, address: row.account_address };
  const reference = openReference(keyring, row);
  const bank: Leg = {
    kind: "bank",
    currency: row.fiat as Fiat,
    rail: row.rail as BankRail,
    ...(row.external_account_ref === null ? {} : { account: row.external_account_ref as PartnerRef }),
    ...(reference === null ? {} : { reference }),
  };
  return row.direction === "out" ? { from: chain, to: bank } : { from: bank, to: chain };
}

/** Reads a transfer from the partner and writes down what has changed; cancels one that no party will pay any more. */
const follow = (context: PartnerContext, { id }: TransferRow): Promise<void> =>
  unlessOvertaken("a transfer", async () => {
    const { needs, network, rails } = context;
    const row = await readTransferRow(needs.db, id);
    if (row === undefined || row.partner !== rails.partner.name) return;
    if (row.partner_ref === null) return findAbandoned(context, row);
    const realNow = needs.realClock.now();
    const ref = row.partner_ref as PartnerRef;
    const isOff = isWaiting(row) && (await isGivenUp(needs, row));
    if (isOff && row.given_up_at === null && row.answer === null) return again;
    // Nothing is cancelled whose coins are there, or may be.
    const isCancelled = isOff && (await findCoins(needs, network, row)) === "none";
    const reported = isCancelled
      ? await cancel(needs, rails, row)
      : await askPartner((signal) => rails.partner.readTransfer(ref, signal));
    if (!reported.ok) {
      const { reason, forOperator } = reported.refused;
      needs.log.warn(
        { event: "rail_transfer_unread", ...factsOf(row), reason, words: forOperator },
        "partner refuses to report a transfer",
      );
      return planRefresh(needs, row, realNow);
    }
    if (!(await writeReading(needs, network, row, reported.value, isOff))) return again;
  });

/** The response to its caller said that it is not known, and no caller has repeated it: it is begun no more, only searched for. */
async function findAbandoned(
  { needs, network, rails }: PartnerContext,
  row: TransferRow,
): Promise<typeof again | undefined> {
  const realNow = needs.realClock.now();
  if (realNow - Number(row.active_since) < limits.railAbandonMs) {
    await planRefresh(needs, row, realNow);
    return undefined;
  }
  const found = await askPartner((signal) => rails.partner.findTransfer(referenceOf(row), signal));
  // Whom it has no customer for, it has no transfer for.
  if (!found.ok && found.refused.reason !== "not_found") throw new TrellisError("partner_refused");
  if (found.ok && found.value !== null) {
    await writeReading(needs, network, row, found.value);
    return again;
  }
  await transferRows.drop(needs.db, row);
  return undefined;
}

/**
 * Whether its partner waits for its money, as far as it reported: what has ended here is cancelled there then. What the chain
 * shows as paid to the account waits for nothing, whatever its partner says. A review of what
 * a bank has sent is the partner's; one of coins is not, as long as none are there.
 */
const isWaiting = ({ told: reported, direction, answer, credited_at }: TransferRow): boolean =>
  credited_at === null &&
  (reported === "awaiting_funds" || (reported === "in_review" && (direction === "out" || answer === null)));

/**
 * Cancels it at the partner, or says what it has become meanwhile. One that the partner no longer knows is canceled; one that
 * it will not cancel is noted, and tried again.
 */
async function cancel(
  needs: RailNeeds,
  { partner }: Rails,
  row: TransferRow,
): Promise<PartnerAnswer<ReportedTransfer>> {
  const ref = row.partner_ref as PartnerRef;
  const answer = await askPartner((signal) => partner.cancelTransfer({ idempotencyKey: row.cancel_key, signal, ref }));
  if (answer.ok) return answer;
  const reported = await askPartner((signal) => partner.readTransfer(ref, signal));
  if (reported.ok && reported.value.state !== row.told) return reported;
  if (!reported.ok && reported.refused.reason === "not_found") {
    return { ok: true, value: { ref, state: "canceled", instructions: null, receipt: null, returned: null } };
  }
  const { reason, forOperator } = answer.refused;
  const { numUpdatedRows } = await needs.db
    .updateTable("rail_transfer")
    .set({ cancel_refused_at: BigInt(Math.floor(needs.realClock.now())) })
    .where("id", "=", row.id)
    .where("cancel_refused_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) {
    needs.log.error(
      { event: "rail_cancel_refused", ...factsOf(row), reason, words: forOperator },
      "partner refused to cancel an unpaid transfer",
    );
  }
  return reported;
}

/**
 * Whether no party can pay it any more: its payment ended without one, or no caller repeated it. The latter is decided in
 * its row, where the process that answers it checks as well: one of the two is first.
 */
async function isGivenUp({ db, realClock }: RailNeeds, row: TransferRow): Promise<boolean> {
  if (row.given_up_at !== null) return true;
  if (row.answer !== null) {
    const intent = await db.selectFrom("payment_intent").select("state").where("id", "=", row.id).executeTakeFirst();
    return intent?.state === "canceled" || intent?.state === "error";
  }
  if (realClock.now() - Number(row.active_since) < limits.railAbandonMs) return false;
  return giveUp({ db, realClock }, row.id);
}

/** Decides that a transfer which no caller got in a response will not be paid. False: a caller got it. */
export async function giveUp({ db, realClock }: Pick<RailNeeds, "db" | "realClock">, id: string): Promise<boolean> {
  const { rows } = await sql`update rail_transfer set given_up_at = ${Math.floor(realClock.now())}, operation_id = null,
      look_at = 0, version = version + 1
    where id = ${id} and answer is null and given_up_at is null returning id`.execute(db);
  return rows.length > 0;
}

async function planRefresh({ db }: RailNeeds, row: TransferRow, realNow: number): Promise<void> {
  const activeSince = Number(row.active_since);
  // Money may still arrive late for one that was given up, but not for ever.
  const isOver = row.state === "canceled" && realNow - activeSince > returnsForMs;
  const refreshAt = isOver ? null : nextRefreshAt({ activeSince, isSettled: row.state === "canceled" }, realNow);
  await db
    .updateTable("rail_transfer")
    .set({ look_at: refreshAt === null ? null : BigInt(Math.floor(refreshAt)) })
    .where("id", "=", row.id)
    .where("version", "=", row.version)
    .execute();
}

/**
 * Gives up payments from a bank that no payer has made in time (gap 112): the process that refreshes them cancels them at the partner.
 * Says how many there were.
 */
export async function expirePayIns(
  { db, realClock }: Pick<RailNeeds, "db" | "realClock">,
  network: Network,
  partner: string,
): Promise<number> {
  const { rows } = await sql`update rail_transfer set given_up_at = ${Math.floor(realClock.now())}::int8, look_at = 0,
      version = version + 1
    where id = any(array(select id from rail_transfer
      where environment = ${network.name} and partner = ${partner} and direction = 'in' and told = 'awaiting_funds'
        and answer is not null and given_up_at is null and credited_at is null
        and created_at <= ${Math.floor(network.clock.now()) - limits.payInOpenForMs}::int8
      order by created_at limit ${limits.railReadsInOneBatch} for update skip locked))
    returning id`.execute(db);
  return rows.length;
}

/** Transfers as requests begin them, and the pass follows them. */
export const transferKind: PartnerObject<TransferRow> = defineObject<TransferRow, ReportedTransfer>({
  rows: transferRows,
  name: "transfer",
  hints: ["transfer"],
  begin: ({ needs, rails }, row, signal) =>
    rails.partner.createTransfer({
      idempotencyKey: row.operation_key,
      signal,
      customer: row.customer_ref as PartnerRef,
      clientReference: row.id,
      amount: row.amount,
      ...legsOf(needs, row),
    }),
  find: ({ rails }, row, signal) => rails.partner.findTransfer(referenceOf(row), signal),
  believe: requireSameAmount,
  write: writeBegun,
  follow,
  refusedInPass: "fail",
  isMoving: async (trx, { tenantId, environment, address }, now) => {
    // One that waits for its money as well, until it is cancelled: a payer may have its details, or its transaction. What
    // the partner will not cancel has no end: its money would still reach the account. What was returned, and what lies with
    // a partner that moves it no further, is waited for as long as it is asked for.
    const since = Math.floor(now - returnsForMs);
    const { rows } = await sql`select 1 from rail_transfer
      where environment = ${environment} and account_address = ${address} and tenant_id = ${tenantId}
        and (state in ${anyOf(movingStates)}
          or (state in ${anyOf(waitingStates)} and cancel_refused_at is null
            and (astray_since is null or astray_since > ${since}::int8))
          or (state in ${anyOf(backStates)} and updated_at > ${since}::int8)
          or (state in ${anyOf(endedStates)} and astray_since > ${since}::int8))
      limit 1`.execute(trx);
    return rows.length > 0;
  },
  beforeForget: async (trx, { tenantId, environment, address }, now) => {
    // What its partner never cancelled has no other end, once no pass follows it.
    await sql`update payment_intent set state = 'canceled', ended_by = 'data_deleted', updated_at = ${Math.floor(now)}::int8
      where id in (select id from rail_transfer where environment = ${environment} and account_address = ${address}
          and tenant_id = ${tenantId})
           and rail is not null and state in ${anyOf(waitingStates)} and open_until_height is null`.execute(trx);
  },
});
