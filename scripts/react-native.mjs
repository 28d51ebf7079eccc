/**
 * Runs the client library and the hooks in Hermes, the engine of React Native, compiled as React Native compiles an application:
 * `npm run react-native`. Fetches both by npm into a temporary directory. Where they cannot be fetched, or do not run on this
 * machine, nothing is run, and that is said. Ends with a failure where the engine does not get through.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "trellis-react-native-"));
const packages = ["hermes-engine-cli@0.12.0", "@babel/core@7.28.5", "@react-native/babel-preset@0.79.6"];

function play() {
  writeFileSync(join(place, "package.json"), JSON.stringify({ private: true }));
  const fetched = spawnSync("npm", ["install", "--no-audit", "--no-fund", ...packages], {
    cwd: place,
    encoding: "utf8",
  });
  if (fetched.status !== 0) {
    process.stdout.write(`left out, as the engine could not be fetched\n${fetched.stderr ?? fetched.error}\n`);
    return 0;
  }
  const engine = join(place, "node_modules/hermes-engine-cli/linux64-bin/hermes");
  const started = spawnSync(engine, ["--version"], { encoding: "utf8" });
  if (started.status !== 0) {
    process.stdout.write("left out, as the engine does not run on this machine: it is for Linux on x86-64\n");
    return 0;
  }
  const test = ["run", "test/react-native/react-native.test.ts"];
  const { status } = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...test], {
    cwd: root,
    env: { ...process.env, TRELLIS_HERMES: place },
    stdio: "inherit",
  });
  return status ?? 1;
}

try {
  process.exitCode = play();
} finally {
  rmSync(place, { recursive: true, force: true });
}
