import { type ErrorCode, TrellisError } from "@trellis/kernel/errors.js";

/** Which end of a payment stands in the way. */
export type PaymentEnd = "currency" | "source" | "destination";

/** Why a payment cannot be made, or would not arrive as it was asked for. */
export interface Obstacle {
  readonly code: Extract<
    ErrorCode,
    | "unsupported_currency"
    | "mint_paused"
    | "source_frozen"
    | "destination_frozen"
    | "destination_closed"
    | "destination_unconfirmed"
    | "memo_required"
    | "invalid_address"
    | "forbidden_account"
  >;
  readonly end: PaymentEnd;
  readonly message: string;
  /** What ends it, where that is not the message itself. */
  readonly suggestion?: string;
}

/** Every code of an obstacle: what a caller that prepares a payment can be refused with. */
export const obstacleCodes = [
  "unsupported_currency",
  "mint_paused",
  "source_frozen",
  "destination_frozen",
  "destination_closed",
  "destination_unconfirmed",
  "memo_required",
  "invalid_address",
  "forbidden_account",
] as const satisfies readonly Obstacle["code"][];

/** Whether a refusal is for an obstacle. */
export const isObstacle = (code: ErrorCode): code is Obstacle["code"] =>
  (obstacleCodes as readonly ErrorCode[]).includes(code);

/** How a request spells each end of a payment; null: it has no field for it. */
export type PaymentFields = Readonly<Record<PaymentEnd, string | null>>;

/** The refusal of a request for an obstacle, with the field it is about. */
export function refusalOf({ code, end, message, suggestion }: Obstacle, fields: PaymentFields): TrellisError {
  const field = fields[end];
  return new TrellisError(code, {
    message,
    ...(field === null ? {} : { field }),
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}

/** Throws the refusal of an obstacle, where there is one. */
export function refuseObstacle(obstacle: Obstacle | undefined, fields: PaymentFields): void {
  if (obstacle !== undefined) throw refusalOf(obstacle, fields);
}
