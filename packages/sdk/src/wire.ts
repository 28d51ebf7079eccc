/** Bodies as they travel: names and shapes of the wire, so snake_case where the wire has it. */

export type * from "./wire/by-hand.js";
export type * from "./wire/error-codes.js";
export type * from "./wire/generated/types.js";
