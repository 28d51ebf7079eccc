// Writes the tables of states into the documents, between their markers, or with --check says which page is out of date. Every
// table has one place, by the name of one of its columns.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tableOfStates } from "@trellis/kernel/states.js";
import { stateColumns } from "../src/modules.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const marked = /(<!-- states of (\w+\.\w+): npm run generate -->\n).*?(<!-- end of states -->)/gs;
const byName = new Map(stateColumns.map((one) => [`${one.table}.${one.column}`, one.states]));
const unplaced = new Set(byName.values());

const pages = [
  "packages/kernel/src/README.md",
  ...readdirSync(`${root}src`).map((module) => `src/${module}/README.md`),
  ...readdirSync(`${root}docs/api`).map((file) => `docs/api/${file}`),
].filter((page) => existsSync(root + page));

for (const page of pages) {
  const text = readFileSync(root + page, "utf8");
  const generated = text.replace(marked, (_, begin: string, name: string, end: string) => {
    const states = byName.get(name);
    if (states === undefined || !unplaced.delete(states)) {
      throw new Error(`${page}: ${name} has a table elsewhere, or is no column of states`);
    }
    return `${begin}\n${tableOfStates(states)}\n\n${end}`;
  });
  if (generated === text) continue;
  if (process.argv.includes("--check")) {
    process.stderr.write(`${page} is out of date: npm run generate\n`);
    process.exitCode = 1;
  } else writeFileSync(root + page, generated);
}

for (const [name, states] of byName) {
  if (!unplaced.has(states)) continue;
  process.stderr.write(`no page has the marker <!-- states of ${name}: npm run generate -->\n`);
  process.exitCode = 1;
}
