// Compiles the service, its client library and the hooks to dist/, renders the documentation, builds the console, packs the library
// and the hooks, and makes the empty database that a first start copies. The compiler is incremental: a second run takes moments for it.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { packPackages } from "./pack-packages.mjs";

const tsc = fileURLToPath(new URL("../node_modules/typescript-7/bin/tsc", import.meta.url));
const root = fileURLToPath(new URL("..", import.meta.url));
// The server is built without them where they are not there.
const hooks = existsSync(`${root}packages/react/tsconfig.json`) ? ["packages/react"] : [];
const begun = new Date();
const { status } = spawnSync(process.execPath, [tsc, "-b", ".", ...hooks], { stdio: "inherit", cwd: root });
if (status !== 0) process.exit(status ?? 1);
// Read as it is, behind the migrations.
copyFileSync(`${root}src/adapters/db/functions.sql`, `${root}dist/adapters/db/functions.sql`);
// From their sources: what makes the pages is no part of the service, and so is not in dist/.
for (const pages of ["docs-site", "console"]) {
  const rendering = spawnSync(process.execPath, ["--import", "tsx", `${root}packages/${pages}/build.ts`], {
    stdio: "inherit",
    cwd: root,
  });
  if (rendering.status !== 0) process.exit(rendering.status ?? 1);
}
packPackages();
// By a process of its own, as it takes much memory. A small machine builds without it, and is no worse off than with a slower first start.
const making = spawnSync(process.execPath, [`${root}scripts/make-empty-database.mjs`], { stdio: "inherit" });
if (making.status !== 0)
  process.stderr.write("Without an empty database to copy, the first start of an embedded one makes its own.\n");
// When it was begun: what is saved meanwhile is newer. scripts/ensure-built.mjs reads the file's content.
writeFileSync(
  new URL("../dist/.built", import.meta.url),
  `${begun.toISOString()}
`,
);
