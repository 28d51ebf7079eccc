import { sql } from "kysely";
import { TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import { anyOf } from "../kernel/states.js";
import type { Network } from "../ports/network.js";
import type { BankRail, Coin, Fiat, Leg, PartnerAnswer, PartnerRef, Rails, RailTransfer } from "../ports/rails.js";
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
import { findPayment } from "./pay-in-credit.js";
import { nextLookAt } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { type Coins, findAstray, findCoins } from "./transfer-coins.js";
import {
  backStates,
  endedStates,
  foldState,
  isBrokenOff,
  isLastState,
  isSettledState,
  isStuck,
  movingStates,
  type Standing,
} from "./transfer-states.js";
import {
  isBack,
  openReference,
  readTransferRow,
  type TransferRow,
  transferRows,
  writeTransfer,
} from "./transfer-store.js";

/** Whoever was given the address of one that has ended may still have sent coins there: it is looked at once more. */
const lateCoinsMs = 3_600_000;
/** After a transfer is settled its money can still come back; later than this nobody looks. */
const returnsForMs = 30 * 86_400_000;
/** What a look needs of what the partner told. */
type Told = Pick<RailTransfer, "ref" | "state" | "instructions" | "receipt" | "returned">;

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
async function requireSameAmount({ needs }: PartnerContext, row: TransferRow, told: Told): Promise<Told> {
  if (row.direction === "in" || isSameAmount(told.instructions?.amount ?? row.amount, row.amount)) return told;
  needs.log.error(
    { event: "rail_transfer_amount_mismatch", ...factsOf(row) },
    "partner asks for another amount than was ordered: nothing is paid",
  );
  await giveUp(needs, row.id);
  throw new TrellisError("partner_refused", { facts: { reason: "amount_out_of_range" } });
}

async function writeBegun({ needs, network }: PartnerContext, row: TransferRow, told: Told) {
  const realNow = needs.realClock.now();
  const isWritten = await writeTransfer(needs, network, row, {
    told,
    state: foldState({ state: "awaiting_funds", isBack: false }, standingOf(told)),
    credited: undefined,
    astraySince: null,
    isAlarming: false,
    lookAt: nextLookAt({ activeSince: realNow, isSettled: false }, realNow),
    activeSince: realNow,
  });
  return isWritten ? "written" : "overtaken";
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

/** Reads a transfer from the partner and writes down what has changed; cancels one that nobody will pay any more. */
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
    const told = isCancelled
      ? await cancel(needs, rails, row)
      : await askPartner((signal) => rails.partner.readTransfer(ref, signal));
    if (!told.ok) {
      const { reason, forOperator } = told.refused;
      needs.log.warn(
        { event: "rail_transfer_unread", ...factsOf(row), reason, words: forOperator },
        "partner refuses to report a transfer",
      );
      return planLook(needs, row, realNow);
    }
    if (!(await write(needs, network, row, told.value, isOff))) return again;
  });

/** Whoever asked for it was told that nobody knows, and has not come back: it is begun no more, only looked for. */
async function findAbandoned(
  { needs, network, rails }: PartnerContext,
  row: TransferRow,
): Promise<typeof again | undefined> {
  const realNow = needs.realClock.now();
  if (realNow - Number(row.active_since) < limits.railAbandonMs) {
    await planLook(needs, row, realNow);
    return undefined;
  }
  const found = await askPartner((signal) => rails.partner.findTransfer(referenceOf(row), signal));
  // Whom it has no customer for, it has no transfer for.
  if (!found.ok && found.refused.reason !== "not_found") throw new TrellisError("partner_refused");
  if (found.ok && found.value !== null) {
    await write(needs, network, row, found.value);
    return again;
  }
  await transferRows.drop(needs.db, row);
  return undefined;
}

/**
 * Whether its partner waits for its money, as far as it told: what has ended here is cancelled there then. What the chain
 * shows as paid to the account waits for nothing, whatever its partner says. A review of what
 * a bank has sent is the partner's; one of coins is not, as long as none are there.
 */
const isWaiting = ({ told, direction, answer, credited_at }: TransferRow): boolean =>
  credited_at === null &&
  (told === "awaiting_funds" || (told === "in_review" && (direction === "out" || answer === null)));

/**
 * Cancels it at the partner, or says what it has come to meanwhile. One that the partner no longer knows is canceled; one that
 * it will not cancel is noted, and tried again.
 */
async function cancel(needs: RailNeeds, { partner }: Rails, row: TransferRow): Promise<PartnerAnswer<Told>> {
  const ref = row.partner_ref as PartnerRef;
  const answer = await askPartner((signal) => partner.cancelTransfer({ idempotencyKey: row.cancel_key, signal, ref }));
  if (answer.ok) return answer;
  const told = await askPartner((signal) => partner.readTransfer(ref, signal));
  if (told.ok && told.value.state !== row.told) return told;
  if (!told.ok && told.refused.reason === "not_found") {
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
        and answer is not null and given_up_at is null and credited_at is null
        and created_at <= ${Math.floor(network.clock.now()) - limits.payInOpenForMs}::int8
      order by created_at limit ${limits.railLooksInOneBatch} for update skip locked))
    returning id`.execute(db);
  return rows.length;
}

async function write(
  needs: RailNeeds,
  network: Network,
  row: TransferRow,
  told: Told,
  isOff = false,
): Promise<boolean> {
  const realNow = needs.realClock.now();
  const known: Standing = { state: row.state as RailTransfer["state"], isBack: isBack(row) };
  const wasCredited = row.credited_at !== null;
  const isIn = row.direction === "in";
  const credited = isIn && !wasCredited ? await findPayment(needs, network, row, told) : undefined;
  // What a partner calls processed is on its way until the chain shows it.
  const isEarly = isIn && told.state === "payment_processed" && !wasCredited && credited === undefined;
  const said = standingOf(told);
  // Of one that has come, nothing is awaited, whatever its partner says.
  const isCredited = wasCredited || credited !== undefined;
  const hasCome = said.state === "awaiting_funds" && isCredited;
  const shown = isEarly ? "payment_submitted" : hasCome ? "payment_processed" : said.state;
  const folded = foldState(known, { ...said, state: shown });
  // What the chain shows as paid was delivered, whatever its partner said before.
  const state = isIn && isCredited && folded === "undeliverable" ? "payment_processed" : folded;
  const present: Standing = { state, isBack: known.isBack || said.isBack };
  const activeSince = state === known.state ? Number(row.active_since) : realNow;
  const age = realNow - activeSince;
  // What a partner says it gave back before it was paid can be paid all the same.
  const isGivenBack = isIn && state === "refunded" && !isCredited;
  const isSettled = (isSettledState(state) && !isEarly) || isGivenBack;
  // Read after it was cancelled as well: coins may have come in between.
  const isLeftThere = state === "undeliverable" && age > returnsForMs;
  const coins: Coins = isOff || isBrokenOff(present) || isLeftThere ? await findCoins(needs, network, row) : "none";
  const astray = await findAstray(needs, network, row, {
    told: told.state,
    standing: present,
    coins,
    isOff,
    isLeftThere,
    isCredited,
    unpaidForMs: isEarly ? age : undefined,
  });
  // What the partner neither cancels nor sees coins for is not waited for for ever.
  const isLeft = isOff && coins === "none" && isWaitingState(state);
  const awaitsLateCoins = !isIn && isBrokenOff(present) && coins === "none" && row.answer !== null && age < lateCoinsMs;
  const mayComeBack = isIn || coins !== "none" || awaitsLateCoins;
  const isOver = (isLastState(present, mayComeBack) && !isGivenBack) || ((isSettled || isLeft) && age > returnsForMs);
  const nextLook = nextLookAt({ activeSince, isSettled: isSettled && coins !== "unknown" }, realNow);
  const now = Math.floor(network.clock.now());
  const astrayBefore = row.astray_since === null ? null : Number(row.astray_since);
  const isStuckNow = isStuck(present) && !isStuck(known);
  const isWritten = await writeTransfer(needs, network, row, {
    told,
    state,
    credited,
    lookAt: isOver ? null : awaitsLateCoins ? realNow + lateCoinsMs : nextLook,
    activeSince,
    astraySince: astray !== undefined ? (astrayBefore ?? now) : coins === "unknown" ? astrayBefore : null,
    isAlarming: isStuckNow,
  });
  if (!isWritten) return false;
  const facts = { ...factsOf(row), ref: told.ref };
  if (astray !== undefined && astrayBefore === null) needs.log.error({ event: "rail_coins_astray", ...facts }, astray);
  if (isStuckNow) {
    needs.log.error(
      { event: "rail_refund_failed", ...facts },
      "refund failed: a bank returned money and the partner could not give it back; ask the partner",
    );
  }
  return true;
}

const isWaitingState = (state: RailTransfer["state"]): boolean => waitingStates.some((waiting) => waiting === state);

/** Transfers as requests begin them, and the pass follows them. */
export const transferKind: PartnerObject<TransferRow> = defineObject<TransferRow, Told>({
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
    // One that waits for its money as well, until it is cancelled: somebody may have its details, or its transaction. What
    // the partner will not cancel has no end: its money would still come to the account. What came back, and what lies with
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
    // What its partner never cancelled has no other end, once nobody follows it.
    await sql`update payment_intent set state = 'canceled', ended_by = 'data_deleted', updated_at = ${Math.floor(now)}::int8
      where id in (select id from rail_transfer where environment = ${environment} and account_address = ${address}
          and tenant_id = ${tenantId})
           and rail is not null and state in ${anyOf(waitingStates)} and open_until_height is null`.execute(trx);
  },
});
