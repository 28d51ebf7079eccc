import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { circlesAmong, computed, type Import, importsIn, importsOf, sourcesIn } from "./support/imports-of.js";
import { folderOf, modules, ownPackages, ownSources } from "./support/modules.js";

describe("the packages of the service", () => {
  it.each(ownPackages)(
    "%s names in its package.json and tsconfig.json exactly the packages that it imports",
    (name) => {
      const readJson = (file: string) => JSON.parse(readFileSync(join(root, "packages", name, file), "utf8"));
      const imported = new Set(
        importsBelow(`packages/${name}/src`)
          .map(({ target }) => /^packages\/([^/]+)\//.exec(target)?.[1] ?? "")
          .filter((other) => other !== "" && other !== name),
      );
      const { dependencies } = readJson("package.json");
      const named = Object.keys(dependencies).filter((other) => other.startsWith("@trellis/"));
      expect(named.sort()).toEqual([...imported].map((other) => `@trellis/${other}`).sort());
      const references: readonly { readonly path: string }[] = readJson("tsconfig.json").references ?? [];
      expect(references.map(({ path }) => path).sort()).toEqual([...imported].map((other) => `../${other}`).sort());
    },
  );

  it.each(ownPackages)("%s names every library that it imports", (name) => {
    const { dependencies } = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
    const imported = importsBelow(`packages/${name}/src`)
      .map(({ target }) => target)
      .filter((target) => !target.startsWith("packages/") && !target.startsWith("node:"))
      .map((target) =>
        target
          .split("/")
          .slice(0, target.startsWith("@") ? 2 : 1)
          .join("/"),
      );
    expect([...new Set(imported)].filter((library) => dependencies[library] === undefined)).toEqual([]);
  });
});

/** The folders of `src/` that are no modules, and the files beside them. */
const layers = [
  "adapters",
  "cli",
  "composition",
  "config",
  "custodian",
  "http",
  "operator",
  "ports",
  "sandbox",
  "scheduler",
];

const technology = ["fastify", "pino", "pg", "@electric-sql/pglite", "litesvm", "nodemailer", "prom-client", "ws"];

/** What each layer may import of the others and of the modules; what stands beside them is of those that choose. */
const below: Record<string, readonly string[]> = {
  adapters: [
    "config",
    "ports",
    "kernel",
    "program-client",
    "sandbox",
    "solana",
    "custody",
    "sponsorship",
    "submissions",
    "rails",
  ],
  cli: ["adapters", "config", "custodian", "operator", "ports", "sandbox", ...modules],
  composition: ["adapters", "config", "http", "ports", "sandbox", "scheduler", ...modules],
  config: ["http", "ports", "kernel", "solana"],
  // A process of its own: it knows nothing of the service but how custodians check what they sign, and how a log is kept.
  custodian: ["adapters", "config", "ports", "kernel", "program-client", "solana", "audit", "custody"],
  http: ["ports", ...modules],
  operator: ["adapters", "composition", "config", "ports", ...modules],
  ports: [],
  sandbox: ["ports", "kernel", "program-client", "solana"],
  scheduler: ["ports", ...modules],
};

const rules: readonly Rule[] = [
  {
    rule: "every layer imports only what stands below it",
    isBrokenBy: ({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(target)];
      if (!layers.includes(from) || to === "" || from === to) return false;
      return below[from]?.includes(to) !== true;
    },
    example: ["src/adapters/traces.ts", "../history/get-balances.js"],
  },
  {
    rule: "main and the command line import the service, and it alone the list of endpoints",
    isBrokenBy: ({ file, target }) =>
      (target === "src/service.ts" && file !== "src/main.ts" && !file.startsWith("src/cli/")) ||
      (target === "src/main.ts" && !file.startsWith("src/cli/")) ||
      (target === "src/endpoints.ts" && file !== "src/service.ts"),
    example: ["src/scheduler/passes.ts", "../service.js"],
  },
  {
    rule: "a module imports ports and the modules to its left",
    isBrokenBy: ({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(target)];
      if (!modules.includes(from) || !isOwn(target) || to === "ports") return false;
      return !modules.slice(0, modules.indexOf(from) + 1).includes(to);
    },
    example: ["src/history/get-balances.ts", "../proposals/list-proposals.js"],
  },
  {
    rule: "a port imports ports",
    isBrokenBy: ({ file, target }) => folderOf(file) === "ports" && isOwn(target) && folderOf(target) !== "ports",
    example: ["packages/kernel/src/ports/clock.ts", "../limits.js"],
  },
  {
    rule: "no module and no port imports a technology",
    isBrokenBy: ({ file, target }) =>
      isInside(file) && technology.some((name) => target === name || target.startsWith(`${name}/`)),
    example: ["src/history/get-balances.ts", "pg"],
  },
  {
    rule: "what chooses adapters reaches them: service, main, composition, operator, the command line, the custodian, and the list of modules",
    isBrokenBy: ({ file, target }) =>
      target.startsWith("src/adapters/") &&
      !["src/service.ts", "src/main.ts", "src/modules.ts"].includes(file) &&
      !["adapters", "cli", "composition", "custodian", "operator"].includes(folderOf(file)),
    example: ["src/http/server.ts", "../adapters/traces.js"],
  },
  {
    rule: "a name that is computed is imported by the traces alone, which the operator names",
    isBrokenBy: ({ file, target }) => target === computed && file !== "src/adapters/traces.ts",
    example: ["src/history/get-balances.ts", ""],
  },
  {
    rule: "the command line uses the packages of clients, as anybody outside does, and one file the agents' server",
    isBrokenBy: ({ file, target }) =>
      /^packages\/(sdk|react|mcp)\//.test(target) ||
      (target.startsWith("@trellis/") &&
        !file.startsWith("src/cli/") &&
        !(file === "src/http/mcp.ts" && target.startsWith("@trellis/mcp/"))),
    example: ["src/history/get-balances.ts", "../../packages/sdk/src/index.js"],
  },
  {
    rule: "what renders the documentation is no part of the service, which serves the files that a build made",
    isBrokenBy: ({ target }) => target.startsWith("packages/docs-site/") || target === "marked",
    example: ["src/http/site.ts", "../../packages/docs-site/render-site.js"],
  },
];

const ofClients: readonly (Rule & { readonly folder: string })[] = [
  {
    folder: "packages/mcp/src",
    rule: "the agents' server stands on the client library alone",
    isBrokenBy: ({ target }) =>
      /^(src|packages\/(?!mcp\/))/.test(target) || (target.startsWith("@trellis/") && target !== "@trellis/sdk"),
    example: ["packages/mcp/src/pay.ts", "../../../src/service.js"],
  },
  {
    folder: "packages/sdk/src",
    rule: "the client library is portable and stands on its own",
    isBrokenBy: ({ target }) =>
      /^(src|packages\/(?!sdk\/))/.test(target) ||
      target === computed ||
      target.startsWith("node:") ||
      builtinModules.includes(target) ||
      target.startsWith("@trellis/"),
    example: ["packages/sdk/src/client.ts", "../../../src/service.js"],
  },
  {
    folder: "packages/sdk/src",
    rule: "what reads bytes, in inspect/, knows nothing of the service but the shapes it answers",
    isBrokenBy: ({ file, target }) =>
      file.startsWith("packages/sdk/src/inspect/") &&
      /^packages\/sdk\/src\/(client|service-calls|request-sender|submission|act|session)\b/.test(target),
    example: ["packages/sdk/src/inspect/byte-reader.ts", "../client.js"],
  },
  {
    folder: "packages/sdk/src",
    rule: "the bodies of the wire stand below everything",
    isBrokenBy: ({ file, target }) =>
      file.startsWith("packages/sdk/src/wire/") && !target.startsWith("packages/sdk/src/wire/"),
    example: ["packages/sdk/src/wire/by-hand.ts", "../client.js"],
  },
  {
    folder: "packages/react/src",
    rule: "the hooks stand on the client library and React alone",
    isBrokenBy: ({ target }) =>
      !target.startsWith("packages/react/src/") && !["@trellis/sdk", "react"].includes(target),
    example: ["packages/react/src/use-list.ts", "../../sdk/src/index.js"],
  },
];

const folders = [...ownSources, "packages/sdk/src", "packages/react/src"];

describe("the direction of imports", () => {
  it("has no other layers and modules than these", () => {
    const entries = readdirSync(join(root, "src"), { withFileTypes: true });
    const names = (isFile: boolean) => entries.filter((entry) => entry.isFile() === isFile).map(({ name }) => name);
    const outside = ["ports", ...ownPackages];
    expect(names(false).sort()).toEqual([...layers, ...modules].filter((name) => !outside.includes(name)).sort());
    expect(readdirSync(join(root, "packages")).sort()).toEqual(
      [...ownPackages, "console", "docs-site", "mcp", "react", "sdk"].sort(),
    );
    expect(names(true).filter((name) => !name.includes(".test."))).toEqual(topFiles);
    expect(Object.keys(below).sort()).toEqual(layers);
  });

  it.each(rules)("$rule", ({ isBrokenBy }) => {
    expect(ownSources.flatMap(importsBelow).filter(isBrokenBy)).toEqual([]);
  });

  it("keeps the environment, the wall clock and chance out of modules and ports", () => {
    const wrong = ownSources
      .flatMap((folder) => sourcesIn(root, folder))
      .filter((file) => isInside(file) && !file.startsWith("packages/kernel/src/crypto/"))
      // The one way in which nodes are asked, and the one by which things are written together: used in several places, each with a bound in time.
      .filter((file) => !["packages/solana/src/node-http.ts", "packages/kernel/src/group-commit.ts"].includes(file))
      .filter((file) =>
        /process\.env|Date\.now\(|Math\.random|new Date\(\)|\bfetch\(|setTimeout|setInterval/.test(
          readFileSync(join(root, file), "utf8"),
        ),
      );
    expect(wrong).toEqual([]);
  });

  it("has one reader of environment variables", () => {
    const readers = ownSources
      .flatMap((folder) => sourcesIn(root, folder))
      .filter((file) => readFileSync(join(root, file), "utf8").includes("process.env"));
    expect(readers.filter((file) => !file.startsWith("src/cli/"))).toEqual(["src/main.ts"]);
  });
});

describe("the packages of clients", () => {
  it.each(ofClients)("$rule", ({ folder, isBrokenBy }) => {
    expect(importsBelow(folder).filter(isBrokenBy)).toEqual([]);
  });

  it("know of pages in one file", () => {
    const ofPages = /\b(document|window|navigator|localStorage|indexedDB|HTML\w*Element)\b[.\s<>;)]/;
    const code = (file: string) => readFileSync(join(root, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    expect(sourcesIn(root, "packages/react/src").filter((file) => ofPages.test(code(file)))).toEqual([
      "packages/react/src/web.tsx",
    ]);
  });
});

describe.each(folders)("the files of %s", (folder) => {
  it("import files that are there", () => {
    const known = new Set(sourcesIn(root, folder));
    const wrong = importsBelow(folder).filter(
      ({ target }) => target.startsWith(`${folder}/`) && target.endsWith(".ts") && !known.has(target),
    );
    expect(wrong).toEqual([]);
  });

  it("have no circles, types included and generated files aside", () => {
    expect(circlesAmong(importsBelow(folder).filter(({ file }) => !file.includes("/generated/")))).toEqual([]);
  });
});

describe("a rule", () => {
  const forms: readonly (readonly [form: string, text: (name: string) => string])[] = [
    ["import … from", (name) => `import { a } from "${name}";`],
    ["import … from over several lines", (name) => `import {\n  a,\n  type B,\n} from "${name}";`],
    ["import of everything", (name) => `import * as all from "${name}";`],
    ["import for its effect", (name) => `import "${name}";`],
    ["export … from", (name) => `export { a as probe } from "${name}";`],
    ["export of everything", (name) => `export * from "${name}";`],
    ["import()", (name) => `export async function late() {\n  return (await import("${name}")).a;\n}`],
    ["import() of a text between backquotes", (name) => `const late = () => import(\`${name}\`);`],
  ];

  it.each([...rules, ...ofClients].flatMap((rule) => forms.map(([form, text]) => ({ ...rule, form, text }))))(
    "is broken by $form: $rule",
    ({ isBrokenBy, example: [file, name], text }) => {
      const source = name === "" ? "const late = (name: string) => import(name);" : text(name);
      expect(importsOf(file, `const first = 1;\n${source}\n`).filter(isBrokenBy)).toHaveLength(1);
    },
  );

  it("is broken by types as by anything else", () => {
    const file = "packages/sdk/src/outcome-unknown-error.ts";
    const texts = ['import type { A } from "./b.js";', 'export type * from "./b.js";', 'type A = import("./b.js").A;'];
    const found = texts.flatMap((text) => importsOf(file, text));
    expect(found).toEqual(texts.map(() => ({ file, target: "packages/sdk/src/b.ts", typeOnly: true })));
  });

  it("is not broken by text that only resembles an import", () => {
    const text = '// import { a } from "pg";\nconst text = \'import("pg")\';\nobject.import("pg");';
    expect(importsOf("src/history/get-balances.ts", text)).toEqual([]);
  });

  it("about circles is broken by two files, by three, and by types one way", () => {
    const textsOf: Record<string, string> = {
      "packages/sdk/src/a.ts": 'import { b } from "./b.js";',
      "packages/sdk/src/b.ts": 'export { c } from "./c.js";\nimport "./d.js";',
      "packages/sdk/src/c.ts": 'export const late = () => import("./a.js");',
      "packages/sdk/src/d.ts": 'import type { B } from "./b.js";',
    };
    const found = Object.entries(textsOf).flatMap(([file, text]) => importsOf(file, text));
    expect(circlesAmong(found)).toEqual([
      ["packages/sdk/src/a.ts", "packages/sdk/src/b.ts", "packages/sdk/src/c.ts", "packages/sdk/src/a.ts"],
      ["packages/sdk/src/b.ts", "packages/sdk/src/d.ts", "packages/sdk/src/b.ts"],
    ]);
    expect(circlesAmong(found.filter(({ file }) => /[ab]\.ts$/.test(file)))).toEqual([]);
  });
});

/**
 * The direction of imports (ARCHITECTURE.md): main and service choose, http, scheduler and adapters implement, a module knows
 * ports and the modules to its left.
 */
const root = fileURLToPath(new URL("..", import.meta.url));

const topFiles = ["endpoints.ts", "main.ts", "modules.ts", "service.ts"];

/** A rule of the house, and the imports of `src/` that break it. */
interface Rule {
  readonly rule: string;
  readonly isBrokenBy: (found: Import) => boolean;
  /** An import that breaks it: the file that would make it, and what it would import. */
  readonly example: readonly [file: string, name: string];
}

const read = new Map(folders.map((folder) => [folder, importsIn(root, folder)]));

/** Whether a file is the service's own. */
function isOwn(target: string): boolean {
  return ownSources.some((folder) => target.startsWith(`${folder}/`));
}

function isInside(file: string): boolean {
  return folderOf(file) === "ports" || modules.includes(folderOf(file));
}

const importsBelow = (folder: string) => read.get(folder) ?? [];
