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

/**
 * What a transfer is after its partner told of a state: news that come late take nothing back. Only a canceled payment from
 * a bank goes on when its money comes all the same (gap 112).
 */
export function foldState(
  known: RailTransferState,
  told: RailTransferState,
  direction: "in" | "out",
): RailTransferState {
  if (direction === "in" && known === "canceled" && paid.includes(told)) return told;
  return ranks[told] > ranks[known] ? told : known;
}

/** Whether nothing is to be expected any more but a return of the money. */
export const isSettledState = (state: RailTransferState): boolean => ranks[state] === 4;

/** Whether nothing follows at all. */
export const isLastState = (state: RailTransferState, direction: "in" | "out"): boolean =>
  state === "refunded" || state === "error" || (state === "canceled" && direction === "out");
