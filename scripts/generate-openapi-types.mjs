// Turns openapi.json into types that the client library's own types are held against (test/contract/sdk-wire.ts).
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTypescript, { astToString } from "openapi-typescript";

const target = fileURLToPath(new URL("../test/contract/generated/openapi.ts", import.meta.url));
const source = new URL("../openapi.json", import.meta.url);
const types = `// Generated from openapi.json by scripts/generate-openapi-types.mjs.\n${astToString(await openapiTypescript(source))}`;

if (!process.argv.includes("--check")) {
  writeFileSync(target, types);
} else if (readFileSync(target, "utf8") !== types) {
  process.stderr.write("test/contract/generated/openapi.ts is out of date: npm run generate\n");
  process.exitCode = 1;
}
