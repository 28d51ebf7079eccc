import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "./open-database.js";
import { placeEmptyDatabase } from "./place-empty-database.js";

const place = mkdtempSync(join(tmpdir(), "trellis-empty-"));
const made = join(place, "made");

beforeAll(async () => {
  await (await PGlite.create(made)).close();
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("an empty database that was made before", () => {
  it("becomes a directory's database, which keeps what is put there, and is never copied over it", async () => {
    const directory = join(place, "first");
    placeEmptyDatabase(join(directory, "postgres"), made);
    const first = await openDatabase({ kind: "embedded", directory });
    await sql`create table notes (text text)`.execute(first.db);
    await sql`insert into notes values ('kept')`.execute(first.db);
    await first.close();
    placeEmptyDatabase(join(directory, "postgres"), made);
    const again = await openDatabase({ kind: "embedded", directory });
    expect((await sql`select text from notes`.execute(again.db)).rows).toEqual([{ text: "kept" }]);
    await again.close();
  });

  it("cannot be read by other users", () => {
    const to = join(place, "mine");
    placeEmptyDatabase(to, made);
    expect(statSync(to).mode & 0o777).toBe(0o700);
    expect(statSync(join(to, "base")).mode & 0o777).toBe(0o700);
    expect(statSync(join(to, "PG_VERSION")).mode & 0o777).toBe(0o600);
  });

  it("takes the place of what a process that died has left of it", () => {
    const to = join(place, "again");
    mkdirSync(`${to}.unfinished`);
    writeFileSync(join(`${to}.unfinished`, "PG_VERSION"), "half");
    placeEmptyDatabase(to, made);
    expect(existsSync(`${to}.unfinished`)).toBe(false);
    expect(readFileSync(join(to, "PG_VERSION"), "utf8")).not.toBe("half");
  });

  it("is not missed where there is none", () => {
    const to = join(place, "none");
    placeEmptyDatabase(to, join(place, "no such place"));
    expect(existsSync(to)).toBe(false);
  });
});
