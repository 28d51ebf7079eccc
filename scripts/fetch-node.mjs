/**
 * Fetches a version of Node.js from the npm packages of it into a folder: `node scripts/fetch-node.mjs FOLDER` that of `.nvmrc`, and
 * prints the folder its program is in. Ends with 1 where it cannot be fetched.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The versions that tests run with, by the majors that people are told of. */
export const nodeVersions = { 20: "20.20.2", 22: "22.23.3", 24: "24.21.0" };

/** The folder with the program of a version, fetched into `place`; undefined where that fails. */
export function fetchNode(version, place) {
  const at = join(place, version);
  mkdirSync(at, { recursive: true });
  const name = `node-${process.platform}-${process.arch}`;
  const { status } = spawnSync("npm", ["install", "--prefix", at, "--no-audit", "--no-fund", `${name}@${version}`], {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 120_000,
  });
  const bin = join(at, "node_modules", name, "bin");
  return status === 0 && existsSync(join(bin, "node")) ? bin : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const major = readFileSync(new URL("../.nvmrc", import.meta.url), "utf8").trim();
  const bin = fetchNode(nodeVersions[major], process.argv[2]);
  if (bin === undefined) process.exitCode = 1;
  else process.stdout.write(`${bin}\n`);
}
