/** Whether one policy signs nothing that another would not. Pure. Where that cannot be said, it is none. */
import type { Address } from "@solana/kit";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import { countedAs, type Limit, type WalletPolicy } from "./wallet-policy.js";

/**
 * Whether `to` allows nothing that `from` does not, so that it need not wait. Each rule is compared alone: a policy that is stricter in
 * one and looser in another is none.
 */
export function isTightening(from: WalletPolicy, to: WalletPolicy): boolean {
  const [before, after] = [from.settings_changes, to.settings_changes];
  const [limitsBefore, limitsAfter] = [from.spending_limits, to.spending_limits];
  return (
    isStricter(authorities, from.authority, to.authority) &&
    isWithin(from.accounts, to.accounts) &&
    isBounded(from.transfers, to.transfers) &&
    isStricterDestinations(from.transfers.destinations, to.transfers.destinations) &&
    isStricter(authorities, before.authority, after.authority) &&
    after.delay_seconds >= before.delay_seconds &&
    after.window_seconds <= before.window_seconds &&
    (after.recovery_signer === null || after.recovery_signer === before.recovery_signer) &&
    isBounded(toLimits(limitsBefore), toLimits(limitsAfter)) &&
    (limitsBefore.any_destination || !limitsAfter.any_destination) &&
    (limitsBefore.without_end || !limitsAfter.without_end) &&
    isStricter(unseen, from.unseen_votes, to.unseen_votes) &&
    isStricter(unseen, from.opaque, to.opaque)
  );
}

/** From the strictest on. */
const authorities = ["passkey", "any"] as const;
const unseen = ["refuse", "passkey", "allow"] as const;

const isStricter = <T>(order: readonly T[], from: T, to: T): boolean => order.indexOf(to) <= order.indexOf(from);

/** Null is everything. */
const isWithin = (from: readonly string[] | null, to: readonly string[] | null): boolean =>
  from === null || to?.every((one) => from.includes(one)) === true;

interface Bounds {
  readonly limits: readonly Limit[];
  readonly other_mints: "allow" | "refuse";
}

/** A bound of a new spending limit is one of what a transaction moves at most. */
const toLimits = ({ amounts, other_mints }: WalletPolicy["spending_limits"]): Bounds => ({
  limits: amounts.map(({ mint, amount }) => ({ mint, per_transaction: amount })),
  other_mints,
});

/** Whether every mint that may be paid might be before, and every bound of it still holds. */
function isBounded(from: Bounds, to: Bounds): boolean {
  const named = (bounds: Bounds): ReadonlySet<Address | null> => new Set(bounds.limits.map(countedAs));
  const [before, after] = [named(from), named(to)];
  const isRefused = (mint: Address | null) => to.other_mints === "refuse" && !after.has(mint);
  const isNewlyPaid = to.other_mints === "allow" || [...after].some((mint) => !before.has(mint));
  if (from.other_mints === "refuse" && isNewlyPaid) return false;
  return from.limits.every((limit) => {
    const mint = countedAs(limit);
    return (
      isRefused(mint) ||
      isHeld(
        limit,
        to.limits.filter((other) => countedAs(other) === mint),
      )
    );
  });
}

/** Whether each bound of a limit is implied by some limit of the same mint. */
function isHeld({ per_transaction, per_period = [] }: Limit, limits: readonly Limit[]): boolean {
  const isAtMost = (amount: string | undefined, bound: string) =>
    amount !== undefined && BigInt(amount) <= BigInt(bound);
  return (
    (per_transaction === undefined || limits.some((limit) => isAtMost(limit.per_transaction, per_transaction))) &&
    per_period.every(({ amount, period }) =>
      limits.some((limit) =>
        (limit.per_period ?? []).some(
          (other) => canonicalJson(other.period) === canonicalJson(period) && isAtMost(other.amount, amount),
        ),
      ),
    )
  );
}

type Destinations = WalletPolicy["transfers"]["destinations"];

function isStricterDestinations(from: Destinations, to: Destinations): boolean {
  if (from.type === "any") return true;
  if (from.type === "approved") return to.type === "approved";
  return to.type === "listed" && isWithin(from.addresses, to.addresses);
}
