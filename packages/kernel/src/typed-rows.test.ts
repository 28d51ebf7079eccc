import { sql } from "kysely";
import { expect, it } from "vitest";
import { useDatabase } from "../../../test/support/use-database.js";
import { type Columns, namesOf, plainStatement, type RowOf, typedRows, typedValues } from "./typed-rows.js";

const database = useDatabase();

const full: RowOf<typeof columns> = {
  id: `a, "quoted" 'text' {with} \\ and \u{1f600}`,
  large: 9_007_199_254_740_993n,
  small: -2_147_483_648,
  flag: true,
  bytes: new Uint8Array([0, 92, 255]),
};
const other = { ...full, id: "b", large: -9_223_372_036_854_775_808n, flag: false, bytes: new Uint8Array() };
const empty = { id: null, large: null, small: null, flag: null, bytes: null };
// The order of a row's fields says nothing.
const turned = Object.fromEntries(Object.entries(full).reverse()) as typeof full;

it.each([
  ["no row", []],
  ["one row", [full]],
  ["one row of nulls", [empty]],
  ["one row whose fields stand in another order", [turned]],
  ["several rows", [full, empty, other, turned]],
])("%s is the same after encoding and decoding", async (_, rows) => {
  expect(await read(rows)).toEqual(rows);
  const { rows: plain } = await database.db.executeQuery(readPlain(rows));
  expect(withBytes(plain as RowOf<typeof columns>[])).toEqual(rows);
});

it("names and values of a row are in one order", async () => {
  const { rows } =
    await sql`select * from (select ${typedValues(columns, turned)}) as told (${namesOf(columns)})`.execute(
      database.db,
    );
  expect(rows).toEqual([{ ...full, bytes: expect.anything() }]);
});

const columns = {
  id: "text",
  large: "int8",
  small: "int4",
  flag: "boolean",
  bytes: "bytea",
} as const satisfies Columns;

async function read(rows: readonly RowOf<typeof columns>[]) {
  const found = await sql<RowOf<typeof columns>>`select * from ${typedRows("told", columns, rows)}`.execute(
    database.db,
  );
  return withBytes(found.rows);
}

const readPlain = plainStatement("told", columns, (told) => `select * from ${told}`);

function withBytes(rows: readonly RowOf<typeof columns>[]) {
  return rows.map((row) => ({ ...row, bytes: row.bytes === null ? null : new Uint8Array(row.bytes) }));
}
