import type { Buffer } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DocPage, repository } from "./page.js";

/** Those read first, in this order; the others of `docs/` follow by name. */
const first = [
  "README.md",
  "docs/story.md",
  "docs/recipes.md",
  "docs/guarded-accounts.md",
  "docs/passkey-signers.md",
  "docs/glossary.md",
  "packages/sdk/README.md",
  "packages/react/README.md",
  "examples/README.md",
  "docs/console.md",
  "docs/treasury.md",
  "docs/agents.md",
  "docs/sandbox.md",
  "docs/moving.md",
  "docs/deployment.md",
  "docs/configuration.md",
  "docs/operations.md",
  "docs/log-events.md",
];
const inDetail = ["SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
/** The contract, in the order in which it is read; pages of `docs/api/` that are not named here follow by name. */
const contract = [
  "README",
  "general",
  "accounts",
  "sessions",
  "users",
  "passkeys",
  "passkey-signers",
  "wallet-exports",
  "wallet-imports",
  "transactions",
  "payment-intents",
  "history",
  "labels",
  "proposals",
  "spending-limits",
  "standing-orders",
  "rails",
  "events",
  "api-keys",
  "treasury-pages",
  "members",
  "audit",
  "requests",
  "import",
  "legacy",
  "sandbox",
  "server",
].map((name) => `docs/api/${name}.md`);
const titles: Readonly<Record<string, string>> = {
  "README.md": "Read me",
  "packages/sdk/README.md": "The client library",
  "packages/react/README.md": "React hooks",
  "docs/api/README.md": "How to read it",
  "docs/moving.md": "Moving in",
  "docs/api/api-keys.md": "Tenants and API keys",
  "docs/api/members.md": "Members and the console",
  "docs/api/general.md": "General",
  "docs/api/transactions.md": "Transactions",
};

/** The documents of the repository that are here as files; an installation may have left them out. */
export function guidePages(): readonly DocPage[] {
  const others = documentsIn("docs").filter((file) => !first.includes(file));
  const nouns = documentsIn("docs/api").filter((file) => !contract.includes(file));
  const page = (file: string, group: DocPage["group"]): DocPage[] => {
    const path = join(repository, file);
    if (!existsSync(path)) return [];
    const text = withoutCodeReferences(readFileSync(path, "utf8"));
    const title = titles[file] ?? /^# (.+)$/m.exec(text)?.[1] ?? file;
    return [{ slug: slugOfFile(file), title, group, file, markdown: () => text }];
  };
  return [
    ...[...first, ...others].flatMap((file) => page(file, "Guides")),
    ...[...contract, ...nouns].flatMap((file) => page(file, "The contract")),
    ...inDetail.flatMap((file) => page(file, "In detail")),
  ];
}

/** Lists that lead from the code to the documents, at the end of one, are for readers of the code. */
const withoutCodeReferences = (text: string): string => text.replace(/^## References in the code\n[\s\S]*/m, "");

export interface Picture {
  /** In `docs/`. */
  readonly name: string;
  readonly type: string;
  readonly content: string | Buffer;
}

/** The pictures that documents show. */
export function pictures(): readonly Picture[] {
  const folder = join(repository, "docs");
  return (existsSync(folder) ? readdirSync(folder) : []).flatMap((name): Picture[] => {
    const path = join(folder, name);
    if (name.endsWith(".svg")) return [{ name, type: "image/svg+xml", content: readFileSync(path, "utf8") }];
    return name.endsWith(".png") ? [{ name, type: "image/png", content: readFileSync(path) }] : [];
  });
}

function documentsIn(folder: string): string[] {
  const place = join(repository, folder);
  const found = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith(".md")) : [];
  return found.sort().map((name) => `${folder}/${name}`);
}

/** `docs/moving.md` → `moving`, `docs/api/accounts.md` → `contract-accounts`, `packages/sdk/README.md` → `sdk`. */
export function slugOfFile(file: string): string {
  return file
    .replace(/^docs\/api\/README\.md$/, "contract")
    .replace(/^docs\/api\//, "contract-")
    .replace(/^docs\//, "")
    .replace(/^(?:packages\/)?(sdk|react|examples)\/README\.md$/, "$1")
    .replace(/\.md$/, "")
    .toLowerCase();
}
