import { randomUUID } from "node:crypto";
import type { SponsorshipLimits } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { evenLimits } from "../../test/support/sponsorship.js";
import { openTestDatabase } from "../../test/support/test-database.js";
import type { OpenDatabase } from "../adapters/db/open-database.js";
import {
  type BoundedSpender,
  budgetDay,
  type Cost,
  returnToBudgets,
  takeFromBudgets,
  takeFromShares,
  withBudgetErrors,
} from "./sponsorship.js";

let database: OpenDatabase;

beforeEach(async () => {
  database = await openTestDatabase();
});

afterEach(() => database?.close());

const realNow = 1_800_000_000_000;
const limit = 1_000_000n;
const wide = evenLimits(limit, { perAccountForLife: 1_000 });

it("are exact while many take from them and many give back", async () => {
  const { db } = database;
  const accounts = ["a", "b", "c"];
  // Three transactions at a time, of all accounts; one used more than it had reserved, and one opened no account after all.
  const giveBack = () => {
    const row = (account: string, isOpening: boolean, rest: bigint) =>
      sql`('sandbox', 't', ${account}::text, ${budgetDay(realNow)}::int4, ${isOpening}::boolean, ${rest}::int8)`;
    const rows = [...accounts.map((account, i) => row(account, false, [4n, 3n, -1n][i] ?? 0n)), row("b", true, 2n)];
    return sql`
      with rests (environment, tenant_id, account_address, reserved_on, is_opening, rest) as (values ${sql.join(rows)})
      ${returnToBudgets("rests")}`.execute(db);
  };
  const both = [fee(10n), opens(7n)];
  await Promise.all(accounts.map((account) => take(account, both)));
  await Promise.all(accounts.flatMap((account) => Array.from({ length: 39 }, () => take(account, both))));
  const rounds = 20;
  await Promise.all([
    ...Array.from({ length: rounds }, () => take("c", [fee(10n)])),
    ...Array.from({ length: rounds }, giveBack),
    ...Array.from({ length: rounds }, () => take("a", [fee(10n)])),
  ]);
  expect(await budgets()).toEqual({
    "account:a": 520n,
    "account:b": 340n,
    "account:c": 620n,
    environment: 1_480n,
    "given:account:a": 280n,
    "given:account:b": 240n,
    "given:account:c": 280n,
    "given:environment": 800n,
    "given:tenant:t": 800n,
    "tenant:t": 1_480n,
  });
  const ledger = await db
    .selectFrom("sponsored_cost")
    .select(["kind", "beneficiary", ({ fn }) => fn.sum<string>("reserved_lamports").as("sum")])
    .groupBy(["kind", "beneficiary"])
    .orderBy("kind")
    .execute();
  expect(ledger.map(({ sum, ...row }) => ({ ...row, sum: Number(sum) }))).toEqual([
    { kind: "fee", beneficiary: null, sum: 1_600 },
    { kind: "token_account_rent", beneficiary: "owner", sum: 840 },
  ]);
});

it("of rent that others can cash in are apart: used up, they stop no plain fee", async () => {
  const sponsorship = { ...wide, openings: { ...wide.openings, perDay: 50n } };
  const farmed = Array.from({ length: 20 }, () => take("farmer", [fee(10n), opens(7n)], { sponsorship }));
  expect(await outcomesOf(farmed)).toEqual({ taken: 7, sponsorship_limit_exceeded: 13 });
  // What was refused took nothing, the fee neither.
  expect(await budgets()).toMatchObject({ environment: 70n, "given:environment": 49n });
  const fees = Array.from({ length: 20 }, () => take("honest", [fee(10n)], { sponsorship }));
  expect(await outcomesOf(fees)).toEqual({ taken: 20 });
});

it("open no more accounts for one account in its life than they may, however many ask at once", async () => {
  const sponsorship = { ...wide, openings: { ...wide.openings, perAccountForLife: 5 } };
  const takes = ["a", "b"].flatMap((account) =>
    Array.from({ length: 12 }, () => take(account, [fee(10n), opens(7n), opens(7n)], { sponsorship })),
  );
  expect(await outcomesOf(takes)).toEqual({ taken: 4, rent_not_sponsored: 20 });
  const opened = await database.db.selectFrom("sponsored_opening").select(["account_address", "opened"]).execute();
  expect(opened.toSorted((x, y) => (x.account_address < y.account_address ? -1 : 1))).toEqual([
    { account_address: "a", opened: 4 },
    { account_address: "b", opened: 4 },
  ]);
});

it("leave every tenant its reserved share, although others have used up the day", async () => {
  const sponsorship = { ...wide, perDay: 1_000n, perTenantPerDay: 600n, reservedPerTenantPerDay: 50n };
  const ask = (tenant: string, times: number) =>
    Array.from({ length: times }, () => take(`account-of-${tenant}`, [fee(10n)], { tenant, sponsorship }));
  // No tenant takes more than its own most; together they use up the day.
  expect(await outcomesOf([...ask("greedy", 80), ...ask("greedier", 80)])).toEqual({
    taken: 100,
    sponsorship_limit_exceeded: 60,
  });
  const used = await budgets();
  expect(used.environment).toBe(1_000n);
  expect((used["tenant:greedy"] ?? 0n) <= 600n && (used["tenant:greedier"] ?? 0n) <= 600n).toBe(true);
  expect(await outcomesOf([...ask("late", 9), ...ask("later", 9), ...ask("greedy", 3)])).toEqual({
    taken: 10,
    sponsorship_limit_exceeded: 11,
  });
  expect(await budgets()).toMatchObject({ environment: 1_100n, "tenant:late": 50n, "tenant:later": 50n });
});

it("let agents bring about a part: one a quarter of a tenant's and half of an account's, all of them three quarters", async () => {
  const openings = { ...wide.openings, perTenantPerDay: 80n };
  const sponsorship = { ...wide, perTenantPerDay: 400n, openings };
  const narrow = { ...wide, perAccountPerDay: 80n };
  const ask = (apiKeyId: string, cost: Cost, { times = 12, account = "a", limits: within = sponsorship } = {}) =>
    Array.from({ length: times }, () =>
      take(account, [cost], { sponsorship: within, spender: { kind: "agent", apiKeyId } }),
    );
  expect(await outcomesOf(ask("one", fee(10n)))).toEqual({ taken: 10, sponsorship_limit_exceeded: 2 });
  expect(await outcomesOf(ask("one", opens(5n), { times: 6 }))).toEqual({ taken: 4, sponsorship_limit_exceeded: 2 });
  const others = ["two", "three", "four"].flatMap((agent) => ask(agent, fee(10n)));
  expect(await outcomesOf(others)).toEqual({ taken: 20, sponsorship_limit_exceeded: 16 });
  // What was refused took nothing of the tenant's, which has the last quarter to itself.
  expect(await budgets()).toMatchObject({ "tenant:t": 300n, "given:tenant:t": 20n });
  const own = Array.from({ length: 11 }, () => take("a", [fee(10n)], { sponsorship }));
  expect(await outcomesOf(own)).toEqual({ taken: 10, sponsorship_limit_exceeded: 1 });
  const ofOne = ["five", "six"].flatMap((agent) => ask(agent, fee(10n), { account: "b", times: 5, limits: narrow }));
  expect(await outcomesOf(ofOne)).toEqual({ taken: 6, sponsorship_limit_exceeded: 4 });
  expect(await budgets()).toMatchObject({ "account:b": 60n });
});

const fee = (lamports: bigint): Cost => ({ kind: "fee", lamports });

const opens = (lamports: bigint): Cost => ({
  kind: "token_account_rent",
  lamports,
  heldAt: "token",
  beneficiary: "owner",
});

function take(
  account: string,
  costs: readonly Cost[],
  more: { tenant?: string; sponsorship?: SponsorshipLimits; spender?: BoundedSpender } = {},
) {
  const { tenant = "t", sponsorship = wide, spender } = more;
  const submissionId = randomUUID();
  const reservation = { submissionId, tenantId: tenant, accountAddress: account, costs };
  const network = { name: "sandbox", sponsorship } as const;
  const shares =
    spender === undefined ? sql`` : sql`, ${takeFromShares(network, [{ ...reservation, spender }], realNow, "once")}`;
  const claimed = sql`with once as (select ${submissionId}::text as id),
    ${takeFromBudgets(network, [reservation], realNow, "once")} ${shares} select 1`;
  return withBudgetErrors(realNow, claimed.execute(database.db));
}

/** Of every outcome: `taken`, or the code of the refusal. */
async function outcomesOf(takes: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.allSettled(takes)) {
    const name = outcome.status === "fulfilled" ? "taken" : String((outcome.reason as { code?: string }).code);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function budgets(): Promise<Record<string, bigint>> {
  const rows = await database.db
    .selectFrom("sponsorship_budget")
    .select(["scope", "lamports"])
    .orderBy("scope")
    .execute();
  return Object.fromEntries(rows.map(({ scope, lamports }) => [scope, lamports]));
}
