import { type RawBuilder, sql } from "kysely";
import { TrellisError } from "../../errors.js";
import type { DbOrTrx } from "../../ports/database.js";
import type { Network, SponsorshipLimits } from "../../ports/network.js";

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
    throw dayIsSpent(realNow);
  }
}

function dayIsSpent(realNow: number): TrellisError {
  return new TrellisError("sponsorship_limit_exceeded", {
    message: "The budget for sponsored fees is used up for today.",
    retryAfterSeconds: Math.ceil((dayMs - (realNow % dayMs)) / 1000),
    facts: { budget: "day" },
  });
}

/**
 * Looks whether the day's budgets would take a reservation, and takes nothing: for those who would wait for something that
 * is refused in the end. Throws `sponsorship_limit_exceeded`.
 */
export async function assertWithinDailyBudgets(
  db: DbOrTrx,
  network: Pick<Network, "name" | "sponsorship">,
  reservation: Reservation,
): Promise<void> {
  const rows = budgetsOf(reservation, network.sponsorship).map(
    ({ scope, limit }) => sql`(${scope}::text, ${limit - reservation.lamports}::int8)`,
  );
  const spent = sql`select 1 from (values ${sql.join(rows)}) as budget (scope, most)
    left join sponsorship_budget as held
      on held.environment = ${network.name} and held.day = ${budgetDay(reservation.realNow)}::int4 and held.scope = budget.scope
    where coalesce(held.lamports, 0) > budget.most`;
  if ((await spent.execute(db)).rows.length > 0) throw dayIsSpent(reservation.realNow);
}

/**
 * SQL that gives back what reservations did not use, each to the day it was taken from, for every row of the query `per`:
 * environment, tenant_id, account_address, reserved_on, and `rest` in lamports. A negative rest charges what was paid
 * beyond the reservation, also where that goes over the limit: it is spent. Meant as a member of the statement that
 * settles them.
 */
export function returnToBudgets(per: string): RawBuilder<unknown> {
  const left = sql`greatest(0, budget.lamports - taken.rest)`;
  // The rows are locked in the order in which reservations take them.
  return sql`update sponsorship_budget as budget set lamports = ${left}, ceiling = greatest(budget.ceiling, ${left})
    from (
      select held.environment, held.scope, held.day, given.rest from sponsorship_budget as held
      join (
        select environment, scope, reserved_on as day, sum(rest)::int8 as rest
        from ${sql.ref(per)}, lateral (values (${accountPrefix}::text || account_address), (${environmentScope}::text),
          (${tenantPrefix}::text || tenant_id)) as budget (scope)
        where rest <> 0 and tenant_id is not null and scope is not null
        group by environment, scope, reserved_on
      ) as given on (given.environment, given.scope, given.day) = (held.environment, held.scope, held.day)
      order by held.scope, held.day for update of held
    ) as taken
    where (budget.environment, budget.scope, budget.day) = (taken.environment, taken.scope, taken.day)`;
}

interface Budget {
  readonly scope: string;
  readonly limit: bigint;
}

function budgetsOf(beneficiary: Beneficiary, limits: SponsorshipLimits): Budget[] {
  const account = beneficiary.accountAddress;
  return [
    ...(account === null ? [] : [{ scope: `${accountPrefix}${account}`, limit: limits.perAccountPerDay }]),
    { scope: environmentScope, limit: limits.perDay },
    { scope: `${tenantPrefix}${beneficiary.tenantId}`, limit: limits.perTenantPerDay },
  ];
}

const environmentScope = "environment";
const tenantPrefix = "tenant:";
const accountPrefix = "account:";
