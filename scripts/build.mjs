// Compiles the service and its client library to dist/. Incremental: a second run takes moments.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const tsc = fileURLToPath(new URL("../node_modules/typescript-7/bin/tsc", import.meta.url));
const root = fileURLToPath(new URL("..", import.meta.url));
const begun = new Date();
const { status } = spawnSync(process.execPath, [tsc, "-b"], { stdio: "inherit", cwd: root });
if (status === 0) {
  mkdirSync(new URL("../dist/", import.meta.url), { recursive: true });
  // When it was begun: what is saved meanwhile is newer. scripts/ensure-built.mjs reads the file's content.
  writeFileSync(new URL("../dist/.built", import.meta.url), `${begun.toISOString()}\n`);
}
process.exit(status ?? 1);
