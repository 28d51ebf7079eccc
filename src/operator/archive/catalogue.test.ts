import { sql } from "kysely";
import { expect, it } from "vitest";
import { useDatabase } from "../../../test/support/use-database.js";
import { sealedColumns } from "../../modules.js";
import { archivedTables, stayingTables } from "./catalogue-rest.js";

const database = useDatabase();

it("has every table of the database, and of those that move every column", async () => {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select relname as table, array_agg(attname::text order by attname) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    group by 1`.execute(database.db);
  const found = Object.fromEntries(rows.map(({ table, columns }) => [table, columns.toSorted()]));
  const staying = Object.keys(stayingTables);
  const carried = archivedTables.map(({ table }) => table as string);
  expect([...staying, ...carried].toSorted()).toEqual(Object.keys(found).toSorted());
  for (const { table, columns, treated = {}, generated = [] } of archivedTables) {
    expect([...columns, ...Object.keys(treated), ...generated].toSorted(), table).toEqual(found[table]);
  }
});

it("opens every sealed column of what moves", () => {
  const carried = new Map(archivedTables.map((each) => [each.table as string, each.treated ?? {}]));
  const treatments = sealedColumns.flatMap(({ table, column }) => {
    const treated = carried.get(table);
    return treated === undefined ? [] : [treated[column] ?? `${table}.${column} is forgotten`];
  });
  expect(new Set(treatments)).toEqual(new Set(["sealed", "wallet_key"]));
});

it("lists no table before one that it refers to", async () => {
  const { rows } = await sql<{ table: string; other: string }>`
    select conrelid::regclass::text as table, confrelid::regclass::text as other from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace and conrelid <> confrelid`.execute(
    database.db,
  );
  const order = archivedTables.map(({ table }) => table as string);
  for (const { table, other } of rows) {
    if (!order.includes(table)) continue;
    expect(order.indexOf(other), `${table} refers to ${other}`).toBeGreaterThanOrEqual(0);
    expect(order.indexOf(other), `${table} refers to ${other}`).toBeLessThan(order.indexOf(table));
  }
});
