// Writes the client library's list of error codes from the service's catalogue, or with --check says that it is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ErrorCode, errorCatalogue, wireCode } from "@trellis/kernel/errors.js";

const file = fileURLToPath(new URL("../packages/sdk/src/wire/error-codes.ts", import.meta.url));
const codes = [...new Set((Object.keys(errorCatalogue) as ErrorCode[]).map(wireCode))].sort();

const text = `// Generated from src/errors.ts by scripts/generate-sdk-errors.ts.

/** Every code that an error of the service can have (gap 3). Codes are permanent; later services may know more. */
export type TrellisErrorCode =
${codes.map((code) => `  | "${code}"`).join("\n")};
`;

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write("packages/sdk/src/wire/error-codes.ts is out of date: npm run generate\n");
  process.exitCode = 1;
}
