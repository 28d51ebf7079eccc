// Builds the console to dist/console/, where a service reads it: a table of its paths, and the files in every form they go out in.
// Run by scripts/build.mjs.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { Encoding } from "../../src/http/site.js";
import { fileOf } from "../docs-site/site-files.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(root, "dist/console");
const made = join(folder, "made");

/**
 * What a page may do: run and load the files that the service itself serves, and talk to it. No script of the page is inline, none
 * writes markup as text, and no other page holds this one in a frame.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await build({
  root: fileURLToPath(new URL(".", import.meta.url)),
  configFile: false,
  base: "/console/",
  logLevel: "warn",
  // What it imports of this repository's packages is read from their sources.
  resolve: { alias: { "@trellis/sdk": join(root, "packages/sdk/src/index.ts") } },
  build: {
    outDir: made,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: "es2023",
    rolldownOptions: {
      // Libraries mark files for servers that render; there is none.
      onwarn: (warning, report) => {
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") report(warning);
      },
    },
  },
});

const table: Record<string, object> = {};
for (const name of readdirSync(made, { recursive: true, encoding: "utf8" })) {
  const type = types[extname(name)];
  if (type === undefined) continue;
  const isPage = type.startsWith("text/html");
  const headers = {
    "content-type": type,
    // The name of every other file holds a digest of its content.
    "cache-control": isPage ? "no-cache" : "max-age=31536000, immutable",
    ...(isPage ? { "content-security-policy": policy, "referrer-policy": "no-referrer" } : {}),
  };
  const file = await fileOf({ text: readFileSync(join(made, name), "utf8"), headers });
  const stored = name.replaceAll(/[^a-zA-Z0-9._-]/g, "-");
  for (const encoding of Object.keys(file.bytes) as Encoding[])
    writeFileSync(join(folder, `${stored}.${encoding}`), file.bytes[encoding] ?? "");
  const entry = { file: stored, encodings: Object.keys(file.bytes), headers: file.headers };
  table[isPage ? "/console/" : `/console/${name}`] = entry;
}
rmSync(made, { recursive: true });
writeFileSync(join(folder, "table.json"), JSON.stringify(table));
