/**
 * Has third-party Solana clients make their calls of a sandbox: solana-py, solana-go, Anchor's client and, with
 * `--rust`, the Rust client, which takes minutes to compile. `npm run clients`, or with names: `-- python go`. And Go's own
 * reader of transparency logs checks the audit log (`tlog`), and the log of a guardian (`guardian-log`). The x402 Foundation's own
 * packages are paid by ours, and pay ours (`x402`).
 * Each plays a program of ours in scripts/clients, which prints a line for each call. web3.js, spl-token and kit are in the tests.
 * Fetches the clients by the machine's own package clients. One whose tools are missing, or that cannot be fetched, is left out,
 * and said. Ends with a failure where a call fails that is not explained below, or where one no longer fails that is.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startSandbox } from "./sandbox-process.mjs";

/** Calls that fail on purpose or by the client's own doing, and why; docs/sandbox.md says so too. */
const noSnapshot = "explained: there are no snapshots here, and a validator without one answers -32008 as well";
const explained = {
  go: { GetHighestSnapshotSlot: noSnapshot },
  rust: { get_highest_snapshot_slot: noSnapshot },
};

const idl = fileURLToPath(new URL("../program/idl/smart_account_program.idl.json", import.meta.url));
const root = fileURLToPath(new URL("..", import.meta.url));
const programs = fileURLToPath(new URL("clients", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "trellis-clients-"));

let sandbox;

/** Something from a package registry was not available. */
class NotFetched extends Error {}

/** Runs to its end; throws with what it said where it fails. */
function run(command, args, cwd = place) {
  const rpc = new URL(`/api/service/v1/sandbox/rpc?api-key=${sandbox.apiKey}`, sandbox.url);
  const urls = {
    SANDBOX_RPC_URL: rpc.href,
    SANDBOX_WS_URL: rpc.href.replace("http", "ws"),
    TRELLIS_URL: String(sandbox.url).replace(/\/$/, ""),
    TRELLIS_API_KEY: sandbox.apiKey,
  };
  const env = { ...process.env, ...urls, SMART_ACCOUNT_IDL: idl, REPOSITORY: root };
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? `${stdout}\n${stderr}`.slice(-4_000)}`);
}

function fetch(command, args, cwd) {
  try {
    run(command, args, cwd);
  } catch (error) {
    throw new NotFetched(error.message);
  }
}

/** A copy of a client's program, which may be written to. */
function copied(name) {
  const at = join(place, name);
  cpSync(join(programs, name), at, { recursive: true });
  return at;
}

const clients = {
  python: {
    needs: ["python3", "-m", "venv", "--help"],
    play: () => {
      const at = copied("python");
      run("python3", ["-m", "venv", join(at, "venv")]);
      const quiet = ["--quiet", "--disable-pip-version-check", "--no-deps"];
      fetch(join(at, "venv/bin/pip"), ["install", ...quiet, "-r", "requirements.txt"], at);
      return run(join(at, "venv/bin/python"), ["calls.py"], at);
    },
  },
  go: {
    needs: ["go", "version"],
    play: () => {
      const at = copied("go");
      fetch("go", ["mod", "download"], at);
      run("go", ["vet", "."], at);
      return run("go", ["run", "."], at);
    },
  },
  tlog: {
    needs: ["go", "version"],
    play: () => {
      const at = copied("tlog");
      fetch("go", ["mod", "download"], at);
      run("go", ["vet", "."], at);
      return run("go", ["run", "."], at);
    },
  },
  "guardian-log": {
    needs: ["go", "version"],
    play: () => {
      const at = copied("guardian-log");
      const written = join(at, "log");
      run(process.execPath, ["--import", "tsx", "scripts/guardian-log.ts", written], root);
      fetch("go", ["mod", "download"], at);
      run("go", ["vet", "."], at);
      return run("go", ["run", ".", written], at);
    },
  },
  anchor: {
    needs: ["npm", "--version"],
    play: () => {
      const at = copied("anchor");
      fetch("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], at);
      return run(process.execPath, ["calls.mjs"], at);
    },
  },
  x402: {
    needs: ["npm", "--version"],
    play: () => {
      const at = copied("x402");
      fetch("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], at);
      return run(process.execPath, ["calls.mjs"], at);
    },
  },
  rust: {
    needs: ["cargo", "--version"],
    play: () => {
      const at = copied("rust");
      fetch("cargo", ["fetch", "--locked"], at);
      return run("cargo", ["run", "--locked", "--quiet"], at);
    },
  },
};

/** What a client's program printed, as calls with their reasons. */
function callsOf(printed) {
  const calls = printed
    .split("\n")
    .filter((line) => /^(ok|failed)\t/.test(line))
    .map((line) => line.split("\t"))
    .map(([outcome, name, reason]) => ({ name, isRight: outcome === "ok", reason }));
  if (calls.length === 0) throw new Error(`it made no call: ${printed.slice(-1_000)}`);
  return calls;
}

/** Prints a client's calls; gives its row of the table. */
function tell(client, calls) {
  const row = { client, calls: calls.length, right: 0, explained: 0, wrong: 0 };
  for (const { name, isRight, reason } of calls) {
    const why = explained[client]?.[name];
    const isWrong = isRight ? why !== undefined : why === undefined;
    row[isWrong ? "wrong" : isRight ? "right" : "explained"] += 1;
    const said = isRight
      ? isWrong
        ? "RIGHT, though it is explained why it fails"
        : "right"
      : (why ?? `FAILED: ${reason}`);
    process.stdout.write(`${client}: ${name}: ${said}\n`);
  }
  return row;
}

const asked = process.argv.slice(2);
const names = asked.filter((word) => word !== "--rust");
const usual = Object.keys(clients).filter((name) => name !== "rust" || asked.includes("--rust"));
const wanted = names.length > 0 ? names : usual;
const unknown = wanted.find((name) => clients[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(`There is no client "${unknown}": ${Object.keys(clients).join(", ")}.\n`);
  process.exit(2);
}
sandbox = await startSandbox(join(place, "data"));
const rows = [];
let failed = 0;
for (const name of wanted) {
  const { needs, play } = clients[name];
  const [command, ...args] = needs;
  if (spawnSync(command, args).status !== 0) {
    process.stdout.write(`${name}: left out, as \`${needs.join(" ")}\` does not run here\n`);
    continue;
  }
  try {
    rows.push(tell(name, callsOf(play())));
  } catch (error) {
    const isLeftOut = error instanceof NotFetched;
    if (!isLeftOut) failed += 1;
    const said = isLeftOut ? "left out, as it could not be fetched" : "FAILED";
    process.stdout.write(`${name}: ${said}\n${error.message}\n`);
  }
}
await sandbox.stop();
rmSync(place, { recursive: true, force: true });
process.stdout.write(
  "\n| Client | Calls | Right | Explained | Wrong |\n| ------ | ----- | ----- | --------- | ----- |\n",
);
for (const { client, calls, right, explained: explainedCount, wrong } of rows) {
  process.stdout.write(`| ${client} | ${calls} | ${right} | ${explainedCount} | ${wrong} |\n`);
}
process.exit(failed === 0 && rows.every(({ wrong }) => wrong === 0) ? 0 : 1);
