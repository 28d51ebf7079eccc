import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useTestService } from "./support/scene.js";

/** What needs the client library as it is built. In one file: two that build it at once would be in each other's way. */
const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const place = mkdtempSync(join(tmpdir(), "trellis-packages-"));
const files = new Map<string, readonly string[]>();

/** A stranger's project: the packages as they would be fetched, and beside them only what they say they need, and React's types. */
beforeAll(() => {
  writeFileSync(join(place, "package.json"), JSON.stringify({ private: true, type: "module" }));
  for (const name of ["sdk", "react"]) {
    const packed = execFileSync("npm", ["pack", "--json", "-w", `packages/${name}`, "--pack-destination", place], {
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
  cpSync(fileURLToPath(new URL("support/stranger.tsx", import.meta.url)), join(place, "use.tsx"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("the packed client library and hooks", () => {
  it.each([
    ["nodenext", "nodenext"],
    ["bundler", "esnext"],
  ])("compile in a stranger's strict project, every declaration checked, resolved as %s", (resolution, module) => {
    expect(compile(resolution, module)).toEqual({ status: 0, stdout: "" });
  });

  it("contain their licence and their README, and nothing but what is imported", () => {
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

  it("puts at most 40 kB, compressed, onto a page that opens sessions and signs transfers", async () => {
    const entry = join(place, "device.js");
    const used = "generateEncryptionKeyPair, openSession, signPreparedTransfer";
    writeFileSync(entry, `export { ${used} } from "@trellis/sdk";\n`);
    const built = await build({
      root: place,
      logLevel: "error",
      configFile: false,
      define: { "process.env.NODE_ENV": '"production"' },
      build: {
        write: false,
        target: "es2022",
        modulePreload: false,
        rolldownOptions: { input: entry, preserveEntrySignatures: "strict" },
      },
    });
    if (!("output" in built)) throw new Error("one bundle is one output");
    const [chunk] = built.output;
    expect(chunk.code).toMatch(/export ?\{.*generateEncryptionKeyPair/s);
    expect(gzipSync(chunk.code).length).toBeLessThan(40_000);
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

const isMissing = ["bash", "curl", "jq", "openssl"].some((tool) => spawnSync(tool, ["--version"]).error !== undefined);

describe("the story in curl", () => {
  const trellis = useTestService();
  it.skipIf(isMissing)("plays as it stands, in one shell, from the first line to the last", async () => {
    const page = readFileSync(join(root, "docs/story.md"), "utf8");
    const commands = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block).join("\n");
    const script = commands
      .replace(/^TRELLIS=http.*$/m, `TRELLIS=${trellis.url}`)
      .replace(/^KEY=sk_test_….*$/m, `KEY=${trellis.apiKey}`);
    expect(script).toContain(trellis.apiKey);
    // Within the project, where its reader is, so that the library is found.
    const cache = join(root, "node_modules/.cache");
    mkdirSync(cache, { recursive: true });
    const place = mkdtempSync(join(cache, "story-"));
    try {
      const { status, stdout, stderr } = await play(script, place);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toContain('"status":"pending_verification"');
      expect(stdout).toContain('"rent_lamports": "2039280"');
      expect(stdout).toMatch(/"transaction_signature":"\w{64,}"/);
      expect(stdout).toContain('"amount_decimal":"12.5"');
      expect(stdout).toMatch(/"err":null/);
      expect(stdout).toMatch(/"now":"[^"]+","slot":\d+/);
      expect(stdout).not.toContain('"code":');
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});

/** Not the synchronous way: the service answers from this process. */
function play(script: string, cwd: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].on("data", (text) => {
      said[stream] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, ...said }));
  });
}

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
