// Packs what a server needs, compiled: release/trellis-VERSION.tar.gz. Unpack it, `npm ci --omit=dev`, `npm start`.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** The packages that a server needs; the hooks are for browsers. */
const packages = ["kernel", "mcp", "program-client", "sandbox", "sdk", "solana"];
const parts = [
  "package.json",
  "package-lock.json",
  ".nvmrc",
  ".env.example",
  "dist",
  ...packages.flatMap((name) => [`packages/${name}/package.json`, `packages/${name}/dist`]),
  "packages/sdk/README.md",
  "packages/react/README.md",
  "examples/README.md",
  "program/artifact",
  "scripts/ensure-built.mjs",
  "openapi.json",
  "deploy",
  "docs",
  "README.md",
  "ARCHITECTURE.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "LICENSE",
];

// Anew: the compiler leaves the output of files that were removed.
for (const made of ["dist", ...packages.map((name) => `packages/${name}/dist`)])
  rmSync(join(root, made), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

const place = mkdtempSync(join(tmpdir(), "trellis-release-"));
const name = `trellis-${version}`;
for (const part of parts) {
  if (!existsSync(join(root, part))) continue;
  mkdirSync(dirname(join(place, name, part)), { recursive: true });
  cpSync(join(root, part), join(place, name, part), {
    recursive: true,
    // What editors and debuggers read, but not the database's own files of that name.
    filter: (source) =>
      !/\.(tsbuildinfo|js\.map|d\.ts)$/.test(basename(source)) || source.includes(join("packages", "sdk", "dist")),
  });
}
leaveOutTools(join(place, name));
mkdirSync(join(root, "release"), { recursive: true });
const archive = join(root, "release", `${name}.tar.gz`);
const packed = spawnSync("tar", ["-czf", archive, "-C", place, name], { stdio: "inherit" });
rmSync(place, { recursive: true });
if (packed.status !== 0) process.exit(packed.status ?? 1);
process.stdout.write(`${archive}\n`);

/**
 * What only building and testing needs is not named in the release: npm would install the compiler all the same, as packages
 * in use say they could work with one. Nor are the hooks, and React with them.
 */
function leaveOutTools(folder) {
  const rewrite = (file, change) => {
    const content = JSON.parse(readFileSync(join(folder, file), "utf8"));
    change(content);
    writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`);
  };
  rewrite("package.json", (content) => {
    delete content.devDependencies;
    content.workspaces = packages.map((name) => `packages/${name}`);
    // It stands for the version of a tool.
    delete content.overrides["openapi-typescript"];
  });
  rewrite("package-lock.json", ({ packages: locked }) => {
    delete locked[""].devDependencies;
    locked[""].workspaces = packages.map((name) => `packages/${name}`);
    for (const path of ["packages/react", "node_modules/@trellis/react", "node_modules/react"]) delete locked[path];
    for (const [path, { dev }] of Object.entries(locked)) if (dev === true) delete locked[path];
    delete locked["node_modules/typescript"];
  });
}
