import { type Kysely, sql } from "kysely";

/** That an operator has seen to a refund that failed: when, by real time, who, and in which words. See `ports/tables/rails.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const seen = ["rail_transfer", "rail_payout"].flatMap((table) => [
  `alter table ${table} add column acknowledged_at_real int8, add column acknowledged_by text,
    add column acknowledged_for text`,
  // Only what no operator has seen to is counted, however much was seen to before.
  `create index ${table}_unseen on ${table} (environment, updated_at, id)
    where state = 'error' and (sealed_return_reason is not null or return_reason is not null)
      and acknowledged_at_real is null`,
  `drop index ${table}_stuck`,
]);

const statements = [
  // Releases before 0026 no longer checked what was in error. It is read on for thirty days.
  `update rail_transfer set look_at = (extract(epoch from now()) * 1000)::int8
    where state = 'error' and (sealed_return_reason is not null or return_reason is not null)
      and look_at is null and partner_ref is not null`,
  ...seen,
];
