// The one gate: format, lint, types, generated files, dead code, the documents' sentences, tests. Names the failed steps at the end.
import { spawnSync } from "node:child_process";

const node = process.execPath;
const bin = (name) => `node_modules/.bin/${name}`;
const steps = [
  ["format and lint", bin("biome"), ["ci", "--error-on-warnings", "."]],
  ["types", node, ["node_modules/typescript-7/bin/tsc", "-p", "tsconfig.check.json"]],
  // Where it was built a moment ago servers of that may be running.
  ...(process.env.TRELLIS_CHECK_BUILT ? [] : [["build", node, ["scripts/build.mjs"]]]),
  ["generated files", node, ["scripts/generate.mjs", "--check"]],
  ["the program's Rust", node, ["program/build/check-rust.mjs"]],
  ["unused code", bin("knip"), []],
  ["sentences", bin("tsx"), ["scripts/sentences.ts"]],
  ["tests", bin("vitest"), ["run"]],
];

const failed = [];
for (const [name, command, args] of steps) {
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) failed.push(name);
}
process.stdout.write(failed.length === 0 ? "\nAll checks passed.\n" : `\nFailed: ${failed.join(", ")}.\n`);
process.exit(failed.length === 0 ? 0 : 1);
