// Writes the table of what is not in events into docs/api/events.md, between its markers, or with --check tells that it is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SplItem } from "../src/history/list-transfers.js";
import { eventCatalogue } from "../src/modules.js";

const file = fileURLToPath(new URL("../docs/api/events.md", import.meta.url));
const marked = /(<!-- what events leave out: npm run generate -->\n).*?(<!-- end of what events leave out -->)/s;

/** Types that say the same of the same object stand in one row. */
const rows = new Map<string, string[]>();
for (const [type, { of, without = {}, own = {} }] of Object.entries(eventCatalogue)) {
  const name = of === undefined ? "–" : `\`${nameOf(of)}\``;
  const left = listOf(Object.entries(without));
  const besides = listOf(Object.entries(own).map(([field, { why }]) => [field, why]));
  const cells = `${name} | ${of === undefined ? "no call answers it" : left} | ${besides}`;
  rows.set(cells, [...(rows.get(cells) ?? []), type]);
}

const lines = [...rows].map(([cells, types]) => `| ${typesOf(types)} | ${cells} |`);
const table = `\n| Events | The object of | Left out | Otherwise |\n| --- | --- | --- | --- |\n${lines.join("\n")}\n\n`;
const text = readFileSync(file, "utf8");
const generated = text.replace(marked, (_, begin: string, end: string) => `${begin}${table}${end}`);
if (!marked.test(text)) throw new Error("docs/api/events.md has no place for the table of what events leave out");
if (generated !== text) {
  if (process.argv.includes("--check")) {
    process.stderr.write("docs/api/events.md is out of date: npm run generate\n");
    process.exitCode = 1;
  } else writeFileSync(file, generated);
}

/** By which the calls' document knows it. An item of the list of transfers is one of several forms of it. */
function nameOf(of: object): string {
  if (of === SplItem) return "Transfer";
  const { $id } = of as { $id?: string };
  if ($id === undefined) throw new Error("an event is of an object without a name");
  return $id;
}

/** Fields that share a reason stand together. */
function listOf(reasons: readonly (readonly [string, string])[]): string {
  const byReason = new Map<string, string[]>();
  for (const [field, why] of reasons) byReason.set(why, [...(byReason.get(why) ?? []), `\`${field}\``]);
  return [...byReason].map(([why, fields]) => `${fields.join(", ")}: ${why}`).join("; ") || "–";
}

/** `kyc.created`, `.updated`: of one noun the noun once. */
function typesOf(types: readonly string[]): string {
  return types
    .map((type, i) => {
      const [noun, ending] = type.split(".");
      return noun === types[i - 1]?.split(".")[0] ? `\`.${ending}\`` : `\`${type}\``;
    })
    .join(", ");
}
