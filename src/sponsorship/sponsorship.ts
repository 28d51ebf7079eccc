import { TrellisError } from "@trellis/kernel/errors.js";
import type { DbOrTrx, SponsoredCostTable } from "@trellis/kernel/ports/database.js";
import type { DailyBudgets, Network, SponsorshipLimits } from "@trellis/kernel/ports/network.js";
import { readTogether } from "@trellis/kernel/read-together.js";
import { typedRows } from "@trellis/kernel/typed-rows.js";
import { type RawBuilder, sql } from "kysely";

const dayMs = 86_400_000;

/** Who a sponsored transaction is for. */
export interface Beneficiary {
  readonly tenantId: string;
  /** Null while an account is being created. */
  readonly accountAddress: string | null;
}

/** Something the service pays, and who gains by it. */
export interface Cost {
  readonly kind: SponsoredCostTable["kind"];
  readonly lamports: bigint;
  /** The account on chain in which it lies; absent where it lies in none, or its address is not known yet. */
  readonly heldAt?: string;
  /** Whom closing that account enriches. Absent: no party can, or the chain itself is paid. */
  readonly beneficiary?: string;
}

/** What is taken out of the budgets, and when: real time in Unix milliseconds. */
export type Reservation = Beneficiary & { readonly costs: readonly Cost[]; readonly realNow: number };

/** The day a reservation counts on: days since 1970, in real time. */
export function budgetDay(realNow: number): number {
  return Math.floor(realNow / dayMs);
}

/** When a day begins: real time, Unix milliseconds. */
export const startOfDay = (day: number): number => day * dayMs;

/** Lamports of all costs. */
export function sumOf(costs: readonly Pick<Cost, "lamports">[]): bigint {
  return costs.reduce((sum, { lamports }) => sum + lamports, 0n);
}

/** Throws `sponsorship_limit_exceeded` for what is too much for a single transaction, whatever the day's budgets hold. */
export function assertWithinTransactionLimit(network: Pick<Network, "sponsorship">, lamports: bigint): void {
  if (lamports <= network.sponsorship.perTransaction) return;
  throw new TrellisError("sponsorship_limit_exceeded", {
    message: "This transaction would cost more than the service pays for a single one.",
    facts: { budget: "transaction" },
  });
}

/** Rent that a party other than the service can cash in: it has budgets of its own, and a number for life. */
const openingKinds = ["token_account_rent", "spending_limit_rent"] as const;
/** Rent that returns to the service's fee payer. */
const recoverableKinds = ["proposal_rent", "proposal_growth"] as const;

/** How what is reserved joins what was reserved before: the check of the table then says whether it was too much. */
const onConflictAdd = sql.raw(`on conflict (environment, scope, day) do update
        set lamports = sponsorship_budget.lamports + excluded.lamports, ceiling = excluded.ceiling`);

const isOneOf = (kinds: readonly string[], { kind }: Pick<Cost, "kind">) => kinds.includes(kind);

/** A reservation for one of the submissions that are recorded in a statement. */
export type ReservationOf = Omit<Reservation, "realNow"> & { readonly submissionId: string };

const costColumns = {
  submission_id: "text",
  position: "int4",
  tenant_id: "text",
  account_address: "text",
  kind: "text",
  held_at: "text",
  beneficiary: "text",
  is_recoverable: "boolean",
  is_opening: "boolean",
  lamports: "int8",
} as const;

/**
 * SQL that takes reservations out of the day's budgets (gap 31) and writes their costs into the ledger: those of submissions whose
 * ids are among the `id`s of the query `per`. Members of the statement that records the signed bytes, not to be used where
 * there is nothing to pay. Where a budget would be exceeded by all of them together the database refuses the whole statement, which
 * `withBudgetErrors` turns into the error of the catalogue; each alone may still fit. A budget's row is written once, however
 * many draw from it.
 *
 * A tenant that has not used what is reserved for it is not stopped by the budget of all, though what it takes counts
 * there: on one day all tenants together spend no more than that budget and every reserved share.
 *
 * Always in the same order, the tenants' rows first, so that two statements never wait for each other's rows. `realNow` is real time in
 * Unix milliseconds: the day they count on.
 */
export function takeFromBudgets(
  { name, sponsorship }: Pick<Network, "name" | "sponsorship">,
  reservations: readonly ReservationOf[],
  realNow: number,
  per: string,
): RawBuilder<unknown> {
  const day = budgetDay(realNow);
  const costs = reservations.flatMap(({ submissionId, tenantId, accountAddress, costs: all }) =>
    all
      .filter(({ lamports }) => lamports > 0n)
      .map((cost, position) => ({
        submission_id: submissionId,
        position,
        tenant_id: tenantId,
        account_address: accountAddress,
        kind: cost.kind,
        held_at: cost.heldAt ?? null,
        beneficiary: cost.beneficiary ?? null,
        is_recoverable: isOneOf(recoverableKinds, cost),
        is_opening: isOneOf(openingKinds, cost),
        lamports: cost.lamports,
      })),
  );
  const most = (read: (budgets: DailyBudgets) => bigint) =>
    sql`case when is_opening then ${read(sponsorship.openings)}::int8 else ${read(sponsorship)}::int8 end`;
  return sql`cost as (
      select reported.*, case when reported.is_opening then ${openingPrefix}::text else '' end as prefix
      from ${sql.ref(per)} join ${typedRows("reported", costColumns, costs)} on reported.submission_id = ${sql.ref(`${per}.id`)}
    ), drawn as (
      insert into sponsorship_budget (environment, scope, day, lamports, ceiling)
      select ${name}::text, prefix || ${tenantPrefix}::text || tenant_id, ${day}::int4, sum(lamports)::int8,
        ${most(({ perTenantPerDay }) => perTenantPerDay)}
      from cost group by prefix, is_opening, tenant_id order by 2
      ${onConflictAdd}
      returning scope, lamports
    ), reserved as (
      insert into sponsorship_budget (environment, scope, day, lamports, ceiling)
      select ${name}::text, budget.scope, ${day}::int4, sum(budget.lamports)::int8, min(budget.ceiling)
      from (
        select cost.prefix || ${accountPrefix}::text || cost.account_address as scope, cost.lamports,
          ${most(({ perAccountPerDay }) => perAccountPerDay)} as ceiling
        from cost where cost.account_address is not null and (select count(*) from drawn) > 0
        union all
        select cost.prefix || ${environmentScope}::text, cost.lamports,
          case when drawn.lamports <= ${most(({ reservedPerTenantPerDay }) => reservedPerTenantPerDay)}
            then ${unbounded}::int8 else ${most(({ perDay }) => perDay)} end
        from cost join drawn on drawn.scope = cost.prefix || ${tenantPrefix}::text || cost.tenant_id
      ) as budget group by budget.scope order by 2
      ${onConflictAdd}
    ), booked as (
      insert into sponsored_cost (submission_id, position, environment, tenant_id, account_address, kind, held_at,
        beneficiary, is_recoverable, reserved_lamports, reserved_on)
      select submission_id, position, ${name}::text, tenant_id, account_address, kind, held_at, beneficiary,
        is_recoverable, lamports, ${day}::int4
      from cost
    ), opened as (
      insert into sponsored_opening (environment, account_address, opened, ceiling)
      select ${name}::text, account_address, count(*)::int4, ${sponsorship.openings.perAccountForLife}::int4
      -- Counted, so that all budgets are drawn from before these rows are locked.
      from cost where is_opening and account_address is not null and (select count(*) from drawn) > 0
      group by account_address order by 2
      on conflict (environment, account_address) do update
        set opened = sponsored_opening.opened + excluded.opened, ceiling = excluded.ceiling
    )`;
}

const shareColumns = { submission_id: "text", scope: "text", lamports: "int8", most: "int8" } as const;

/** A key that may bring about a part of the tenant's budgets only: one that a page holds (gap 123), or an agent's (gap 245). */
export type BoundedSpender =
  | { readonly kind: "page"; readonly makesAccount: boolean }
  | { readonly kind: "agent"; readonly apiKeyId: string };

/**
 * SQL that takes the same reservations out of what their spenders may bring about: a member beside those of `takeFromBudgets`. A page's visitor
 * may make accounts for anybody whose mail they read, and an agent may open proposals all day, and have the service pay for each: that is a
 * part of each of the tenant's budgets only. What was not used does not return here.
 */
export function takeFromShares(
  network: Pick<Network, "name" | "sponsorship">,
  reservations: readonly (ReservationOf & { readonly spender: BoundedSpender })[],
  realNow: number,
  per: string,
): RawBuilder<unknown> {
  const rows = reservations.flatMap((reservation) =>
    sharesOf(network, reservation, reservation.spender).map((share) => ({
      submission_id: reservation.submissionId,
      ...share,
    })),
  );
  return sql`shares as (
      insert into sponsorship_budget (environment, scope, day, lamports, ceiling)
      select ${network.name}::text, share.scope, ${budgetDay(realNow)}::int4, sum(share.lamports)::int8, share.most
      from ${sql.ref(per)} join ${typedRows("share", shareColumns, rows)} on share.submission_id = ${sql.ref(`${per}.id`)}
      -- Counted, so that the tenant's row is locked before these.
      where (select count(*) from drawn) > 0
      group by share.scope, share.most order by share.scope
      ${onConflictAdd}
    )`;
}

/** What a reservation takes of the parts of each budget that its spender has, and how much those are. */
function sharesOf(
  { sponsorship }: Pick<Network, "sponsorship">,
  { tenantId, accountAddress, costs }: Omit<Reservation, "realNow">,
  spender: BoundedSpender,
) {
  return poolsOf(costs, sponsorship).flatMap(({ prefix, lamports, limits: { perTenantPerDay, perAccountPerDay } }) => {
    const row = (of: string, whose: string, most: bigint) => ({ scope: of + prefix + whose, lamports, most });
    const tenant = tenantPrefix + tenantId;
    if (spender.kind === "page") {
      const all = row("pages:", tenant, threeQuarters(perTenantPerDay));
      return spender.makesAccount ? [all, row("page-accounts:", tenant, perTenantPerDay / 2n)] : [all];
    }
    const own = `agent:${spender.apiKeyId}:`;
    const ofTenant = [row("agents:", tenant, threeQuarters(perTenantPerDay)), row(own, tenant, perTenantPerDay / 4n)];
    if (accountAddress === null) return ofTenant;
    // Otherwise one account's budget would be gone, and with it what its owners need to vote, long before the tenant's.
    const account = accountPrefix + accountAddress;
    const ofAccount = [
      row("agents:", account, threeQuarters(perAccountPerDay)),
      row(own, account, perAccountPerDay / 2n),
    ];
    return [...ofTenant, ...ofAccount];
  });
}

const threeQuarters = (most: bigint): bigint => (most * 3n) / 4n;

/**
 * Runs a statement with `takeFromBudgets` in it. Throws `sponsorship_limit_exceeded` with the time the day ends, and
 * `rent_not_sponsored` where the service opens no further account for this one.
 */
export async function withBudgetErrors<T>(
  realNow: number,
  statement: Promise<T>,
  /** What is done about a budget of the day that is used up. */
  onSpent?: () => Promise<void>,
): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    const { constraint } = error as { constraint?: unknown };
    if (constraint === "sponsored_opening_ceiling") throw new TrellisError("rent_not_sponsored");
    if (constraint !== "sponsorship_budget_ceiling") throw error;
    await onSpent?.();
    throw dayIsSpent(realNow);
  }
}

function dayIsSpent(realNow: number): TrellisError {
  return new TrellisError("sponsorship_limit_exceeded", {
    message: "The budget for what the service pays is used up for today.",
    retryAfterSeconds: Math.ceil((dayMs - (realNow % dayMs)) / 1000),
    facts: { budget: "day" },
  });
}

const poolColumns = {
  environment: "text",
  day: "int4",
  own_scope: "text",
  common_scope: "text",
  lamports: "int8",
  own_most: "int8",
  common_most: "int8",
  reserved: "int8",
} as const;

/** One row where a pool does not hold what is asked of it. */
const readSpent = readTogether<typeof poolColumns, object>(
  poolColumns,
  (asked) => `select asked.at as asked_at from ${asked}
    left join sponsorship_budget as own
      on own.environment = asked.environment and own.day = asked.day and own.scope = asked.own_scope
    left join sponsorship_budget as common
      on common.environment = asked.environment and common.day = asked.day and common.scope = asked.common_scope
    where coalesce(own.lamports, 0) + asked.lamports > asked.own_most
      or (coalesce(own.lamports, 0) + asked.lamports > asked.reserved
        and coalesce(common.lamports, 0) + asked.lamports > asked.common_most)`,
);

/**
 * Checks whether the day's budgets of the tenant and of all would pay for an account, and takes nothing: for those who would
 * wait for something that is refused in the end. `isByPage`: out of what pages may bring about, too. Throws `sponsorship_limit_exceeded`.
 */
export async function assertWithinDailyBudgets(
  db: DbOrTrx,
  network: Pick<Network, "name" | "sponsorship">,
  reservation: Reservation,
  { isByPage }: { readonly isByPage: boolean },
): Promise<void> {
  const { tenantId, costs, realNow } = reservation;
  const pools = poolsOf(costs, network.sponsorship).map(({ prefix, lamports, limits }) => ({
    own_scope: prefix + tenantPrefix + tenantId,
    common_scope: prefix + environmentScope,
    lamports,
    own_most: limits.perTenantPerDay,
    common_most: limits.perDay,
    reserved: limits.reservedPerTenantPerDay,
  }));
  // What pages may take is a part of the tenant's budget alone.
  const pages = (isByPage ? sharesOf(network, reservation, { kind: "page", makesAccount: true }) : []).map(
    ({ scope, lamports, most }) => ({
      own_scope: scope,
      common_scope: null,
      lamports,
      own_most: most,
      common_most: unbounded,
      reserved: unbounded,
    }),
  );
  const spent = await Promise.all(
    [...pools, ...pages].map((pool) => readSpent(db, { environment: network.name, day: budgetDay(realNow), ...pool })),
  );
  if (spent.flat().length > 0) throw dayIsSpent(realNow);
}

/**
 * SQL that gives back what reservations did not use, each to the day and the budgets it was taken from, for every row of
 * the query `per`: environment, tenant_id, account_address, reserved_on, `is_opening` (rent that others can cash in), and
 * `rest` in lamports. A negative rest charges what was paid beyond the reservation, also where that goes over the limit:
 * it is spent. Meant as a member of the statement that settles them.
 */
export function returnToBudgets(per: string): RawBuilder<unknown> {
  const left = sql`greatest(0, budget.lamports - returned.rest)`;
  // The rows are locked in the order in which reservations take them.
  return sql`update sponsorship_budget as budget set lamports = ${left}, ceiling = greatest(budget.ceiling, ${left})
    from (
      select held.environment, held.scope, held.day, given.rest from sponsorship_budget as held
      join (
        select environment, case when is_opening then ${openingPrefix}::text else '' end || scope as scope,
          reserved_on as day, sum(rest)::int8 as rest
        from ${sql.ref(per)}, lateral (values (${accountPrefix}::text || account_address), (${environmentScope}::text),
          (${tenantPrefix}::text || tenant_id)) as budget (scope)
        where rest <> 0 and tenant_id is not null and scope is not null
        group by 1, 2, 3
      ) as given on (given.environment, given.scope, given.day) = (held.environment, held.scope, held.day)
      order by held.scope !~ ${`^(${openingPrefix})?${tenantPrefix}`}, held.scope, held.day for update of held
    ) as returned
    where (budget.environment, budget.scope, budget.day) = (returned.environment, returned.scope, returned.day)
    returning budget.scope`;
}

/** Lamports that were drawn of the budgets of a day. */
interface UsedOfDay {
  readonly fees: bigint;
  readonly openings: bigint;
}

/** What was drawn of a tenant's budgets today, and of those of all tenants together. */
export interface UsedBudgets {
  readonly tenant: UsedOfDay;
  readonly service: UsedOfDay;
  /** Lamports of all tenants since the first day that was asked about. */
  readonly spent: bigint;
  /** The first day since then on which something was; null: there is none. */
  readonly firstDay: number | null;
}

/** Reads a few rows by their keys: four of each day. */
export async function readBudgets(
  db: DbOrTrx,
  environment: string,
  tenantId: string,
  { today, from }: { readonly today: number; readonly from: number },
): Promise<UsedBudgets> {
  const scopes = [environmentScope, tenantPrefix + tenantId].flatMap((scope) => [scope, openingPrefix + scope]);
  const rows = await db
    .selectFrom("sponsorship_budget")
    .select(["scope", "day", "lamports"])
    .where("environment", "=", environment)
    .where("scope", "in", scopes)
    .where("day", ">=", from)
    .where("day", "<=", today)
    .execute();
  const drawn = (scope: string) => rows.find((row) => row.scope === scope && row.day === today)?.lamports ?? 0n;
  const used = (scope: string): UsedOfDay => ({ fees: drawn(scope), openings: drawn(openingPrefix + scope) });
  const ofAll = rows.filter(
    ({ scope, lamports }) => [environmentScope, openingPrefix + environmentScope].includes(scope) && lamports > 0n,
  );
  return {
    tenant: used(tenantPrefix + tenantId),
    service: used(environmentScope),
    spent: sumOf(ofAll),
    firstDay: ofAll.length === 0 ? null : Math.min(...ofAll.map(({ day }) => day)),
  };
}

/** SQL: whether a kind of cost in the ledger is rent that others can cash in. */
export function isOpening(kind: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${kind} in (${sql.join(openingKinds.map((name) => sql.lit(name)))})`;
}

/** What one reservation takes from one set of budgets. */
interface Pool {
  readonly prefix: string;
  readonly lamports: bigint;
  readonly limits: DailyBudgets;
}

function poolsOf(costs: readonly Cost[], limits: SponsorshipLimits): Pool[] {
  const given = sumOf(costs.filter((cost) => isOneOf(openingKinds, cost)));
  return [
    { prefix: openingPrefix, lamports: given, limits: limits.openings },
    { prefix: "", lamports: sumOf(costs) - given, limits },
  ].filter(({ lamports }) => lamports > 0n);
}

/** Higher than any sum. */
const unbounded = 9_223_372_036_854_775_807n;

const environmentScope = "environment";
const tenantPrefix = "tenant:";
const accountPrefix = "account:";
const openingPrefix = "given:";
