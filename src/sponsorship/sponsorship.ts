import { sql } from "kysely";
import type { Network, SponsorshipLimits } from "../environment.js";
import { TrellisError } from "../errors.js";
import type { DbOrTrx } from "../ports/database.js";

const dayMs = 86_400_000;

/** Who a sponsored transaction is for. */
export interface Beneficiary {
  readonly tenantId: string;
  /** Null while an account is being created. */
  readonly accountAddress: string | null;
}

/**
 * Takes `lamports` out of the day's budgets of the environment, the tenant and the account (gap 31), all or none: call
 * it inside the transaction that records the signed bytes, last, because it holds the budget rows until the commit.
 * Throws `sponsorship_limit_exceeded`, which rolls the transaction back. `realNow` is Unix milliseconds.
 */
export async function reserveSponsorship(
  db: DbOrTrx,
  network: Pick<Network, "name" | "sponsorship">,
  reservation: Beneficiary & { readonly lamports: bigint; readonly realNow: number },
): Promise<void> {
  const { lamports, realNow } = reservation;
  if (lamports > network.sponsorship.perTransaction) throw limitExceeded("transaction", realNow);
  const budgets = budgetsOf(reservation, network.sponsorship);
  const day = budgetDay(realNow);
  const after = await db
    .insertInto("sponsorship_budget")
    .values(budgets.map(({ scope }) => ({ environment: network.name, scope, day, lamports })))
    .onConflict((conflict) =>
      conflict.columns(["environment", "scope", "day"]).doUpdateSet({
        lamports: sql<bigint>`sponsorship_budget.lamports + excluded.lamports`,
      }),
    )
    .returning(["scope", "lamports"])
    .execute();
  for (const { scope, lamports: total } of after) {
    const budget = budgets.find((candidate) => candidate.scope === scope);
    if (budget && total > budget.limit) throw limitExceeded(budget.name, realNow);
  }
}

/** The day a reservation counts on: days since 1970, in real time. */
export function budgetDay(realNow: number): number {
  return Math.floor(realNow / dayMs);
}

/** Gives back what a reservation did not use, to the day it was taken from; less than zero takes what it used too much. */
export async function releaseSponsorship(
  db: DbOrTrx,
  environment: string,
  release: Beneficiary & { readonly lamports: bigint; readonly reservedOn: number },
): Promise<void> {
  await db
    .updateTable("sponsorship_budget")
    .set({ lamports: sql<bigint>`greatest(0, lamports - ${release.lamports}::int8)` })
    .where("environment", "=", environment)
    .where("day", "=", release.reservedOn)
    .where("scope", "in", scopesOf(release))
    .execute();
}

interface Budget {
  readonly name: string;
  readonly scope: string;
  readonly limit: bigint;
}

/** Always in the same order, so that two transactions never wait for each other's rows. */
function budgetsOf(beneficiary: Beneficiary, limits: SponsorshipLimits): Budget[] {
  const limitOf = [limits.perAccountPerDay, limits.perDay, limits.perTenantPerDay];
  const names = ["account", "environment", "tenant"];
  const scopes = [
    beneficiary.accountAddress === null ? null : `account:${beneficiary.accountAddress}`,
    "environment",
    `tenant:${beneficiary.tenantId}`,
  ];
  return scopes.flatMap((scope, i) =>
    scope === null ? [] : [{ scope, name: names[i] ?? "", limit: limitOf[i] ?? 0n }],
  );
}

function scopesOf(beneficiary: Beneficiary): string[] {
  const scopes = ["environment", `tenant:${beneficiary.tenantId}`];
  if (beneficiary.accountAddress !== null) scopes.push(`account:${beneficiary.accountAddress}`);
  return scopes;
}

function limitExceeded(which: string, realNow: number): TrellisError {
  return new TrellisError("sponsorship_limit_exceeded", {
    message:
      which === "transaction"
        ? "This transaction would cost more than the service pays for a single one."
        : `The ${which}'s budget for sponsored fees is used up for today.`,
    ...(which === "transaction" ? {} : { retryAfterSeconds: Math.ceil((dayMs - (realNow % dayMs)) / 1000) }),
    facts: { budget: which },
  });
}
