// Unpacks what `npm run release` has packed, installs it as its reader does, starts it where nothing was before, and starts it again.
// Ends with a failure where that does not work.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startSandbox } from "./sandbox-process.mjs";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const { version } = JSON.parse(readFileSync(path("package.json"), "utf8"));
const place = mkdtempSync(join(tmpdir(), "trellis-release-check-"));
const unpacked = join(place, `trellis-${version}`);

try {
  run("tar", ["-xzf", path(`release/trellis-${version}.tar.gz`), "-C", place], place);
  run("npm", ["ci", "--omit=dev", "--no-audit", "--no-fund"], unpacked);
  for (const start of ["first", "second"]) {
    const { url, stop } = await startSandbox(join(place, "data"), {}, join(unpacked, "dist/main.js"));
    for (const page of ["/readyz", "/docs/", "/openapi.json", `/packages/trellis-sdk-${version}.tgz`]) {
      const { status } = await fetch(url + page);
      if (status !== 200) throw new Error(`${page} answers ${status} after the ${start} start`);
    }
    await stop();
  }
  const kept = readdirSync(join(unpacked, "dist"));
  if (!kept.includes("empty-database")) throw new Error("the release has no empty database for its first start");
  process.stdout.write("The release starts.\n");
} finally {
  rmSync(place, { recursive: true, force: true });
}

function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stdout}\n${stderr}`);
}
