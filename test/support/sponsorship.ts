import type { SponsorshipLimits } from "@trellis/kernel/ports/network.js";

/** The same limit for every tenant, a day, with nothing reserved; `perAccountForLife` accounts are opened for others. */
export function evenLimits(
  lamports: bigint,
  more: { readonly perTransaction?: bigint; readonly perAccountForLife?: number } = {},
): SponsorshipLimits {
  const { perTransaction = lamports, perAccountForLife = 0 } = more;
  const budgets = {
    perAccountPerDay: lamports,
    perTenantPerDay: lamports,
    reservedPerTenantPerDay: 0n,
    perDay: lamports,
  };
  return { perTransaction, ...budgets, openings: { ...budgets, perAccountForLife } };
}
