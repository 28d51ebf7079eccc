import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Encoding, SiteFile } from "../../src/http/site.js";
import { fileOf, type Rendered } from "../../src/http/site-file.js";
import { renderSite, type SiteContent } from "./render-site.js";

/**
 * Writes two sites into a folder, one of a service with a sandbox and one without: for each a table of its paths, and the
 * files in every form they go out in. `src/composition/read-site.ts` reads them.
 */
export async function writeSites(
  folder: string,
  content: Omit<SiteContent, "sandbox">,
  scriptOf: (name: string) => string,
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Several paths have the same text, in one site or in both: it is compressed and stored once.
  const made = new Map<string, Promise<SiteFile>>();
  const write = async (name: string, rendered: Rendered): Promise<SiteFile> => {
    const file = await fileOf(rendered);
    for (const encoding of Object.keys(file.bytes) as Encoding[])
      writeFileSync(join(folder, `${name}.${encoding}`), file.bytes[encoding] ?? "");
    return file;
  };
  const entry = async (rendered: Rendered): Promise<object> => {
    const name = createHash("sha256").update(rendered.content).digest("hex").slice(0, 24);
    const making = made.get(name) ?? write(name, rendered);
    made.set(name, making);
    const { headers, bytes } = await making;
    return { file: name, encodings: Object.keys(bytes), headers: { ...rendered.headers, etag: headers.etag } };
  };
  for (const sandbox of [true, false]) {
    const rendered = await renderSite({ ...content, sandbox }, scriptOf);
    const table = await Promise.all([...rendered].map(async ([path, each]) => [path, await entry(each)] as const));
    writeFileSync(
      join(folder, `${sandbox ? "with" : "without"}-sandbox.json`),
      JSON.stringify(Object.fromEntries(table)),
    );
  }
}
