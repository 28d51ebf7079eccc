import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Encoding, Site, SiteFile } from "../http/site.js";

/** An entry of a table of paths, as packages/docs-site/write-site.ts makes it. */
interface BuiltFile {
  readonly file: string;
  readonly encodings: readonly Encoding[];
  readonly headers: SiteFile["headers"];
}

const built = (name: string): string => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));

/**
 * Reads the site that `npm run build` has rendered, whole: a later build changes nothing for a service that runs. Undefined
 * where there is none, as for a service that runs from its sources.
 */
export const readSite = ({ sandbox }: { readonly sandbox: boolean }, folder = built("site")): Site | undefined =>
  readFiles(folder, sandbox ? "with-sandbox.json" : "without-sandbox.json");

/** The same of the pages for people, as packages/console/build.ts writes them. */
export const readPages = (folder = built("pages")): Site | undefined => readFiles(folder, "table.json");

function readFiles(folder: string, name: string): Site | undefined {
  const table = join(folder, name);
  if (!existsSync(table)) return undefined;
  const entries = JSON.parse(readFileSync(table, "utf8")) as Readonly<Record<string, BuiltFile>>;
  const read = new Map<string, SiteFile["bytes"]>();
  const bytesOf = ({ file, encodings }: BuiltFile): SiteFile["bytes"] => {
    const forms = encodings.map((encoding) => [encoding, readFileSync(join(folder, `${file}.${encoding}`))]);
    return Object.fromEntries(forms) as SiteFile["bytes"];
  };
  return new Map(
    Object.entries(entries).map(([path, each]) => {
      const bytes = read.get(each.file) ?? bytesOf(each);
      read.set(each.file, bytes);
      return [path, { headers: each.headers, bytes }] as const;
    }),
  );
}
