import { limits } from "@trellis/kernel/limits.js";
import type { RetentionRule } from "@trellis/kernel/module.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { DatabaseSchema, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { retentionRules } from "../modules.js";

/** The tables that have a rule. */
export const sweptTables: ReadonlySet<keyof DatabaseSchema> = new Set(retentionRules.map(({ table }) => table));

/**
 * Removes what has served its time, in all environments given, and says how many rows that were, by table. Any number of
 * processes may do this at once: each takes what no other one has at hand. Batches are small, and found by an index, so
 * that no statement takes longer when there is more; what one pass does not get to waits for the next.
 */
export async function removeOutdated(
  needs: { readonly db: Db; readonly realClock: Clock },
  networks: Iterable<Pick<Network, "name" | "clock">>,
): Promise<Readonly<Partial<Record<keyof DatabaseSchema, number>>>> {
  const environments = [...networks];
  const removed: Partial<Record<keyof DatabaseSchema, number>> = {};
  for (const rule of retentionRules) {
    const places =
      rule.clock === "real"
        ? [{ environment: undefined, now: needs.realClock.now() }]
        : environments.map(({ name, clock }) => ({ environment: name, now: clock.now() }));
    for (const { environment, now } of places) {
      const count = await applyRule(needs.db, rule, environment, now - rule.keptMs);
      removed[rule.table] = (removed[rule.table] ?? 0) + count;
    }
  }
  return removed;
}

const dayMs = 86_400_000;

async function applyRule(
  db: Db,
  rule: RetentionRule,
  environment: string | undefined,
  before: number,
): Promise<number> {
  const statement = statementOf(
    rule,
    environment,
    rule.unit === "day" ? Math.floor(before / dayMs) : Math.floor(before),
  );
  let removed = 0;
  while (removed < limits.sweptInOnePass) {
    const { numAffectedRows = 0n } = await statement.execute(db);
    removed += Number(numAffectedRows);
    if (numAffectedRows < BigInt(limits.sweptInOneStatement)) break;
  }
  return removed;
}

/** By their place in the table, as joining them again by key is up to statistics. They are locked, so they stay there. */
function statementOf(
  { table, since, only, except, set }: RetentionRule,
  environment: string | undefined,
  before: number,
) {
  const time = sql.ref(since);
  // What stays is passed over before anything is counted: however much of it is oldest, all behind it goes.
  const places = sql`select old.ctid from ${sql.table(table)} as old
    where ${environment === undefined ? sql`` : sql`old.environment = ${environment} and`} old.${time} <= ${before}
      ${only === undefined ? sql`` : sql`and ${sql.raw(only)}`}
      ${except === undefined ? sql`` : sql`and not ${sql.raw(except)}`}
    order by old.${time} limit ${sql.lit(limits.sweptInOneStatement)}
    for update skip locked`;
  return sql`${
    set === undefined ? sql`delete from ${sql.table(table)}` : sql`update ${sql.table(table)} set ${sql.raw(set)}`
  } where ctid = any(array(${places}))`;
}
