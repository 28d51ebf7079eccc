// Makes the empty database that a first start copies, in dist/empty-database, with the schema in it, by what was compiled. Anew
// where the embedded database, the migrations or the functions are others than those it was made with.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const { version } = JSON.parse(readFileSync(path("node_modules/@electric-sql/pglite/package.json"), "utf8"));
const schema = createHash("sha256");
for (const file of readdirSync(path("dist/adapters/db/migrations"))
  .filter((name) => name.endsWith(".js"))
  .sort()) {
  schema.update(file).update(readFileSync(path(`dist/adapters/db/migrations/${file}`)));
}
schema.update(readFileSync(path("dist/adapters/db/functions.sql")));
const madeOf = `${version} ${schema.digest("hex")}\n`;
const [made, unfinished, madeOfFile] = ["empty-database", "empty-database.unfinished", ".empty-database"].map((name) =>
  path(`dist/${name}`),
);
if (existsSync(made) && existsSync(madeOfFile) && readFileSync(madeOfFile, "utf8") === madeOf) process.exit(0);
for (const old of [made, unfinished]) rmSync(old, { recursive: true, force: true });
const { openDatabase } = await import("../dist/adapters/db/open-database.js");
await (await openDatabase({ kind: "embedded", directory: unfinished })).close();
const database = join(unfinished, "postgres");
// It holds nothing, and the user that runs the service has to be able to copy it.
chmodSync(database, 0o755);
for (const entry of readdirSync(database, { recursive: true, withFileTypes: true })) {
  chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}
renameSync(database, made);
rmSync(unfinished, { recursive: true });
writeFileSync(madeOfFile, madeOf);
