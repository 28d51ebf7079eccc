import { limits } from "@trellis/kernel/limits.js";

/** What decides how soon an account is refreshed again. Instants: environment time, Unix milliseconds. */
export interface Quiet {
  readonly now: number;
  /** When something last happened there, as far as was seen. */
  readonly activeAt: number;
  /** Whether a vote or an execution may happen any moment. */
  readonly isOpen: boolean;
  /** Whether its signers have a reason to make proposals. */
  readonly canHaveProposals: boolean;
}

/**
 * When an account is refreshed next; null: not before it is woken. The longer nothing has happened there, the later:
 * after a sixtieth of that time where a proposal is open, after a quarter of it where one may appear, within the bounds of
 * `limits`. One that needs no proposals is refreshed for as long as a submission may take to land.
 */
export function planNextRun({ now, activeAt, isOpen, canHaveProposals }: Quiet): number | null {
  const { refreshesApartLeastMs: least, openRefreshesApartMostMs, refreshesApartMostMs, awakeMs } = limits;
  const quietMs = Math.max(0, now - activeAt);
  const within = (waitMs: number, mostMs: number) => now + Math.min(mostMs, Math.max(least, Math.floor(waitMs)));
  if (isOpen) return within(quietMs / 60, openRefreshesApartMostMs);
  if (canHaveProposals) return within(quietMs / 4, refreshesApartMostMs);
  return quietMs < awakeMs ? within(quietMs / 4, awakeMs) : null;
}
