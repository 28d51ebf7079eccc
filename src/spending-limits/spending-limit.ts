import type { Address } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { AccountTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText, amountText } from "@trellis/kernel/wire-texts.js";
import { Period, standingAt, ZERO_ADDRESS } from "@trellis/program-client";
import Type, { type Static } from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { findSpendingLimit, type StandingLimit } from "../transactions/read-spending-limits.js";

/** A spending limit as answers show it (gap 41). */
export const SpendingLimit = Type.Object(
  {
    address: addressText(),
    settings_address: addressText(),
    main_account_address: addressText({ description: "The account it pays from." }),
    environment: Type.Enum(["sandbox", "devnet", "mainnet"]),
    mint: Type.Union([addressText(), Type.Null()], { description: "Null is SOL." }),
    currency: Type.Optional(Type.String({ description: "Its symbol, where the environment knows the mint." })),
    amount: amountText({ description: "Per period." }),
    remaining_amount: amountText({ description: "What a payment could take now, balance aside." }),
    period: Type.Enum(["one_time", "day", "week", "month"], { description: "A month is 30 days." }),
    last_reset: Type.String({ format: "date-time", description: "Since when the present allowance counts." }),
    next_reset: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "The first second at which the whole amount is there again. Null for a one-time limit.",
    }),
    signers: Type.Array(addressText(), { description: "Who may use it." }),
    destinations: Type.Array(addressText(), { description: "Owners that may be paid. Empty: any owner." }),
    expiration: Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description: "Null: never." }),
    usable: Type.Boolean({
      description:
        "True: it has not expired, something is left of it, and it pays from this very account. The account's balance does " +
        "not count.",
    }),
  },
  { $id: "SpendingLimit" },
);
export type SpendingLimit = Static<typeof SpendingLimit>;

/** The words that answers have for periods; requests may use others too. */
export const periodNames = {
  [Period.OneTime]: "one_time",
  [Period.Day]: "day",
  [Period.Week]: "week",
  [Period.Month]: "month",
} as const;

/** Environment time in whole seconds, as the program counts. */
export const secondsNow = ({ clock }: Pick<Network, "clock">): bigint => BigInt(Math.floor(clock.now() / 1000));

/** Whether a limit can no longer be used at `now`, Unix seconds. */
export const hasExpired = ({ expiration }: Pick<StandingLimit, "expiration">, now: bigint): boolean =>
  expiration !== null && expiration <= now;

/** The wire form of a limit as it stands now. */
export function showSpendingLimit(
  limit: StandingLimit,
  account: Pick<AccountTable, "address">,
  network: Pick<Network, "name" | "clock" | "currencies">,
): SpendingLimit {
  const now = secondsNow(network);
  const { remainingBaseUnits, lastReset, nextReset } = standingAt(limit, now);
  const currency = network.currencies.find(({ mint }) => mint === limit.mint);
  const isOwn = limit.accountIndex === 0;
  return {
    address: limit.address,
    settings_address: limit.settings,
    main_account_address: account.address,
    environment: network.name,
    mint: limit.mint,
    ...(currency === undefined ? {} : { currency: currency.symbol }),
    amount: limit.amountBaseUnits.toString(),
    remaining_amount: remainingBaseUnits.toString(),
    period: periodNames[limit.period],
    last_reset: toDateTime(lastReset),
    next_reset: nextReset === null ? null : toDateTime(nextReset),
    signers: [...limit.signers],
    destinations: [...limit.destinations],
    expiration: limit.expiration === null || limit.expiration > lastSecond ? null : toDateTime(limit.expiration),
    usable: isOwn && remainingBaseUnits > 0n && !hasExpired(limit, now),
  };
}

/** The last second that a date-time can name: what ends later never ends for anybody who reads it. */
const lastSecond = 253_402_300_799n;

/** RFC 3339. Anybody can write any instant to the chain: those it cannot name become the nearest it can. */
function toDateTime(seconds: bigint): string {
  const clamped = seconds < 0n ? 0n : seconds > lastSecond ? lastSecond : seconds;
  return new Date(Number(clamped) * 1000).toISOString();
}

/** One limit of an account the caller owns. Throws `account_not_found`, `spending_limit_not_found`, `chain_unavailable`. */
export async function getOwnLimit(
  needs: { readonly db: Db },
  network: Network,
  key: { readonly tenantId: string; readonly account: string; readonly limit: string },
): Promise<{ readonly row: AccountTable; readonly limit: StandingLimit }> {
  const row = await getAccountRow(needs.db, {
    tenantId: key.tenantId,
    environment: network.name,
    address: key.account,
  });
  const limit = await findSpendingLimit(network, row.settings_address as Address, key.limit);
  if (limit === undefined) throw new TrellisError("spending_limit_not_found");
  return { row, limit };
}

/** The mint that a query names: a currency, an address, or null for SOL. What is not known is no limit's mint. */
export function mintOfQuery(network: Pick<Network, "currencies">, text: string): string | null {
  if (text === ZERO_ADDRESS) return null;
  const currency = network.currencies.find(({ symbol, mint }) => symbol === text.toLowerCase() || mint === text);
  return currency ? currency.mint : text;
}
