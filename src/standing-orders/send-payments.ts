import { eachOf } from "@trellis/kernel/each-of.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { gathered } from "@trellis/kernel/gathered.js";
import { limits } from "@trellis/kernel/limits.js";
import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import { decideNewSubmission, type NoteSent, pauseAtMost } from "../submissions/confirm-submission.js";
import type { FinalOutcome } from "../submissions/submission.js";
import { markSent } from "../submissions/submission-store.js";
import { judgeBudget, outcomeOf, resultOf } from "./fold-outcome.js";
import { type Batch, type Due, laterThan, textOf, underWayApartMs } from "./paying.js";
import { record } from "./record-outcomes.js";
import {
  type ClaimedOrder,
  type RefreshResult,
  releaseOrders,
  type SignedPayment,
  storePayments,
} from "./run-store.js";
import { isWorldly } from "./sign-payment.js";

/** A due date, and the payment that was signed for it. */
export interface Signed {
  readonly one: Due;
  readonly payment: SignedPayment;
}

/**
 * Makes a function that stores signed payments and sends them: those that arrive while others are being stored are stored
 * together. Each call ends when its payment is stored and on its way; what becomes of it is brought to an end meanwhile, as
 * far as the chain decides within `limits.standingOrderPatienceMs`, and left to the next poll where it does not.
 */
export function paymentSender(batch: Batch): (signed: Signed) => Promise<void> {
  const { needs, network } = batch;
  const recordTogether = gathered<RefreshResult>((results) => record(batch, results));
  const releaseTogether = gathered<ClaimedOrder>((left) =>
    releaseOrders(
      needs.db,
      left.map((claimed) => ({ claimed, at: laterThan(batch, underWayApartMs) })),
    ),
  );
  const noteTogether = gathered<string>((ids) => markSent(needs.db, ids, network.clock.now()));
  // Only a note: what became of it is asked of the chain either way.
  const noteSent: NoteSent = (id) =>
    noteTogether(id).catch((error: unknown) => {
      needs.log.warn(
        { event: "payment_sending_unrecorded", err: error, submission: id },
        "payment was sent, and that could not be recorded",
      );
    });
  const follow = async ({ one, payment }: Signed): Promise<void> => {
    const outcome = await confirm(batch, payment.signed, noteSent);
    if (outcome === undefined) await releaseTogether(one.claimed);
    else await recordTogether(outcomeOf(batch, one, payment.signed, outcome));
  };
  return gathered<Signed>(async (some) => {
    const { stored, left, refused } = await storeWhatCanBe(batch, some);
    for (const signed of stored) batch.meanwhile(follow(signed));
    await eachOf(refused, refused.length, recordTogether);
    await eachOf(left, left.length, releaseTogether);
  });
}

/**
 * Stores signed payments. Where they are not stored all together, each is tried alone, and one that cannot be stored holds
 * up no other. `left`: another process has the order, or it has changed.
 */
async function storeWhatCanBe(
  batch: Batch,
  all: readonly Signed[],
): Promise<{
  readonly stored: readonly Signed[];
  readonly left: readonly ClaimedOrder[];
  readonly refused: readonly RefreshResult[];
}> {
  const { needs, network } = batch;
  const stored: Signed[] = [];
  const left: ClaimedOrder[] = [];
  const refused: RefreshResult[] = [];
  const store = async (some: readonly Signed[]): Promise<void> => {
    const times = { now: network.clock.now(), realNow: needs.realClock.now() };
    const payments = some.map(({ payment }) => payment);
    try {
      const ids = await storePayments(needs.db, network, payments, times);
      for (const signed of some) {
        if (ids.has(signed.payment.signed.id)) stored.push(signed);
        else left.push(signed.one.claimed);
      }
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      const [first, ...others] = some;
      assertOurs(first, "nothing is not stored");
      if (others.length > 0) for (const signed of some) await store([signed]);
      else if (error instanceof TrellisError) refused.push(resultOf(batch, first.one, judgeBudget(batch, error)));
      // It was not stored, so it is not sent: the next process that claims the order signs anew.
      else leaveToLease(batch, first.one, error);
    }
  };
  await store(all);
  return { stored, left, refused };
}

/** Undefined where the chain does not decide in time: another pass sees to it then. */
async function confirm(
  { needs, network, options }: Batch,
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
  // While a call moves the clock, time stands still until this has its end: the clock would pass the bytes' own end.
  const isPlayed = options.stillUntil !== undefined;
  const patient = isPlayed ? needs : { ...needs, pause: pauseAtMost(needs.pause, limits.standingOrderPatienceMs) };
  try {
    return await decideNewSubmission(patient, network, stored, noteSent);
  } catch (error) {
    if (isWorldly(error)) return undefined;
    throw error;
  }
}

/** One order that cannot be paid for a reason that was not foreseen holds up no other, and is tried again after its lease. */
export function leaveToLease({ needs }: Batch, { claimed, run }: Due, error: unknown): void {
  needs.log.error(
    { event: "standing_order_unpaid", err: error, order: claimed.order.id, due_at: textOf(run.dueAt) },
    "standing order could not be paid",
  );
}
