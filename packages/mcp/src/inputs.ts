import Type from "typebox";
import type { Agent } from "./agent.js";
import { ToolRefusal } from "./tool.js";

const addressForm = "^[1-9A-HJ-NP-Za-km-z]{32,44}$";

/** An address: 32 bytes in base58. */
export const addressInput = (description: string) => Type.String({ pattern: addressForm, maxLength: 44, description });

export const accountInput = Type.Optional(
  addressInput("The smart account. Where the host has configured one, that is meant if it is absent."),
);

export const pageInput = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: "Entries of a page; default 20." })),
  cursor: Type.Optional(Type.String({ maxLength: 500, description: "`nextCursor` of the page before." })),
};

export const currencyInput = Type.String({
  pattern: "^[A-Za-z0-9]{2,44}$",
  description: "A symbol such as usdc or sol, or a mint's address.",
});

/** As people write it. */
export const amountInput = Type.String({
  pattern: "^[0-9]{1,15}(\\.[0-9]{1,12})?$",
  description: 'As people write it, "12.5": a dot before the decimals, no separators.',
});

export const referenceInput = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    "A name of your own for this one, such as an invoice's number. The same reference with the same content is done once, however often it " +
    "is called. After a refusal take another one; where the outcome is unknown, the same, with the same arguments and within 20 hours.",
});

/** The page that is asked for. */
export const pageOf = ({ limit = 20, cursor }: { readonly limit?: number; readonly cursor?: string }) => ({
  limit,
  ...(cursor === undefined ? {} : { cursor }),
});

/** Throws `account_missing` where neither the call nor the host names one. */
export function accountOf(agent: Agent, { account }: { readonly account?: string }): string {
  const meant = account ?? agent.account;
  if (meant === undefined) throw new ToolRefusal("account_missing", "Name the account.");
  return meant;
}
