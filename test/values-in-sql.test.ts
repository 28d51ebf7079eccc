import { formatUnits } from "@trellis/kernel/money.js";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { historyId } from "../src/history/history-page.js";
import { dueAt, type Frequency, frequencies } from "../src/standing-orders/schedule.js";
import { openTestDatabase } from "./support/test-database.js";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

const wordsOf = async (text: ReturnType<typeof sql<{ value: string }>>) =>
  (await text.execute(database.db)).rows.map(({ value }) => String(value));

it("writes amounts in major units in events as in answers", async () => {
  const amounts = fc.array(fc.tuple(fc.bigInt({ min: 0n, max: 18_446_744_073_709_551_615n }), fc.nat(18)), {
    minLength: 40,
  });
  const drawn = [
    ...(fc.sample(amounts, 5).flat() as [bigint, number][]),
    [1_500_000n, 6],
    [1_000n, 3],
    [100n, 0],
    [0n, 9],
  ] as const;
  const rows = JSON.stringify(drawn.map(([amount, decimals]) => ({ amount: String(amount), decimals })));
  const written = await wordsOf(
    sql`select wire_units(amount, decimals) as value from json_to_recordset(${rows}::json) as t (amount text, decimals int4)`,
  );
  expect(written).toEqual(drawn.map(([amount, decimals]) => formatUnits(amount, decimals)));
});

it("gives what the chain moved the same id in events as in lists", async () => {
  const parts = fc.sample(
    fc.tuple(fc.constantFrom("sandbox", "mainnet"), fc.stringMatching(/^[1-9A-H]{32}$/), fc.nat(99)),
    50,
  );
  const rows = JSON.stringify(parts.map((one) => one.join(" ")));
  const written = await wordsOf(sql`select history_id(value) as value from json_array_elements_text(${rows}::json)`);
  expect(written).toEqual(parts.map((one) => historyId(...one)));
});

it("finds the last due date of an order in events as in answers", async () => {
  const start = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2033, 11, 31) });
  const drawn: [Frequency, number, number][] = [
    ...fc.sample(fc.tuple(fc.constantFrom(...frequencies), start, fc.integer({ min: 1, max: 400 })), 200),
    ["monthly", Date.UTC(2024, 0, 31, 23, 59, 59, 999), 2],
    ["monthly", Date.UTC(2026, 11, 31), 3],
  ];
  const rows = JSON.stringify(drawn.map(([frequency, at, count]) => ({ frequency, at, count })));
  const written = await wordsOf(
    sql`select last_due(frequency, at, count) as value
      from json_to_recordset(${rows}::json) as t (frequency text, at int8, count int4)`,
  );
  expect(written).toEqual(drawn.map(([frequency, startAt, count]) => String(dueAt({ frequency, startAt }, count - 1))));
});
