// Makes the empty database that a first start copies, in dist/empty-database, unless it is there already: by the embedded
// database itself, so for one version of it.
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

export async function makeEmptyDatabase() {
  const [made, unfinished, versionFile] = ["empty-database", "empty-database.unfinished", ".empty-database"].map(
    (name) => path(`dist/${name}`),
  );
  const { version } = JSON.parse(readFileSync(path("node_modules/@electric-sql/pglite/package.json"), "utf8"));
  if (existsSync(made) && existsSync(versionFile) && readFileSync(versionFile, "utf8").trim() === version) return;
  for (const old of [made, unfinished]) rmSync(old, { recursive: true, force: true });
  const database = await PGlite.create(unfinished);
  await database.close();
  // It holds nothing, and whoever runs the service has to be able to copy it.
  chmodSync(unfinished, 0o755);
  for (const entry of readdirSync(unfinished, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
  renameSync(unfinished, made);
  writeFileSync(versionFile, `${version}\n`);
}
