import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../src/adapters/db/open-database.js";
import { type StateColumn, tableOfStates } from "../src/kernel/states.js";
import { stateColumns } from "../src/modules.js";
import { openTestDatabase } from "./support/test-database.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const nameOf = ({ table, column }: StateColumn) => `${table}.${column}`;
const named = stateColumns.map((one) => [nameOf(one), one] as const);

let opened: OpenDatabase;

beforeAll(async () => {
  opened = await openTestDatabase();
});

afterAll(() => opened.close());

describe("tables of states", () => {
  it.each(named)("%s: every state can be reached from the first one", (_name, { states }) => {
    const reached = new Set(states.all.slice(0, 1));
    for (const state of reached) for (const next of states.statesAfter(state)) reached.add(next);
    expect([...reached].sort()).toEqual([...states.all].sort());
  });

  it.each(named)("%s: the database allows these states and no others", async (_name, one) => {
    expect(await allowedBy(one)).toEqual([...one.states.all].sort());
  });
});

/** What the check constraint of a column allows. */
async function allowedBy({ table, column }: StateColumn): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'c' and conrelid = ${table}::regclass and conkey = array[(select attnum from pg_attribute
      where attrelid = ${table}::regclass and attname = ${column})]`.execute(opened.db);
  const lists = rows.flatMap(({ definition }) => definition.match(/= ANY \(ARRAY\[(.*)\]\)/)?.[1] ?? []);
  expect(lists.length, "check constraints of this column").toBe(1);
  return lists[0]?.match(/(?<=')\w+(?=')/g)?.sort();
}

describe("what the documents say of states", () => {
  const pages = [
    ...readdirSync(`${root}src`).map((module) => `${root}src/${module}/README.md`),
    ...readdirSync(`${root}docs/api`).map((file) => `${root}docs/api/${file}`),
  ].flatMap((page) => (existsSync(page) ? [readFileSync(page, "utf8")] : []));

  it.each(named)("%s: one page has the table, and it is current", (name, { states }) => {
    const table = `<!-- states of ${name}: npm run generate -->\n\n${tableOfStates(states)}\n\n<!-- end of states -->`;
    expect(pages.filter((page) => page.includes(table)).length).toBe(1);
  });

  // In a table of `From`, `To` and `When` below the name of the column.
  it.each(named)("%s: what is said to happen may happen", (name, { states }) => {
    const [said = ""] = pages.flatMap((page) => page.split(`(\`${name}\``)[1]?.split(/\n(?:\*\*|#)/)[0] ?? []);
    for (const line of said.split("\n")) {
      const [, from = "", to = "", when] = line.split("|").map((cell) => cell.trim());
      if (when === undefined || when === "") continue;
      const moves = statesIn(from).flatMap((one) => statesIn(to).map((other) => [one, other] as const));
      for (const [one, other] of moves) {
        if (one !== other)
          expect([one, "may be followed by", states.statesAfter(one)]).toEqual([
            one,
            "may be followed by",
            expect.arrayContaining([other]),
          ]);
      }
    }
  });
});

const statesIn = (cell: string) => cell.match(/(?<=`)\w+(?=`)/g) ?? [];
