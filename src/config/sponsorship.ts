import type { DailyBudgets, SponsorshipLimits } from "@trellis/kernel/ports/network.js";
import type { Reader } from "./reader.js";
import type { VariableName } from "./variables.js";

/** What is given away where nothing is said. */
const openingsByDefault = {
  sandbox: { perAccountForLife: 1_000, perDay: 100_000_000_000n },
  cluster: { perAccountForLife: 0, perDay: 1_000_000_000n },
} as const;

/** What the service pays for others (gap 31). */
export function parseSponsorship({
  read,
  lamports,
  integer,
}: Reader): Readonly<Record<"sandbox" | "cluster", SponsorshipLimits>> {
  const percent = (name: VariableName, least: number) => {
    const value = integer(name, least, 100);
    return BigInt(Number.isSafeInteger(value) ? value : least);
  };
  const unlessEmpty = <T>(name: VariableName, parse: (name: VariableName) => T) =>
    read(name) === "" ? undefined : parse(name);
  const most = percent("TRELLIS_SPONSOR_TENANT_PERCENT", 1);
  const reserved = percent("TRELLIS_SPONSOR_TENANT_RESERVED_PERCENT", 0);
  const perTransaction = lamports("TRELLIS_SPONSOR_PER_TRANSACTION");
  const perAccountPerDay = lamports("TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY");
  const perTenantPerDay = lamports("TRELLIS_SPONSOR_PER_TENANT_PER_DAY");
  const budgetsOf = (perDay: bigint): DailyBudgets => {
    const share = (perDay * most) / 100n;
    return {
      perAccountPerDay,
      perTenantPerDay: share < perTenantPerDay ? share : perTenantPerDay,
      reservedPerTenantPerDay: (perDay * reserved) / 100n,
      perDay,
    };
  };
  const fees = budgetsOf(lamports("TRELLIS_SPONSOR_PER_DAY"));
  const openings = unlessEmpty("TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT", (name) => integer(name, 0, 1_000_000));
  const openingsPerDay = unlessEmpty("TRELLIS_SPONSOR_OPENINGS_PER_DAY", lamports);
  const limitsOf = (byDefault: { readonly perAccountForLife: number; readonly perDay: bigint }): SponsorshipLimits => ({
    perTransaction,
    ...fees,
    openings: {
      perAccountForLife: openings ?? byDefault.perAccountForLife,
      ...budgetsOf(openingsPerDay ?? byDefault.perDay),
    },
  });
  return { sandbox: limitsOf(openingsByDefault.sandbox), cluster: limitsOf(openingsByDefault.cluster) };
}
