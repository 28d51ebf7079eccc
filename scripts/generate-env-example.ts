// Writes .env.example from the table of variables, or with --check says that it is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { variables } from "../src/config/variables.js";

const file = fileURLToPath(new URL("../.env.example", import.meta.url));
const width = 110;

const lines = [
  "# Every variable with its default. Copy to .env, take the # away where you want another value, and start with",
  "#   set -a; . ./.env; set +a; npm start",
  "# systemd reads such a file as EnvironmentFile, containers with --env-file. Keep it where only the service can read it.",
];
for (const [name, [byDefault, meaning]] of Object.entries(variables)) {
  lines.push("", ...folded(meaning), `#${name}=${/[\s;#]/.test(byDefault) ? `"${byDefault}"` : byDefault}`);
}
const text = `${lines.join("\n")}\n`;

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write(".env.example is out of date: npm run generate\n");
  process.exitCode = 1;
}

function folded(sentence: string): string[] {
  const rows = [""];
  for (const word of sentence.split(" ")) {
    const last = rows.at(-1) ?? "";
    if (last !== "" && last.length + word.length > width) rows.push(word);
    else rows[rows.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return rows.map((row) => `# ${row}`);
}
