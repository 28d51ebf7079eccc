import { type Address, isAddress } from "@solana/kit";
import { documented } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { readDateTime } from "@trellis/kernel/instants.js";
import { limits } from "@trellis/kernel/limits.js";
import { parseBaseUnits } from "@trellis/kernel/money.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { type NewSpendingLimit, Period, ZERO_ADDRESS } from "@trellis/program-client";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { decodeMintDecimals } from "@trellis/solana/token-accounts.js";
import Type, { type Static } from "typebox";
import { parseOutsider, parseSigner, requireSigners } from "../accounts/member-address.js";
import type { ActingAccount } from "../transactions/acting-account.js";

const periods = {
  one_time: Period.OneTime,
  day: Period.Day,
  week: Period.Week,
  month: Period.Month,
  daily: Period.Day,
  weekly: Period.Week,
  monthly: Period.Month,
} as const;

const periodNames = Object.keys(periods) as (keyof typeof periods)[];

/** The last second that RFC 3339 can name. */
const lastInstantSeconds = 253_402_300_799;

/** The terms of a spending limit as requests name them (gap 41), field by field. */
export const limitTerms = {
  mint: Type.Union([Type.String({ examples: ["usdc"] }), Type.Null()], {
    description: "A currency of the environment, or a mint's address. Null or `sol` is SOL.",
  }),
  amount: Type.Union(
    [
      Type.String(documented({ pattern: "^[0-9]{1,20}$" })),
      Type.Integer(documented({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    ],
    {
      $id: "SpendingLimitAmount",
      description: "Base units per period: a decimal string, or a number as far as it is exact in JSON.",
    },
  ),
  period: Type.Enum([...periodNames], { $id: "RequestedPeriod", description: "A month is 30 days." }),
  signers: Type.Array(addressText(), {
    minItems: 1,
    maxItems: limits.spendingLimitSignersMax,
    description:
      "Who may use it, without any vote: keys, and accounts of passkeys. They need not be signers of the account.",
  }),
  destinations: Type.Array(addressText(), {
    maxItems: limits.spendingLimitDestinationsMax,
    description: "Owners that may be paid. None: any owner.",
  }),
  expiration: Type.Union(
    [Type.String(), Type.Integer(documented({ minimum: 1, maximum: lastInstantSeconds })), Type.Null()],
    {
      $id: "SpendingLimitExpiration",
      description: "A date-time (RFC 3339) or Unix seconds. Null or absent: never.",
    },
  ),
} as const;

/** The same as an action of a proposal carries them (gap 36). */
export const requestedLimitFields = {
  mint: Type.Optional(limitTerms.mint),
  amount: limitTerms.amount,
  period: limitTerms.period,
  signers: limitTerms.signers,
  destinations: Type.Optional(limitTerms.destinations),
  expiration: Type.Optional(limitTerms.expiration),
} as const;

/** Every term of a spending limit, in the words of a request. */
export interface RequestedLimit {
  readonly mint: string | null;
  readonly amount: string | number;
  readonly period: (typeof periodNames)[number];
  readonly signers: readonly string[];
  readonly destinations: readonly string[];
  readonly expiration: Static<typeof limitTerms.expiration>;
}

/** How a request spells the fields, for messages. */
interface FieldNames {
  readonly prefix?: string;
  /** Of the list of signers; `signers` unless given. */
  readonly signers?: string;
}

/** What a limit allows, on the account's own vault. */
export type LimitTerms = Omit<NewSpendingLimit, "seed">;

/**
 * Checks the terms of a spending limit that is to be made (gaps 16, 41): the amount fits the chain, every signer is a key that a holder
 * can have, or a passkey's account, no address is named twice, no key of the service and not the account itself is named, and it has not expired.
 *
 * Throws `invalid_amount`, `invalid_address`, `invalid_request`, `forbidden_account`, the field named, and
 * `chain_unavailable`.
 */
export async function parseLimitTerms(
  network: Network,
  account: ActingAccount,
  request: RequestedLimit,
  fields: FieldNames = {},
): Promise<LimitTerms> {
  const { prefix = "", signers: signersField = "signers" } = fields;
  const signers = parseList(network, account, request.signers, prefix + signersField, parseSigner);
  const terms: LimitTerms = {
    amountBaseUnits: parseLimitAmount(request.amount, `${prefix}amount`),
    period: periods[request.period],
    signers,
    destinations: parseList(network, account, request.destinations, `${prefix}destinations`, parseOutsider),
    expiration: parseExpiration(network, request.expiration, `${prefix}expiration`),
    mint: await parseMint(network, request.mint, `${prefix}mint`),
  };
  await requireSigners(
    network,
    signers.map((address, i) => ({ address, field: `${prefix}${signersField}.${i}` })),
  );
  return terms;
}

/** A number that JSON may have rounded is no amount. Throws `invalid_amount`. */
export function parseLimitAmount(amount: string | number, field: string): bigint {
  if (typeof amount === "string") return parseBaseUnits(amount, field);
  if (Number.isSafeInteger(amount)) return parseBaseUnits(String(amount), field);
  throw new TrellisError("invalid_amount", {
    field,
    message: "A number this large is not exact in JSON.",
    suggestion: "Send the amount as a decimal string.",
  });
}

function parseList(
  network: Network,
  account: ActingAccount,
  names: readonly string[],
  field: string,
  rule: AddressRule,
): Address[] {
  const addresses = names.map((text, i) => parseOther(text, network, account, `${field}.${i}`, rule));
  const repeated = addresses.findIndex((address, i) => addresses.indexOf(address) !== i);
  if (repeated < 0) return addresses;
  throw new TrellisError("invalid_request", {
    field: `${field}.${repeated}`,
    message: `${addresses[repeated]} is listed twice.`,
  });
}

type AddressRule = (text: string, network: Network, field: string) => Address;

/** An address by the rule given, and not the account's own. */
export function parseOther(
  text: string,
  network: Network,
  account: ActingAccount,
  field: string,
  rule: AddressRule,
): Address {
  if (text !== account.address && text !== account.settingsAddress) return rule(text, network, field);
  throw new TrellisError("forbidden_account", {
    field,
    message: "An account cannot stand in its own settings: no key could ever sign for it.",
  });
}

/** Unix seconds; null: never. */
function parseExpiration(
  network: Pick<Network, "clock">,
  expiration: RequestedLimit["expiration"],
  field: string,
): bigint | null {
  if (expiration === null) return null;
  const seconds = secondsOf(expiration);
  if (seconds === undefined || seconds > lastInstantSeconds) {
    throw new TrellisError("invalid_request", {
      field,
      message: "The expiration is a date-time with its offset, or Unix seconds.",
    });
  }
  if (seconds * 1000 <= network.clock.now()) {
    throw new TrellisError("invalid_request", { field, message: "The spending limit would have expired already." });
  }
  return BigInt(seconds);
}

function secondsOf(expiration: string | number): number | undefined {
  if (typeof expiration === "number") return Number.isSafeInteger(expiration) ? expiration : undefined;
  if (/^\d{1,12}$/.test(expiration)) return Number(expiration);
  const ms = readDateTime(expiration);
  return ms === undefined ? undefined : Math.floor(ms / 1000);
}

/** A currency of the environment, or any mint there is on chain. */
async function parseMint(network: Network, text: string | null, field: string): Promise<Address | null> {
  if (text === null || text === ZERO_ADDRESS) return null;
  const currency = network.currencies.find(({ symbol, mint }) => symbol === text.toLowerCase() || mint === text);
  if (currency) return currency.mint;
  if (!isAddress(text)) {
    throw new TrellisError("invalid_address", {
      field,
      message: `${field} is neither a currency of this environment nor the address of a mint.`,
      suggestion: `Known here: ${network.currencies.map(({ symbol }) => symbol).join(", ")}.`,
    });
  }
  const account = await readAccount(network, text);
  if (account && decodeMintDecimals(account) !== undefined) return text;
  throw new TrellisError("invalid_address", { field, message: `${text} is not a mint.` });
}
