import type { RailTransferState } from "../../ports/rails.js";

/** How far each state is: none is gone back from, and what is final is left for a return of the money alone (gap 45). */
const ranks: Readonly<Record<RailTransferState, number>> = {
  awaiting_funds: 0,
  in_review: 1,
  funds_received: 2,
  payment_submitted: 3,
  payment_processed: 4,
  canceled: 4,
  error: 4,
  undeliverable: 4,
  returned: 5,
  refunded: 6,
};

/** What shows that money came after all. */
const paid: readonly RailTransferState[] = [
  "funds_received",
  "payment_submitted",
  "payment_processed",
  "undeliverable",
];

/** Where a transfer stands, or is said to. */
export interface Standing {
  readonly state: RailTransferState;
  /** Whether a bank gave its money back. */
  readonly isBack: boolean;
}

/**
 * What a transfer is after its partner told of a state: news that come late take nothing back. Only a canceled payment from
 * a bank goes on when its money comes all the same (gap 112), and only what came back comes to be in error after its end,
 * when it could not be given back: then nothing follows but the refund (gap 132).
 */
export function foldState(known: Standing, told: Standing, direction: "in" | "out"): RailTransferState {
  if (direction === "in" && known.state === "canceled" && paid.includes(told.state)) return told.state;
  return followsState(known, told) ? told.state : known.state;
}

function followsState(known: Standing, told: Standing): boolean {
  if (isStuck(known)) return told.state === "refunded";
  if (told.state === "error") {
    if (known.state === "undeliverable" || known.state === "returned") return true;
    if (known.state === "payment_processed" && told.isBack) return true;
  }
  return ranks[told.state] > ranks[known.state];
}

/** Whether a bank gave the money back, and the partner could not give it back. */
export const isStuck = ({ state, isBack }: Standing): boolean => state === "error" && isBack;

/** Whether nothing is to be expected any more but a return of the money. */
export const isSettledState = (state: RailTransferState): boolean => ranks[state] === 4;

/** Whether nothing follows at all. */
export const isLastState = ({ state, isBack }: Standing, direction: "in" | "out"): boolean =>
  state === "refunded" || (state === "error" && !isBack) || (state === "canceled" && direction === "out");
