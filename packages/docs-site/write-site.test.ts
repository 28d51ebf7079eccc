import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSite } from "../../src/composition/read-site.js";
import { endpoints } from "../../src/endpoints.js";
import type { Encoding } from "../../src/http/site.js";
import { fileOf } from "../../src/http/site-file.js";
import { eventCatalogue } from "../../src/modules.js";
import { renderSite } from "./render-site.js";
import { writeSites } from "./write-site.js";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trellis-site-"));
  await writeSites(join(folder, "site"), content, scriptOf);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the sites that a build writes", () => {
  it.each([true, false])("are read as they were rendered, with a sandbox: %s", async (sandbox) => {
    const site = readSite({ sandbox }, join(folder, "site"));
    const rendered = await renderSite({ ...content, sandbox }, scriptOf);
    expect([...(site?.keys() ?? [])].sort()).toEqual([...rendered.keys()].sort());
    for (const [path, { content, headers }] of rendered) {
      expect([path, isSame(site?.get(path)?.bytes.identity, Buffer.from(content))]).toEqual([path, true]);
      expect(site?.get(path)?.headers).toMatchObject(headers);
    }
    const page = rendered.get("/docs/errors");
    if (page === undefined) throw new Error("there is no page of errors");
    const [read, made] = [site?.get("/docs/errors"), await fileOf(page)];
    expect(read?.headers).toEqual(made.headers);
    expect(Object.keys(read?.bytes ?? {}).sort()).toEqual(Object.keys(made.bytes).sort());
    for (const encoding of Object.keys(made.bytes) as Encoding[])
      expect([encoding, isSame(read?.bytes[encoding], made.bytes[encoding])]).toEqual([encoding, true]);
  });

  it("show the sandbox's calls and the story where there is a sandbox", () => {
    const [withSandbox, without] = [true, false].map((sandbox) => readSite({ sandbox }, join(folder, "site")));
    const first = (site: typeof without) => site?.get("/docs/")?.bytes.identity.toString();
    expect([withSandbox?.has("/docs/api-sandbox"), without?.has("/docs/api-sandbox")]).toEqual([true, false]);
    expect(first(withSandbox)).toContain("The story, played here");
    expect(first(without)).not.toContain("The story, played here");
  });

  it("are absent where nothing was built", () => {
    expect(readSite({ sandbox: true }, join(folder, "nothing"))).toBeUndefined();
  });
});

/** Compared as bytes: an assertion that goes through megabytes one by one takes a minute. */
const isSame = (left: Buffer | undefined, right: Buffer | undefined): boolean =>
  left !== undefined && right !== undefined && left.equals(right);

const content = { endpoints, events: eventCatalogue, version: "1.2.3" };

const scriptOf = (name: string) => `// ${name}`;
