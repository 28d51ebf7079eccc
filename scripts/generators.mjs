/**
 * Makes clients of openapi.json with three generators, compiles them, and has each play a story against a sandbox of its own:
 * an account by e-mail, its code, play money, its balance. `npm run generators`, or with names: `-- typescript python go`.
 * Fetches the generators by the machine's own package clients. One whose tools are missing, or that cannot be fetched, is left
 * out, and said.
 * Ends with a failure where a client cannot be made, compiled, or does not get through the story.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startSandbox } from "./sandbox-process.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const contract = join(root, "openapi.json");
const place = mkdtempSync(join(tmpdir(), "trellis-generators-"));

let sandbox;

/** Runs to its end; throws with what it said where it fails. */
function run(command, args, cwd = place) {
  const env = { ...process.env, TRELLIS_URL: sandbox?.url, TRELLIS_API_KEY: sandbox?.apiKey };
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return stdout.trim();
  throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? `${stdout}\n${stderr}`.slice(-4_000)}`);
}

/** Something from a package registry was not available. */
class NotFetched extends Error {}

function fetch(command, args, cwd) {
  try {
    run(command, args, cwd);
  } catch (error) {
    throw new NotFetched(error.message);
  }
}

const story = (name, to) => cpSync(join(root, "scripts/generators", name), to);

const generators = {
  typescript: {
    needs: [["npm", "--version"]],
    play: () => {
      const at = join(place, "typescript");
      mkdirSync(at);
      writeFileSync(join(at, "package.json"), JSON.stringify({ private: true, type: "module" }));
      fetch("npm", ["install", "--no-audit", "--no-fund", "@hey-api/openapi-ts@0.99.0", "typescript@5.9.3"], at);
      run("node_modules/.bin/openapi-ts", ["-i", contract, "-o", "client", "-c", "@hey-api/client-fetch"], at);
      story("story.mts", join(at, "story.ts"));
      const options = [
        "--strict",
        "--noEmit",
        "--target",
        "es2023",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
      ];
      const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
      run("node_modules/.bin/tsc", [...options, ...types, "story.ts"], at);
      return run(join(root, "node_modules/.bin/tsx"), ["story.ts"], at);
    },
  },
  python: {
    needs: [["python3", "-m", "venv", "--help"]],
    play: () => {
      const at = join(place, "python");
      run("python3", ["-m", "venv", at]);
      const packages = ["openapi-python-client==0.29.1", "httpx==0.28.1", "attrs==26.1.0", "cryptography==50.0.2"];
      fetch(join(at, "bin/pip"), ["install", "--quiet", "--disable-pip-version-check", ...packages]);
      const made = ["generate", "--path", contract, "--meta", "none", "--output-path", "trellis_client"];
      run(join(at, "bin/openapi-python-client"), made, at);
      story("story.py", join(at, "story.py"));
      return run(join(at, "bin/python"), ["story.py"], at);
    },
  },
  go: {
    needs: [
      ["java", "-version"],
      ["mvn", "--version"],
      ["go", "version"],
    ],
    play: () => {
      const at = join(place, "go");
      mkdirSync(at);
      const jar = "org.openapitools:openapi-generator-cli:7.25.0:jar";
      fetch("mvn", [
        "-q",
        "dependency:copy",
        `-Dartifact=${jar}`,
        `-DoutputDirectory=${place}`,
        "-Dmdep.stripVersion=true",
      ]);
      // Two lists of values share a word: without their names before it the constants would clash.
      const properties = "packageName=trellis,withGoMod=false,enumClassPrefix=true";
      const made = ["-g", "go", "-i", contract, "-o", join(at, "trellis"), `--additional-properties=${properties}`];
      run("java", ["-jar", join(place, "openapi-generator-cli.jar"), "generate", ...made]);
      rmSync(join(at, "trellis/test"), { recursive: true, force: true });
      writeFileSync(join(at, "go.mod"), "module example.org\n\ngo 1.23\n\nrequire gopkg.in/validator.v2 v2.0.1\n");
      story("story.go", join(at, "main.go"));
      fetch("go", ["mod", "tidy"], at);
      run("go", ["vet", "./..."], at);
      return run("go", ["run", "."], at);
    },
  },
};

const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(generators);
const unknown = wanted.find((name) => generators[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(`There is no generator "${unknown}": ${Object.keys(generators).join(", ")}.\n`);
  process.exit(2);
}
sandbox = await startSandbox(join(place, "data"));
let failed = 0;
for (const name of wanted) {
  const { needs, play } = generators[name];
  const missing = needs.find(([command, ...args]) => spawnSync(command, args).status !== 0);
  if (missing !== undefined) {
    process.stdout.write(`${name}: left out, as \`${missing.join(" ")}\` does not run here\n`);
    continue;
  }
  try {
    process.stdout.write(`${name}: ${play()}\n`);
  } catch (error) {
    const isLeftOut = error instanceof NotFetched;
    if (!isLeftOut) failed += 1;
    process.stdout.write(
      `${name}: ${isLeftOut ? "left out, as it could not be fetched" : "FAILED"}\n${error.message}\n`,
    );
  }
}
await sandbox.stop();
rmSync(place, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
