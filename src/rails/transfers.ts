import { sql } from "kysely";
import { AssertionFailed, TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import { anyOf } from "../kernel/states.js";
import type { DbOrTrx } from "../ports/database.js";
import type { Network } from "../ports/network.js";
import type { BankRail, Coin, Fiat, Leg, PartnerAnswer, PartnerRef, Rails, RailTransfer } from "../ports/rails.js";
import { waitingStates } from "../submissions/intent-states.js";
import { askPartner, refusalError } from "./ask-partner.js";
import { findPayment } from "./pay-in-credit.js";
import { nextLookAt, type RailAccount, type RailKind } from "./rail-kind.js";
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
/** Whoever was given the address of one that has ended may still have sent coins there: it is looked at once more. */
const lateCoinsMs = 3_600_000;
/** After a transfer is settled its money can still come back; later than this nobody looks. */
const returnsForMs = 30 * 86_400_000;
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
        state: foldState({ state: "awaiting_funds", isBack: false }, standingOf(told)),
        credited: undefined,
        astraySince: null,
        isAlarming: false,
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
    const isOff = isWaiting(row) && (await isGivenUp(needs, row));
    if (isOff && row.given_up_at === null && row.answer === null) continue;
    // Nothing is cancelled whose coins are there, or may be.
    const isCancelled = isOff && (await findCoins(needs, network, row)) === "none";
    const told = isCancelled
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
    if (await write(needs, network, row, told.value, isOff)) return;
  }
  throw new AssertionFailed("a transfer changes faster than it can be read");
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
      {
        event: "rail_cancel_refused",
        environment: row.environment,
        partner: row.partner,
        id: row.id,
        reason,
        words: forOperator,
      },
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
  const facts = { environment: row.environment, partner: row.partner, id: row.id, ref: told.ref };
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

/** Transfers as the pass follows them. */
export const transferKind: RailKind = {
  table: "rail_transfer",
  hints: ["transfer"],
  look: lookAtTransfer,
  isMoving: async (trx: DbOrTrx, { tenantId, environment, address }: RailAccount, now) => {
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
  forget: async (trx, { tenantId, environment, address }, now) => {
    // What its partner never cancelled has no other end, once nobody follows it.
    await sql`update payment_intent set state = 'canceled', ended_by = 'data_deleted', updated_at = ${Math.floor(now)}::int8
      where id in (select id from rail_transfer where environment = ${environment} and account_address = ${address}
          and tenant_id = ${tenantId})
        and rail is not null and state in ${anyOf(waitingStates)} and open_until_height is null`.execute(trx);
    const { numDeletedRows } = await trx
      .deleteFrom("rail_transfer")
      .where("environment", "=", environment)
      .where("account_address", "=", address)
      .where("tenant_id", "=", tenantId)
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
};
