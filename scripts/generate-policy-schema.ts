// Writes docs/custodian-policy.schema.json, the JSON Schema of a wallet's policy, or with --check says that it is out of date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { WalletPolicy } from "../src/custodian/policy/wallet-policy.js";

const name = "docs/custodian-policy.schema.json";
const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", ...WalletPolicy };
const text = `${JSON.stringify(schema, null, 2)}\n`;

if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
  if (process.argv.includes("--check")) {
    process.stderr.write(`${name} is out of date: npm run generate\n`);
    process.exitCode = 1;
  } else writeFileSync(file, text);
}
