import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { circlesAmong, computed, type Import, importsIn, importsOf, sourcesIn } from "./support/imports-of.js";

/**
 * The direction of the house (ARCHITECTURE.md): main and service choose, http, scheduler and adapters implement, rooms
 * know ports, the core and the rooms to their left; the core knows ports and never a room.
 */
const root = fileURLToPath(new URL("..", import.meta.url));

/** Rooms from left to right: each may import those before it. */
const rooms = [
  "mail",
  "otp",
  "users",
  "sessions",
  "api-keys",
  "webhooks",
  "signing",
  "accounts",
  "balances",
  "history",
  "transactions",
  "proposals",
  "settings-changes",
  "spending-limits",
  "kyc",
  "external-accounts",
  "payment-intents",
  "standing-orders",
  "virtual-accounts",
  "auth",
  "legacy",
  "sandbox",
];

/** The parts of the core, and what each of them may import besides ports and what stands beside them. */
const core: Record<string, readonly string[]> = {
  crypto: [],
  "program-client": [],
  "deployed-program": ["program-client"],
  chain: ["crypto", "program-client"],
  custody: ["crypto"],
  sponsorship: ["events"],
  "payment-intents": [],
  payees: ["chain", "program-client"],
  submissions: ["chain", "payment-intents", "sponsorship"],
  "history-index": ["chain", "program-client"],
  "proposal-index": ["chain", "history-index", "program-client", "sponsorship", "submissions"],
  idempotency: ["crypto"],
  "standing-orders": ["chain", "payees", "program-client", "rails", "sponsorship", "submissions"],
  events: [],
  rails: ["crypto", "chain", "history-index", "payment-intents"],
};

/** Files that everybody above the ports may import. */
const common = [
  "src/endpoint.ts",
  "src/errors.ts",
  "src/limits.ts",
  "src/core/money.ts",
  "src/core/remembered.ts",
  "src/core/gathered.ts",
  "src/core/each-of.ts",
  "src/core/tenant-turns.ts",
];

/** The layers a stranger sees in `src/`, and the files beside them. */
const layers = ["adapters", "cli", "config", "core", "http", "ports", "rooms", "scheduler"];
const topFiles = ["endpoint.ts", "endpoints.ts", "errors.ts", "limits.ts", "main.ts", "service.ts"];

const technology = ["fastify", "pino", "pg", "@electric-sql/pglite", "litesvm", "nodemailer", "prom-client", "ws"];

/** What each layer may import of the others; what stands beside them is of those that choose. */
const below: Record<string, readonly string[]> = {
  adapters: ["config", "core", "ports"],
  cli: ["adapters", "config", "core", "ports", "rooms"],
  config: ["core", "http", "ports"],
  core: ["ports"],
  http: ["core", "ports", "rooms"],
  ports: [],
  rooms: ["core", "ports"],
  scheduler: ["core", "ports", "rooms"],
};

/** A rule of the house, and the imports of `src/` that break it. */
interface Rule {
  readonly rule: string;
  readonly isBrokenBy: (found: Import) => boolean;
  /** An import that breaks it: the file that would make it, and what it would import. */
  readonly example: readonly [file: string, name: string];
}

const rules: readonly Rule[] = [
  {
    rule: "every layer imports only those below it",
    isBrokenBy: ({ file, target }) => {
      const [from, to] = [placeOf(file).layer, placeOf(target).layer];
      if (from === "" || to === "" || from === to || !target.startsWith("src/")) return false;
      return below[from]?.includes(to) !== true;
    },
    example: ["src/adapters/traces.ts", "../rooms/balances/get-balances.js"],
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
    rule: "a room imports the rooms to its left",
    isBrokenBy: ({ file, target, typeOnly }) => {
      const [from, to] = [placeOf(file), placeOf(target)];
      if (from.layer !== "rooms" || !target.startsWith("src/")) return false;
      if (to.layer === "rooms") {
        const left = rooms.slice(0, rooms.indexOf(from.part) + 1).includes(to.part);
        return !left && !(to.part === "api-keys" && typeOnly);
      }
      return to.layer !== "core" && to.layer !== "ports" && !common.includes(target);
    },
    example: ["src/rooms/balances/get-balances.ts", "../proposals/list-proposals.js"],
  },
  {
    rule: "a part of the core imports ports and the parts it stands on",
    isBrokenBy: ({ file, target }) => {
      const [from, to] = [placeOf(file), placeOf(target)];
      if (from.layer !== "core" || !target.startsWith("src/")) return false;
      const beside = to.layer === "core" && (to.part === from.part || core[from.part]?.includes(to.part));
      return !(beside || to.layer === "ports" || common.includes(target));
    },
    example: ["src/core/crypto/ed25519.ts", "../rails/ask-partner.js"],
  },
  {
    rule: "a port imports ports",
    isBrokenBy: ({ file, target }) => placeOf(file).layer === "ports" && target.startsWith("src/") && !isPort(target),
    example: ["src/ports/clock.ts", "../limits.js"],
  },
  {
    rule: "no room, port or part of the core imports a technology",
    isBrokenBy: ({ file, target }) =>
      isInside(file) && technology.some((name) => target === name || target.startsWith(`${name}/`)),
    example: ["src/rooms/balances/get-balances.ts", "pg"],
  },
  {
    rule: "service, main and the command line reach adapters",
    isBrokenBy: ({ file, target }) =>
      target.startsWith("src/adapters/") &&
      !["src/service.ts", "src/main.ts"].includes(file) &&
      !file.startsWith("src/adapters/") &&
      !file.startsWith("src/cli/"),
    example: ["src/http/openapi.ts", "../adapters/traces.js"],
  },
  {
    rule: "a name that is computed is imported by the traces alone, which the operator names",
    isBrokenBy: ({ file, target }) => target === computed && file !== "src/adapters/traces.ts",
    example: ["src/rooms/balances/get-balances.ts", ""],
  },
  {
    rule: "the command line and the docs' pages in a browser use the packages of clients, as anybody outside does",
    isBrokenBy: ({ file, target }) => {
      const isOutside = file.startsWith("src/cli/") || file.startsWith("src/http/docs/browser/");
      return /^(sdk|react)\//.test(target) || (target.startsWith("@trellis/") && !isOutside);
    },
    example: ["src/rooms/balances/get-balances.ts", "../../../sdk/src/index.js"],
  },
];

const ofClients: readonly (Rule & { readonly folder: string })[] = [
  {
    folder: "sdk/src",
    rule: "the client library is portable and stands on its own",
    isBrokenBy: ({ target }) =>
      /^(src|react)\//.test(target) ||
      target === computed ||
      target.startsWith("node:") ||
      builtinModules.includes(target) ||
      target.startsWith("@trellis/"),
    example: ["sdk/src/client.ts", "../../src/errors.js"],
  },
  {
    folder: "sdk/src",
    rule: "what reads bytes, in inspect/, knows nothing of the service but the shapes it answers",
    isBrokenBy: ({ file, target }) =>
      file.startsWith("sdk/src/inspect/") &&
      /^sdk\/src\/(client|service-calls|request-sender|submission|act|session)\b/.test(target),
    example: ["sdk/src/inspect/byte-reader.ts", "../client.js"],
  },
  {
    folder: "sdk/src",
    rule: "the bodies of the wire stand below everything",
    isBrokenBy: ({ file, target }) => file.startsWith("sdk/src/wire/") && !target.startsWith("sdk/src/wire/"),
    example: ["sdk/src/wire/by-hand.ts", "../client.js"],
  },
  {
    folder: "react/src",
    rule: "the hooks stand on the client library and React alone",
    isBrokenBy: ({ target }) => !target.startsWith("react/src/") && !["@trellis/sdk", "react"].includes(target),
    example: ["react/src/use-list.ts", "../../sdk/src/index.js"],
  },
];

const folders = ["src", "sdk/src", "react/src"];
const read = new Map(folders.map((folder) => [folder, importsIn(root, folder)]));
const importsBelow = (folder: string) => read.get(folder) ?? [];

describe("the direction of imports", () => {
  it("has no other layers, rooms and parts of the core than these", () => {
    const names = (folder: string) => readdirSync(join(root, folder), { withFileTypes: true });
    const foldersIn = (folder: string) => names(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    expect(foldersIn("src").sort()).toEqual(layers);
    expect(names("src").flatMap((entry) => (entry.isFile() ? [entry.name] : []))).toEqual(topFiles);
    expect(foldersIn("src/rooms").sort()).toEqual([...rooms].sort());
    expect(foldersIn("src/core").sort()).toEqual(Object.keys(core).sort());
    expect(Object.keys(below).sort()).toEqual(layers);
  });

  it.each(rules)("$rule", ({ isBrokenBy }) => {
    expect(importsBelow("src").filter(isBrokenBy)).toEqual([]);
  });

  it("keeps the environment, the wall clock and chance out of rooms and the core", () => {
    const wrong = sourcesIn(root, "src")
      .filter((file) => isInside(file) && placeOf(file).part !== "crypto")
      .filter((file) =>
        /process\.env|Date\.now\(|Math\.random|new Date\(\)|\bfetch\(|setTimeout|setInterval/.test(
          readFileSync(join(root, file), "utf8"),
        ),
      );
    expect(wrong).toEqual([]);
  });

  it("has one reader of environment variables", () => {
    const readers = sourcesIn(root, "src").filter((file) =>
      readFileSync(join(root, file), "utf8").includes("process.env"),
    );
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
    expect(sourcesIn(root, "react/src").filter((file) => ofPages.test(code(file)))).toEqual(["react/src/web.tsx"]);
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
    const file = "sdk/src/outcome-unknown-error.ts";
    const texts = ['import type { A } from "./b.js";', 'export type * from "./b.js";', 'type A = import("./b.js").A;'];
    const found = texts.flatMap((text) => importsOf(file, text));
    expect(found).toEqual(texts.map(() => ({ file, target: "sdk/src/b.ts", typeOnly: true })));
  });

  it("is not broken by what only looks like an import", () => {
    const text = '// import { a } from "pg";\nconst text = \'import("pg")\';\nobject.import("pg");';
    expect(importsOf("src/rooms/balances/get-balances.ts", text)).toEqual([]);
  });

  it("about circles is broken by two files, by three, and by types one way", () => {
    const textsOf: Record<string, string> = {
      "sdk/src/a.ts": 'import { b } from "./b.js";',
      "sdk/src/b.ts": 'export { c } from "./c.js";\nimport "./d.js";',
      "sdk/src/c.ts": 'export const late = () => import("./a.js");',
      "sdk/src/d.ts": 'import type { B } from "./b.js";',
    };
    const found = Object.entries(textsOf).flatMap(([file, text]) => importsOf(file, text));
    expect(circlesAmong(found)).toEqual([
      ["sdk/src/a.ts", "sdk/src/b.ts", "sdk/src/c.ts", "sdk/src/a.ts"],
      ["sdk/src/b.ts", "sdk/src/d.ts", "sdk/src/b.ts"],
    ]);
    expect(circlesAmong(found.filter(({ file }) => /[ab]\.ts$/.test(file)))).toEqual([]);
  });
});

/** The layer below src, and the folder below that; "" for files that stand higher. */
function placeOf(file: string): { readonly layer: string; readonly part: string } {
  const [, layer = "", part = ""] = file.split("/").slice(0, -1);
  return { layer, part };
}

function isPort(file: string): boolean {
  return placeOf(file).layer === "ports";
}

function isInside(file: string): boolean {
  return ["rooms", "core", "ports"].includes(placeOf(file).layer);
}
