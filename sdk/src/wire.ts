/** Bodies as they travel: names and shapes of the wire, so snake_case where the wire has it. */

export type * from "./wire/accounts.js";
export type * from "./wire/api-keys.js";
export type * from "./wire/auth.js";
export type * from "./wire/common.js";
export type * from "./wire/effects.js";
export type * from "./wire/error-codes.js";
export type * from "./wire/events.js";
export type * from "./wire/history.js";
export type * from "./wire/kyc.js";
export type * from "./wire/legacy.js";
export type * from "./wire/payments.js";
export type * from "./wire/proposals.js";
export type * from "./wire/sandbox.js";
export type * from "./wire/spending-limits.js";
export type * from "./wire/standing-orders.js";
export type * from "./wire/transactions.js";
