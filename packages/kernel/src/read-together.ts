import type { CompiledQuery } from "kysely";
import { groupCommit } from "./group-commit.js";
import type { DbOrTrx } from "./ports/database.js";
import { type Columns, plainStatement, type RowOf } from "./typed-rows.js";

/** Of a row, for which of the keys that were asked about it is. */
interface Asked {
  readonly asked_at: number;
}

/**
 * Makes a function that reads the rows of a key, in one query with other keys that are asked about while queries are under way.
 * What was written before it was called it sees. `query` is plain SQL around the table `asked`, whose columns are those of
 * a key; its first column is `asked.at`, as `asked_at`. Rows of a key keep the order of the query.
 */
export function readTogether<Key extends Columns, Row extends object>(
  columns: Key,
  query: (asked: string) => string,
): (db: DbOrTrx, key: RowOf<Key>) => Promise<readonly Row[]> {
  const statement = plainStatement("asked", { ...columns, at: "int8" }, query);
  return groupCommit<DbOrTrx, RowOf<Key>, readonly Row[]>({ laneOf: () => "" }, async (db, keys) => {
    const asked = statement(keys.map((key, at) => ({ ...key, at: BigInt(at) }) as RowOf<Key & { at: "int8" }>));
    const { rows } = await db.executeQuery<Row & Asked>(asked as CompiledQuery<Row & Asked>);
    const found: Row[][] = keys.map(() => []);
    for (const { asked_at: at, ...row } of rows) found[Number(at)]?.push(row as unknown as Row);
    return found;
  });
}
