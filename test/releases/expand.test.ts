import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect, PostgresDialect, sql, type Transaction } from "kysely";
import { Migrator } from "kysely/migration";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { applyFunctions, functionsFile } from "../../src/adapters/db/migrate.js";
import { migrations } from "../../src/adapters/db/migrations/index.js";
import { createTestLocation } from "../support/test-database.js";
import { use } from "../support/use.js";
import { hasPrevious, previous, previousFile, previousMigrations } from "./previous.js";
import { findBreaks, readSchema, type Schema } from "./schema.js";

describe.runIf(hasPrevious)("the release before this one", () => {
  const database = use(open);
  let former: Schema;
  let now: Schema;
  beforeAll(async () => {
    const { db } = database;
    await migrateTo(db, [...previousMigrations().keys()].at(-1) ?? "");
    await applyFunctions(db, previousFile("src/adapters/db/functions.sql"));
    former = await readSchema(db);
    await migrateTo(db, Object.keys(migrations).at(-1) ?? "");
    await applyFunctions(db, readFileSync(functionsFile, "utf8"));
    now = await readSchema(db);
  });

  it("has migrations that nobody has changed since", () => {
    for (const [name, source] of previousMigrations()) {
      const file = new URL(`../../src/adapters/db/migrations/${name}.ts`, import.meta.url);
      expect(readFileSync(file, "utf8"), name).toBe(source);
    }
  });

  it("finds all that it uses in the schema of this one, but for what is listed", async () => {
    expect(await findBreaks(database.db, former, now)).toEqual(previous.contracted);
  });

  it.each(breaking)("would break on: %s", async (statement, finding) => {
    expect(await breaksOf(statement)).toContainEqual(expect.stringContaining(finding));
  });

  it.each(harmless)("goes on after: %s", async (statement) => {
    expect(await breaksOf(statement)).toEqual([]);
  });

  /** What a migration with these statements would break, of a schema that has something of each kind. */
  async function breaksOf(statements: string): Promise<readonly string[]> {
    let breaks: readonly string[] = [];
    const undone = new Error("undone");
    const play = database.db.transaction().execute(async (trx) => {
      await execute(trx, expanded);
      const before = await readSchema(trx);
      await execute(trx, statements);
      breaks = await findBreaks(trx, before, await readSchema(trx));
      throw undone;
    });
    await expect(play).rejects.toBe(undone);
    return breaks;
  }
});

const expanded = `
  create table thing (id text primary key, owner text not null, note text, size int8 not null default 0, kind text,
    constraint of_kind check (kind in ('small', 'large')), constraint of_size check (size >= 0), unique (owner, note));
  create table part (id text primary key, thing_id text references thing on delete cascade);
  create function size_of(thing text) returns int8 language sql as 'select 1::int8';
  create function report_thing() returns trigger language plpgsql as 'begin return null; end';
  create trigger thing_reported after insert on thing for each row execute function report_thing()`;

const breaking: readonly (readonly [string, string])[] = [
  ["drop table part", "part is gone"],
  ["alter table thing rename to object", "thing is gone"],
  ["alter table thing drop column size", "thing.size is gone"],
  ["alter table part rename column thing_id to of_thing", "part.thing_id is gone"],
  ["alter table thing alter column note type varchar(20)", "thing.note was text and is character varying(20)"],
  ["alter table thing alter column kind set not null", "thing.kind is required"],
  ["alter table thing alter column size drop default", "thing.size has no default"],
  ["alter table thing add column weight int8 not null", "thing.weight is new and required"],
  ["alter table thing enable row level security", "thing hides rows"],
  ["alter table thing add check (size < 9)", "thing is narrower"],
  ["alter table thing drop constraint of_kind; alter table thing add check (kind in ('small'))", "thing is narrower"],
  ["alter table thing drop constraint of_size; alter table thing add check (size > 0)", "thing is narrower"],
  ["alter table thing add column colour text; alter table thing add check (colour is not null)", "thing is narrower"],
  ["create unique index on thing (owner)", "thing is narrower"],
  ["alter table thing drop constraint thing_owner_note_key", "thing has no more"],
  ["alter table thing add foreign key (note) references part", "thing is narrower"],
  ["create table mark (thing_id text references thing)", "thing is held by mark"],
  ["alter table part drop constraint part_thing_id_fkey", "part has no more"],
  ["drop trigger thing_reported on thing", "trigger thing_reported of thing is gone"],
  [
    "drop trigger thing_reported on thing; create trigger thing_reported after insert on thing for each statement execute function report_thing()",
    "trigger thing_reported of thing is another",
  ],
  ["drop function size_of(text)", "function size_of(text) returns bigint is gone"],
  [
    "drop function size_of(text); create function size_of(text) returns int4 language sql as 'select 1'",
    "function size_of(text) returns bigint is gone",
  ],
  [
    "drop function size_of(text); create function size_of(text, int4) returns int8 language sql as 'select 1::int8'",
    "function size_of(text) returns bigint is gone",
  ],
];

const harmless = [
  "create table mark (thing_id text references thing on delete cascade, unique (thing_id))",
  "alter table thing add column weight int8, add column colour text not null default 'red'",
  "alter table thing add column number int8 generated always as identity",
  "alter table thing add column colour text default 'red'; alter table thing add check (colour in ('red', 'blue'))",
  "alter table thing alter column owner drop not null",
  "alter table thing drop constraint of_kind",
  "alter table thing drop constraint of_kind; alter table thing add check (kind in ('small', 'large', 'vast'))",
  "alter table thing drop constraint of_kind; alter table thing add check (kind in ('small', 'large', 'vast')) not valid",
  "alter table thing drop constraint of_size; alter table thing add check (size >= 0 or kind is null)",
  "alter table thing add column code text; create unique index on thing (owner, code)",
  "alter table thing add column part_id text references part on delete set null",
  "create index on thing (kind)",
  "create or replace function size_of(thing text) returns int8 language sql as 'select 2::int8'",
  "create function size_of(text, int4) returns int8 language sql as 'select 1::int8'",
];

async function execute(trx: Transaction<unknown>, statements: string): Promise<void> {
  for (const statement of statements.split(/;\s+(?=alter|create)/)) await sql.raw(statement).execute(trx);
}

async function open() {
  const place = await createTestLocation();
  const dialect =
    place.url === undefined
      ? new PGliteDialect({ pglite: await PGlite.create() })
      : new PostgresDialect({ pool: new pg.Pool({ connectionString: place.url, max: 1 }) });
  const db = new Kysely<unknown>({ dialect });
  return {
    db,
    close: async () => {
      await db.destroy();
      await place.drop();
    },
  };
}

async function migrateTo(db: Kysely<unknown>, name: string): Promise<void> {
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(name);
  if (error !== undefined) throw error;
}
