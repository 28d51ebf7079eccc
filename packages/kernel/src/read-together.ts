import { CompiledQuery } from "kysely";
import { groupCommit } from "./group-commit.js";
import type { DbOrTrx } from "./ports/database.js";
import type { Columns, RowOf } from "./typed-rows.js";

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
  const names = Object.keys(columns);
  const types = Object.values(columns);
  const list = (of: (type: string, at: number) => string) => types.map((type, at) => of(type, at + 1)).join(", ");
  const table = `as asked (${names.join(", ")}, at)`;
  const one = query(`(values (${list((type, at) => `$${at}::${type}`)}, 1::int8)) ${table}`);
  const many = query(`unnest(${list((type, at) => `$${at}::${type}[]`)}) with ordinality ${table}`);
  return groupCommit<DbOrTrx, RowOf<Key>, readonly Row[]>({ laneOf: () => "" }, async (db, keys) => {
    const [first] = keys;
    const isOne = keys.length === 1;
    const parameters = names.map((name) => (isOne ? first?.[name] : keys.map((key) => key[name])));
    const { rows } = await db.executeQuery<Row & Asked>(CompiledQuery.raw(isOne ? one : many, parameters));
    const found: Row[][] = keys.map(() => []);
    for (const { asked_at: at, ...row } of rows) found[Number(at) - 1]?.push(row as unknown as Row);
    return found;
  });
}
