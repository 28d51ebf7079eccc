/**
 * Runs a step of the gate, unless nothing that it depends on has changed since it last passed:
 * `node scripts/unchanged-step.mjs NAME [--record] -- COMMAND …`. Ends as the command does, or well where it is not run, and says so.
 *
 * What a step depends on is named below: files, in whatever state they are here, folders that a build makes, and tools.
 * scripts/passed-steps.json has the digest of all that for each step that passed. `--record` writes it, and only after a run that ended
 * well, left nothing out, and during which nothing of it changed. Everything runs with TRELLIS_CI_ALL=1, at a commit that has a tag, and
 * where there is no Git.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const record = "scripts/passed-steps.json";
/** Everything, as steps that read the tree as its user does depend on all of it; but the record would change by being written. */
const wholeTree = [".", `:(exclude)${record}`];

/** What steps read that start the service, ask it, or show what it serves. No step runs a file of tests, but some use what helps those. */
const withoutTests = [...wholeTree, ":(exclude)*.test.ts", ":(exclude)*.test.tsx"];
const inBrowser = { files: withoutTests, tools: [["chromium", "--version"]] };

/** What else in the gate reads a step's files is no matter: each is left out only where all that it reads is as it was. */
const steps = {
  // The contract, and what is made of it. That the service keeps the contract is what other tests are about.
  generators: {
    files: [
      "openapi.json",
      "package-lock.json",
      "scripts/generators",
      "scripts/generators.mjs",
      "scripts/sandbox-process.mjs",
    ],
    tools: [
      ["python3", "--version"],
      ["go", "version"],
      ["java", "-version"],
      ["mvn", "--version"],
    ],
  },
  // The service, with what asks it in other languages.
  clients: {
    files: withoutTests,
    tools: [
      ["python3", "--version"],
      ["go", "version"],
      ["npm", "--version"],
    ],
  },
  "console:web": inBrowser,
  "example:web": inBrowser,
  "node-versions": { files: wholeTree, tools: [["npm", "--version"]] },
  // Every page as it is sent, with its styles and scripts. What moves on the pages is a step of its own.
  "pages, opened": {
    files: ["package-lock.json", "scripts/accessibility.mjs", "scripts/pages.mjs", "scripts/sandbox-process.mjs"],
    made: ["dist/site"],
    tools: [["chromium", "--version"]],
  },
  "pages, used": inBrowser,
  passkeys: inBrowser,
  release: {
    files: wholeTree,
    tools: [
      ["npm", "--version"],
      ["tar", "--version"],
    ],
  },
  // Its seed is always the same. What it says of operations that have no examples is no omission.
  schemathesis: { files: withoutTests, tools: [["python3", "--version"]], omission: /NOT TESTED/ },
  spectral: { files: ["openapi.json", "scripts/spectral.mjs"], tools: [["npm", "--version"]] },
  "the program's bytes": {
    files: ["program"],
    tools: [
      ["/usr/bin/rustc", "-vV"],
      ["/usr/lib/llvm-22/bin/llc", "--version"],
    ],
  },
  "treasury:web": inBrowser,
};

const own = "scripts/unchanged-step.mjs";
/** What steps say of a part that they could not do. */
const usualOmission = /left out|NOT TESTED|skipped/;

const [name, ...words] = process.argv.slice(2);
const [flag, command, ...args] =
  words[0] === "--record" ? [words[0], ...words.slice(2)] : [undefined, ...words.slice(1)];
const step = Object.hasOwn(steps, name ?? "") ? steps[name] : undefined;
if (step === undefined || command === undefined || !words.includes("--")) {
  process.stderr.write(
    `Usage: unchanged-step.mjs NAME [--record] -- COMMAND …, of ${Object.keys(steps).join(", ")}.\n`,
  );
  process.exit(2);
}

const before = digestOf(step);
const passed = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : {};
if (flag === undefined && before !== undefined && passed[name] === before && !isEverythingWanted()) {
  process.stdout.write(`${name}: not run, as nothing that it depends on has changed since it passed\n`);
} else {
  const { code, said } = await run();
  process.exitCode = code;
  if (flag !== undefined && code === 0) keep(said);
}

/** Runs the command, passes on what it says, and gives it back with how it ended. */
async function run() {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const [stream, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
      to.write(text);
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve(status ?? 1));
  });
  return { code, said };
}

function keep(said) {
  const reason =
    before === undefined
      ? "there is no Git here"
      : (step.omission ?? usualOmission).test(said)
        ? "it left something out"
        : digestOf(step) !== before
          ? "what it depends on was changed as it ran"
          : undefined;
  if (reason !== undefined) {
    process.stderr.write(`${name}: not recorded, as ${reason}\n`);
    process.exitCode = 1;
    return;
  }
  const entries = Object.entries({ ...passed, [name]: before }).sort(([left], [right]) => (left < right ? -1 : 1));
  writeFileSync(record, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

function isEverythingWanted() {
  return process.env.TRELLIS_CI_ALL === "1" || git("tag", "--points-at", "HEAD")?.trim() !== "";
}

/** Of the step's files as they are, what its build made, what its tools say they are, and its command; undefined: there is no Git. */
function digestOf({ files, made = [], tools }) {
  const listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", own, ...files);
  if (listed === undefined) return undefined;
  const hash = createHash("sha256").update(JSON.stringify([command, ...args, process.version]));
  const ofBuild = made.filter(existsSync).flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  for (const file of [...new Set([...listed.split("\0"), ...ofBuild])].filter(Boolean).sort()) {
    const content = existsSync(file) ? readFileSync(file) : undefined;
    const mode = content === undefined ? undefined : lstatSync(file).mode & 0o111;
    hash.update(JSON.stringify([file, mode, content && createHash("sha256").update(content).digest("hex")]));
  }
  for (const [tool, ...words] of tools) {
    const { status, stdout, stderr } = spawnSync(tool, words, { encoding: "utf8" });
    // Some say their version as an error; others say errors of the day beside it.
    hash.update(JSON.stringify([tool, status, stdout || stderr]));
  }
  return hash.digest("hex");
}

function git(...words) {
  const { status, stdout } = spawnSync("git", words, { encoding: "utf8", maxBuffer: 2 ** 28 });
  return status === 0 ? stdout : undefined;
}
