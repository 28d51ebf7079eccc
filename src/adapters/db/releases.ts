import { readFileSync } from "node:fs";
import type { Db } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { migrations } from "./migrations/index.js";

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
);

/** What a server calls the connections of this release: `trellis`, its version, and the number of its last migration. */
export const releaseName = `trellis ${version} ${Object.keys(migrations).toSorted().at(-1)?.slice(0, 4)}`;

/**
 * The names of connections to this database, under the same role, that are not of this release: a process of another one, or a tool. Former
 * releases have no name, which is the empty text. None is seen where this connection does not have its own name: in the embedded database, or
 * where `DATABASE_URL` or a pooler gives another.
 */
export async function findOtherReleases(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select distinct application_name as name from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
      and application_name <> ${releaseName}::text and current_setting('application_name') = ${releaseName}::text
    order by 1`.execute(db);
  return rows.map(({ name }) => name);
}
