import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

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

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

const imports = sources("src").flatMap(importsOf);

describe("the direction of imports", () => {
  it("has no other layers, rooms and parts of the core than these", () => {
    const names = (folder: string) => readdirSync(join(root, folder), { withFileTypes: true });
    const folders = (folder: string) => names(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    expect(folders("src").sort()).toEqual(layers);
    expect(names("src").flatMap((entry) => (entry.isFile() ? [entry.name] : []))).toEqual(topFiles);
    expect(folders("src/rooms").sort()).toEqual([...rooms].sort());
    expect(folders("src/core").sort()).toEqual(Object.keys(core).sort());
  });

  it("is kept by every room", () => {
    const wrong = imports.filter(({ file, target, typeOnly }) => {
      const from = placeOf(file);
      if (from.layer !== "rooms" || !target.startsWith("src/")) return false;
      const to = placeOf(target);
      if (to.layer === "rooms") {
        const left = rooms.slice(0, rooms.indexOf(from.part) + 1).includes(to.part);
        return !left && !(to.part === "api-keys" && typeOnly);
      }
      return to.layer !== "core" && to.layer !== "ports" && !common.includes(target);
    });
    expect(wrong).toEqual([]);
  });

  it("is kept by the core", () => {
    const wrong = imports.filter(({ file, target }) => {
      const from = placeOf(file);
      if (from.layer !== "core" || !target.startsWith("src/")) return false;
      const to = placeOf(target);
      const beside = to.layer === "core" && (to.part === from.part || core[from.part]?.includes(to.part));
      return !(beside || to.layer === "ports" || common.includes(target));
    });
    expect(wrong).toEqual([]);
  });

  it("lets ports know each other and nothing else of the house", () => {
    const wrong = imports.filter(
      ({ file, target }) => placeOf(file).layer === "ports" && target.startsWith("src/") && !isPort(target),
    );
    expect(wrong).toEqual([]);
  });

  it("has no circles among files, generated ones aside", () => {
    const targets = new Map<string, string[]>();
    const written = imports.filter(({ file }) => !file.includes("/generated/"));
    for (const { file, target } of written) targets.set(file, [...(targets.get(file) ?? []), target]);
    const done = new Set<string>();
    const findCircle = (file: string, path: readonly string[]): readonly string[] | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
      if (done.has(file)) return undefined;
      for (const target of targets.get(file) ?? []) {
        const circle = findCircle(target, [...path, file]);
        if (circle) return circle;
      }
      done.add(file);
      return undefined;
    };
    const circles = [...targets.keys()].map((file) => findCircle(file, [])).filter((circle) => circle !== undefined);
    expect(circles).toEqual([]);
  });

  it("lets no technology into a room or the core", () => {
    const wrong = imports.filter(
      ({ file, target }) =>
        isInside(file) && technology.some((name) => target === name || target.startsWith(`${name}/`)),
    );
    expect(wrong).toEqual([]);
  });

  it("keeps the environment, the wall clock and chance out of rooms and the core", () => {
    const wrong = sources("src")
      .filter((file) => isInside(file) && placeOf(file).part !== "crypto")
      .filter((file) =>
        /process\.env|Date\.now\(|Math\.random|new Date\(\)|\bfetch\(|setTimeout|setInterval/.test(
          readFileSync(join(root, file), "utf8"),
        ),
      );
    expect(wrong).toEqual([]);
  });

  it("lets only service, main and the command line reach adapters", () => {
    const wrong = imports.filter(
      ({ file, target }) =>
        target.startsWith("src/adapters/") &&
        !["src/service.ts", "src/main.ts"].includes(file) &&
        !file.startsWith("src/adapters/") &&
        !file.startsWith("src/cli/"),
    );
    expect(wrong).toEqual([]);
  });

  it("has one reader of environment variables", () => {
    const readers = sources("src").filter((file) => readFileSync(join(root, file), "utf8").includes("process.env"));
    expect(readers.filter((file) => !file.startsWith("src/cli/"))).toEqual(["src/main.ts"]);
  });
});

describe("the client library", () => {
  it("is portable and stands on its own", () => {
    const wrong = sources("sdk/src")
      .flatMap(importsOf)
      .filter(
        ({ target }) => target.startsWith("src/") || target.startsWith("node:") || builtinModules.includes(target),
      );
    expect(wrong).toEqual([]);
  });
});

describe("the hooks", () => {
  it("stand on the client library and React alone, and know of pages in one file", () => {
    const files = sources("react/src");
    const targets = files.flatMap(importsOf).map(({ target }) => target);
    const packages = new Set(targets.filter((target) => !target.startsWith("react/src/")));
    expect([...packages].sort()).toEqual(["@trellis/sdk", "react"]);
    const ofPages = /\b(document|window|navigator|localStorage|indexedDB|HTML\w*Element)\b[.\s<>;)]/;
    const code = (file: string) => readFileSync(join(root, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    expect(files.filter((file) => ofPages.test(code(file)))).toEqual(["react/src/web.tsx"]);
  });
});

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".test.ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(/^(?:import|export)\s+(type\s+)?[^;]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"/gm);
  return [...found].map(([, type, from, bare]) => {
    const name = from ?? bare ?? "";
    const target = name.startsWith(".") ? join(dirname(file), name).split(sep).join("/").replace(/\.js$/, ".ts") : name;
    return { file, target, typeOnly: type !== undefined };
  });
}

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
