/**
 * Has Schemathesis (PyPI) send requests made from openapi.json, right ones and wrong ones, to a sandbox of its own, and hold the
 * answers against the document. `npm run schemathesis`, or `-- --max-time 600` and other options of its own. What it must not
 * to expect stands in schemathesis.toml, with reasons. Where it cannot be installed, says so and ends well. Ends with a failure where an
 * answer is none the document allows.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withOptionalNulls } from "./optional-nulls.mjs";
import { startSandbox } from "./sandbox-process.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "trellis-schemathesis-"));
const run = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: place, env: { ...process.env, ...env }, stdio: "inherit" }).status ?? 1;

const python = join(place, "python");
const pip = ["install", "--quiet", "--disable-pip-version-check", "schemathesis==4.32.5"];
let status = 0;
if (run("python3", ["-m", "venv", python]) !== 0 || run(join(python, "bin/pip"), pip) !== 0) {
  process.stderr.write("NOT TESTED: the OpenAPI document by Schemathesis, which could not be installed.\n");
} else {
  const sandbox = await startSandbox(join(place, "data"));
  const how = ["--phases", "examples,coverage,fuzzing", "--seed", "1", "--max-examples", "10", "--max-time", "300"];
  const options = ["--continue-on-failure", "--no-shrink", "--warnings", "off", ...process.argv.slice(2)];
  const document = join(place, "openapi.json");
  writeFileSync(
    document,
    JSON.stringify(withOptionalNulls(JSON.parse(readFileSync(join(root, "openapi.json"), "utf8")))),
  );
  const what = ["run", document, "--url", sandbox.url, ...how, ...options];
  status = run(join(python, "bin/schemathesis"), ["--config-file", join(root, "scripts/schemathesis.toml"), ...what], {
    TRELLIS_API_KEY: sandbox.apiKey,
  });
  await sandbox.stop();
}
rmSync(place, { recursive: true, force: true });
process.exit(status);
