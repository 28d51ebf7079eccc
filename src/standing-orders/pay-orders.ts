import { allOf, eachOf } from "@trellis/kernel/each-of.js";
import { gathered } from "@trellis/kernel/gathered.js";
import { limits } from "@trellis/kernel/limits.js";
import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { findFeeEpoch } from "../payees/fee-epoch.js";
import { findHolds } from "../rails/payout-address-store.js";
import { executorAt } from "../sponsorship/service-keys.js";
import { confirmSubmission } from "../submissions/confirm-submission.js";
import { explainDrawn, type Judged, splitByDrawn } from "./explain-drawn.js";
import { outcomeOf, resultOf, skipEnded, stop, unchanged, waitForWorld } from "./fold-outcome.js";
import { judgeDue, type Verdict } from "./judge-due.js";
import { isLimitRemoved } from "./limit-absence.js";
import { activateIfMandated, mandateOf, refreshTogether } from "./mandate.js";
import { endRefreshAt } from "./mandate-dates.js";
import {
  absentApartMs,
  atOnce,
  type Batch,
  byTimer,
  type Due,
  type Judgement,
  laterThan,
  type PassOptions,
  type PayingNeeds,
  type RunTally,
  spendingLimitMissing,
  type Unpaid,
  underWayApartMs,
} from "./paying.js";
import { readOrderAccounts } from "./read-order-accounts.js";
import { record } from "./record-outcomes.js";
import { runStates } from "./run-states.js";
import {
  type ClaimedOrder,
  claimOrders,
  findOpenedSince,
  type RefreshResult,
  releaseOrders,
  type SignedPayment,
} from "./run-store.js";
import { leaveToLease, paymentSender } from "./send-payments.js";
import { isWorldly, signPayment, worldApartMs } from "./sign-payment.js";
import { changeOrder, endOrder, released, resumeOrder, type StandingOrder } from "./standing-order-store.js";

/** A payee's token account is opened at the service's expense once in this time. */
const openingApartMs = 30 * 86_400_000;

/**
 * The pass that pays standing orders (gap 42): claims those that are due, tenant after tenant and of each the oldest
 * due date first, and pays one due date of each, exactly once, however many processes do this and whatever dies on the way.
 * Signed bytes and the run they are for are stored together before they are sent, and no other signature is made for that
 * due date until those bytes have failed, or are proven never to land. Returns how many due dates were paid and missed.
 *
 * On a cluster no order waits for another one's payment (gap 144): the next batch is claimed while those of the last are on
 * their way, and what the chain has not decided after some seconds is left to the recovery pass and the next poll. Where no
 * executor is configured nothing new is paid; what was sent before still gets its end. A chain that does not answer is
 * logged, and all of it is tried again.
 */
export async function payStandingOrders(
  needs: PayingNeeds,
  network: Network,
  options: PassOptions = byTimer,
): Promise<RunTally> {
  const tally = { paid: 0, missed: 0 };
  const underWay: Promise<void>[] = [];
  const meanwhile = (work: Promise<void>) => {
    // It is awaited below, whatever happens before that.
    work.catch(() => undefined);
    underWay.push(work);
  };
  const batch: Batch = { needs, network, options, tally, meanwhile };
  try {
    for (let number = 0; number < options.batchesMax; number += 1) {
      const claimed = await claimOrders(needs.db, network, {
        now: network.clock.now(),
        realNow: needs.realClock.now(),
        limit: limits.standingOrdersInOneBatch,
        leaseMs: network.name === "sandbox" ? limits.standingOrderLeaseInOrderMs : limits.standingOrderLeaseMs,
        player: options.player,
      });
      if (claimed.length === 0) break;
      await handle(batch, claimed);
      // The sandbox decides at once, and its time stands still meanwhile.
      if (network.name === "sandbox") await endAll(underWay);
    }
  } finally {
    await endAll(underWay);
  }
  return tally;
}

/** Also what these hand over while they end. Rejects with the first failure, once none is under way any more. */
async function endAll(underWay: Promise<void>[]): Promise<void> {
  const failures: unknown[] = [];
  while (underWay.length > 0) await allOf(underWay.splice(0)).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function handle(batch: Batch, claimed: readonly ClaimedOrder[]): Promise<void> {
  const { executor } = batch.network;
  const underWay: ClaimedOrder[] = [];
  const resting: ClaimedOrder[] = [];
  const due: Due[] = [];
  const results: RefreshResult[] = [];
  for (const one of claimed) {
    const { order, run } = one;
    if (run?.state === "sending") underWay.push(one);
    else if (order.status !== "active") resting.push(one);
    else if (order.next_due_at === null) results.push(unchanged(one, { status: "completed", attemptAt: null }));
    else if (!run) results.push(unchanged(one, { attemptAt: Number(order.next_due_at) }));
    else if (runStates.isFinal(run.state)) results.push(skipEnded(batch, { claimed: one, run }));
    // It may be configured again: nothing is decided about the orders before that.
    else if (executor === null)
      results.push(resultOf(batch, { claimed: one, run }, waitForWorld(batch, "service_unavailable")));
    else if (executorAt(batch.network, order.executor_address) === undefined)
      results.push(stop(batch, { claimed: one, run }, "executor_rotated"));
    else due.push({ claimed: one, run });
  }
  await record(batch, results);
  await allOf([resumeSending(batch, underWay), refreshAtMandates(batch, resting), pay(batch, due)]);
}

/** Brings payments under way to their end, as far as that is known. */
async function resumeSending(batch: Batch, underWay: readonly ClaimedOrder[]): Promise<void> {
  const { needs, network } = batch;
  const left: ClaimedOrder[] = [];
  const recordTogether = gathered<RefreshResult>((results) => record(batch, results));
  await eachOf(underWay, atOnce, async (claimed) => {
    const { run } = claimed;
    if (!run || run.submission_id === null) return;
    let { outcome } = run;
    // The sandbox decides at once. On a cluster it takes its time, and another pass is at it.
    if (outcome === undefined && network.name === "sandbox") {
      outcome = await confirmSubmission(needs, network, run.submission_id).catch((error: unknown) => {
        if (isWorldly(error)) return undefined;
        throw error;
      });
    }
    if (outcome === undefined) left.push(claimed);
    else {
      const submission = { id: run.submission_id, wireTransaction: run.wireTransaction };
      await recordTogether(outcomeOf(batch, { claimed, run }, submission, outcome));
    }
  });
  await releaseOrders(
    needs.db,
    left.map((claimed) => ({ claimed, at: laterThan(batch, underWayApartMs) })),
  );
}

/** Reads the limits of orders that are not paid at present, and resumes those that the operator has released. */
async function refreshAtMandates(batch: Batch, resting: readonly ClaimedOrder[]): Promise<void> {
  const { needs, network } = batch;
  const refreshed: { readonly claimed: ClaimedOrder; readonly at: number | null }[] = [];
  const refresh = refreshTogether(
    network,
    resting.map(({ order }) => order),
  );
  await eachOf(resting, atOnce, async (claimed) => {
    let at: number | null;
    try {
      at = await refreshAtMandate(batch, claimed.order, refresh);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      // One order that cannot be checked holds up no other.
      if (!isWorldly(error))
        needs.log.error(
          { event: "standing_order_unread", err: error, order: claimed.order.id },
          "standing order could not be read",
        );
      at = laterThan(batch, isWorldly(error) ? underWayApartMs : worldApartMs);
    }
    refreshed.push({ claimed, at });
  });
  await releaseOrders(needs.db, refreshed);
}

async function refreshAtMandate(
  { needs, network, options }: Batch,
  order: StandingOrder,
  refresh: ReturnType<typeof refreshTogether>,
): Promise<number | null> {
  const now = network.clock.now();
  if (order.status === "inactive" && order.end_at !== null && Number(order.end_at) < now) {
    await endOrder(needs.db, order, { status: "completed", reason: null, attemptAt: null }, now);
    return null;
  }
  if (order.status === "inactive" && order.reason === released && order.mandate !== "awaited") {
    if (order.mandate === "active") {
      return (await resumeOrder(needs.db, order, {}, now, now)) ? null : laterThan({ network, options }, worldApartMs);
    }
    await changeOrder(needs.db, order, { reason: spendingLimitMissing, attempt_at: endRefreshAt(order) }, now);
    return null;
  }
  await activateIfMandated(needs, network, order, { stillUntil: options.stillUntil, refresh });
  const end = endRefreshAt(order);
  return end === null ? null : Number(end);
}

/** Pays these due dates, or writes down why not. */
async function pay(batch: Batch, due: readonly Due[]): Promise<void> {
  if (due.length === 0) return;
  const { needs, network } = batch;
  try {
    const { explained, unexplained } = await splitByDrawn(batch, await judgeAll(batch, due));
    const send = paymentSender(batch);
    // A long search holds up no other order.
    batch.meanwhile(
      eachOf(unexplained, searchesAtOnce, async (each) => payOne(batch, send, await explainDrawn(batch, each))),
    );
    const recordTogether = gathered<RefreshResult>((results) => record(batch, results));
    await eachOf(explained, atOnce, (each) => payOne(batch, send, each, recordTogether));
  } catch (error) {
    if (!isWorldly(error)) throw error;
    needs.log.warn(
      { event: "standing_orders_waiting", err: error, environment: network.name, orders: due.length },
      "standing orders have to wait",
    );
    await record(
      batch,
      due.map((one) => resultOf(batch, one, waitForWorld(batch, error.code))),
    );
  }
}

/** Limits whose histories are searched at once. */
const searchesAtOnce = 4;

/** Makes, stores and sends one payment, or writes down why not. */
async function payOne(
  batch: Batch,
  send: ReturnType<typeof paymentSender>,
  each: Judged,
  recordOne: (result: RefreshResult) => Promise<void> = (result) => record(batch, [result]),
): Promise<void> {
  const made = await makePayment(batch, each);
  if (made === undefined) return;
  if ("signed" in made) await send({ one: each.one, payment: made });
  else await recordOne(resultOf(batch, each.one, made));
}

/** Undefined where it cannot be made for a reason of its own: then it is due again once its lease has ended. */
async function makePayment(batch: Batch, each: Judged): Promise<SignedPayment | Unpaid | undefined> {
  const { needs, network } = batch;
  const { one, accounts, verdict } = each;
  if (verdict.kind !== "pay") return verdict;
  const times = { now: network.clock.now(), realNow: needs.realClock.now() };
  try {
    return await signPayment(network, one.claimed, one.run.dueAt, accounts, verdict, times);
  } catch (error) {
    if (isWorldly(error)) return waitForWorld({ network }, error.code);
    if (error instanceof DatabaseUnavailable) throw error;
    leaveToLease(batch, one, error);
    return undefined;
  }
}

async function judgeAll(batch: Batch, due: readonly Due[]): Promise<readonly Judged[]> {
  const { needs, network } = batch;
  const orders = due.map(({ claimed }) => claimed.order);
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
  const judged: Judged[] = [];
  for (const [i, one] of due.entries()) {
    const seen = accounts[i];
    if (!seen) continue;
    const { order } = one.claimed;
    try {
      const limit = mandateOf(order, order.executor_address, seen.limit);
      const held = order.payout_address_id === null ? undefined : holds.get(order.payout_address_id);
      const verdict: Verdict =
        held === undefined ? judgeDue(order, seen, limit, { now, rentMinimum, epoch }) : { kind: "stop", reason: held };
      judged.push({ one, accounts: seen, limit, verdict: await judgeAbsence(batch, one, verdict) });
    } catch (error) {
      leaveToLease(batch, one, error);
    }
  }
  const opening = judged.filter(({ verdict }) => verdict.kind === "pay" && verdict.opensTokenAccount);
  const opened = await findOpenedSince(
    needs.db,
    opening.map(({ one }) => one.claimed.order.id),
    now - openingApartMs,
  );
  const closedAgain = { kind: "refuse", error: "destination_closed" } as const;
  return judged.map((each) =>
    opening.includes(each) && opened.has(each.one.claimed.order.id) ? { ...each, verdict: closedAgain } : each,
  );
}

/** A limit that is absent is believed at once of the sandbox, and of a cluster where it is still so after a while. */
async function judgeAbsence({ network }: Batch, { claimed, run }: Due, verdict: Verdict): Promise<Judgement> {
  if (verdict.kind !== "absent") return verdict;
  if (network.name === "sandbox") return { kind: "absent", isSure: true };
  const isSecond = run.error === spendingLimitMissing && network.clock.now() - run.changedAt >= absentApartMs;
  if (!isSecond) return { kind: "absent", isSure: false };
  const isRemoved = await isLimitRemoved(network, claimed.order).catch((error: unknown) => {
    if (isWorldly(error)) return undefined;
    throw error;
  });
  return isRemoved === true ? { kind: "absent", isSure: true } : waitForWorld({ network }, "chain_unavailable");
}
