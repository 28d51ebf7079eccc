// Bundles the scripts that the documentation's pages run in a browser, with the client library in them, to dist/docs/.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

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
}
