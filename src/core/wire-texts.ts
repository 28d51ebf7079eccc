import Type from "typebox";

const base58 = "[1-9A-HJ-NP-Za-km-z]";
const dateTime =
  "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})";

/**
 * What texts of one kind look like wherever they stand, by their names in the OpenAPI document. Whatever the service takes has
 * the form; not all that has it is taken: 44 letters of base58 can be more than 32 bytes. In requests the form is no rule of
 * validation: what reads such a text refuses a wrong one by a code of its own (`invalid_address`, `invalid_amount`).
 */
export const textForms = {
  Address: { pattern: `^${base58}{32,44}$`, description: "32 bytes in base58: of an account, a key or a mint." },
  Amount: { pattern: "^[0-9]{1,20}$", description: "Base units, as a decimal string: whole, of 64 bits." },
  DateOrTime: {
    pattern: `^([0-9]{1,11}|[0-9]{4}-[0-9]{2}-[0-9]{2}|${dateTime})$`,
    description: "A date, a date-time with its offset, or Unix seconds.",
  },
  Decimal: { pattern: "^[0-9]+([.][0-9]+)?$", description: "Exact, in whole units: dollars, not cents." },
  Email: {
    // Ranges only: a generator for Go writes patterns between backquotes, and its expressions know no \u.
    pattern: "^[!-?A-~]+@[^\\s@]+$",
    maxLength: 320,
    description: "An address without a name, quotes or comments; domains may be international.",
  },
  OneTimeCode: { pattern: "^[0-9]{6}$", description: "Six digits, leading zeros kept." },
  Sha256: { pattern: "^[0-9a-f]{64}$", description: "A hash in hex." },
  Signature: {
    pattern: `^${base58}{64,88}$`,
    description: "Of a transaction, which is its id on chain: 64 bytes in base58.",
  },
  Uuid: { format: "uuid" },
} as const;

/** What a field says of its text besides. */
interface Beside {
  readonly description?: string;
  readonly examples?: readonly string[];
  readonly deprecated?: true;
  readonly "x-other-spelling"?: true;
}

const named = (name: keyof typeof textForms) => {
  const { description: _general, ...form } = { description: undefined, ...textForms[name] };
  return (beside: Beside = {}) => Type.String({ $id: name, ...form, ...beside } as { $id: string });
};

export const addressText = named("Address");
export const amountText = named("Amount");
export const codeText = named("OneTimeCode");
export const dateOrTimeText = named("DateOrTime");
export const decimalText = named("Decimal");
export const emailText = named("Email");
export const sha256Text = named("Sha256");
export const signatureText = named("Signature");
export const uuidText = named("Uuid");
