import { sql } from "kysely";
import { AssertionFailed, TrellisError } from "../../errors.js";
import { limits } from "../../limits.js";
import type { DbOrTrx } from "../../ports/database.js";
import type { Network } from "../../ports/network.js";
import type { BankRail, Coin, Fiat, Leg, PartnerAnswer, PartnerRef, Rails, RailTransfer } from "../../ports/rails.js";
import { askPartner, refusalError } from "./ask-partner.js";
import { findPayment } from "./pay-in-credit.js";
import { nextLookAt, type RailAccount, type RailKind } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { foldState, isLastState, isSettledState, isStuck, type Standing } from "./transfer-states.js";
import {
  dropTransfer,
  isBack,
  openReference,
  readTransferRow,
  renewTransferKey,
  type TransferRow,
  writeTransfer,
} from "./transfer-store.js";

/** How often a look that others overtake is made anew. */
const overtakenMax = 5;
/** After a transfer is settled its money can still come back; later than this nobody looks. */
const returnsForMs = 30 * 86_400_000;
/** What a partner says it has paid is on chain sooner than this. */
const unseenMs = 3_600_000;

/** What a look needs of what the partner told. */
type Told = Pick<RailTransfer, "ref" | "state" | "instructions" | "receipt" | "returned">;

/**
 * Brings a recorded transfer to exist at the partner, under the key that was stored before the first call. One whose key the
 * partner may have forgotten is looked for first. Throws PartnerUnavailable, and what the partner refuses: then nothing of it
 * is kept.
 */
export async function beginTransfer(
  needs: RailNeeds,
  network: Network,
  rails: Rails,
  id: string,
): Promise<TransferRow> {
  for (let tries = 0; tries < overtakenMax; tries += 1) {
    const row = await readTransferRow(needs.db, id);
    if (row === undefined) throw new TrellisError("partner_unavailable");
    if (row.partner_ref !== null) return row;
    const answer = await createOrFind(needs, rails, row);
    if (!answer.ok) {
      const { reason, forOperator } = answer.refused;
      needs.log.warn(
        { environment: row.environment, partner: row.partner, id, reason, words: forOperator },
        "a partner refuses a transfer",
      );
      await dropTransfer(needs.db, row);
      throw refusalError(answer.refused);
    }
    const realNow = needs.realClock.now();
    const told = answer.value;
    if (row.direction === "out" && !isSameAmount(told.instructions?.amount ?? row.amount, row.amount)) {
      needs.log.error(
        { partner: row.partner, id },
        "partner asks for another amount than was ordered: nothing is paid",
      );
      await giveUp(needs, id);
      throw new TrellisError("partner_refused", { facts: { reason: "amount_out_of_range" } });
    }
    if (
      await writeTransfer(needs, network, row, {
        told,
        state: foldState({ state: "awaiting_funds", isBack: false }, standingOf(told), row.direction),
        credited: undefined,
        lookAt: nextLookAt({ activeSince: realNow, isSettled: false }, realNow),
        activeSince: realNow,
      })
    ) {
      return (await readTransferRow(needs.db, id)) ?? row;
    }
  }
  throw new AssertionFailed("a transfer changes faster than it can be read");
}

const standingOf = ({ state, returned }: Pick<Told, "state" | "returned">): Standing => ({
  state,
  isBack: returned !== null,
});

/** `1.5` is `1.50`. */
const isSameAmount = (one: string, other: string): boolean => {
  const plain = (text: string) => (text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text);
  return plain(one) === plain(other);
};

async function createOrFind(
  needs: RailNeeds,
  { partner }: Rails,
  row: TransferRow,
): Promise<PartnerAnswer<RailTransfer>> {
  const customer = row.customer_ref as PartnerRef;
  let current = row;
  if (needs.realClock.now() - Number(row.operation_begun_at) > limits.partnerKeyMs) {
    const found = await findAtPartner(partner, row);
    if (!found.ok) return found;
    if (found.value !== null) return { ok: true, value: found.value };
    current = (await renewTransferKey(needs, row)) ?? row;
  }
  const { from, to } = legsOf(needs, current);
  return askPartner((signal) =>
    partner.createTransfer({
      idempotencyKey: current.operation_key,
      signal,
      customer,
      clientReference: current.id,
      amount: current.amount,
      from,
      to,
    }),
  );
}

const findAtPartner = (partner: Rails["partner"], row: TransferRow) =>
  askPartner((signal) =>
    partner.findTransfer(
      {
        customer: row.customer_ref as PartnerRef,
        clientReference: row.id,
        // Clocks differ, and those of partners are not ours.
        since: Number(row.created_at) - 3_600_000,
      },
      signal,
    ),
  );

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

/** Reads a transfer from the partner and writes down what has changed; cancels one that nobody will pay any more. */
async function lookAtTransfer(needs: RailNeeds, network: Network, rails: Rails, id: string): Promise<void> {
  for (let tries = 0; tries < overtakenMax; tries += 1) {
    const row = await readTransferRow(needs.db, id);
    if (row === undefined || row.partner !== rails.partner.name) return;
    const realNow = needs.realClock.now();
    if (row.partner_ref === null) {
      // Whoever asked for it was told that nobody knows, and has not come back.
      if (realNow - Number(row.active_since) < limits.railAbandonMs) return planLook(needs, row, realNow);
      const found = await findAtPartner(rails.partner, row);
      // Whom it has no customer for, it has no transfer for.
      if (!found.ok && found.refused.reason !== "not_found") throw new TrellisError("partner_refused");
      if (!found.ok || found.value === null) return dropTransfer(needs.db, row);
      if (await write(needs, network, row, found.value)) return lookAtTransfer(needs, network, rails, id);
      continue;
    }
    const ref = row.partner_ref as PartnerRef;
    const isOff = row.told === "awaiting_funds" && (await isGivenUp(needs, row));
    if (isOff && row.given_up_at === null && row.answer === null) continue;
    const told = isOff
      ? await cancel(needs, rails, row)
      : await askPartner((signal) => rails.partner.readTransfer(ref, signal));
    if (!told.ok) {
      needs.log.warn(
        {
          environment: row.environment,
          partner: row.partner,
          id,
          reason: told.refused.reason,
          words: told.refused.forOperator,
        },
        "a partner does not tell of a transfer",
      );
      return planLook(needs, row, realNow);
    }
    if (await write(needs, network, row, told.value)) return;
  }
  throw new AssertionFailed("a transfer changes faster than it can be read");
}

/**
 * Cancels it at the partner, or says what it has come to meanwhile. One that the partner no longer knows is canceled; one that
 * it will not cancel is noted, and tried again.
 */
async function cancel(needs: RailNeeds, { partner }: Rails, row: TransferRow): Promise<PartnerAnswer<Told>> {
  const ref = row.partner_ref as PartnerRef;
  const answer = await askPartner((signal) => partner.cancelTransfer({ idempotencyKey: row.cancel_key, signal, ref }));
  if (answer.ok) return answer;
  const told = await askPartner((signal) => partner.readTransfer(ref, signal));
  if (told.ok && told.value.state !== "awaiting_funds") return told;
  if (!told.ok && told.refused.reason === "not_found") {
    return { ok: true, value: { ref, state: "canceled", instructions: null, receipt: null, returned: null } };
  }
  const { reason, forOperator } = answer.refused;
  needs.log.error(
    { environment: row.environment, partner: row.partner, id: row.id, reason, words: forOperator },
    "partner refused to cancel an unpaid transfer",
  );
  await needs.db
    .updateTable("rail_transfer")
    .set({ cancel_refused_at: BigInt(Math.floor(needs.realClock.now())) })
    .where("id", "=", row.id)
    .where("cancel_refused_at", "is", null)
    .execute();
  return told;
}

/**
 * Whether nobody can pay it any more: its payment ended without one, or nobody came back for it. The latter is decided in
 * its row, where whoever answers it looks as well: one of the two is first.
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

/** Decides that a transfer which nobody was told of will not be paid. False: somebody was told. */
export async function giveUp({ db, realClock }: Pick<RailNeeds, "db" | "realClock">, id: string): Promise<boolean> {
  const { rows } = await sql`update rail_transfer set given_up_at = ${Math.floor(realClock.now())}, operation_id = null,
      look_at = 0, version = version + 1
    where id = ${id} and answer is null and given_up_at is null returning id`.execute(db);
  return rows.length > 0;
}

async function planLook({ db }: RailNeeds, row: TransferRow, realNow: number): Promise<void> {
  const activeSince = Number(row.active_since);
  // Money may still come late for one that was given up, but not for ever.
  const isOver = row.state === "canceled" && realNow - activeSince > returnsForMs;
  const lookAt = isOver ? null : nextLookAt({ activeSince, isSettled: row.state === "canceled" }, realNow);
  await db
    .updateTable("rail_transfer")
    .set({ look_at: lookAt === null ? null : BigInt(Math.floor(lookAt)) })
    .where("id", "=", row.id)
    .where("version", "=", row.version)
    .execute();
}

/**
 * Gives up payments from a bank that nobody has made in time (gap 112): whoever looks at them cancels them at the partner.
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
        and answer is not null and given_up_at is null
        and created_at <= ${Math.floor(network.clock.now()) - limits.payInOpenForMs}::int8
      order by created_at limit ${limits.railLooksInOneBatch} for update skip locked))
    returning id`.execute(db);
  return rows.length;
}

async function write(needs: RailNeeds, network: Network, row: TransferRow, told: Told): Promise<boolean> {
  const realNow = needs.realClock.now();
  const known: Standing = { state: row.state as RailTransfer["state"], isBack: isBack(row) };
  const wasCredited = row.credited_at !== null;
  const isIn = row.direction === "in";
  const credited = isIn && !wasCredited ? await findPayment(needs, network, row, told) : undefined;
  // What a partner calls processed is on its way until the chain shows it.
  const isEarly = isIn && told.state === "payment_processed" && !wasCredited && credited === undefined;
  const said = standingOf(told);
  const state = foldState(known, isEarly ? { ...said, state: "payment_submitted" } : said, row.direction);
  const present: Standing = { state, isBack: known.isBack || said.isBack };
  const activeSince = state === known.state ? Number(row.active_since) : realNow;
  const isSettled = isSettledState(state) && !isEarly;
  const isOver = isLastState(present, row.direction) || (isSettled && realNow - activeSince > returnsForMs);
  if (isEarly && realNow - activeSince > unseenMs) {
    needs.log.error(
      { environment: row.environment, partner: row.partner, id: row.id },
      "a partner says it has made a payment that is not seen on chain",
    );
  }
  const isAwaited = !isIn && told.state === "awaiting_funds" && row.answer !== null;
  if (isAwaited && (await hasLandedBefore(needs, row, network.clock.now() - unseenMs))) {
    needs.log.error(
      { environment: row.environment, partner: row.partner, id: row.id, ref: told.ref },
      "a payment to a bank has landed, and the partner does not see it",
    );
  }
  const isWritten = await writeTransfer(needs, network, row, {
    told,
    state,
    credited,
    lookAt: isOver ? null : nextLookAt({ activeSince, isSettled }, realNow),
    activeSince,
  });
  if (isWritten && isStuck(present) && !isStuck(known)) {
    needs.log.error(
      { environment: row.environment, partner: row.partner, id: row.id, ref: told.ref },
      "refund failed: a bank returned money and the partner could not give it back; ask the partner",
    );
  }
  return isWritten;
}

/** Whether its transaction has landed for so long: environment time, Unix milliseconds. */
async function hasLandedBefore({ db }: RailNeeds, { id }: TransferRow, before: number): Promise<boolean> {
  const { rows } = await sql`select from payment_intent as intent join submission on submission.id = intent.prepared_id
    where intent.id = ${id} and submission.state = 'landed'
      and submission.updated_at < ${Math.floor(before)}::int8`.execute(db);
  return rows.length > 0;
}

/** Transfers as the pass follows them. */
export const transferKind: RailKind = {
  table: "rail_transfer",
  hints: ["transfer"],
  look: lookAtTransfer,
  isMoving: async (trx: DbOrTrx, { tenantId, environment, address }: RailAccount) => {
    // One that waits for its money as well, until it is cancelled: somebody may have its details, or its transaction. What
    // the partner will not cancel has no end: its money would still come to the account.
    const { rows } = await sql`select 1 from rail_transfer
      where environment = ${environment} and account_address = ${address} and tenant_id = ${tenantId} and state in
        ('awaiting_funds', 'in_review', 'funds_received', 'payment_submitted', 'undeliverable', 'returned')
        and (state <> 'awaiting_funds' or cancel_refused_at is null)
      limit 1`.execute(trx);
    return rows.length > 0;
  },
  forget: async (trx, { tenantId, environment, address }, now) => {
    // What its partner never cancelled has no other end, once nobody follows it.
    await sql`update payment_intent set state = 'canceled', updated_at = ${Math.floor(now)}::int8
      where id in (select id from rail_transfer where environment = ${environment} and account_address = ${address}
          and tenant_id = ${tenantId})
        and rail is not null and state = 'awaiting_funds' and open_until_height is null`.execute(trx);
    const { numDeletedRows } = await trx
      .deleteFrom("rail_transfer")
      .where("environment", "=", environment)
      .where("account_address", "=", address)
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
};
