// Packs the client library and the hooks as npm would publish them, into dist/packages/, where a running service offers them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Rejects where a package cannot be packed. */
export function packPackages() {
  const place = `${root}dist/packages`;
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  // A release does not contain the hooks' sources, but what was packed.
  const names = ["sdk", "react"].filter((name) => existsSync(`${root}packages/${name}/dist/index.js`));
  for (const name of names) {
    const packed = spawnSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", place], {
      cwd: `${root}packages/${name}`,
      encoding: "utf8",
    });
    if (packed.status !== 0) throw new Error(`${name} could not be packed: ${packed.error?.message ?? packed.stderr}`);
  }
  if (readdirSync(place).length !== names.length) throw new Error("a package is missing in dist/packages");
}
