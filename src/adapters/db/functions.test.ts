import { readdirSync, readFileSync } from "node:fs";
import type { Db } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestLocation, type TestLocation } from "../../../test/support/test-database.js";
import { applyFunctions, functionsFile, migrate, splitDefinitions } from "./migrate.js";
import { type OpenDatabase, openDatabase } from "./open-database.js";

let place: TestLocation;
let database: OpenDatabase;
beforeAll(async () => {
  place = await createTestLocation();
  database = await openDatabase(place.location);
});
afterAll(async () => {
  await database?.close();
  await place?.drop();
});

describe("functions.sql", () => {
  it("names every function of the database once, and no other", async () => {
    const names = [...(await functionsOf(db())).keys()].map((name) => name.replace(/\(.*/, ""));
    expect(namesIn(text).toSorted()).toEqual(names.toSorted());
    expect(splitDefinitions(text)).toHaveLength(names.length);
  });

  it("says of every function which triggers call it, and when", async () => {
    const { rows } = await sql<{ name: string; trigger: string }>`
      select proname as name, pg_get_triggerdef(pg_trigger.oid, true) as trigger
      from pg_trigger join pg_proc on pg_proc.oid = tgfoid
      where not tgisinternal and pronamespace = current_schema()::regnamespace`.execute(db());
    const inDatabase = rows.map(
      ({ name, trigger }) => `${name}: ${trigger.replace("CREATE TRIGGER ", "").replace(/ EXECUTE FUNCTION .*$/, "")}`,
    );
    const inFile = splitDefinitions(text).flatMap((definition) => {
      const [name] = namesIn(definition);
      return [...definition.matchAll(/^-- trigger (.*)$/gm)].map(([, trigger]) => `${name}: ${trigger}`);
    });
    expect(inFile.toSorted()).toEqual(inDatabase.toSorted());
  });

  it("is what the database runs, whatever it ran before", async () => {
    const before = await functionsOf(db());
    await sql`create or replace function deposit_rank(state text) returns int4 language sql immutable as $$ select 7 $$`.execute(
      db(),
    );
    await sql`create or replace function report_account() returns trigger language plpgsql as $$ begin return null; end $$`.execute(
      db(),
    );
    await sql`delete from meta where key = 'functions'`.execute(db());
    await database.db.transaction().execute(migrate);
    const bodies = (of: Awaited<ReturnType<typeof functionsOf>>) => [...of].map(([name, { body }]) => [name, body]);
    expect(bodies(await functionsOf(db()))).toEqual(bodies(before));
  });

  it("is not applied again to a database that has it", async () => {
    const before = await functionsOf(db());
    expect(await applyFunctions(db(), text)).toBe(false);
    expect(await functionsOf(db())).toEqual(before);
  });

  it("is left by a command where another release has applied its own, and replaced by a service, which says so", async () => {
    const other = async () => {
      await sql`create or replace function deposit_rank(state text) returns int4 language sql immutable as $$ select 8 $$`.execute(
        db(),
      );
      await sql`update meta set value = 'of another release' where key = 'functions'`.execute(db());
    };
    const before = await functionsOf(db());
    const rank = async () => (await functionsOf(db())).get("deposit_rank(text)")?.body;
    await other();
    const reported: string[] = [];
    const functionsReplaced = () => reported.push("replaced");
    await database.db.transaction().execute((trx) => migrate(trx, { keepsFunctions: true, functionsReplaced }));
    expect(await rank()).toContain("select 8");
    await database.db.transaction().execute((trx) => migrate(trx, { functionsReplaced }));
    expect(await rank()).toBe(before.get("deposit_rank(text)")?.body);
    await database.db.transaction().execute((trx) => migrate(trx, { functionsReplaced }));
    await sql`delete from meta where key = 'functions'`.execute(db());
    await database.db.transaction().execute((trx) => migrate(trx, { keepsFunctions: true, functionsReplaced }));
    expect(reported).toEqual(["replaced"]);
    expect(await applyFunctions(db(), text)).toBe(false);
  });

  it("writes instants as a part of the statement that asks: no text of a function is parsed for each of them", async () => {
    const { rows } = await sql<Record<string, string>>`
      explain (verbose) select wire_instant(created_at) from generate_series(1, 2) as created_at`.execute(db());
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain("to_char");
    expect(plan).not.toContain("wire_instant");
  });

  it("is applied whole or not at all", async () => {
    const before = await functionsOf(db());
    const broken = `${text}\ncreate or replace function wire_instant(instant int8) returns text language sql immutable as $$ select 'x' $$;
create or replace function report() returns wrong language sql as $$ select 1 $$;\n`;
    await expect(database.db.transaction().execute((trx) => applyFunctions(trx, broken))).rejects.toThrow("wrong");
    expect(await functionsOf(db())).toEqual(before);
    expect(await applyFunctions(db(), text)).toBe(false);
  });

  it("has the functions of all later migrations: none makes one of its own", () => {
    const folder = new URL("migrations/", import.meta.url);
    const makers = readdirSync(folder).filter(
      (name) =>
        /^\d{4}-.*(?<!\.test)\.ts$/.test(name) &&
        name.slice(0, 4) > lastThatMakes &&
        /create\s+(or\s+replace\s+)?function/i.test(readFileSync(new URL(name, folder), "utf8").replace(empty, "")),
    );
    expect(makers).toEqual([]);
  });
});

const text = readFileSync(functionsFile, "utf8");
/** From here on no migration makes a function. */
const lastThatMakes = "0043";
/** But one that does nothing, for a trigger to name: the file is applied in the same transaction, and says what it does. */
const empty = /create function [^ ]+\(\) returns trigger language plpgsql as \$\$ begin return null; end \$\$/g;

/** Every function of the schema, by its name and arguments, with when it was last written. */
async function functionsOf(db: Db): Promise<ReadonlyMap<string, { body: string; version: string }>> {
  const { rows } = await sql<{ name: string; body: string; version: string }>`
    select oid::regprocedure::text as name, pg_get_functiondef(oid) as body, xmin::text as version
    from pg_proc where pronamespace = current_schema()::regnamespace order by 1`.execute(db);
  return new Map(rows.map(({ name, body, version }) => [name, { body, version }]));
}

const db = () => database.db;

const namesIn = (sqlText: string) =>
  [...sqlText.matchAll(/^create or replace function ([a-z_]+)\(/gm)].map(([, name = ""]) => name);
