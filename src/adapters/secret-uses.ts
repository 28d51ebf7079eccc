import type { ReplaceableSecret } from "@trellis/kernel/module.js";
import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";

/** How many stored values there are of each secret of a purpose, by its id. */
export async function countUses(db: DbOrTrx, { columns }: ReplaceableSecret): Promise<ReadonlyMap<number, number>> {
  const uses = new Map<number, number>();
  for (const { table, column, only } of columns) {
    const value = sql.ref(column);
    // A keyed hash is 32 bytes under the root's secret, and has two bytes in front under one with an id: see kernel/crypto/macs.ts.
    const id = sql`case when octet_length(${value}) = 34 then get_byte(${value}, 0) * 256 + get_byte(${value}, 1) else 0 end`;
    const { rows } = await sql<{ id: number; uses: number }>`select ${id} as id, count(*)::int4 as uses
      from ${sql.table(table)} where ${value} is not null and ${sql.raw(only ?? "true")} group by 1`.execute(db);
    for (const row of rows) uses.set(row.id, (uses.get(row.id) ?? 0) + row.uses);
  }
  return uses;
}
