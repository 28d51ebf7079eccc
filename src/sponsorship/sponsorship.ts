import { type RawBuilder, sql } from "kysely";
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

/** What is taken out of the budgets, and when: real time in Unix milliseconds. */
export type Reservation = Beneficiary & { readonly lamports: bigint; readonly realNow: number };

/** The day a reservation counts on: days since 1970, in real time. */
export function budgetDay(realNow: number): number {
  return Math.floor(realNow / dayMs);
}

/** Throws `sponsorship_limit_exceeded` for what is too much for a single transaction, whatever the day's budgets hold. */
export function assertWithinTransactionLimit(network: Pick<Network, "sponsorship">, lamports: bigint): void {
  if (lamports <= network.sponsorship.perTransaction) return;
  throw new TrellisError("sponsorship_limit_exceeded", {
    message: "This transaction would cost more than the service pays for a single one.",
    facts: { budget: "transaction" },
  });
}

/**
 * SQL that takes a reservation out of the day's budgets of the environment, the tenant and the account (gap 31), for
 * every row of the query `per`. Meant as a member of the statement that records the signed bytes: where a budget would be
 * exceeded the database refuses the whole statement, which `withBudgetErrors` turns into the error of the catalogue.
 */
export function takeFromBudgets(
  network: Pick<Network, "name" | "sponsorship">,
  reservation: Reservation,
  per: string,
): RawBuilder<unknown> {
  const day = budgetDay(reservation.realNow);
  const rows = budgetsOf(reservation, network.sponsorship).map(
    ({ scope, limit }) => sql`(${scope}::text, ${reservation.lamports}::int8, ${limit}::int8)`,
  );
  // Always in the same order, so that two statements never wait for each other's rows.
  return sql`insert into sponsorship_budget (environment, scope, day, lamports, ceiling)
    select ${network.name}::text, budget.scope, ${day}::int4, budget.lamports, budget.ceiling
    from ${sql.ref(per)}, (values ${sql.join(rows)}) as budget (scope, lamports, ceiling)
    order by budget.scope
    on conflict (environment, scope, day) do update
      set lamports = sponsorship_budget.lamports + excluded.lamports, ceiling = excluded.ceiling`;
}

/** Runs a statement with `takeFromBudgets` in it. Throws `sponsorship_limit_exceeded` with the time the day ends. */
export async function withBudgetErrors<T>(realNow: number, statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint !== "sponsorship_budget_ceiling") throw error;
    throw new TrellisError("sponsorship_limit_exceeded", {
      message: "The budget for sponsored fees is used up for today.",
      retryAfterSeconds: Math.ceil((dayMs - (realNow % dayMs)) / 1000),
      facts: { budget: "day" },
    });
  }
}

/**
 * Gives back what a reservation did not use, to the day it was taken from. A negative amount charges what was paid beyond
 * the reservation, also where that goes over the limit: it is spent.
 */
export async function releaseSponsorship(
  db: DbOrTrx,
  environment: string,
  release: Beneficiary & { readonly lamports: bigint; readonly reservedOn: number },
): Promise<void> {
  // The rows are locked in the order in which reservations take them.
  const left = sql`greatest(0, budget.lamports - ${release.lamports}::int8)`;
  await sql`update sponsorship_budget as budget set lamports = ${left}, ceiling = greatest(budget.ceiling, ${left})
    from (
      select environment, scope, day from sponsorship_budget
      where environment = ${environment} and day = ${release.reservedOn}::int4 and scope in (${sql.join(scopesOf(release))})
      order by scope for update
    ) as taken
    where budget.environment = taken.environment and budget.scope = taken.scope and budget.day = taken.day`.execute(db);
}

interface Budget {
  readonly scope: string;
  readonly limit: bigint;
}

function budgetsOf(beneficiary: Beneficiary, limits: SponsorshipLimits): Budget[] {
  const account = beneficiary.accountAddress;
  return [
    ...(account === null ? [] : [{ scope: accountScope(account), limit: limits.perAccountPerDay }]),
    { scope: environmentScope, limit: limits.perDay },
    { scope: tenantScope(beneficiary.tenantId), limit: limits.perTenantPerDay },
  ];
}

function scopesOf({ tenantId, accountAddress }: Beneficiary): string[] {
  const shared = [environmentScope, tenantScope(tenantId)];
  return accountAddress === null ? shared : [accountScope(accountAddress), ...shared];
}

const environmentScope = "environment";
const tenantScope = (tenantId: string) => `tenant:${tenantId}`;
const accountScope = (address: string) => `account:${address}`;
