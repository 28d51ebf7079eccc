import type { RailTransferState } from "../ports/rails.js";

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
 * What a transfer is after its partner told of a state: news that come late take nothing back. Where it was said to be
 * canceled or in error, and its money came and moves on all the same (gap 112), that counts. What came back comes to be in
 * error after its end, when it could not be given back: then nothing follows but the refund (gap 132).
 */
export function foldState(known: Standing, told: Standing): RailTransferState {
  const isEnded = known.state === "canceled" || (known.state === "error" && !known.isBack);
  if (isEnded && (paid.includes(told.state) || isStuck(told))) return told.state;
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

/** Whether it was ended without moving its money on, as its partner says. */
export const isBrokenOff = ({ state, isBack }: Standing): boolean =>
  state === "canceled" || (state === "error" && !isBack);

/** Whether nothing follows at all. `mayComeBack`: its money is, or may be, with the partner all the same. */
export const isLastState = (standing: Standing, mayComeBack: boolean): boolean =>
  standing.state === "refunded" || (isBrokenOff(standing) && !mayComeBack);
