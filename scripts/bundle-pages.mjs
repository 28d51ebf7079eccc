// Makes what the documentation's pages run in a browser, in dist/docs/: their scripts, with the client library in them, and the script
// of the console for every call, which its library serves.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import apiReference from "@scalar/fastify-api-reference";
import { build } from "esbuild";
import fastify from "fastify";

const from = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export async function bundlePages() {
  await build({
    entryPoints: ["story", "search", "blocks", "console"].map((name) => from(`src/http/docs/browser/${name}.ts`)),
    outdir: from("dist/docs"),
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    alias: { "@trellis/sdk": from("sdk/src/index.ts") },
    logLevel: "warning",
  });
  await bundleConsole();
}

/** The console's script, as its library serves it; browser/console.ts starts it. */
async function bundleConsole() {
  const app = fastify();
  await app.register(apiReference, { routePrefix: "/docs/api", configuration: { url: "/openapi.json" } });
  const { statusCode, body } = await app.inject({ url: "/docs/api/js/scalar.js" });
  if (statusCode !== 200) throw new Error(`the console's library answered ${statusCode}`);
  mkdirSync(from("dist/docs"), { recursive: true });
  writeFileSync(from("dist/docs/scalar.js"), body);
  await app.close();
}
