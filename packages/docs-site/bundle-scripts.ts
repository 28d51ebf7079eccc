import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import apiReference from "@scalar/fastify-api-reference";
import { build } from "esbuild";
import fastify from "fastify";

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Makes what the pages run in a browser, by name: their scripts, with the client library in them, and the script of the
 * console for every call.
 */
export async function bundleScripts(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: ["story", "search", "blocks", "console"].map((name) => from(`browser/${name}.ts`)),
    outdir: from("built"),
    write: false,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    alias: { "@trellis/sdk": from("../sdk/src/index.ts") },
    logLevel: "warning",
  });
  const own = outputFiles.map(({ path, text }): [string, string] => [basename(path), text]);
  return new Map([...own, ["scalar.js", await consoleScript()]]);
}

/** The console's script, as its library serves it; browser/console.ts starts it. */
async function consoleScript(): Promise<string> {
  const app = fastify();
  await app.register(apiReference, { routePrefix: "/docs/api", configuration: { url: "/openapi.json" } });
  const { statusCode, body } = await app.inject({ url: "/docs/api/js/scalar.js" });
  await app.close();
  if (statusCode !== 200) throw new Error(`the console's library answered ${statusCode}`);
  return body;
}
