import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase } from "../../../test/support/test-database.js";
import type { OpenDatabase } from "../../adapters/db/open-database.js";
import { budgetDay, returnToBudgets, takeFromBudgets, withBudgetErrors } from "./sponsorship.js";

let database: OpenDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(() => database?.close());

const realNow = 1_800_000_000_000;
const limit = 1_000_000n;
const network = {
  name: "sandbox",
  sponsorship: { perTransaction: limit, perAccountPerDay: limit, perTenantPerDay: limit, perDay: limit },
} as const;

it("are exact while many take from them and many give back", async () => {
  const { db } = database;
  const accounts = ["a", "b", "c"];
  const take = (account: string) => {
    const reservation = { tenantId: "t", accountAddress: account, lamports: 10n, realNow };
    const taken = sql`with once as (select 1) ${takeFromBudgets(network, reservation, "once")}`;
    return withBudgetErrors(realNow, taken.execute(db));
  };
  // Three transactions at a time, of all accounts; one used more than it had reserved.
  const giveBack = () => {
    const rows = accounts.map(
      (account, i) => sql`('sandbox', 't', ${account}::text, ${budgetDay(realNow)}::int4, ${[4n, 3n, -1n][i]}::int8)`,
    );
    return sql`
      with rests (environment, tenant_id, account_address, reserved_on, rest) as (values ${sql.join(rows)})
      ${returnToBudgets("rests")}`.execute(db);
  };
  await Promise.all(accounts.map(take));
  await Promise.all(accounts.flatMap((account) => Array.from({ length: 99 }, () => take(account))));
  const rounds = 50;
  await Promise.all([
    ...Array.from({ length: rounds }, () => take("c")),
    ...Array.from({ length: rounds }, giveBack),
    ...Array.from({ length: rounds }, () => take("a")),
  ]);
  const rows = await db.selectFrom("sponsorship_budget").select(["scope", "lamports"]).orderBy("scope").execute();
  expect(rows).toEqual([
    { scope: "account:a", lamports: 1_300n },
    { scope: "account:b", lamports: 850n },
    { scope: "account:c", lamports: 1_550n },
    { scope: "environment", lamports: 3_700n },
    { scope: "tenant:t", lamports: 3_700n },
  ]);
});
