// Builds the console and the treasury to dist/pages/, where a service reads them: a table of their paths, and the files in every form
// they go out in.
// Run by scripts/build.mjs.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { Encoding } from "../../src/http/site.js";
import { fileOf } from "../../src/http/site-file.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(root, "dist/pages");
const made = join(folder, "made");
const folderOfSources = fileURLToPath(new URL(".", import.meta.url));

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

/** Where each page is served. What they load lies below `/pages/`, as they share most of it. */
const pages: Readonly<Record<string, string>> = {
  "index.html": "/console/",
  "app.html": "/app/",
  "passkey.html": "/passkeys/ui",
};

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await build({
  root: folderOfSources,
  configFile: false,
  base: "/pages/",
  logLevel: "warn",
  // What it imports of this repository's packages is read from their sources.
  resolve: {
    alias: {
      "@trellis/react": join(root, "packages/react/src/index.ts"),
      "@trellis/sdk": join(root, "packages/sdk/src/index.ts"),
    },
  },
  build: {
    outDir: made,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: "es2023",
    rolldownOptions: {
      input: Object.keys(pages).map((name) => join(folderOfSources, name)),
      onwarn: (warning, report) => {
        // Libraries mark files for servers that render, and ask for Node's cryptography where there is none of the browser.
        const isKnown = warning.code === "MODULE_LEVEL_DIRECTIVE" || warning.message.includes('Module "crypto"');
        if (!isKnown) report(warning);
      },
    },
  },
});

const table: Record<string, object> = {};
for (const name of readdirSync(made, { recursive: true, encoding: "utf8" })) {
  const type = types[extname(name)];
  if (type === undefined) continue;
  const page = pages[name];
  const headers = {
    "content-type": type,
    // The name of every other file holds a digest of its content.
    "cache-control": page !== undefined ? "no-cache" : "max-age=31536000, immutable",
    ...(page !== undefined ? { "content-security-policy": policy, "referrer-policy": "no-referrer" } : {}),
  };
  const file = await fileOf({ content: readFileSync(join(made, name), "utf8"), headers });
  const stored = name.replaceAll(/[^a-zA-Z0-9._-]/g, "-");
  for (const encoding of Object.keys(file.bytes) as Encoding[])
    writeFileSync(join(folder, `${stored}.${encoding}`), file.bytes[encoding] ?? "");
  const entry = { file: stored, encodings: Object.keys(file.bytes), headers: file.headers };
  table[page ?? `/pages/${name}`] = entry;
}
rmSync(made, { recursive: true });
writeFileSync(join(folder, "table.json"), JSON.stringify(table));
