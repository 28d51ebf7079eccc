import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "trellis-step-"));
  mkdirSync(join(place, "scripts"));
  cpSync(fileURLToPath(new URL("../scripts/unchanged-step.mjs", import.meta.url)), at("scripts/unchanged-step.mjs"));
  mkdirSync(at("program"));
  writeFileSync(at("program/main.rs"), "{}");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "Begin");
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

describe("a step that passed and was recorded", () => {
  it("is not run while nothing changed", () => {
    expect(play("--record")).toEqual([0, true]);
    expect(play()).toEqual([0, false]);
  });

  it("is run when a file changed, was added or is gone, saved or committed", () => {
    play("--record");
    writeFileSync(at("program/main.rs"), "[]");
    expect(play()).toEqual([0, true]);
    git("commit", "--quiet", "--all", "--message", "Change it");
    expect(play()).toEqual([0, true]);
    writeFileSync(at("program/main.rs"), "{}");
    expect(play()).toEqual([0, false]);
    writeFileSync(at("program/more.rs"), "{}");
    expect(play()).toEqual([0, true]);
    rmSync(at("program/more.rs"));
    rmSync(at("program/main.rs"));
    expect(play()).toEqual([0, true]);
  });

  it("is run where all is wanted, at a tag, and without Git", () => {
    play("--record");
    expect(play(undefined, { TRELLIS_CI_ALL: "1" })).toEqual([0, true]);
    git("tag", "v1");
    expect(play()).toEqual([0, true]);
    git("tag", "--delete", "v1");
    expect(play()).toEqual([0, false]);
    rmSync(at(".git"), { recursive: true });
    expect(play()).toEqual([0, true]);
  });

  it("is run when any file changed, where it depends on all, but not for the record of others", () => {
    const playRelease = (flag?: "--record") => play(flag, {}, "", "release");
    expect(playRelease("--record")).toEqual([0, true]);
    play("--record");
    expect(playRelease()).toEqual([0, false]);
    writeFileSync(at("README.md"), "Read me.");
    expect(playRelease()).toEqual([0, true]);
  });

  it("is not run when a test changed, where it runs none", () => {
    const playConsole = (flag?: "--record") => play(flag, {}, "", "console:web");
    mkdirSync(at("src"));
    for (const name of ["a.ts", "a.test.ts", "b.test.tsx"]) writeFileSync(at(`src/${name}`), "1");
    expect(playConsole("--record")).toEqual([0, true]);
    for (const name of ["a.test.ts", "b.test.tsx"]) writeFileSync(at(`src/${name}`), "2");
    expect(playConsole()).toEqual([0, false]);
    writeFileSync(at("src/a.ts"), "2");
    expect(playConsole()).toEqual([0, true]);
  });

  it("is run when what a build made is other, or not there", () => {
    const playPages = (flag?: "--record") => play(flag, {}, "", "pages, opened");
    writeFileSync(at(".gitignore"), "dist\n");
    expect(playPages("--record")).toEqual([0, true]);
    expect(playPages()).toEqual([0, false]);
    mkdirSync(at("dist/site"), { recursive: true });
    writeFileSync(at("dist/site/page.html"), "<p>");
    expect(playPages("--record")).toEqual([0, true]);
    expect(playPages()).toEqual([0, false]);
    writeFileSync(at("dist/site/page.html"), "<b>");
    expect(playPages()).toEqual([0, true]);
    rmSync(at("dist/site/page.html"));
    expect(playPages()).toEqual([0, true]);
  });

  it("is run when it is another command", () => {
    play("--record");
    expect(play(undefined, {}, "1 + 1")).toEqual([0, true]);
  });
});

it("is recorded by the command that the gate runs", () => {
  const repository = fileURLToPath(new URL("..", import.meta.url));
  const said = (file: string, word: string) =>
    [...readFileSync(join(repository, file), "utf8").matchAll(new RegExp(`\\b${word} (?=["a-z])(.*)`, "g"))]
      // Of the versions of Node.js the gate's own is named in its way by each.
      .map(([, rest]) => (rest ?? "").replace(/ -- (--without-tests )?"\$.*/, ""))
      .sort();
  const ofGate = said(".ci/run", "unless_unchanged");
  expect(ofGate).toHaveLength(13);
  expect(said("scripts/record-passed-steps.sh", "record")).toEqual(ofGate);
});

describe("a step", () => {
  it.each([
    ["failed", "process.exit(3)", 3],
    ["left something out", "console.log('go: left out, as it could not be fetched')", 1],
    ["was changed as it ran", "require('node:fs').writeFileSync('program/main.rs', '[1]')", 1],
  ])("is not recorded when it %s", (_what, does, code) => {
    expect(play("--record", {}, does)).toEqual([code, true]);
    expect(existsSync(at("scripts/passed-steps.json"))).toBe(false);
  });

  it("records nothing of itself", () => {
    expect(play()).toEqual([0, true]);
    expect(play()).toEqual([0, true]);
  });
});

const at = (path: string) => join(place, path);

/** The exit code of the step, and whether its command ran. */
function play(
  flag?: "--record",
  variables: Record<string, string> = {},
  does = "",
  step = "the program's bytes",
): [number | null, boolean] {
  const ran = at(".git/ran");
  rmSync(ran, { force: true });
  const { PATH = "" } = process.env;
  // Beside the place where there is no Git any more.
  const mark = existsSync(at(".git")) ? ran : `${place}-ran`;
  const command = `require("node:fs").writeFileSync(process.env.RAN, ""); ${does}`;
  const words = ["scripts/unchanged-step.mjs", step, ...(flag === undefined ? [] : [flag])];
  const { status } = spawnSync(process.execPath, [...words, "--", process.execPath, "-e", command], {
    cwd: place,
    env: { PATH, RAN: mark, GIT_CEILING_DIRECTORIES: tmpdir(), ...variables },
  });
  const hasRun = existsSync(mark);
  rmSync(mark, { force: true });
  return [status, hasRun];
}

function git(...words: string[]): void {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
  const { status, stderr } = spawnSync("git", [...who, ...words], { cwd: place, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}
