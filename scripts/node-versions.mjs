/**
 * Reads the README literally with each version of Node.js it names, from the npm packages of them: `npm ci`, `npm start`, the
 * demonstration with the key that the start prints, examples, and the quick tests, in a copy of this tree. With a version that has
 * not reached its end of life none of it may print a warning. `npm run node-versions`, or with names: `-- 20 22`. A version that cannot be fetched is
 * left out, and said. `--without-tests 24`: that version's quick tests are run elsewhere.
 */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fetchNode, nodeVersions } from "./fetch-node.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const endedWith = 20;
const { values, positionals: asked } = parseArgs({
  options: { "without-tests": { type: "string" } },
  allowPositionals: true,
});
const place = mkdtempSync(join(tmpdir(), "trellis-node-versions-"));

let failures = 0;
try {
  for (const [major, version] of Object.entries(nodeVersions)) {
    if (asked.length > 0 && !asked.includes(major)) continue;
    const bin = fetchNode(version, place);
    if (bin === undefined) {
      process.stdout.write(`Node.js ${version}: NOT TESTED, its package cannot be fetched.\n`);
      continue;
    }
    const tree = join(place, `tree of ${version}`);
    try {
      await readLiterally(tree, bin, {
        isPastItsEnd: Number(major) <= endedWith,
        tests: major !== values["without-tests"],
      });
      process.stdout.write(`Node.js ${version}: right\n`);
    } catch (error) {
      failures += 1;
      process.stdout.write(`Node.js ${version}: WRONG\n${error.message}\n`);
    }
    rmSync(tree, { recursive: true, force: true });
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

async function readLiterally(tree, bin, { isPastItsEnd, tests }) {
  const files = run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], root).stdout.split("\0");
  // The path has a space in it: that is one of the things people have.
  for (const file of files) if (file && existsSync(join(root, file))) cpSync(join(root, file), join(tree, file));
  const env = environment({ PATH: `${bin}${delimiter}${process.env.PATH}` });
  const running = run("node", ["--version"], tree, env).stdout.trim();
  if (!bin.includes(running.slice(1))) throw new Error(`${running} runs in its place`);
  const quiet = (said) => {
    if (!isPastItsEnd && /warn|deprecat/i.test(said)) throw new Error(`It warns:\n${said}`);
  };
  const installed = run("npm", ["ci"], tree, env);
  quiet(installed.stdout + installed.stderr);
  await start(tree, env, quiet, (url, key) => {
    const played = run("npm", ["run", "demo"], tree, { ...env, TRELLIS_URL: url, TRELLIS_API_KEY: key });
    quiet(played.stderr);
    for (const example of readdirSync(join(tree, "examples")).filter((name) => name.endsWith("-account.ts"))) {
      const shown = run("npx", ["tsx", `examples/${example}`], tree, {
        ...env,
        TRELLIS_URL: url,
        TRELLIS_API_KEY: key,
      });
      quiet(shown.stderr);
      if (shown.stdout.trim() === "") throw new Error(`${example} shows nothing`);
    }
  });
  if (!tests) return;
  const tested = run("npm", ["run", "test:quick"], tree, env);
  if (!/^[1-9]\d* passed, 0 failed/m.test(tested.stdout)) throw new Error(tested.stdout.slice(-4_000));
}

/** Makes a key, as on a server, where none is printed; starts the service, hands both over, and ends it. */
async function start(tree, env, quiet, meanwhile) {
  const variables = { ...env, PORT: "0", TRELLIS_DATA_DIR: join(tree, "data"), TRELLIS_LOG_LEVEL: "warn" };
  const wanted = ["api-key", "create", "--name", "Server", "--environments", "sandbox", "--scopes", "all"];
  const made = run("npm", ["run", "--silent", "trellis", "--", ...wanted], tree, variables);
  const key = /^sk_test_\S+/m.exec(made.stdout)?.[0];
  if (key === undefined) throw new Error(`api-key create printed no key:\n${made.stdout}`);
  const child = spawn("npm", ["start"], {
    cwd: tree,
    env: variables,
    // A group of its own, so that npm and what it started end together.
    detached: true,
  });
  let said = "";
  const ended = new Promise((resolve) => child.on("close", resolve));
  try {
    await new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text) => {
          said += text;
          if (/No API key yet.*\n/.test(said)) resolve();
        });
      }
      ended.then((code) => reject(new Error(`npm start ended with ${code}:\n${said}`)));
    });
    const [, url] = /Trellis answers at\s+(\S+)/.exec(said) ?? [];
    if (said.includes("sk_test_")) throw new Error("a key was printed where nobody may read it");
    meanwhile(url, key);
  } finally {
    if (child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await ended;
    quiet(said);
  }
}

function run(command, args, cwd, env = process.env) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return { stdout, stderr };
  const said = `${stdout}\n${stderr}`.slice(-6_000);
  throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? said}`);
}

/** This process' variables without npm's, of which the version it runs with itself is one, and ours. */
function environment(further) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|TRELLIS_|NODE$|INIT_CWD$)/.test(name));
  return { ...Object.fromEntries(kept), ...further };
}
