// Writes docs/log-events.md, the page of every line that the log can have, from the log calls themselves, or with --check says
// that it is out of date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type LogCall, logCallsIn } from "../test/support/log-calls.js";

const page = "docs/log-events.md";
const root = fileURLToPath(new URL("..", import.meta.url));

const { calls, faults } = logCallsIn(root);
for (const fault of faults) process.stderr.write(`${fault}\n`);
const events = [...new Set(calls.map(({ event }) => event))].sort();
const text = `# Log events

<!-- Generated from the calls that write the log: npm run generate -->

Every line of the log is a JSON object with a code in \`event\`. Search and alarm by this code: its message may change with a release. A
code always has the same level and the same message. What differs from case to case is in the other fields, and a cause is in \`err\`. Lines
that a library writes have the code \`library_reported\`. [Operations](operations.md#logs) says how the log is written.

| \`event\` | Level | Message | Module | What to do |
| --- | --- | --- | --- | --- |
${events.map(rowOf).join("\n")}
`;

if (faults.length > 0) process.exitCode = 1;
else if (!existsSync(root + page) || readFileSync(root + page, "utf8") !== text) {
  if (process.argv.includes("--check")) {
    process.stderr.write(`${page} is out of date: npm run generate\n`);
    process.exitCode = 1;
  } else writeFileSync(root + page, text);
}

function rowOf(event: string): string {
  const same = calls.filter((call) => call.event === event);
  const each = (cellOf: (call: LogCall) => string | undefined) =>
    [...new Set(same.map(cellOf))].filter((value) => value !== undefined).sort();
  const cells = [
    `\`${event}\``,
    each(({ level }) => level).join(", "),
    each(({ message }) => message).join("; "),
    each(({ file }) => `\`${moduleOf(file)}\``).join(", "),
    each(({ operator }) => operator).join("; "),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** The folder of a source, from `src` or from its package; the start of the process has none. */
function moduleOf(file: string): string {
  return dirname(file.replace(/^src\//, "").replace(/^packages\/([^/]+)\/src\//, "$1/")).replace(/^\.$/, "src");
}
