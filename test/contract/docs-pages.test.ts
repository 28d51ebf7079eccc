import { errorCatalogue } from "@trellis/kernel/errors.js";
import type { SandboxControls } from "@trellis/kernel/ports/network.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../src/endpoints.js";
import { type Floor, openFloor } from "./http-fixture.js";

let floor: Floor;
beforeAll(async () => {
  const sockets = { attach: () => undefined, close: () => undefined };
  const sandbox = { answerRpc: async () => undefined, sockets } as unknown as SandboxControls;
  floor = await openFloor({ endpoints: endpoints as never, sandbox, pages: true });
});
afterAll(() => floor.close());

describe("the documentation", () => {
  it("has no link that leads nowhere, to a page or to a place in one", async () => {
    const pages = await allPages();
    expect(pages.size).toBeGreaterThan(25);
    const lost = [...pages].flatMap(([path, body]) =>
      [...body.matchAll(/href="([^"]*#[^"]+)"/g)].flatMap(([, link = ""]) => {
        if (/^https?:/.test(link)) return [];
        const { pathname, hash } = new URL(link, `http://here${path}`);
        // The console has its places once it runs: scripts/pages.mjs goes to one.
        if (pathname === "/docs/api/") return [];
        const anchor = decodeURIComponent(hash.slice(1));
        return pages.get(pathname)?.includes(`id="${anchor}"`) ? [] : [`${path}: ${link}`];
      }),
    );
    expect(lost).toEqual([]);
    expect([...pages].filter(([, body]) => body.includes("&lt;a id=")).map(([path]) => path)).toEqual([]);
  });

  it("loads nothing from elsewhere, and runs nothing that is not a file of this server", async () => {
    const { body, headers } = await read("/docs/errors");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
    const ofConsole = String((await read("/docs/api/")).headers["content-security-policy"]);
    expect(ofConsole).toContain("script-src 'self';");
    expect(body).not.toMatch(/<script(?![^>]* src=)|<style|style="|\son[a-z]+="/);
    for (const [, source = ""] of body.matchAll(/(?:src|href)="([^"#]+)"/g)) expect(source).toMatch(/^\/(?!\/)/);
  });

  it("explains every error of the catalogue at the place that is named after it", async () => {
    const { body } = await read("/docs/errors");
    for (const [code, [status]] of Object.entries(errorCatalogue)) {
      expect(body).toContain(`id="${code}"`);
      expect(body.slice(body.indexOf(`id="${code}"`), body.indexOf(`id="${code}"`) + 200)).toContain(String(status));
    }
  });

  it("has a menu of different names, and leads from each page to the next", async () => {
    const order: string[] = [];
    let path: string | undefined = "/docs/";
    while (path !== undefined) {
      const { body }: { body: string } = await read(path);
      order.push(path);
      const menu = /<nav id="pages".*<\/nav>/.exec(body)?.[0].replace(/<li><a href="#.*?<\/li>/g, "") ?? "";
      const names = [...menu.matchAll(/<a [^>]*>([^<]+)<\/a>/g)].map(([, name]) => name);
      expect(names.length).toBeGreaterThan(50);
      expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
      path = /<a rel="next" href="([^"]+)"/.exec(body)?.[1];
    }
    expect(new Set(order).size).toBe(order.length);
    expect((await read(order[1] ?? "")).body).toContain('<a rel="prev" href="/docs/">');
    expect(order.length).toBe([...(await allPages()).keys()].filter((each) => isPage(each)).length);
  });

  it("shows every operation with its path", async () => {
    const pages = [...(await allPages())].filter(([path]) => path.startsWith("/docs/api-")).map(([, body]) => body);
    for (const { contract } of endpoints) {
      const view = pages.some((body) => body.includes(`${contract.method} ${contract.path}`));
      expect([contract.operation, view]).toEqual([contract.operation, true]);
    }
  });

  it("says what a field may hold, whichever layer refuses the rest", async () => {
    const page = async (name: string) => (await read(`/docs/api-${name}.md`)).body;
    const accounts = await page("accounts");
    expect(accounts).toContain("| `threshold` | integer, 1 to 10, optional | How many of `signers` have to sign. |");
    expect(accounts).toContain(
      "| `policies.time_lock` | integer, 0 to 7,776,000, optional | Seconds; 0 when absent. |",
    );
    expect(accounts).toContain("| `memo` | string, at most 500 characters, optional |");
    expect(accounts).toContain(
      "| `kms_provider_config.encryption_public_key` | string, 80 to 124 characters | SPKI DER, in base64. |",
    );
    const transactions = await page("transactions");
    expect(transactions).toContain("| `transaction` | string, at most 1,644 characters | A transaction, legacy or v0:");
    expect(transactions).toContain("| `transactions` | list of string, at most 1,644 characters, 1 to 20 entries |");
  });

  it("is there as Markdown too, listed for programs", async () => {
    const listed = (await read("/llms.txt")).body;
    const paths = [...listed.matchAll(/\]\((\/docs\/[^)]+\.md)\)/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) {
      const { statusCode, headers, body } = await read(path);
      expect([path, statusCode, headers["content-type"]]).toEqual([path, 200, "text/markdown; charset=utf-8"]);
      expect(body).toMatch(/^# /);
    }
    // What each is about, in a sentence; and all of it at once.
    expect(listed).toMatch(/^- \[Payment intents\]\(\/docs\/contract-payment-intents\.md\): [A-Z].{20,}\.$/m);
    const all = (await read("/llms-full.txt")).body;
    for (const path of paths) expect(all).toContain((await read(path)).body);
    expect((await read("/robots.txt")).body).toContain("Disallow: /api/");
  });

  it("has the OpenAPI document of every noun by itself, complete and short enough to be read whole", async () => {
    const paths = [...(await read("/llms.txt")).body.matchAll(/\]\(\/docs\/(api-[a-z-]+)\.md\)/g)].map(
      ([, slug = ""]) => slug,
    );
    const documents = await Promise.all(
      paths.map(async (slug) => {
        const [, path = ""] =
          /\]\((\/docs\/openapi\/[a-z-]+\.json)\)/.exec((await read(`/docs/${slug}.md`)).body) ?? [];
        return read(path);
      }),
    );
    const operations = (text: string) => [...text.matchAll(/"operationId":"(\w+)","summary"/g)].map(([, name]) => name);
    const whole = (await read("/openapi.json")).body;
    expect(documents.flatMap(({ body }) => operations(body)).sort()).toEqual(operations(whole).sort());
    for (const { body, headers } of documents) {
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
      const document = JSON.parse(body) as { info: { title: string }; components: Record<string, object> };
      expect([document.info.title, body.length < 150_000]).toEqual([document.info.title, true]);
      const referred = [...body.matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)];
      const missing = referred.filter(([, kind = "", name = ""]) => !(name in (document.components[kind] ?? {})));
      expect(missing.map(([reference]) => reference)).toEqual([]);
    }
  });

  it("keeps lists for readers of the code to the files", async () => {
    const { body } = await read("/docs/contract.md");
    expect(body).toContain("What this version does not have");
    expect(body).not.toMatch(/`gap`|References in the code/);
  });

  it("finds sections that are there", async () => {
    const entries = (await read("/docs/search.json")).json() as { title: string; url: string }[];
    expect(entries.some(({ title, url }) => title === "invalid_otp" && url === "/docs/errors#invalid_otp")).toBe(true);
    const pages = await allPages();
    const lost = entries.filter(({ url }) => {
      const [path = "", anchor] = url.split("#");
      return !pages.get(path)?.includes(`id="${anchor}"`);
    });
    expect(lost).toEqual([]);
  });

  it("is what a browser is redirected to at the server's address", async () => {
    const { statusCode, headers } = await read("/");
    expect([statusCode, headers.location]).toEqual([302, "/docs/"]);
    expect((await read("/favicon.ico")).headers["content-type"]).toBe("image/svg+xml");
  });
});

const read = (url: string) => floor.app.inject({ url });

const isPage = (path: string) => /^\/docs\/[a-z0-9-]*$/.test(path);

/** Every page of the documentation, found as a reader finds it: from the first one on. */
async function allPages(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const open = ["/docs/"];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    const { statusCode, body } = await read(path);
    expect([path, statusCode]).toEqual([path, 200]);
    found.set(path, body);
    if (!path.startsWith("/docs/") || path.startsWith("/docs/api/") || path.startsWith("/docs/assets/")) continue;
    for (const [, link = ""] of body.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^https?:/.test(link)) continue;
      open.push(new URL(link, `http://here${path}`).pathname);
    }
  }
  return found;
}
