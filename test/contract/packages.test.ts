import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = join(root, "node_modules");
const place = mkdtempSync(join(tmpdir(), "trellis-packages-"));
const files = new Map<string, readonly string[]>();

/** A stranger's project: the packages as they would be fetched, and beside them only what they say they need, and React's types. */
beforeAll(() => {
  writeFileSync(join(place, "package.json"), JSON.stringify({ private: true, type: "module" }));
  for (const name of ["sdk", "react"]) {
    const packed = execFileSync("npm", ["pack", "--json", "-w", name, "--pack-destination", place], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [{ filename, files: inside }] = JSON.parse(packed.slice(packed.indexOf("["))) as [
      { readonly filename: string; readonly files: readonly { readonly path: string }[] },
    ];
    files.set(
      name,
      inside.map(({ path }) => path),
    );
    const at = join(place, "node_modules/@trellis", name);
    mkdirSync(at, { recursive: true });
    execFileSync("tar", ["-xzf", join(place, basename(filename)), "-C", at, "--strip-components", "1"]);
  }
  const needed = ["@hpke", "@noble", "@scure", "@solana", "canonicalize", "react", "@types/react"];
  for (const name of needed) {
    const from = join(modules, name);
    mkdirSync(join(place, "node_modules", name, ".."), { recursive: true });
    if (!existsSync(join(place, "node_modules", name))) symlinkSync(from, join(place, "node_modules", name));
  }
  cpSync(fileURLToPath(new URL("packages-stranger.tsx", import.meta.url)), join(place, "use.tsx"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const compile = (resolution: string, module: string) => {
  const how = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false", "--types", ""];
  const where = ["--target", "es2023", "--lib", "es2023,dom", "--jsx", "react-jsx"];
  const named = ["--module", module, "--moduleResolution", resolution, "use.tsx"];
  const tsc = join(modules, "typescript-7/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...how, ...where, ...named], {
    cwd: place,
    encoding: "utf8",
  });
  return { status, stdout };
};

describe("the packed client library and hooks", () => {
  it.each([
    ["nodenext", "nodenext"],
    ["bundler", "esnext"],
  ])("compile in a stranger's strict project, every declaration looked at, resolved as %s", (resolution, module) => {
    expect(compile(resolution, module)).toEqual({ status: 0, stdout: "" });
  });

  it("come with their licence and their README, and with nothing but what is imported", () => {
    for (const inside of files.values()) {
      expect(inside).toEqual(
        expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/index.js", "dist/index.d.ts"]),
      );
      expect(inside.filter((path) => !/^(LICENSE|README\.md|package\.json|dist\/.*\.(js|d\.ts))$/.test(path))).toEqual(
        [],
      );
    }
    expect(readdirSync(join(place, "node_modules/@trellis"))).toEqual(["react", "sdk"]);
  });

  it("run where nothing of this repository is", () => {
    const said = execFileSync(
      process.execPath,
      ["--input-type=module", "-e", 'import { parseUnits } from "@trellis/sdk"; console.log(parseUnits("12.5", 6));'],
      { cwd: place, encoding: "utf8" },
    );
    expect(said.trim()).toBe("12500000n");
  });
});
