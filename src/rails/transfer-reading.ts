import type { Network } from "@trellis/kernel/ports/network.js";
import type { RailTransfer } from "@trellis/kernel/ports/rails.js";
import { waitingStates } from "../submissions/intent-states.js";
import { factsOf, type PartnerContext, type Written } from "./partner-object.js";
import { findPayment } from "./pay-in-credit.js";
import { nextRefreshAt } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";
import { type Coins, findAstray, findCoins } from "./transfer-coins.js";
import { foldState, isBrokenOff, isLastState, isSettledState, isStuck, type Standing } from "./transfer-states.js";
import { isBack, type TransferRow, writeTransfer } from "./transfer-store.js";

/** A holder who was given the address of one that has ended may still have sent coins there: it is refreshed once more. */
const lateCoinsMs = 3_600_000;
/** After a transfer is settled its money can still be returned; later than this it is not refreshed. */
export const returnsForMs = 30 * 86_400_000;
/** What a refresh needs of what the partner reported. */
export type ReportedTransfer = Pick<RailTransfer, "ref" | "state" | "instructions" | "receipt" | "returned">;

const standingOf = ({ state, returned }: Pick<ReportedTransfer, "state" | "returned">): Standing => ({
  state,
  isBack: returned !== null,
});

/** Writes what the partner reported of one that it has just begun. */
export async function writeBegun(
  { needs, network }: PartnerContext,
  row: TransferRow,
  reported: ReportedTransfer,
): Promise<Written> {
  const realNow = needs.realClock.now();
  const isWritten = await writeTransfer(needs, network, row, {
    told: reported,
    state: foldState({ state: "awaiting_funds", isBack: false }, standingOf(reported)),
    credited: undefined,
    astraySince: null,
    isAlarming: false,
    refreshAt: nextRefreshAt({ activeSince: realNow, isSettled: false }, realNow),
    activeSince: realNow,
  });
  return isWritten ? "written" : "overtaken";
}

/**
 * Writes what a reading reported, held against the chain: which state it is, whether its money has arrived, where its coins are,
 * and when it is read next. `isOff`: no party will pay it any more. False: another process wrote first.
 */
export async function writeReading(
  needs: RailNeeds,
  network: Network,
  row: TransferRow,
  reported: ReportedTransfer,
  isOff = false,
): Promise<boolean> {
  const realNow = needs.realClock.now();
  const known: Standing = { state: row.state as RailTransfer["state"], isBack: isBack(row) };
  const wasCredited = row.credited_at !== null;
  const isIn = row.direction === "in";
  const credited = isIn && !wasCredited ? await findPayment(needs, network, row, reported) : undefined;
  // What a partner calls processed is on its way until the chain shows it.
  const isEarly = isIn && reported.state === "payment_processed" && !wasCredited && credited === undefined;
  const said = standingOf(reported);
  // Of one that has arrived, nothing is awaited, whatever its partner says.
  const isCredited = wasCredited || credited !== undefined;
  const hasArrived = said.state === "awaiting_funds" && isCredited;
  const view = isEarly ? "payment_submitted" : hasArrived ? "payment_processed" : said.state;
  const folded = foldState(known, { ...said, state: view });
  // What the chain shows as paid was delivered, whatever its partner said before.
  const state = isIn && isCredited && folded === "undeliverable" ? "payment_processed" : folded;
  const present: Standing = { state, isBack: known.isBack || said.isBack };
  const activeSince = state === known.state ? Number(row.active_since) : realNow;
  const age = realNow - activeSince;
  // What a partner says it gave back before it was paid can be paid all the same.
  const isGivenBack = isIn && state === "refunded" && !isCredited;
  const isSettled = (isSettledState(state) && !isEarly) || isGivenBack;
  // Read after it was cancelled as well: coins may have arrived in between.
  const isLeftThere = state === "undeliverable" && age > returnsForMs;
  const coins: Coins = isOff || isBrokenOff(present) || isLeftThere ? await findCoins(needs, network, row) : "none";
  const astray = await findAstray(needs, network, row, {
    told: reported.state,
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
  const mayReturn = isIn || coins !== "none" || awaitsLateCoins;
  const isOver = (isLastState(present, mayReturn) && !isGivenBack) || ((isSettled || isLeft) && age > returnsForMs);
  const nextRefresh = nextRefreshAt({ activeSince, isSettled: isSettled && coins !== "unknown" }, realNow);
  const now = Math.floor(network.clock.now());
  const astrayBefore = row.astray_since === null ? null : Number(row.astray_since);
  const isStuckNow = isStuck(present) && !isStuck(known);
  const isWritten = await writeTransfer(needs, network, row, {
    told: reported,
    state,
    credited,
    refreshAt: isOver ? null : awaitsLateCoins ? realNow + lateCoinsMs : nextRefresh,
    activeSince,
    astraySince: astray !== undefined ? (astrayBefore ?? now) : coins === "unknown" ? astrayBefore : null,
    isAlarming: isStuckNow,
  });
  if (!isWritten) return false;
  const facts = { ...factsOf(row), ref: reported.ref };
  if (astray !== undefined && astrayBefore === null) {
    // operator: ask the partner with the name that `trellis rails refunds` prints
    needs.log.error(
      { event: "rail_coins_astray", ...facts, reason: astray },
      "coins are astray: the partner does not move the money of a payment on",
    );
  }
  if (isStuckNow) {
    // operator: ask the partner with the name that `trellis rails refunds` prints
    needs.log.error(
      { event: "rail_refund_failed", ...facts },
      "refund failed: a bank returned money and the partner could not give it back",
    );
  }
  return true;
}

const isWaitingState = (state: RailTransfer["state"]): boolean => waitingStates.some((waiting) => waiting === state);
