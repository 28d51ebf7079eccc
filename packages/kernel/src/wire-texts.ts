import Type from "typebox";

const base58 = "[1-9A-HJ-NP-Za-km-z]";
const dateTime =
  "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})";

/**
 * The form of texts of one kind wherever they stand, by their names in the OpenAPI document. Whatever the service accepts has
 * the form; not all that has it is accepted: 44 letters of base58 can be more than 32 bytes. In requests the form is no rule of
 * validation: what reads such a text refuses a wrong one by a code of its own (`invalid_address`, `invalid_amount`).
 */
export const textForms = {
  Address: { pattern: `^${base58}{32,44}$`, description: "32 bytes in base58: of an account, a key or a mint." },
  Amount: { pattern: "^[0-9]{1,20}$", description: "Base units, as a decimal string: whole, of 64 bits." },
  Base64Signature: {
    pattern: "^[A-Za-z0-9+/]+={0,2}$",
    maxLength: 96,
    description: "ECDSA with P-256 and SHA-256: DER, in base64.",
  },
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
  HexSignature: {
    pattern: "^([0-9a-fA-F]{2})+$",
    maxLength: 144,
    description: "ECDSA with P-256 and SHA-256: DER, in hex.",
  },
  OneTimeCode: { pattern: "^[0-9]{6}$", description: "Six digits, leading zeros kept." },
  P256PublicKey: {
    pattern: "^[A-Za-z0-9+/]+={0,2}$",
    minLength: 80,
    maxLength: 124,
    description: "SPKI DER, in base64.",
  },
  Sha256: { pattern: "^[0-9a-f]{64}$", description: "A hash in hex." },
  Signature: {
    pattern: `^${base58}{64,88}$`,
    description: "Of a transaction, which is its id on chain: 64 bytes in base58.",
  },
  Uuid: { format: "uuid" },
  WireTransaction: {
    pattern: "^[A-Za-z0-9+/]+={0,2}$",
    maxLength: 1_644,
    description: "A transaction, legacy or v0: 1,232 bytes at most, in base64.",
  },
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
export const base64SignatureText = named("Base64Signature");
export const codeText = named("OneTimeCode");
export const dateOrTimeText = named("DateOrTime");
export const decimalText = named("Decimal");
export const emailText = named("Email");
export const hexSignatureText = named("HexSignature");
export const publicKeyText = named("P256PublicKey");
export const sha256Text = named("Sha256");
export const signatureText = named("Signature");
export const uuidText = named("Uuid");
export const wireTransactionText = named("WireTransaction");

/** Whether a text has the form of an id of ours; anything else need not reach the database, which refuses some characters. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
