// Writes every generated file, or with --check says which one is out of date.
import { spawnSync } from "node:child_process";

const check = process.argv.includes("--check") ? ["--check"] : [];
const generators = [
  [process.execPath, ["scripts/generate-program-client.mjs"]],
  ["node_modules/.bin/tsx", ["scripts/generate-openapi.ts"]],
  ["node_modules/.bin/tsx", ["scripts/generate-custodian-openapi.ts"]],
  [process.execPath, ["scripts/generate-openapi-types.mjs"]],
  [process.execPath, ["scripts/generate-sdk-types.mjs"]],
  ["node_modules/.bin/tsx", ["scripts/generate-env-example.ts"]],
  ["node_modules/.bin/tsx", ["scripts/generate-sdk-errors.ts"]],
  ["node_modules/.bin/tsx", ["scripts/generate-sdk-coins.ts"]],
  ["node_modules/.bin/tsx", ["scripts/generate-docs-errors.ts"]],
  ["node_modules/.bin/tsx", ["scripts/generate-event-table.ts"]],
  ["node_modules/.bin/tsx", ["scripts/generate-log-events.ts"]],
  ["node_modules/.bin/tsx", ["scripts/generate-policy-schema.ts"]],
  ["node_modules/.bin/tsx", ["scripts/generate-state-tables.ts"]],
  ["node_modules/.bin/tsx", ["program/build/measure-compute.ts"]],
];

let failed = false;
for (const [command, args] of generators) {
  const { status } = spawnSync(command, [...args, ...check], { stdio: "inherit" });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
