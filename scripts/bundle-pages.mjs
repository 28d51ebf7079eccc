// Makes what the documentation's pages run in a browser, in dist/docs/: their scripts, with the client library in them, and
// the console for every call, which its library gives as a page and a script.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import apiReference from "@scalar/fastify-api-reference";
import { build } from "esbuild";
import fastify from "fastify";

const from = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export async function bundlePages() {
  await build({
    entryPoints: ["story", "search"].map((name) => from(`src/http/docs/browser/${name}.ts`)),
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

async function bundleConsole() {
  const app = fastify();
  await app.register(apiReference, {
    routePrefix: "/docs/api",
    configuration: {
      url: "/openapi.json",
      pageTitle: "Trellis API",
      authentication: { preferredSecurityScheme: "apiKey" },
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: "never",
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  mkdirSync(from("dist/docs"), { recursive: true });
  for (const [path, name] of [
    ["/docs/api/js/scalar.js", "console.js"],
    ["/docs/api/", "console.html"],
  ]) {
    const { statusCode, body } = await app.inject({ url: path });
    if (statusCode !== 200) throw new Error(`the console's library answered ${statusCode} for ${path}`);
    writeFileSync(from(`dist/docs/${name}`), body);
  }
  await app.close();
}
