import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The release before this one, by its commit, and what of it this one takes away (CONTRIBUTING.md, "Two releases side by side"). */
export const previous: { readonly commit: string; readonly contracted: readonly string[] } = JSON.parse(
  readFileSync(new URL("previous.json", import.meta.url), "utf8"),
);

/** Whether the commit is here: not in a copy without Git, and not in a clone without its history. */
export const hasPrevious = git("cat-file", "-e", `${previous.commit}^{commit}`) !== undefined;
if (!hasPrevious) {
  // A check that leaves out the rule must not be green: clone with the history.
  if (process.env.CI === "true") throw new Error(`the former release, ${previous.commit}, is not in this clone`);
  process.stderr.write(`NOT TESTED: two releases side by side, as ${previous.commit} is not here.\n`);
}

const migrationsFolder = "src/adapters/db/migrations";

/** Its migrations by name, in order, with their sources. */
export function previousMigrations(): ReadonlyMap<string, string> {
  const files = readGit("ls-tree", "--name-only", previous.commit, `${migrationsFolder}/`).trim().split("\n");
  const migrations = files.filter((file) => /\/\d{4}-[\w-]+\.ts$/.test(file)).sort();
  return new Map(migrations.map((file) => [file.slice(migrationsFolder.length + 1, -3), previousFile(file)]));
}

/** One of its files, by the path in the repository. */
export const previousFile = (path: string): string => readGit("show", `${previous.commit}:${path}`);

/** Lays its files into an empty folder, with packages beside them: those of this repository where the lock file is the same. */
export function unpackPrevious(folder: string): void {
  run("bash", ["-c", `set -o pipefail; git archive ${previous.commit} | tar -x -C "$0"`, folder], root);
  if (previousFile("package-lock.json") !== readFileSync(join(root, "package-lock.json"), "utf8")) {
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
    return;
  }
  const packages = join(folder, "node_modules");
  mkdirSync(join(packages, "@trellis"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "@trellis") symlinkSync(join(root, "node_modules", name), join(packages, name));
  }
  // Its own, or it would be built of ours.
  for (const name of readdirSync(join(root, "node_modules/@trellis"))) {
    symlinkSync(join(folder, "packages", name), join(packages, "@trellis", name));
  }
}

function run(command: string, words: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, words, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${words[0]} ended with ${status}: ${stderr}`);
}

function readGit(...words: readonly string[]): string {
  const text = git(...words);
  if (text === undefined) throw new Error(`git ${words.join(" ")} failed`);
  return text;
}

function git(...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
  return status === 0 ? stdout : undefined;
}
