import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type RailTransferState, railTransferStates } from "@trellis/kernel/ports/rails.js";
import { anyOfText, type StateColumn, tableOfStates } from "@trellis/kernel/states.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { stateColumns } from "../src/modules.js";
import { depositStates } from "../src/rails/deposit-states.js";
import { mayFollow, transferStates } from "../src/rails/transfer-states.js";
import { orderStates } from "../src/standing-orders/order-states.js";
import { movesByTransaction } from "../src/submissions/intent-states.js";
import { submissionStates } from "../src/submissions/submission-states.js";
import { sourcesIn } from "./support/imports-of.js";
import { ownSources } from "./support/modules.js";
import { useDatabase } from "./support/use-database.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const nameOf = ({ table, column }: StateColumn) => `${table}.${column}`;
const named = stateColumns.map((one) => [nameOf(one), one] as const);

const opened = useDatabase();

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

describe("what stands in two places", () => {
  const standings = railTransferStates.flatMap((state) => [
    { state, isBack: false },
    { state, isBack: true },
  ]);

  it("follows a payout in the database by the table of a transfer", async () => {
    const { rows } = await sql<Pair>`
      with standing as (select * from json_to_recordset(${JSON.stringify(standings)}::json) as one (state text, "isBack" boolean))
      select known.state as known, known."isBack" as known_back, told.state as told, told."isBack" as told_back,
        payout_follows(known.state, known."isBack", told.state, told."isBack") as follows
      from standing as known cross join standing as told`.execute(opened.db);
    expect(rows.length).toBe(400);
    for (const { known, known_back, told: reported, told_back: reported_back, follows } of rows) {
      const may = mayFollow({ state: known, isBack: known_back }, { state: reported, isBack: reported_back });
      expect([known, known_back, reported, reported_back, follows]).toEqual([
        known,
        known_back,
        reported,
        reported_back,
        may,
      ]);
    }
  });

  it("ranks payouts in the database in the order of that table", async () => {
    for (const { one, other, rises } of await comparedBy("payout_rank", railTransferStates)) {
      if (rises) expect([one, transferStates.statesAfter(one)]).toEqual([one, expect.arrayContaining([other])]);
    }
  });

  it("ranks deposits in the database by the table of a deposit", async () => {
    for (const { one, other, rises } of await comparedBy("deposit_rank", depositStates.all)) {
      expect([one, other, rises]).toEqual([one, other, depositStates.mayFollow(one, other)]);
    }
  });

  it("lets a transaction move its intent only as intents may move", () => {
    for (const [from, next] of Object.entries(movesByTransaction)) {
      expect(transferStates.statesAfter(from as RailTransferState)).toEqual(expect.arrayContaining([...next]));
    }
  });
});

/** What is known of a payout, what is reported of it, and whether the database believes that. */
interface Pair {
  readonly known: RailTransferState;
  readonly known_back: boolean;
  readonly told: RailTransferState;
  readonly told_back: boolean;
  readonly follows: boolean;
}

/** For all pairs of states, whether the rank of the other one is higher. */
async function comparedBy<S extends string>(rank: string, states: readonly S[]) {
  const { rows } = await sql<{ one: S; other: S; rises: boolean }>`
    with state as (select unnest(${[...states]}::text[]) as name)
    select one.name as one, other.name as other, ${sql.raw(rank)}(other.name) > ${sql.raw(rank)}(one.name) as rises
    from state as one cross join state as other`.execute(opened.db);
  expect(rows.length).toBe(states.length ** 2);
  return rows;
}

describe("columns and lists", () => {
  /**
   * What is called so and is something else: a status of HTTP, what the simulated partner keeps for itself, and a copy of a
   * proposal's that a trigger makes.
   */
  const others = ["idempotency_record.status", "request_record.status", "proposal_listing.status", /^simulated_/];

  it("has a table for every column that is called state or status", async () => {
    const { rows } = await sql<{ name: string }>`select table_name || '.' || column_name as name
      from information_schema.columns where table_schema = 'public' and column_name ~ '^(chain_)?(state|status)$'`.execute(
      opened.db,
    );
    const names = rows.map(({ name }) => name).filter((name) => !others.some((other) => name.search(other) === 0));
    expect(names.filter((name) => !named.some(([known]) => known === name))).toEqual([]);
  });

  it("takes the lists of its statements from the tables", () => {
    const files = ownSources
      .flatMap((folder) => sourcesIn(root, folder))
      .filter((file) => !file.includes("/migrations/") && !file.endsWith("-states.ts"));
    const written = files.flatMap((file) => {
      const lists = readFileSync(`${root}${file}`, "utf8").match(/(state|status|mandate) (not )?in \('[^)]*\)/g) ?? [];
      return lists.map((list) => `${file}: ${list}`);
    });
    // These modules stand to the left of those that have the tables.
    const ended = "state in ('landed', 'failed', 'expired')";
    const open = "status in ('pending', 'active', 'inactive')";
    const carried = "state in ('sending', 'paid')";
    expect(written.sort()).toEqual(
      [
        `src/following/history-subscriptions.ts: ${ended}`,
        `src/following/history-subscriptions.ts: ${ended}`,
        `src/rails/external-accounts.ts: ${open}`,
        `src/rails/payout-addresses.ts: ${open}`,
        `src/rails/payouts.ts: ${open}`,
        `src/rails/payouts.ts: ${carried}`,
        `src/rails/payouts.ts: ${carried}`,
      ].sort(),
    );
    expect(ended).toBe(`state in ${anyOfText(submissionStates.final)}`);
    expect(open).toBe(`status in ${anyOfText(orderStates.open)}`);
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
    `${root}packages/kernel/src/README.md`,
    ...readdirSync(`${root}src`).map((module) => `${root}src/${module}/README.md`),
    ...readdirSync(`${root}docs/api`).map((file) => `${root}docs/api/${file}`),
  ].flatMap((page) => (existsSync(page) ? [readFileSync(page, "utf8")] : []));

  it.each(named)("%s: one page has its table, and it is current", (_name, { states }) => {
    const markers = stateColumns.filter((one) => one.states === states).map(nameOf);
    const tables = markers.map(
      (name) => `<!-- states of ${name}: npm run generate -->\n\n${tableOfStates(states)}\n\n<!-- end of states -->`,
    );
    expect(pages.filter((page) => tables.some((table) => page.includes(table))).length).toBe(1);
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
