// Compiles the service and its client library to dist/. Incremental: a second run takes moments.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const tsc = createRequire(import.meta.url).resolve("typescript-7/lib/tsc.js");
const { status } = spawnSync(process.execPath, [tsc, "-b"], { stdio: "inherit" });
process.exit(status ?? 1);
