import type { Address } from "@solana/kit";
import { PERIOD_SECONDS, remainingAt, type SpendingLimit, SYSTEM_PROGRAM_ADDRESS } from "@trellis/program-client";
import { decodeMintDecimals } from "@trellis/solana/token-accounts.js";
import { isOpened, judgeTokens, tokenAccountOf } from "../payees/judge-tokens.js";
import type { OrderAccounts } from "./read-order-accounts.js";
import type { StandingOrder } from "./standing-order-store.js";

/** What is to be done about a due date that has arrived (gaps 73 to 75). */
export type Verdict =
  | {
      readonly kind: "pay";
      readonly limit: SpendingLimit;
      readonly decimals: number;
      readonly opensTokenAccount: boolean;
    }
  /** No party's fault, and never missed: `until` is environment time in Unix milliseconds. */
  | { readonly kind: "wait"; readonly until: number; readonly why: "limit" | "world"; readonly error: string }
  /** Something that the people of the account, or of the payee, have to put right: tried again, and missed in the end. */
  | { readonly kind: "refuse"; readonly error: string }
  /** The limit is not there, by this reading. */
  | { readonly kind: "absent" }
  /** Never, by this limit. */
  | { readonly kind: "stop"; readonly reason: string };

type Waits = Extract<Verdict, { readonly kind: "wait" }>;
type Stops = Extract<Verdict, { readonly kind: "stop" }>;

/** Nothing is signed that may still be on its way when the limit ends, in seconds. */
const lastSecondsOfLimit = 120n;

const solDecimals = 9;

/** How far the chain's clock may be behind ours, in milliseconds. */
const clocksApartMs = 5_000;

/**
 * Judges a due date by what the chain holds now. `limit` is that account's, where it is this order's. `rentMinimum`: lamports an account without data must keep. `now`:
 * environment time in Unix milliseconds. `epoch`: the chain's, where a mint's fee was ended.
 */
export function judgeDue(
  order: StandingOrder,
  accounts: OrderAccounts,
  limit: SpendingLimit | undefined,
  {
    now,
    rentMinimum,
    epoch,
  }: { readonly now: number; readonly rentMinimum: bigint; readonly epoch?: bigint | undefined },
): Verdict {
  if (accounts.limit === undefined) return { kind: "absent" };
  if (limit === undefined) {
    // An address without data is one whose account was closed; any party can send it lamports.
    return accounts.limit.owner === SYSTEM_PROGRAM_ADDRESS
      ? { kind: "absent" }
      : { kind: "stop", reason: "spending_limit_changed" };
  }
  const seconds = BigInt(Math.floor(now / 1000));
  if (limit.expiration !== null && seconds >= limit.expiration - lastSecondsOfLimit) {
    return { kind: "stop", reason: "spending_limit_expired" };
  }
  const amount = BigInt(order.amount);
  if (remainingAt(limit, seconds) < amount) return waitForReset(limit, amount, now);

  const { token, vault } = accounts;
  if (token === undefined) {
    const left = (vault?.lamports ?? 0n) - amount;
    if (left < 0n || (left > 0n && left < rentMinimum)) return { kind: "refuse", error: "insufficient_balance" };
    return { kind: "pay", limit, decimals: solDecimals, opensTokenAccount: false };
  }
  if (token === "no mint") return { kind: "refuse", error: "unsupported_currency" };
  const decimals = decodeMintDecimals(token.mint);
  if (decimals === undefined) return { kind: "refuse", error: "unsupported_currency" };
  const owner = order.account_address as Address;
  const obstacle = judgeTokens({
    mint: token.mint,
    source: { account: token.held, owner },
    destination: { account: token.payee, owner: order.payee as Address },
    hasMemo: false,
    epoch,
  });
  if (obstacle !== undefined) return { kind: "refuse", error: obstacle.code };
  const held = tokenAccountOf(token.held, owner, token.mint.address)?.amount ?? 0n;
  if (held < amount) return { kind: "refuse", error: "insufficient_balance" };
  return { kind: "pay", limit, decimals, opensTokenAccount: !isOpened(token.payee) };
}

/**
 * What to do while a limit holds less than a payment: wait for the first second in which it is full again, where that happens
 * (program spec 4.15). The chain's clock decides; where ours
 * says that it is full already, a few seconds are left to it.
 */
export function waitForReset(limit: SpendingLimit, amount: bigint, now: number): Waits | Stops {
  const period = PERIOD_SECONDS[limit.period];
  if (period === null || limit.amountBaseUnits < amount) return { kind: "stop", reason: "spending_limit_exhausted" };
  const full = Number(limit.lastReset + period + 1n) * 1000;
  return { kind: "wait", until: Math.max(full, now + clocksApartMs), why: "limit", error: "spending_limit_not_reset" };
}
