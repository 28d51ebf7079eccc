import { assertOurs, TrellisError } from "../../errors.js";
import { limits } from "../../limits.js";
import type { Clock } from "../../ports/clock.js";
import { DatabaseUnavailable, type Db } from "../../ports/database.js";
import type { Log } from "../../ports/log.js";
import type { Network } from "../../ports/network.js";
import type { Pause } from "../../ports/pause.js";
import { askChain } from "../chain/ask-chain.js";
import { gathered } from "../gathered.js";
import { findFeeEpoch } from "../payees/fee-epoch.js";
import type { SpendingLimit } from "../program-client/index.js";
import { findHolds, wakePayoutAddresses } from "../rails/payout-address-store.js";
import { decideNewSubmission, landSubmission, type NoteSent } from "../submissions/land-submission.js";
import type { Lookout } from "../submissions/lookout.js";
import type { FinalOutcome } from "../submissions/submission.js";
import { markAllSent } from "../submissions/submission-store.js";
import { findUnknownPayment, type UnknownPayment } from "./find-unknown-payments.js";
import { judgeDue, type Verdict } from "./judge-due.js";
import { activateIfMandated, endLookAt, lookTogether, mandateOf } from "./mandate.js";
import { type OrderAccounts, readOrderAccounts } from "./read-order-accounts.js";
import { lateAfterMs, missedInARowMax, nextTry } from "./retry.js";
import {
  claimOrders,
  countPaidSince,
  findOpenedSince,
  type LookResult,
  letGo,
  type OrderAfter,
  recordLooks,
  type SignedPayment,
  storePayments,
  type TakenOrder,
  type TakenRun,
} from "./run-store.js";
import { dueOf } from "./schedule.js";
import { isWorldly, judgeFailure, signPayment, worldApartMs } from "./sign-payment.js";
import { changeOrder, released, resumeOrder, type StandingOrder, scheduleOf } from "./standing-order-store.js";

/** What paying standing orders asks of the world. */
export interface PayingNeeds {
  readonly db: Db;
  readonly log: Log;
  readonly pause: Pause;
  readonly lookout: Lookout;
  readonly realClock: Clock;
}

/** How many due dates came to their end. */
export interface RunTally {
  readonly paid: number;
  readonly missed: number;
}

/** How a pass goes about it. */
export interface PassOptions {
  /** So many batches at most, so that whoever stops the service need not wait for all that is due. */
  readonly batchesMax: number;
  /** Whoever moves the sandbox's time; undefined: nobody who does. */
  readonly player?: string;
  /**
   * Before this instant nothing outside changes, because nothing but this moves time: what waits for the world is not tried
   * again earlier. Environment time, Unix milliseconds.
   */
  readonly stillUntil?: number;
}

/** A pass as a timer runs it. */
const byTimer: PassOptions = { batchesMax: limits.standingOrderBatchesInOnePass };

/** A payment under way is looked at again after this, where another pass brings it to its end: environment milliseconds. */
const underWayApartMs = 5_000;
/** A limit that is absent is looked at once more after this before that is believed of a node that may lag. */
const absentApartMs = 60_000;
/** After one payment of an order, the next that is due already waits for this, so that somebody can step in. */
const catchUpApartMs = 60_000;
/** A payee's token account is opened at the service's expense once in this time. */
const openingApartMs = 30 * 86_400_000;
/** The time of a block is exact in the sandbox, and derived elsewhere. */
const blockTimesApartSeconds = 2;
/** Limits that are looked at together, and payments that are tried together. */
const atOnce = 16;

/**
 * The pass that pays standing orders (gap 42): takes those whose time has come, oldest due date first, and pays one due
 * date of each, exactly once, however many processes do this and whatever dies on the way. Signed bytes and the run they
 * are for are stored together before they are sent, and no other signature is made for that due date until those bytes have
 * failed, or are proven never to land. Tells how many due dates were paid and missed.
 *
 * Does nothing where no executor is configured. A chain that does not answer is logged, and all of it is tried again.
 */
export async function payStandingOrders(
  needs: PayingNeeds,
  network: Network,
  options: PassOptions = byTimer,
): Promise<RunTally> {
  const tally = { paid: 0, missed: 0 };
  if (network.executor === null) return tally;
  for (let batch = 0; batch < options.batchesMax; batch += 1) {
    const taken = await claimOrders(needs.db, network, {
      now: network.clock.now(),
      realNow: needs.realClock.now(),
      limit: limits.standingOrdersInOneBatch,
      leaseMs: network.name === "sandbox" ? limits.standingOrderLeaseInOrderMs : limits.standingOrderLeaseMs,
      player: options.player,
    });
    if (taken.length === 0) break;
    const told = await handle(needs, network, taken, options);
    tally.paid += told.paid;
    tally.missed += told.missed;
  }
  return tally;
}

/** One batch. */
interface Batch {
  readonly needs: PayingNeeds;
  readonly network: Network;
  readonly options: PassOptions;
  readonly tally: { paid: number; missed: number };
}

async function handle(
  needs: PayingNeeds,
  network: Network,
  taken: readonly TakenOrder[],
  options: PassOptions,
): Promise<RunTally> {
  const batch: Batch = { needs, network, options, tally: { paid: 0, missed: 0 } };
  const underWay: TakenOrder[] = [];
  const resting: TakenOrder[] = [];
  const due: Due[] = [];
  const results: LookResult[] = [];
  for (const one of taken) {
    const { order, run } = one;
    if (run?.state === "sending") underWay.push(one);
    else if (order.status !== "active") resting.push(one);
    else if (order.next_due_at === null) results.push(unchanged(one, { status: "completed", attemptAt: null }));
    else if (!run) results.push(unchanged(one, { attemptAt: Number(order.next_due_at) }));
    else if (order.executor_address !== network.executor?.address)
      results.push(stop(batch, { taken: one, run }, "executor_rotated"));
    else if (run.state === "paid" || run.state === "missed") results.push(goOn(batch, { taken: one, run }));
    else due.push({ taken: one, run });
  }
  await record(batch, results);
  await allOf([finish(batch, underWay), lookAtMandates(batch, resting), pay(batch, due)]);
  return batch.tally;
}

/** An order at a due date that has had its end goes on to the next one, rather than to stand there for ever. */
function goOn(batch: Batch, due: Due): LookResult {
  const { order } = due.taken;
  const { state, dueAt } = due.run;
  batch.needs.log.warn(
    { order: order.id, due_at: textOf(dueAt), state },
    "a standing order was at a finished due date",
  );
  return { taken: due.taken, after: afterDue(batch, due, state === "paid" ? catchUpApartMs : 0) };
}

/** An order with the run that is to be paid. */
interface Due {
  readonly taken: TakenOrder;
  readonly run: TakenRun;
}

/** Brings payments under way to their end, as far as that is known. */
async function finish(batch: Batch, underWay: readonly TakenOrder[]): Promise<void> {
  const { needs, network } = batch;
  const left: TakenOrder[] = [];
  const recordTogether = gathered<LookResult>((results) => record(batch, results));
  await eachOf(underWay, async (taken) => {
    const { run } = taken;
    if (!run || run.submission_id === null) return;
    let { outcome } = run;
    // The sandbox decides at once. On a cluster it takes its time, and another pass is at it.
    if (outcome === undefined && network.name === "sandbox") {
      outcome = await landSubmission(needs, network, run.submission_id).catch((error: unknown) => {
        if (isWorldly(error)) return undefined;
        throw error;
      });
    }
    if (outcome === undefined) left.push(taken);
    else await recordTogether(outcomeOf(batch, { taken, run }, run.submission_id, outcome));
  });
  await letGo(
    needs.db,
    left.map((taken) => ({ taken, at: laterThan(batch, underWayApartMs) })),
  );
}

/** In so much environment time, and not before anything outside can have changed. */
function laterThan({ network, options }: Pick<Batch, "network" | "options">, ms: number): number {
  return Math.max(network.clock.now() + ms, options.stillUntil ?? 0);
}

/** Looks at the limits of orders that are not paid at present, and lets those go on that the operator has released. */
async function lookAtMandates(batch: Batch, resting: readonly TakenOrder[]): Promise<void> {
  const { needs, network } = batch;
  const looked: { readonly taken: TakenOrder; readonly at: number | null }[] = [];
  const look = lookTogether(
    network,
    resting.map(({ order }) => order),
  );
  await eachOf(resting, async (taken) => {
    let at: number | null;
    try {
      at = await lookAtMandate(batch, taken.order, look);
    } catch (error) {
      // One order that cannot be looked at holds up no other.
      if (!isWorldly(error))
        needs.log.error({ error, order: taken.order.id }, "a standing order could not be looked at");
      at = laterThan(batch, isWorldly(error) ? underWayApartMs : worldApartMs);
    }
    looked.push({ taken, at });
  });
  await letGo(needs.db, looked);
}

async function lookAtMandate(
  { needs, network, options }: Batch,
  order: StandingOrder,
  look: ReturnType<typeof lookTogether>,
): Promise<number | null> {
  const now = network.clock.now();
  if (order.status === "inactive" && order.end_at !== null && Number(order.end_at) < now) {
    const over = { status: "completed", reason: null, next_index: null, next_due_at: null, attempt_at: null } as const;
    await changeOrder(needs.db, order, over, now);
    return null;
  }
  if (order.status === "inactive" && order.reason === released && order.mandate !== "awaited") {
    if (order.mandate === "active") {
      return (await resumeOrder(needs.db, order, {}, now, now)) ? null : laterThan({ network, options }, worldApartMs);
    }
    await changeOrder(needs.db, order, { reason: spendingLimitMissing, attempt_at: endLookAt(order) }, now);
    return null;
  }
  await activateIfMandated(needs.db, network, order, { stillUntil: options.stillUntil, look });
  const end = endLookAt(order);
  return end === null ? null : Number(end);
}

/** Pays these due dates, or writes down why not. */
async function pay(batch: Batch, due: readonly Due[]): Promise<void> {
  if (due.length === 0) return;
  const { needs, network } = batch;
  const signed: SignedPayment[] = [];
  const results: LookResult[] = [];
  const open = new Set(due);
  const conclude = (one: Due, made: SignedPayment | Unpaid): void => {
    open.delete(one);
    if ("signed" in made) signed.push(made);
    else results.push(resultOf(batch, one, made));
  };
  try {
    const judged = await judgeAll(batch, due);
    await eachOf(judged, async (each) => {
      const made = await makePayment(batch, each);
      if (made !== undefined) conclude(each.one, made);
      else open.delete(each.one);
    });
  } catch (error) {
    if (!isWorldly(error)) throw error;
    needs.log.warn({ error, environment: network.name, orders: open.size }, "standing orders have to wait");
    for (const one of open) conclude(one, waitForWorld(batch, error.code));
  }
  await record(batch, results);
  await storeAndSend(batch, due, signed);
}

/** A verdict, or a payment that the database did not know. */
type Judgement = Verdict | UnknownPayment;
type Unpaid = Exclude<Judgement, { readonly kind: "pay" }>;

interface Judged {
  readonly one: Due;
  readonly accounts: OrderAccounts;
  /** The order's limit as it was read. */
  readonly limit: SpendingLimit | undefined;
  readonly verdict: Judgement;
}

/** Undefined where it cannot be made for a reason of its own: then it comes again once its lease has ended. */
async function makePayment(batch: Batch, each: Judged): Promise<SignedPayment | Unpaid | undefined> {
  const { needs, network } = batch;
  const { one, accounts, verdict } = each;
  if (verdict.kind !== "pay") return verdict;
  const times = { now: network.clock.now(), realNow: needs.realClock.now() };
  try {
    return await signPayment(network, one.taken, one.run.dueAt, accounts, verdict, times);
  } catch (error) {
    if (isWorldly(error)) return waitForWorld({ network }, error.code);
    if (error instanceof DatabaseUnavailable) throw error;
    leaveToLease(batch, one, error);
    return undefined;
  }
}

/** One order that cannot be paid for a reason that nobody foresaw holds up no other, and is tried again after its lease. */
function leaveToLease({ needs }: Batch, { taken, run }: Due, error: unknown): void {
  needs.log.error({ error, order: taken.order.id, due_at: textOf(run.dueAt) }, "a standing order could not be paid");
}

async function judgeAll(batch: Batch, due: readonly Due[]): Promise<readonly Judged[]> {
  const { needs, network } = batch;
  const orders = due.map(({ taken }) => taken.order);
  const [accounts, holds, rentMinimum] = await Promise.all([
    readOrderAccounts(network, orders),
    findHolds(
      needs.db,
      orders.flatMap(({ payout_address_id }) => payout_address_id ?? []),
    ),
    orders.some(({ mint }) => mint === null) ? askChain(network.rpc.getMinimumBalanceForRentExemption(0n)) : 0n,
  ]);
  const epoch = await findFeeEpoch(
    network,
    accounts.map(({ token }) => (token === undefined || token === "no mint" ? undefined : token.mint)),
  );
  const now = network.clock.now();
  const judged = due.flatMap((one, i): Judged[] => {
    const seen = accounts[i];
    if (!seen) return [];
    const { order } = one.taken;
    const limit = mandateOf(order, order.executor_address, seen.limit);
    const held = order.payout_address_id === null ? undefined : holds.get(order.payout_address_id);
    const verdict: Verdict =
      held === undefined ? judgeDue(order, seen, limit, { now, rentMinimum, epoch }) : { kind: "stop", reason: held };
    return [{ one, accounts: seen, limit, verdict }];
  });
  const opening = judged.filter(({ verdict }) => verdict.kind === "pay" && verdict.opensTokenAccount);
  const opened = await findOpenedSince(
    needs.db,
    opening.map(({ one }) => one.taken.order.id),
    now - openingApartMs,
  );
  const closedAgain = { kind: "refuse", error: "destination_closed" } as const;
  return withUnknownPayments(
    batch,
    judged.map((each) =>
      opening.includes(each) && opened.has(each.one.taken.order.id) ? { ...each, verdict: closedAgain } : each,
    ),
  );
}

/** An order whose limit was drawn on, as far as the runs may explain that. */
interface DrawnOn {
  readonly each: Judged;
  readonly limit: SpendingLimit;
}

/**
 * Compares what each limit has left with the payments that the database knows. Where more is gone, the database may have
 * been put back to an older state, and what it has forgotten is looked for on the chain before anything is paid. Nothing is
 * paid while neither the runs nor the chain's history explain what is gone: a node may lag, or keep no history.
 */
async function withUnknownPayments(batch: Batch, judged: readonly Judged[]): Promise<readonly Judged[]> {
  const { needs, network } = batch;
  const drawnOn = judged.flatMap((each): DrawnOn[] => {
    const { limit } = each;
    return limit && limit.remainingBaseUnits < limit.amountBaseUnits ? [{ each, limit }] : [];
  });
  const apart = network.name === "sandbox" ? 0 : blockTimesApartSeconds;
  const short = await unexplained(needs.db, drawnOn, apart);
  const found = new Map<Judged, Unpaid>();
  const unseen: DrawnOn[] = [];
  for (const one of short) {
    const { order } = one.each.one.taken;
    try {
      const payment = await findUnknownPayment(needs.db, network, order, {
        dueAt: one.each.one.run.dueAt,
        drawnOn: one.limit,
      });
      if (payment.kind === "none") {
        // The chain's clock may differ from the one that dated our runs: its own times tell which of them drew on this.
        const known = BigInt(payment.knownSinceReset) * BigInt(order.amount);
        if (one.limit.remainingBaseUnits < one.limit.amountBaseUnits - known) unseen.push(one);
      } else {
        found.set(one.each, payment);
        const { signature } = payment;
        needs.log.error({ order: order.id, signature }, "a payment was found on chain that the database did not know");
      }
    } catch (error) {
      if (!isWorldly(error)) throw error;
      // What one limit's history lacks holds up no other order.
      found.set(one.each, waitForWorld(batch, error.code));
    }
  }
  // A payment at the very instant of the reset may be on either side of it.
  for (const { each, limit } of await unexplained(needs.db, unseen, -apart)) {
    if (each.verdict.kind === "absent" || each.verdict.kind === "wait") continue;
    const { id, spending_limit_address } = each.one.taken.order;
    const gone = limit.amountBaseUnits - limit.remainingBaseUnits;
    needs.log.error(
      { order: id, spending_limit_address, drawn_base_units: gone.toString() },
      "more was drawn on a standing order's limit than its runs and the chain's history explain: it is not paid",
    );
    found.set(each, waitForWorld(batch, "spending_limit_unexplained"));
  }
  return judged.map((each) => ({ ...each, verdict: found.get(each) ?? each.verdict }));
}

/** Those whose limits hold less than the runs explain that were paid from so many seconds after the last reset on. */
async function unexplained(
  db: Db,
  drawnOn: readonly DrawnOn[],
  secondsAfterReset: number,
): Promise<readonly DrawnOn[]> {
  const asked = drawnOn.map(({ each, limit }) => ({
    id: each.one.taken.order.id,
    since: (Number(limit.lastReset) + secondsAfterReset) * 1000,
  }));
  const paid = await countPaidSince(db, asked);
  return drawnOn.filter(({ each, limit }) => {
    const { id, amount } = each.one.taken.order;
    const known = BigInt(paid.get(id) ?? 0) * BigInt(amount);
    return limit.remainingBaseUnits < limit.amountBaseUnits - known;
  });
}

/**
 * Stores signed payments and brings them to their end. Where they are not taken all together, each is tried by itself, and
 * one that cannot be stored holds up no other. Outcomes are written down as they come; what the chain does not tell in time stays for the next look.
 */
async function storeAndSend(batch: Batch, due: readonly Due[], signed: readonly SignedPayment[]): Promise<void> {
  if (signed.length === 0) return;
  const { needs, network } = batch;
  const dueOf = new Map(due.map((one) => [one.taken, one]));
  const stored: SignedPayment[] = [];
  const left: TakenOrder[] = [];
  const refused: LookResult[] = [];
  const store = async (payments: readonly SignedPayment[]): Promise<void> => {
    const times = { now: network.clock.now(), realNow: needs.realClock.now() };
    try {
      const ids = await storePayments(needs.db, network, payments, times);
      for (const payment of payments) {
        if (ids.has(payment.signed.id)) stored.push(payment);
        else left.push(payment.taken);
      }
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      const [first, ...others] = payments;
      const one = first && dueOf.get(first.taken);
      if (others.length > 0) for (const payment of payments) await store([payment]);
      else if (one && error instanceof TrellisError) refused.push(resultOf(batch, one, judgeBudget(batch, error)));
      // It was not stored, so it is not sent: whoever has the order next signs anew.
      else if (one) leaveToLease(batch, one, error);
    }
  };
  await store(signed);
  await record(batch, refused);
  await letGo(
    needs.db,
    left.map((taken) => ({ taken, at: laterThan(batch, underWayApartMs) })),
  );
  const noteAll = gathered<string>((ids) => markAllSent(needs.db, ids, network.clock.now()));
  // Only a note: what became of it is asked of the chain either way.
  const noteSent: NoteSent = (id) =>
    noteAll(id).catch((error: unknown) => {
      needs.log.warn({ error, submission: id }, "that a payment was sent could not be noted");
    });
  await asTheyCome(
    stored.map(async ({ taken, signed: bytes }): Promise<LookResult | TakenOrder> => {
      const one = dueOf.get(taken);
      assertOurs(one, "what was signed was due");
      const outcome = await land(batch, bytes, noteSent);
      return outcome === undefined ? taken : outcomeOf(batch, one, bytes.id, outcome);
    }),
    async (come) => {
      await record(
        batch,
        come.flatMap((one) => ("after" in one ? one : [])),
      );
      await letGo(
        needs.db,
        come.flatMap((one) => ("after" in one ? [] : { taken: one, at: laterThan(batch, underWayApartMs) })),
      );
    },
  );
}

/** Undefined where the chain does not tell in time. */
async function land(
  { needs, network }: Batch,
  signed: SignedPayment["signed"],
  noteSent: NoteSent,
): Promise<FinalOutcome | undefined> {
  const stored = {
    id: signed.id,
    signature: signed.signature,
    wire_transaction: signed.wireTransaction,
    last_valid_block_height: signed.lastValidBlockHeight,
    recorded_slot: signed.recordedSlot,
  };
  try {
    return await decideNewSubmission(needs, network, stored, noteSent);
  } catch (error) {
    if (isWorldly(error)) return undefined;
    throw error;
  }
}

/** What the outcome of a payment does to its run and its order. */
function outcomeOf(batch: Batch, due: Due, submissionId: string, outcome: FinalOutcome): LookResult {
  const ended = { id: submissionId, outcome };
  const now = batch.network.clock.now();
  switch (outcome.state) {
    case "landed":
      return { ...paid(batch, due, outcome.blockTime * 1000, outcome.signature), ended };
    case "expired":
      return {
        ...unchanged(due.taken, { attemptAt: now }),
        run: {
          dueAt: due.run.dueAt,
          state: "retrying",
          error: "blockhash_expired",
          isAttempt: false,
          isRefusal: false,
        },
        ended,
      };
    case "failed": {
      const amount = BigInt(due.taken.order.amount);
      const verdict = judgeFailure(outcome.failure, { amount, now, opensTokenAccount: false });
      return { ...resultOf(batch, due, verdict), ended };
    }
  }
}

/** What a verdict does to a run and its order. */
function resultOf(batch: Batch, due: Due, verdict: Unpaid): LookResult {
  const { taken, run } = due;
  const now = batch.network.clock.now();
  const tried = { dueAt: run.dueAt, state: "retrying", isAttempt: false, isRefusal: false } as const;
  switch (verdict.kind) {
    case "found":
      return paid(batch, due, verdict.paidAt, verdict.signature);
    case "wait": {
      const isWorld = verdict.why === "world";
      const attemptAt = isWorld ? Math.max(verdict.until, batch.options.stillUntil ?? 0) : verdict.until;
      const isQuiet = !isWorld && now < run.dueAt + lateAfterMs;
      const to = isQuiet ? { state: openStateOf(run), error: run.error } : { error: verdict.error };
      return { ...unchanged(taken, { attemptAt }), run: { ...tried, ...to } };
    }
    case "refuse":
      return refused(batch, due, verdict.error);
    case "absent": {
      const isSure =
        batch.network.name === "sandbox" ||
        (run.error === spendingLimitMissing && now - run.changedAt >= absentApartMs);
      if (isSure) return stop(batch, due, spendingLimitMissing, "revoked");
      return {
        ...unchanged(taken, { attemptAt: now + absentApartMs }),
        ...(run.error === spendingLimitMissing ? {} : { run: { ...tried, error: spendingLimitMissing } }),
      };
    }
    case "stop":
      return stop(batch, due, verdict.reason);
  }
}

function refused(batch: Batch, due: Due, error: string): LookResult {
  const { taken, run } = due;
  const { order } = taken;
  const now = batch.network.clock.now();
  const again = nextTry(order, run.dueAt, run.refusals, now);
  const counted = { dueAt: run.dueAt, error, isAttempt: true, isRefusal: true };
  if (again !== undefined) {
    return { ...unchanged(taken, { attemptAt: again }), run: { ...counted, state: "retrying" } };
  }
  const missedInARow = order.missed_in_a_row + 1;
  batch.needs.log.warn(
    { order: order.id, due_at: textOf(run.dueAt), error },
    "a due date of a standing order was missed",
  );
  const next = { ...afterDue(batch, due, 0), missedInARow };
  const isOver = missedInARow >= missedInARowMax && next.status === "active";
  const after = isOver ? { ...next, ...inactive(order, "missed_repeatedly", now) } : next;
  return { taken, after, run: { ...counted, state: "missed" } };
}

function paid(batch: Batch, due: Due, paidAt: number, signature: string): LookResult {
  return {
    taken: due.taken,
    after: { ...afterDue(batch, due, catchUpApartMs), missedInARow: 0, paidAt },
    run: { dueAt: due.run.dueAt, state: "paid", error: null, isAttempt: false, isRefusal: false, signature },
  };
}

/** The order once this due date has its end: on to the next one, `apartMs` from now at the earliest. */
function afterDue({ network }: Batch, { taken, run }: Due, apartMs: number): OrderAfter {
  const { order } = taken;
  // An order that was stopped may be at no due date any more.
  if (order.next_due_at === null || Number(order.next_due_at) !== run.dueAt) return unchanged(taken, {}).after;
  const next = dueOf(scheduleOf(order), (order.next_index ?? 0) + 1);
  const { after } = unchanged(taken, {});
  if (next === undefined) return { ...after, status: "completed", nextIndex: null, nextDueAt: null, attemptAt: null };
  const attemptAt = Math.max(next.dueAt, network.clock.now() + apartMs);
  return { ...after, nextIndex: next.index, nextDueAt: next.dueAt, attemptAt };
}

function stop(batch: Batch, { taken, run }: Due, reason: string, mandate?: "revoked"): LookResult {
  const now = batch.network.clock.now();
  batch.needs.log.warn({ order: taken.order.id, reason }, "a standing order is inactive");
  return {
    ...unchanged(taken, { ...inactive(taken.order, reason, now), ...(mandate === undefined ? {} : { mandate }) }),
    run: { dueAt: run.dueAt, state: "retrying", error: reason, isAttempt: false, isRefusal: false },
  };
}

/** An order at rest comes up once more at its end. */
function inactive({ end_at }: StandingOrder, reason: string, now: number) {
  const end = end_at === null ? null : Number(end_at) + 1;
  return { status: "inactive", reason, attemptAt: end !== null && end > now ? end : null } as const;
}

/** A result that changes no more of an order than it says. */
function unchanged(taken: TakenOrder, to: Partial<OrderAfter>): LookResult {
  const { order } = taken;
  return {
    taken,
    after: {
      status: order.status,
      reason: order.reason,
      mandate: order.mandate,
      nextIndex: order.next_index,
      nextDueAt: order.next_due_at === null ? null : Number(order.next_due_at),
      attemptAt: null,
      missedInARow: order.missed_in_a_row,
      ...to,
    },
  };
}

const spendingLimitMissing = "spending_limit_missing";

function openStateOf({ state }: TakenRun): "scheduled" | "retrying" {
  return state === "retrying" ? "retrying" : "scheduled";
}

/** The budget of a day comes back; the number of accounts that are opened for one account does not. */
function judgeBudget(
  batch: Pick<Batch, "network">,
  { code }: TrellisError,
): Exclude<Verdict, { readonly kind: "pay" }> {
  return code === "rent_not_sponsored" ? { kind: "refuse", error: code } : waitForWorld(batch, code);
}

/** What does not depend on the order at all is waited for: it makes nothing missed. */
function waitForWorld({ network }: Pick<Batch, "network">, error: string): Extract<Verdict, { readonly kind: "wait" }> {
  const apart = error === "chain_unavailable" ? underWayApartMs : worldApartMs;
  return { kind: "wait", until: network.clock.now() + apart, why: "world", error };
}

async function record(batch: Batch, results: readonly LookResult[]): Promise<void> {
  const { needs } = batch;
  const recorded = await recordWhatCanBe(batch, results);
  for (const { run } of recorded) if (run?.state === "paid" || run?.state === "missed") batch.tally[run.state] += 1;
  // Where a process dies in between, the look that was planned finds it.
  await wakePayoutAddresses(
    needs.db,
    recorded.flatMap(({ run, taken }) => (run?.state === "paid" ? (taken.order.payout_address_id ?? []) : [])),
  );
}

/**
 * Writes down all of them together or, where the database refuses that, each by itself: one that cannot be written holds up
 * no other, and comes again once its lease has ended. Answers those that were written. Throws where there is no database.
 */
async function recordWhatCanBe(
  { needs, network }: Batch,
  results: readonly LookResult[],
): Promise<readonly LookResult[]> {
  const { db, log } = needs;
  try {
    await recordLooks(db, results, network.clock.now());
    return results;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    log.warn({ error, orders: results.length }, "what became of standing orders is written down one by one");
  }
  const recorded: LookResult[] = [];
  for (const result of results) {
    try {
      await recordLooks(db, [result], network.clock.now());
      recorded.push(result);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      log.error({ error, order: result.taken.order.id }, "what became of a standing order cannot be written down");
    }
  }
  return recorded;
}

/** Hands over results as they come, all that have come meanwhile together. Rejects with the first failure, once all ended. */
async function asTheyCome<T>(
  works: readonly Promise<T>[],
  write: (come: readonly T[]) => Promise<void>,
): Promise<void> {
  let come: T[] = [];
  const failures: unknown[] = [];
  let writing: Promise<void> | undefined;
  const writeAll = async (): Promise<void> => {
    while (come.length > 0) {
      const some = come;
      come = [];
      await write(some);
    }
    writing = undefined;
  };
  await Promise.all(
    works.map(async (work) => {
      try {
        const one = await work;
        // The list may be another one by now.
        come.push(one);
      } catch (error) {
        failures.push(error);
        return;
      }
      // Whatever else has ended in this turn is written together with the first.
      writing ??= Promise.resolve().then(writeAll);
      await writing.catch((error: unknown) => failures.push(error));
    }),
  );
  if (failures.length > 0) throw failures[0];
}

/** Does the same for each, some at a time. Rejects with the first failure, once none is under way any more. */
async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async () => {
    for (const one of left) await work(one);
  };
  await allOf(Array.from({ length: atOnce }, worker));
}

/** Rejects with the first failure, once none of these is under way any more. */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(works)) if (one.status === "rejected") throw one.reason;
}

function textOf(instant: number): string {
  return new Date(instant).toISOString();
}
