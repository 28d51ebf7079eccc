import type { Db } from "@trellis/kernel/ports/database.js";
import type { SpendingLimit } from "@trellis/program-client";
import { findUnknownPayment } from "./find-unknown-payments.js";
import { waitForWorld } from "./fold-outcome.js";
import type { Batch, Due, Judgement } from "./paying.js";
import type { OrderAccounts } from "./read-order-accounts.js";
import { countPaidSince } from "./run-store.js";
import { isWorldly } from "./sign-payment.js";

/** A due date, what the chain holds of its accounts, and what is to be done about it. */
export interface Judged {
  readonly one: Due;
  readonly accounts: OrderAccounts;
  /** The order's limit as it was read. */
  readonly limit: SpendingLimit | undefined;
  readonly verdict: Judgement;
}

/** The time of a block is exact in the sandbox, and derived elsewhere. */
const blockTimesApartSeconds = 2;

/**
 * Compares what each limit has left with the payments that the database knows, and separates those where more is used: the
 * database may have been put back to an older state then, and what it has forgotten is searched for before anything is paid.
 */
export async function splitByDrawn(
  { needs, network }: Batch,
  judged: readonly Judged[],
): Promise<{ readonly explained: readonly Judged[]; readonly unexplained: readonly Judged[] }> {
  const apart = network.name === "sandbox" ? 0 : blockTimesApartSeconds;
  const short = new Set(await unexplained(needs.db, judged, apart));
  return { explained: judged.filter((each) => !short.has(each)), unexplained: [...short] };
}

/**
 * What is to be done about a due date whose limit holds less than its runs explain, once the chain's history was searched
 * for a payment that no run knows. Nothing is paid while neither explains what is used: a node may lag, or keep no history.
 */
export async function explainDrawn(batch: Batch, each: Judged): Promise<Judged> {
  const { needs, network } = batch;
  const { one, limit, verdict } = each;
  const { order } = one.claimed;
  if (limit === undefined) return each;
  try {
    const found = await findUnknownPayment(needs.db, network, order, { dueAt: one.run.dueAt, drawnOn: limit });
    if (found.kind === "unfinished") {
      return { ...each, verdict: { ...waitForWorld(batch, "chain_unavailable"), error: "spending_limit_unexplained" } };
    }
    if (found.kind === "found") {
      const { signature } = found;
      needs.log.error(
        { event: "unknown_payment_found", order: order.id, transaction_signature: signature },
        "payment was found on chain that the database did not know",
      );
      return { ...each, verdict: found };
    }
    // The chain's clock may differ from the one that dated our runs: its own times tell which of them drew on this.
    const known = BigInt(found.knownSinceReset) * BigInt(order.amount);
    if (limit.remainingBaseUnits >= limit.amountBaseUnits - known) return each;
  } catch (error) {
    if (!isWorldly(error)) throw error;
    return { ...each, verdict: waitForWorld(batch, error.code) };
  }
  // A payment at the very instant of the reset may be on either side of it.
  const apart = network.name === "sandbox" ? 0 : blockTimesApartSeconds;
  const [left] = await unexplained(needs.db, [each], -apart);
  if (left === undefined || verdict.kind === "absent" || verdict.kind === "wait") return each;
  const { id, spending_limit_address } = order;
  const removed = limit.amountBaseUnits - limit.remainingBaseUnits;
  needs.log.error(
    { event: "standing_order_overdrawn", order: id, spending_limit_address, drawn_base_units: removed.toString() },
    "limit of a standing order was drawn on for more than its runs and the chain's history explain: it is not paid",
  );
  return { ...each, verdict: waitForWorld(batch, "spending_limit_unexplained") };
}

/** Those whose limits hold less than the runs explain that were paid from so many seconds after the last reset on. */
async function unexplained(db: Db, judged: readonly Judged[], secondsAfterReset: number): Promise<readonly Judged[]> {
  const drawnOn = judged.flatMap((each) => {
    const { limit } = each;
    return limit && limit.remainingBaseUnits < limit.amountBaseUnits ? [{ each, limit }] : [];
  });
  const asked = drawnOn.map(({ each, limit }) => ({
    id: each.one.claimed.order.id,
    since: (Number(limit.lastReset) + secondsAfterReset) * 1000,
  }));
  const paid = await countPaidSince(db, asked);
  return drawnOn.flatMap(({ each, limit }) => {
    const { id, amount } = each.one.claimed.order;
    const known = BigInt(paid.get(id) ?? 0) * BigInt(amount);
    return limit.remainingBaseUnits < limit.amountBaseUnits - known ? [each] : [];
  });
}
