import { type Address, isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { LabelTable } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

/** A label as answers show it. */
export const Label = Type.Object(
  {
    address: addressText({ description: "What is called so." }),
    account: Type.Union([addressText(), Type.Null()], {
      description: "The account whose label it is; null: the tenant's, which is shown where the account has none.",
    }),
    name: Type.String({ examples: ["Landlord"] }),
    note: Type.Union([Type.String(), Type.Null()], {
      description: "With a publishable key a label of the tenant's has none.",
    }),
    created_at: Type.String({ format: "date-time" }),
    updated_at: Type.String({ format: "date-time" }),
  },
  { $id: "Label" },
);

/** What a label is to say. */
export const LabelRequest = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: limits.labelNameMax,
      description: "Unique in its address book, also among names that look alike.",
      examples: ["Landlord"],
    }),
    note: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: limits.labelNoteMax }), Type.Null()], {
        description: "Absent or null: none.",
      }),
    ),
  },
  { $id: "LabelRequest", examples: [{ name: "Landlord", note: "Flat in Rose Street" }] },
);

export type LabelRow = LabelTable;

/** `isForPage`: what the tenant has noted is not for everybody who signs for an account. */
export function toWireLabel(row: LabelRow, { isForPage = false } = {}): Static<typeof Label> {
  const isTenants = row.account_address === "";
  return {
    address: row.address,
    account: isTenants ? null : row.account_address,
    name: row.name,
    note: isTenants && isForPage ? null : row.note,
    created_at: new Date(Number(row.created_at)).toISOString(),
    updated_at: new Date(Number(row.updated_at)).toISOString(),
  };
}

/** Throws `invalid_address`. */
export function parseLabelAddress(text: string, field: string): Address {
  if (isAddress(text)) return text;
  throw new TrellisError("invalid_address", { field });
}
