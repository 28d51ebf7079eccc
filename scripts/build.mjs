// Compiles the service and its client library to dist/. Incremental: a second run takes moments.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const tsc = fileURLToPath(new URL("../node_modules/typescript-7/bin/tsc", import.meta.url));
const { status } = spawnSync(process.execPath, [tsc, "-b"], { stdio: "inherit" });
process.exit(status ?? 1);
