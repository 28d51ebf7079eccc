import type { ExplainedError, PaymentRequest, PaymentState } from "@trellis/react";

/** Why this very payment was refused; what was said of another one is no word about it. */
export function refusalOf(state: PaymentState, request: PaymentRequest): ExplainedError | undefined {
  return state.status === "refused" && isSame(state.request, request) ? state.error : undefined;
}

const isSame = (one: PaymentRequest, other: PaymentRequest): boolean =>
  one.currency === other.currency &&
  one.destination === other.destination &&
  one.memo === other.memo &&
  one.uiAmount === other.uiAmount &&
  String(one.amount) === String(other.amount);
