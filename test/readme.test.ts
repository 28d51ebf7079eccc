import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ErrorCode, errorCatalogue, wireCode } from "@trellis/kernel/errors.js";
import * as sdk from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { variables } from "../src/config/variables.js";
import { endpoints } from "../src/endpoints.js";
import { operationalContracts } from "../src/http/operational-endpoints.js";
import { sandboxRpcContract } from "../src/http/sandbox-rpc.js";
import { startTestService } from "./support/test-service.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const contractFolder = join("docs", "api");
const readme = read("README.md");

describe("the configuration's page", () => {
  it("names every variable with its default and meaning, and no other", () => {
    const expected = Object.entries(variables).map(([name, [byDefault, meaning]]) => [
      `\`${name}\``,
      byDefault === "" ? "" : `\`${byDefault}\``,
      meaning,
    ]);
    expect(tableIn(read(join("docs", "configuration.md")))).toEqual(expected);
  });
});

describe("the README", () => {
  it("shows a story in twenty lines that works as it stands", { timeout: 240_000 }, async () => {
    const [code = ""] = codeBlocksIn(sectionOf(readme, "The story in twenty lines"), "js");
    expect(code.split("\n").filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length).toBeLessThanOrEqual(20);
    expect(await play(code)).toEqual([
      expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/),
      expect.stringMatching(/Z$/),
    ]);
  });
});

describe("the client library's page", () => {
  it("starts with a program that works as it stands", { timeout: 240_000 }, async () => {
    const start = sectionOf(read(join("packages", "sdk", "README.md")), "Start");
    const said = await play(codeBlocksIn(start, "js").join("\n"));
    expect(said[0]).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
    expect(said.at(-1)).toBe("insufficient_balance");
  });
});

describe("the recipes", () => {
  it("work as they stand, from the first to the last", { timeout: 240_000 }, async () => {
    const said = await play(codeBlocksIn(read(join("docs", "recipes.md")), "js").join("\n"));
    expect(said).toContain("Not enough:");
    expect(said).toContain("Executed");
    expect(said).toContain("paid");
  });
});

/** Runs a program of the documentation against a service of its own, and answers what it has printed. */
async function play(code: string): Promise<unknown[]> {
  const body = code.replace(/^import (\{[^}]*\}) from "@trellis\/sdk";$/m, "const $1 = sdk;");
  expect(body).toContain("createTrellisClient(");
  const trellis = await startTestService();
  try {
    const said: unknown[] = [];
    const run = new Function("sdk", "process", "console", `return (async () => {\n${body}\n})();`);
    await run(
      {
        ...sdk,
        createTrellisClient: (options: sdk.TrellisClientOptions) =>
          sdk.createTrellisClient({ ...options, baseUrl: trellis.url }),
      },
      { env: { TRELLIS_API_KEY: trellis.apiKey } },
      { log: (...words: unknown[]) => said.push(...words) },
    );
    return said;
  } finally {
    await trellis.close();
  }
}

describe("the container's file", () => {
  it("copies every script that the build needs", () => {
    const copied = [...read(join("deploy", "container", "Containerfile")).matchAll(/^COPY (.*) scripts\/$/gm)]
      .flatMap(([, names = ""]) => names.split(" "))
      .sort();
    const needed = new Set<string>();
    const follow = (name: string) => {
      if (needed.has(name)) return;
      needed.add(name);
      for (const [, imported, run] of read(name).matchAll(/from "\.\/([^"]+)"|\bscripts\/([\w-]+\.mjs)`/g)) {
        follow(join("scripts", imported ?? run ?? ""));
      }
    };
    follow("scripts/build.mjs");
    expect(copied).toEqual([...needed].sort());
  });
});

describe("the contract", () => {
  const texts = new Map(
    pages()
      .filter((page) => page.startsWith(contractFolder))
      .map((page) => [page, read(page)]),
  );
  const whole = [...texts.values()].join("\n");

  it("lists every operation once, with its scope and what it answers, and no other", () => {
    const contracts = [...endpoints.map(({ contract }) => contract), sandboxRpcContract, ...operationalContracts];
    const expected = contracts.map(({ method, path, scope, response }) => [
      `\`${method} ${path.replace("/api/service/v1", "")}\``,
      scope === null ? "none" : `\`${scope}\``,
      `${response.status}${response.envelope ? ", in `data`" : ""}`,
    ]);
    const listed = [...texts.values()].flatMap((text) => {
      const [, table = ""] = text.split(/^(?=\| Call +\| Scope )/m);
      return tableIn(table).map((cells) => cells.slice(0, 3));
    });
    expect(listed.sort()).toEqual(expected.sort());
  });

  it("names every error", () => {
    const wire = Object.keys(errorCatalogue).map((code) => wireCode(code as ErrorCode));
    expect(wire.filter((code) => !whole.includes(`\`${code}\``))).toEqual([]);
  });

  it("has one place for every number that the code refers to, and lists it", () => {
    const index = texts.get(join(contractFolder, "README.md")) ?? "";
    const places = [...texts].flatMap(([page, text]) =>
      [...text.matchAll(/<a id="((?:gap|interface)-[0-9-]+)"><\/a>/g)].map(([, id = ""]) => [id, page] as const),
    );
    expect(places.map(([id]) => id).sort()).toEqual([...new Set(places.map(([id]) => id))].sort());
    const unlisted = places.filter(([id, page]) => !index.includes(`(${page.slice(contractFolder.length + 1)}#${id})`));
    expect(unlisted).toEqual([]);
    const known = new Set(places.map(([id]) => id));
    const lost = sources().flatMap((file) =>
      referencesIn(read(file))
        .filter((id) => !known.has(id))
        .map((id) => `${file}: ${id}`),
    );
    expect(lost).toEqual([]);
  });
});

describe("the documentation", () => {
  it("has no link that leads nowhere", () => {
    expect(pages().flatMap(brokenLinksOf)).toEqual([]);
  });
});

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function pages(): string[] {
  const docs = ["docs", "src", "packages"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !isMade(file))
      .map((file) => join(folder, file)),
  );
  return [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "examples/README.md",
    ...docs,
  ];
}

/** What stands in a package's folder, and is not of the repository. */
function isMade(file: string): boolean {
  return /(^|[\\/])(dist|node_modules)[\\/]/.test(file);
}

/** What is written by hand and refers to the contract. */
function sources(): string[] {
  const files = ["src", "packages", "test", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  return files.filter(
    (file) =>
      file.endsWith(".ts") && !file.includes("generated") && !isMade(file) && file !== join("test", "readme.test.ts"),
  );
}

/** `gap 27`, `gaps 8, 11 and 12`, `gaps 17 to 22`, `interface 4.6` → the ids of the places they mean. */
function referencesIn(source: string): string[] {
  const gaps = [...source.matchAll(/\b[Gg]aps? (\d+(?:(?:,| and| to) \d+)*)/g)].flatMap(([, numbers = ""]) =>
    (numbers.match(/\d+/g) ?? []).map((number) => `gap-${number}`),
  );
  const sections = [...source.matchAll(/\b[Ii]nterface (\d(?:\.\d+)?)\b/g)].map(
    ([, number = ""]) => `interface-${number.replace(".", "-")}`,
  );
  return [...gaps, ...sections];
}

/** The text below a heading of the second level, up to the next one. */
function sectionOf(markdown: string, title: string): string {
  const [, rest = ""] = markdown.split(`\n## ${title}\n`);
  return rest.split("\n## ")[0] ?? "";
}

/** The cells of the section's first table, without its head. */
function tableIn(section: string): string[][] {
  const lines = section.split("\n");
  const start = lines.findIndex((line) => /^\| ?---/.test(line));
  const rows = lines.slice(start + 1);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

function codeBlocksIn(section: string, language: string): string[] {
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, code]) => code ?? "",
  );
}

function brokenLinksOf(page: string): string[] {
  const prose = read(page).replace(/^```[\s\S]*?^```$/gm, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "");
  return targets
    .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(page, target))
    .map((target) => `${page}: ${target}`);
}

function leadsSomewhere(page: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : join(dirname(page), path);
  const found = statSync(join(root, file), { throwIfNoEntry: false });
  if (!found) return false;
  return anchor === undefined || (file.endsWith(".md") && anchorsOf(read(file)).has(anchor));
}

/** Anchors as code hosts make them: lower case, punctuation removed, spaces as hyphens; and those that are written out. */
function anchorsOf(markdown: string): Set<string> {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, "");
  const written = [...prose.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)];
  return new Set([
    ...written,
    ...headings.map(([, title = ""]) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  ]);
}
