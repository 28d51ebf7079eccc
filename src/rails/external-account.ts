import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { documented } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import {
  type BankAccountDetails,
  type BankAccountOwner,
  type Fiat,
  fiatCurrencies,
} from "@trellis/kernel/ports/rails.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import {
  isBic,
  isClabe,
  isCountry,
  isGbAccountNumber,
  isIbanOf,
  isRoutingNumber,
  isUsAccountNumber,
  parseIban,
  parseSortCode,
} from "./bank-numbers.js";
import { type ExternalAccountRow, openView } from "./external-account-store.js";

const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }) });
const maybe = (maxLength: number, description?: string) => Type.Optional(text(maxLength, description));

/** A bank account as in responses: its number never is there (gap 101). */
export const ExternalAccount = Type.Object(
  {
    id: uuidText(),
    account: addressText({ description: "The smart account." }),
    account_type: Type.Enum(["us", "iban", "gb", "clabe", "pix"]),
    currency: Type.Enum([...fiatCurrencies]),
    account_owner_name: Type.String(),
    bank_name: Type.Union([Type.String(), Type.Null()]),
    last_4: Type.String({ description: "The end of its number." }),
    active: Type.Boolean(),
    created_at: Type.String({ format: "date-time" }),
    updated_at: Type.String({ format: "date-time" }),
  },
  { $id: "ExternalAccount" },
);

export type ExternalAccount = Static<typeof ExternalAccount>;

/** A bank account as it is added. Its numbers are write-only. */
export const NewExternalAccount = Type.Object(
  {
    account_type: Type.Enum(["us", "iban", "gb", "clabe", "pix"]),
    currency: Type.Enum([...fiatCurrencies]),
    account_owner_name: Type.String({ minLength: 3, maxLength: 35, description: "As the bank has it." }),
    account_owner_type: Type.Optional(Type.Enum(["individual", "business"], { description: "Default: individual." })),
    first_name: maybe(100),
    last_name: maybe(100),
    business_name: maybe(100),
    bank_name: maybe(100),
    account: Type.Optional(
      Type.Object(
        {
          account_number: text(34),
          routing_number: maybe(9, "us"),
          checking_or_savings: Type.Optional(
            Type.Enum(["checking", "savings"], { description: "us; default: checking" }),
          ),
          sort_code: maybe(8, "gb"),
        },
        { description: "us, gb" },
      ),
    ),
    iban: Type.Optional(
      Type.Object({
        account_number: text(42),
        bic: maybe(11),
        country: maybe(3, "ISO 3166-1 alpha-3 of the bank."),
      }),
    ),
    clabe: Type.Optional(Type.Object({ account_number: text(18) })),
    pix: Type.Optional(Type.Object({ pix_key: text(140), document_number: maybe(20) })),
    address: Type.Optional(
      Type.Object(
        {
          street_line_1: Type.String({ minLength: 4, maxLength: 35 }),
          street_line_2: maybe(35),
          city: text(100),
          state: maybe(3),
          postal_code: text(20),
          country: Type.String({ description: "ISO 3166-1 alpha-3.", ...documented({ pattern: "^[A-Za-z]{3}$" }) }),
        },
        { description: "The owner's. us: required." },
      ),
    ),
  },
  {
    $id: "ExternalAccountRequest",
    examples: [
      {
        account_type: "us",
        currency: "usd",
        account_owner_name: "Ada Lovelace",
        account: { account_number: "000123456789", routing_number: "021000021" },
        address: {
          street_line_1: "12 St James's Square",
          city: "New York",
          state: "NY",
          postal_code: "10001",
          country: "USA",
        },
      },
    ],
  },
);

export type NewExternalAccount = Static<typeof NewExternalAccount>;

/** Which currencies each kind of account is in. */
const currenciesOf: Readonly<Record<NewExternalAccount["account_type"], Fiat>> = {
  us: "usd",
  iban: "eur",
  gb: "gbp",
  clabe: "mxn",
  pix: "brl",
};

/** Turns what was asked for into what a partner takes. Throws `invalid_request` that names the field, never its value. */
export function parseDetails(wanted: NewExternalAccount): {
  readonly details: BankAccountDetails;
  readonly last4: string;
} {
  if (currenciesOf[wanted.account_type] !== wanted.currency) {
    throw invalid(
      "currency",
      `An account of the type ${wanted.account_type} is in ${currenciesOf[wanted.account_type]}.`,
    );
  }
  const owner = ownerOf(wanted);
  switch (wanted.account_type) {
    case "us": {
      const { account_number: accountNumber = "", routing_number: routingNumber = "" } = wanted.account ?? {};
      require(isUsAccountNumber(accountNumber), "account.account_number", "An account number has 4 to 17 digits.");
      require(isRoutingNumber(
        routingNumber,
      ), "account.routing_number", "This is no routing number: nine digits whose check digit fits.");
      require(owner.address !== undefined, "address", "An account in the United States needs its owner's address.");
      const checkingOrSavings = wanted.account?.checking_or_savings ?? "checking";
      return made({ ...owner, kind: "us", accountNumber, routingNumber, checkingOrSavings }, accountNumber);
    }
    case "iban": {
      const iban = parseIban(wanted.iban?.account_number ?? "");
      const bic = wanted.iban?.bic?.toUpperCase();
      const country = wanted.iban?.country?.toUpperCase() ?? "";
      require(iban !== undefined, "iban.account_number", "This is no IBAN: its length or its check digits do not fit.");
      require(bic === undefined || isBic(bic), "iban.bic", "This is no BIC.");
      require(isCountry(country), "iban.country", "iban.country must be three letters (ISO 3166-1 alpha-3).");
      require(isIbanOf(
        iban,
        country,
      ), "iban.country", "iban.country is another country than the IBAN's: its first two letters say which one it is of.");
      return made({ ...owner, kind: "iban", iban, country, ...(bic === undefined ? {} : { bic }) }, iban);
    }
    case "gb": {
      const { account_number: accountNumber = "", sort_code = "" } = wanted.account ?? {};
      const sortCode = parseSortCode(sort_code);
      require(isGbAccountNumber(accountNumber), "account.account_number", "An account number has 8 digits.");
      require(sortCode !== undefined, "account.sort_code", "A sort code has 6 digits.");
      return made({ ...owner, kind: "gb", accountNumber, sortCode }, accountNumber);
    }
    case "clabe": {
      const clabe = wanted.clabe?.account_number ?? "";
      require(isClabe(clabe), "clabe.account_number", "This is no CLABE: eighteen digits whose check digit fits.");
      return made({ ...owner, kind: "clabe", clabe }, clabe);
    }
    case "pix": {
      const { pix_key: pixKey = "", document_number: documentNumber } = wanted.pix ?? {};
      require(pixKey.trim() !== "", "pix.pix_key", "pix.pix_key must be given.");
      return made(
        { ...owner, kind: "pix", pixKey, ...(documentNumber === undefined ? {} : { documentNumber }) },
        pixKey,
      );
    }
  }
}

const made = (details: BankAccountDetails, number: string) => ({ details, last4: number.slice(-4) });

function ownerOf(wanted: NewExternalAccount): BankAccountOwner {
  const { address, first_name, last_name, business_name, bank_name } = wanted;
  const country = address?.country.toUpperCase();
  require(country === undefined ||
    isCountry(country), "address.country", "address.country must be three letters (ISO 3166-1 alpha-3).");
  return {
    currency: wanted.currency,
    ownerName: wanted.account_owner_name.trim(),
    ownerType: wanted.account_owner_type ?? "individual",
    ...(first_name === undefined ? {} : { firstName: first_name }),
    ...(last_name === undefined ? {} : { lastName: last_name }),
    ...(business_name === undefined ? {} : { businessName: business_name }),
    ...(bank_name === undefined ? {} : { bankName: bank_name }),
    ...(address === undefined
      ? {}
      : {
          address: {
            streetLine1: address.street_line_1,
            ...(address.street_line_2 === undefined ? {} : { streetLine2: address.street_line_2 }),
            city: address.city,
            ...(address.state === undefined ? {} : { state: address.state }),
            postalCode: address.postal_code,
            country: country ?? "",
          },
        }),
  };
}

function require(fits: boolean, field: string, message: string): asserts fits {
  if (!fits) throw invalid(field, message);
}

const invalid = (field: string, message: string) => new TrellisError("invalid_request", { field, message });

/** In the form of the wire. */
export function showExternalAccount(row: ExternalAccountRow, keyring: Keyring): ExternalAccount {
  const { ownerName, bankName } = openView(keyring, row);
  return {
    id: row.id,
    account: row.account_address,
    account_type: row.kind as ExternalAccount["account_type"],
    currency: row.currency as Fiat,
    account_owner_name: ownerName,
    bank_name: bankName,
    last_4: row.last4,
    active: row.active,
    created_at: new Date(Number(row.created_at)).toISOString(),
    updated_at: new Date(Number(row.updated_at)).toISOString(),
  };
}
