import { TrellisError } from "@trellis/kernel/errors.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";
import {
  type BankRail,
  bankRails,
  type Coin,
  type Fiat,
  fiatCurrencies,
  type RailsPartner,
} from "@trellis/kernel/ports/rails.js";
import { getCurrency } from "@trellis/solana/currency.js";

/** Either end of a payment, as far as it says whether a bank stands there. */
export interface MaybeBankEnd {
  readonly payment_rail?: string | undefined;
  readonly external_account_id?: string | undefined;
}

/** Whether an end of a payment is a bank's. */
export const isBankEnd = ({ payment_rail, external_account_id }: MaybeBankEnd): boolean =>
  external_account_id !== undefined || (payment_rail !== undefined && payment_rail !== "solana");

/** Reads a bank's rail; `ach` is money that is sent. Throws `rail_not_available`. */
export function parseRail(text: string | undefined, field: string): BankRail {
  const named = text === "ach" ? "ach_push" : text;
  const rail = bankRails.find((known) => known === named);
  if (rail !== undefined) return rail;
  throw new TrellisError("rail_not_available", {
    field,
    message: text === undefined ? `${field} must name the bank's rail.` : `The rail ${text} is not available here.`,
    suggestion: `Known here: solana, ${bankRails.join(", ")}.`,
  });
}

/** Reads a bank's currency. Throws `rail_not_available`. */
export function parseFiat(text: string | undefined, field: string): Fiat {
  const fiat = fiatCurrencies.find((known) => known === text?.toLowerCase());
  if (fiat !== undefined) return fiat;
  throw new TrellisError("rail_not_available", {
    field,
    message: `${text ?? "Nothing"} is no currency of a bank here.`,
    suggestion: `Known here: ${fiatCurrencies.join(", ")}.`,
  });
}

/** A currency that partners pay in or take. Throws `unsupported_currency`, and `rail_not_available` for SOL. */
export function getCoin(
  network: Network,
  text: string,
  field: string,
): Currency & { readonly mint: NonNullable<Currency["mint"]>; readonly symbol: Coin } {
  const currency = getCurrency(network, text, field);
  if (currency.mint === null) {
    throw new TrellisError("rail_not_available", {
      field,
      message: "SOL cannot be sent to banks, nor received from them.",
    });
  }
  return { ...currency, mint: currency.mint, symbol: currency.symbol as Coin };
}

/** What the partner offers for this pair and rail. Throws `rail_not_available`. */
export function getOffer<Offer extends RailsPartner["payIns"][number] | RailsPartner["payOuts"][number]>(
  offers: readonly Offer[],
  isPair: (offer: Offer) => boolean,
  rail: BankRail,
  field: string,
): Offer {
  const offer = offers.find((one) => isPair(one) && one.rails.includes(rail));
  if (offer !== undefined) return offer;
  const known = offers.filter(isPair).flatMap(({ rails }) => rails);
  throw new TrellisError("rail_not_available", {
    field,
    message: `This pair of currencies does not go by ${rail} here.`,
    ...(known.length === 0 ? {} : { suggestion: `It goes by: ${[...new Set(known)].join(", ")}.` }),
  });
}

/** An amount of a coin as a bank has it: whole cents, because partners neither move nor return what is below. */
export function toCents(baseUnits: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals - 2);
  if (baseUnits % unit !== 0n) {
    throw new TrellisError("invalid_amount", {
      field: "amount",
      message: `With a bank at the other end the amount has to be whole cents: a multiple of ${unit} base units.`,
    });
  }
  const cents = baseUnits / unit;
  return `${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`;
}

/** An amount of a bank's currency: a decimal above zero with two places at most. Throws `invalid_amount`. */
export function parseFiatAmount(text: string): { readonly amount: string; readonly cents: bigint } {
  const [, whole, fraction = ""] = /^([0-9]{1,12})(?:\.([0-9]{1,2}))?$/.exec(text) ?? [];
  const cents = whole === undefined ? 0n : BigInt(whole) * 100n + BigInt(fraction.padEnd(2, "0"));
  if (cents === 0n) {
    throw new TrellisError("invalid_amount", {
      field: "amount",
      message: 'Money from a bank is written as a decimal in its currency: "100.00".',
    });
  }
  return { amount: `${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`, cents };
}
