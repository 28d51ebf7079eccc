import { TrellisError } from "@trellis/kernel/errors.js";
import Type from "typebox";

/** What a caller wants to remember an account by. */
export const Memo = Type.String({
  maxLength: 500,
  pattern: "^[^\\x00]*$",
  description: "Yours to choose; returned with the account.",
});

/** The memo to be stored. Throws `invalid_request` for half a character, which no database keeps as it is. */
export function parseMemo(memo: string | undefined): string | null {
  if (memo === undefined) return null;
  if (/\p{Surrogate}/u.test(memo)) {
    throw new TrellisError("invalid_request", {
      field: "memo",
      message: "memo has half of a surrogate pair, which is no character.",
    });
  }
  return memo;
}
