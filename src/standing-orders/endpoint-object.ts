import { type Address, isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import { SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import Type, { type Static } from "typebox";
import { confirmProgramAddress } from "../transactions/require-payable.js";

const common = {
  currency: Type.Optional(Type.String({ examples: ["usdc"] })),
  payment_rail: Type.Optional(
    Type.String({
      examples: ["solana"],
      description: "`solana`; of a bank that is paid: `ach_push`, `wire`, `sepa`, `faster_payments`, `spei`, `pix`.",
    }),
  ),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: "The same fields, as a nested object." }),
  ),
};

/** What is paid from (gap 42): flat, or with `details`. */
export const RequestedSource = Type.Object(
  {
    ...common,
    account: Type.Optional(addressText({ description: "The smart account of the path; it need not be named." })),
    smart_account_address: Type.Optional(addressText({ deprecated: true, description: "Another name of account." })),
    address: Type.Optional(addressText({ deprecated: true, description: "Another name of account." })),
  },
  { $id: "RequestedOrderSource", examples: [{ currency: "usdc" }] },
);

/** What is paid to (gap 42): flat, or with `details`. */
export const RequestedDestination = Type.Object(
  {
    ...common,
    address: Type.Optional(addressText({ description: "The owner who is paid, not a token account." })),
    account: Type.Optional(addressText({ deprecated: true, description: "Another name of address." })),
    confirm_program_address: confirmProgramAddress,
    external_account_id: Type.Optional(uuidText({ description: "The bank account that is paid." })),
  },
  {
    $id: "RequestedOrderDestination",
    examples: [{ address: "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2", currency: "usdc" }],
  },
);

/** A payment endpoint object as responses show it, flat and nested at once. */
export const WireSource = Type.Object(
  {
    account: addressText(),
    currency: Type.String(),
    payment_rail: Type.String(),
    details: Type.Object({ account: addressText() }),
  },
  { $id: "StandingOrderSource" },
);
export const WireDestination = Type.Object(
  {
    address: addressText({
      description:
        "The owner that is paid on chain: of a bank account, the address at which its partner takes the coins.",
    }),
    currency: Type.String(),
    payment_rail: Type.String(),
    details: Type.Object({
      address: addressText(),
      external_account_id: Type.Optional(uuidText()),
      last_4: Type.Optional(Type.String()),
    }),
    external_account_id: Type.Optional(uuidText({ description: "The bank account that is paid." })),
    last_4: Type.Optional(Type.String({ description: "The end of its number, until rail data are forgotten." })),
  },
  { $id: "StandingOrderDestination" },
);

export const showSource = (account: string, currency: string): Static<typeof WireSource> => ({
  account,
  currency,
  payment_rail: "solana",
  details: { account },
});
export const showDestination = (address: string, currency: string): Static<typeof WireDestination> => ({
  address,
  currency,
  payment_rail: "solana",
  details: { address },
});

/** A bank account, with the owner that is paid on chain for it. */
export function showBank(bank: {
  readonly address: string;
  readonly externalAccountId: string;
  readonly last4: string;
  readonly fiat: string;
  readonly rail: string;
}): Static<typeof WireDestination> {
  const view = { address: bank.address, external_account_id: bank.externalAccountId, last_4: bank.last4 };
  return { ...view, currency: bank.fiat, payment_rail: bank.rail, details: view };
}

/** An endpoint object in one form: what `details` holds joins what stands beside it. */
interface Flat {
  readonly [name: string]: unknown;
}

/**
 * Requires that the source is the account of the path, on chain. Returns the currency it names. Throws `invalid_request`,
 * `rail_not_available`.
 */
export function parseSource(source: Static<typeof RequestedSource>, accountAddress: string): string | undefined {
  const flat = flatten(source, "source");
  requireChain(flat, "source");
  for (const name of ["account", "smart_account_address", "address"]) {
    const named = textOf(flat, name, "source");
    if (named === undefined || named === accountAddress) continue;
    throw new TrellisError("invalid_request", {
      field: `source.${name}`,
      message: `source.${name} must be the account of the path.`,
    });
  }
  return textOf(flat, "currency", "source");
}

/** A bank account as it was asked for. */
export interface RequestedBank {
  readonly externalAccountId: string;
  readonly rail: string | undefined;
  readonly currency: string | undefined;
}

/** Whom to pay: an owner on chain, or a bank account. */
export type RequestedPayee =
  | {
      readonly address: Address;
      readonly currency: string | undefined;
      /** Whether the request says that a program is to be paid. */
      readonly isConfirmed: boolean;
      readonly bank?: undefined;
    }
  | { readonly bank: RequestedBank };

/**
 * Reads whom to pay: an owner on chain, or a bank account. Throws `invalid_address`, `invalid_request`, and
 * `rail_not_available` for a bank's rail without its account.
 */
export function parseDestination(destination: Static<typeof RequestedDestination>): RequestedPayee {
  const flat = flatten(destination, "destination");
  const externalAccountId = textOf(flat, "external_account_id", "destination");
  if (externalAccountId !== undefined) return { bank: bankOf(flat, externalAccountId) };
  requireChain(flat, "destination");
  const names = ["address", "account"].filter((name) => flat[name] !== undefined);
  const [first, second] = names.map((name) => textOf(flat, name, "destination"));
  if (first === undefined) {
    throw new TrellisError("rail_not_available", {
      field: "destination.address",
      message: "Name who is paid: destination.address, or destination.external_account_id for a bank account.",
    });
  }
  if (second !== undefined && second !== first) throw contradiction(`destination.${names[1]}`);
  if (!isAddress(first) || first === SYSTEM_PROGRAM_ADDRESS) {
    throw new TrellisError("invalid_address", {
      field: `destination.${names[0]}`,
      message: `${first} is not an address that can be paid.`,
    });
  }
  const isConfirmed = flat.confirm_program_address === true;
  return { address: first, currency: textOf(flat, "currency", "destination"), isConfirmed };
}

function bankOf(flat: Flat, externalAccountId: string): RequestedBank {
  for (const name of ["address", "account"]) {
    if (textOf(flat, name, "destination") !== undefined) throw contradiction(`destination.${name}`);
  }
  return {
    externalAccountId,
    rail: textOf(flat, "payment_rail", "destination"),
    currency: textOf(flat, "currency", "destination"),
  };
}

function flatten({ details = {}, ...beside }: { readonly details?: Flat }, field: string): Flat {
  const outer: Flat = beside;
  for (const [name, value] of Object.entries(details)) {
    if (outer[name] !== undefined && outer[name] !== value) throw contradiction(`${field}.details.${name}`);
  }
  return { ...details, ...outer };
}

function requireChain(flat: Flat, field: string): void {
  const rail = textOf(flat, "payment_rail", field);
  if (rail === undefined || rail.toLowerCase() === "solana") return;
  throw new TrellisError("rail_not_available", {
    field: `${field}.payment_rail`,
    message: `The rail ${rail} is not available here.`,
  });
}

function textOf(flat: Flat, name: string, field: string): string | undefined {
  const value = flat[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw new TrellisError("invalid_request", {
    field: `${field}.${name}`,
    message: `${field}.${name} must be a string.`,
  });
}

function contradiction(field: string): TrellisError {
  return new TrellisError("invalid_request", { field, message: `${field} says something else than the rest.` });
}
