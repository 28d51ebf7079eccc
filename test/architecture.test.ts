import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/**
 * The direction of the house (ARCHITECTURE.md): main and service choose, http, scheduler and adapters implement, rooms
 * know ports, pure base code and the rooms to their left.
 */
const root = fileURLToPath(new URL("..", import.meta.url));

/** Rooms from left to right: each may import those before it. */
const rooms = [
  "mail",
  "otp",
  "users",
  "sessions",
  "api-keys",
  "signing",
  "accounts",
  "balances",
  "transactions",
  "proposals",
  "settings-changes",
  "payment-intents",
  "auth",
  "legacy",
  "sandbox",
];

/** Pure code below the rooms, and what each part of it may import besides ports and the files at the top of src. */
const base: Record<string, readonly string[]> = {
  ports: [],
  crypto: [],
  "program-client": [],
  chain: ["program-client"],
  custody: ["crypto"],
  sponsorship: [],
  submissions: ["chain", "sponsorship"],
  "proposal-index": ["chain", "program-client", "submissions"],
  idempotency: ["crypto"],
};

/** Files at the top of src that anybody may import. */
const common = ["endpoint", "environment", "errors", "limits", "money", "remembered"];

const technology = [
  "fastify",
  "pino",
  "pg",
  "@electric-sql/pglite",
  "litesvm",
  "nodemailer",
  "@scalar/fastify-api-reference",
];

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

const imports = sources("src").flatMap(importsOf);

describe("the direction of imports", () => {
  it("is kept by every room", () => {
    const wrong = imports.filter(({ file, target, typeOnly }) => {
      const room = roomOf(file);
      const index = rooms.indexOf(room);
      if (index === -1 || !target.startsWith("src/")) return false;
      const other = roomOf(target);
      const left = rooms.slice(0, index + 1).includes(other);
      const below = other in base || (other === "api-keys" && typeOnly) || common.includes(stem(target));
      return !left && !below;
    });
    expect(wrong).toEqual([]);
  });

  it("is kept by the code below the rooms", () => {
    const wrong = imports.filter(({ file, target }) => {
      const part = roomOf(file);
      const allowed = base[part];
      if (!allowed || !target.startsWith("src/")) return false;
      const other = roomOf(target);
      return !(other === part || other === "ports" || allowed.includes(other) || common.includes(stem(target)));
    });
    expect(wrong).toEqual([]);
  });

  it("lets no technology into a room", () => {
    const wrong = imports.filter(({ file, target }) => {
      const room = roomOf(file);
      return (
        (rooms.includes(room) || room in base) &&
        technology.some((name) => target === name || target.startsWith(`${name}/`))
      );
    });
    expect(wrong).toEqual([]);
  });

  it("keeps the environment, the wall clock and chance out of rooms", () => {
    const wrong = sources("src")
      .filter((file) => rooms.includes(roomOf(file)) || (roomOf(file) in base && roomOf(file) !== "crypto"))
      .filter((file) =>
        /process\.env|Date\.now\(|Math\.random|new Date\(\)|\bfetch\(|setTimeout|setInterval/.test(
          readFileSync(join(root, file), "utf8"),
        ),
      );
    expect(wrong).toEqual([]);
  });

  it("lets only service and main reach adapters", () => {
    const wrong = imports.filter(
      ({ file, target }) =>
        target.startsWith("src/adapters/") &&
        !["src/service.ts", "src/main.ts", "src/end-in-error.ts"].includes(file) &&
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

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
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

/** The folder below src, or "" for the files at the top. */
function roomOf(file: string): string {
  const parts = file.split("/");
  return parts.length > 2 ? (parts[1] ?? "") : "";
}

function stem(file: string): string {
  return file.replace(/^src\//, "").replace(/\.ts$/, "");
}
