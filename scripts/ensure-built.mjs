// Before a start: compiles what is missing, or older than its sources, and says so. A release is compiled already.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
// A release does not contain the hooks: nothing of the server needs them.
const hasReact = existsSync(path("packages/react/src"));
const isBuilt =
  existsSync(path("dist/main.js")) &&
  existsSync(path("dist/site")) &&
  existsSync(path("dist/pages")) &&
  existsSync(path("packages/sdk/dist/index.js")) &&
  (!hasReact || existsSync(path("packages/react/dist/index.js")));

function newest(folder) {
  return readdirSync(path(folder), { recursive: true, withFileTypes: true }).reduce((latest, entry) => {
    // What a build makes is newer than the moment it began.
    if (/[\\/](dist|node_modules)([\\/]|$)/.test(entry.parentPath)) return latest;
    if (!entry.isFile() || !/\.(tsx?|sql|md|svg|png|css|html)$/.test(entry.name) || entry.name.endsWith(".test.ts"))
      return latest;
    return Math.max(latest, statSync(`${entry.parentPath}/${entry.name}`).mtimeMs);
  }, 0);
}

function isStale() {
  if (!isBuilt || !existsSync(path("dist/.built"))) return true;
  const builtAt = Date.parse(readFileSync(path("dist/.built"), "utf8").trim());
  const packages = readdirSync(path("packages")).filter((name) => existsSync(path(`packages/${name}/src`)));
  const settings = [
    "tsconfig.json",
    "tsconfig.base.json",
    "package-lock.json",
    "package.json",
    ...packages.map((name) => `packages/${name}/tsconfig.json`),
  ];
  // What the documentation is rendered from, with what lies in the folders.
  const documents = readdirSync(path(".")).filter((name) => name.endsWith(".md"));
  const changedAt = Math.max(
    newest("src"),
    newest("packages"),
    newest("docs"),
    ...[...settings, ...documents, "examples/README.md"]
      .filter((name) => existsSync(path(name)))
      .map((name) => statSync(path(name)).mtimeMs),
  );
  return !(changedAt < builtAt);
}

const hasSources = existsSync(path("src/main.ts"));
const hasCompiler = existsSync(path("node_modules/typescript-7/bin/tsc"));
if (hasSources && isStale()) {
  if (hasCompiler) {
    process.stderr.write("building…\n");
    const begun = performance.now();
    const { status } = spawnSync(process.execPath, [path("scripts/build.mjs")], { stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
    process.stderr.write(`built in ${((performance.now() - begun) / 1000).toFixed(1)} s\n`);
  } else if (isBuilt) {
    process.stderr.write("dist/ is older than src/, and there is no compiler here: what was built is started.\n");
  }
}
if (!existsSync(path("dist/main.js")) || !existsSync(path("packages/sdk/dist/index.js"))) {
  process.stderr.write(
    "There is nothing to start: dist/ is missing, and the compiler is a development dependency.\n" +
      "Run `npm ci` without --omit=dev, or take a release, which comes compiled (README, Install).\n",
  );
  process.exit(1);
}
