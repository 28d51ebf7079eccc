// Writes openapi.json from the endpoints' contracts. With --check it writes nothing and fails when the file is stale.
import { readFile, writeFile } from "node:fs/promises";
import packageJson from "../package.json" with { type: "json" };
import { buildOpenApi } from "../packages/docs-site/openapi/build-openapi.js";
import { endpoints } from "../src/endpoints.js";
import { eventCatalogue } from "../src/modules.js";

const target = new URL("../openapi.json", import.meta.url);
const text = `${JSON.stringify(buildOpenApi(endpoints, { version: packageJson.version, events: eventCatalogue }), null, 2)}\n`;

if (process.argv.includes("--check")) {
  const committed = await readFile(target, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (committed !== text) {
    console.error("openapi.json is stale: run npm run generate");
    process.exitCode = 1;
  }
} else {
  await writeFile(target, text);
}
