// Renders the OpenAPI document and the documentation to dist/site/, where a service reads them. Run by scripts/build.mjs.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { endpoints } from "../../src/endpoints.js";
import { eventCatalogue } from "../../src/modules.js";
import { bundleScripts } from "./bundle-scripts.js";
import { writeSites } from "./write-site.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { version }: { version: string } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const scripts = await bundleScripts();
await writeSites(`${root}dist/site`, { endpoints, events: eventCatalogue, version }, (name) => {
  const text = scripts.get(name);
  if (text === undefined) throw new Error(`there is no script ${name}`);
  return text;
});
