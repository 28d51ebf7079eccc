import pg from "pg";
import { describe, expect, it } from "vitest";
import { postgresUrl } from "../../../test/support/test-database.js";
import { useTestLocation } from "../../../test/support/use-database.js";
import { openDatabase } from "./open-database.js";
import { findOtherReleases, releaseName } from "./releases.js";

const place = useTestLocation();

it("has a name with its version and its last migration, which a server takes whole", () => {
  expect(releaseName).toMatch(/^trellis \d+\.\d+\.\d+\S* \d{4}$/);
  expect(releaseName.length).toBeLessThan(64);
});

describe.skipIf(postgresUrl !== undefined)("In the embedded database", () => {
  it("sees nobody else", async () => {
    const database = await openDatabase(place.location);
    expect(await findOtherReleases(database.db)).toEqual([]);
    await database.close();
  });
});

describe.skipIf(postgresUrl === undefined)("On a server", () => {
  it("sees a process of a former release, and none of its own with all they have open", async () => {
    const [database, beside] = [await openDatabase(place.location), await openDatabase(place.location)];
    const lease = await beside.takeLease("one");
    await beside.background.selectFrom("meta").selectAll().execute();
    expect(await findOtherReleases(database.db)).toEqual([]);
    const former = new pg.Client({ connectionString: place.url });
    await former.connect();
    expect(await findOtherReleases(database.db)).toEqual([""]);
    await former.query("set application_name = 'trellis 0.0.1 0042'");
    expect(await findOtherReleases(database.db)).toEqual(["trellis 0.0.1 0042"]);
    await former.end();
    await lease?.release();
    await Promise.all([database.close(), beside.close()]);
  });

  it("sees nobody where its own name is another", async () => {
    const url = new URL(place.url ?? "");
    url.searchParams.set("application_name", "all of us");
    const database = await openDatabase({ kind: "postgres", url: url.href, poolSize: 3 });
    expect(await findOtherReleases(database.db)).toEqual([]);
    await database.close();
  });
});
