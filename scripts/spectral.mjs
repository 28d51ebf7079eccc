/**
 * Holds openapi.json against the recommended rules of Spectral (`spectral:oas`), hints included: `npm run spectral`. Fetches it
 * from the package registry; where it cannot be had, says so and ends well. Redocly's rules are held by a test.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const contract = fileURLToPath(new URL("../openapi.json", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "trellis-spectral-"));
const run = (command, args) => spawnSync(command, args, { cwd: place, stdio: ["ignore", 1, 2] }).status ?? 1;

writeFileSync(join(place, "package.json"), JSON.stringify({ private: true }));
writeFileSync(join(place, "rules.yaml"), "extends: [spectral:oas]\n");
const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
let status = 0;
if (run("npm", [...install, "@stoplight/spectral-cli@6.16.3"]) !== 0) {
  process.stderr.write("NOT TESTED: Spectral's rules, as it could not be fetched.\n");
} else {
  const rules = ["--ruleset", "rules.yaml", "--fail-severity", "hint"];
  status = run(join(place, "node_modules/.bin/spectral"), ["lint", ...rules, contract]);
}
rmSync(place, { recursive: true, force: true });
process.exit(status);
