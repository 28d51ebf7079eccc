import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DocPage, repository } from "./page.js";

/** Those read first, in this order; the others of `docs/` follow by name. */
const first = ["README.md", "sdk/README.md", "docs/moving.md"];
const inDetail = ["docs/interface.md", "docs/gaps.md", "SECURITY.md", "ARCHITECTURE.md", "CHANGELOG.md"];
const titles: Readonly<Record<string, string>> = {
  "README.md": "Read me",
  "sdk/README.md": "The client library",
  "docs/interface.md": "The contract",
  "docs/gaps.md": "Where the contract is silent",
};

/** The documents of the repository that are here as files; an installation may have left them out. */
export function guidePages(): readonly DocPage[] {
  const place = join(repository, "docs");
  const found = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith(".md")) : [];
  const others = found.map((name) => `docs/${name}`).filter((file) => ![...first, ...inDetail].includes(file));
  const page = (file: string, group: DocPage["group"]): DocPage[] => {
    const path = join(repository, file);
    if (!existsSync(path)) return [];
    const text = readFileSync(path, "utf8");
    const title = titles[file] ?? /^# (.+)$/m.exec(text)?.[1] ?? file;
    return [{ slug: slugOfFile(file), title, group, markdown: () => text }];
  };
  return [
    ...[...first, ...others.sort()].flatMap((file) => page(file, "Guides")),
    ...inDetail.flatMap((file) => page(file, "In detail")),
  ];
}

/** `docs/moving.md` → `moving`, `sdk/README.md` → `sdk`. */
export function slugOfFile(file: string): string {
  return file
    .replace(/^docs\//, "")
    .replace(/^sdk\/README\.md$/, "sdk")
    .replace(/\.md$/, "")
    .toLowerCase();
}
