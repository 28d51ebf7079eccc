import { type RailTransferState, railTransferStates } from "@trellis/kernel/ports/rails.js";
import { defineStates, mergeStates } from "@trellis/kernel/states.js";

/** Where a transfer stands, or is said to. */
export interface Standing {
  readonly state: RailTransferState;
  /** Whether a bank gave its money back. */
  readonly isBack: boolean;
}

/** What has ended without its money, and what was returned and cannot be given back, are two states that have one name: `error`. */
type Stand = RailTransferState | "stuck";

const standOf = ({ state, isBack }: Standing): Stand => (state === "error" && isBack ? "stuck" : state);

/** What follows an end without money: it arrived all the same, and moves on (gap 112). */
const afterAll = [
  "funds_received",
  "payment_submitted",
  "payment_processed",
  "undeliverable",
  "returned",
  "refunded",
  "stuck",
] as const satisfies readonly Stand[];

/**
 * Where money stands that a partner moves, and what may follow: news that arrives late takes nothing back (gap 45). States may be
 * passed over. One move is none of its partner's news: what the chain shows as paid is not `undeliverable`. The database has the same rule for the payouts of standing orders (`payout_follows`); a test compares the two.
 */
const stands = defineStates<Stand>({
  awaiting_funds: ["in_review", "canceled", "error", ...afterAll],
  in_review: ["canceled", "error", ...afterAll],
  funds_received: [
    "payment_submitted",
    "payment_processed",
    "canceled",
    "error",
    "undeliverable",
    "returned",
    "refunded",
    "stuck",
  ],
  payment_submitted: ["payment_processed", "canceled", "error", "undeliverable", "returned", "refunded", "stuck"],
  payment_processed: ["returned", "refunded", "stuck"],
  canceled: afterAll,
  error: afterAll,
  undeliverable: ["error", "returned", "refunded", "stuck"],
  returned: ["error", "refunded", "stuck"],
  refunded: [],
  // It becomes so after its end, when it could not be given back: then nothing follows but the refund (gap 132).
  stuck: ["refunded"],
});

/** The same by the names that rows and clients have. */
export const transferStates = mergeStates(railTransferStates, stands, (stand) => (stand === "stuck" ? "error" : stand));

/** Those in which its money moves on. */
export const movingStates = ["funds_received", "payment_submitted"] as const satisfies readonly RailTransferState[];

/** Those in which a bank gave the money back, or will. */
export const backStates = ["undeliverable", "returned"] as const satisfies readonly RailTransferState[];

/** Those in which it was ended; of one in `error` that was returned, the partner could not give it back. */
export const endedStates = ["canceled", "error"] as const satisfies readonly RailTransferState[];

/** Whether what is reported may follow what is known. */
export const mayFollow = (known: Standing, reported: Standing): boolean =>
  stands.mayFollow(standOf(known), standOf(reported));

/** What a transfer is after its partner reported a state. */
export const foldState = (known: Standing, reported: Standing): RailTransferState =>
  mayFollow(known, reported) ? reported.state : known.state;

/** Whether a bank gave the money back, and the partner could not give it back. */
export const isStuck = (standing: Standing): boolean => standOf(standing) === "stuck";

const settledStates: readonly RailTransferState[] = ["payment_processed", "undeliverable", ...endedStates];

/** Whether nothing is to be expected any more but a return of the money. */
export const isSettledState = (state: RailTransferState): boolean => settledStates.includes(state);

/** Whether it was ended without moving its money on, as its partner says. */
export const isBrokenOff = (standing: Standing): boolean => {
  const stand = standOf(standing);
  return stand === "canceled" || stand === "error";
};

/** Whether nothing follows at all. `mayReturn`: its money is, or may be, with the partner all the same. */
export const isLastState = (standing: Standing, mayReturn: boolean): boolean =>
  transferStates.isFinal(standing.state) || (isBrokenOff(standing) && !mayReturn);
