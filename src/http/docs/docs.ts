import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Contract } from "../../kernel/endpoint.js";
import { jsonContentType } from "../endpoint-route.js";
import type { OpenApiDocument } from "../openapi.js";
import { openApiContract } from "../operational-endpoints.js";
import { keepAnswers } from "../static-answers.js";
import { consolePage } from "./console-page.js";
import { pictures, slugOfFile } from "./guides.js";
import { createRenderer } from "./markdown.js";
import { type DocPage, escapeHtml, favicon, headingOf, htmlPage, pageScripts, repository, style } from "./page.js";
import { docPages } from "./pages.js";
import { referencesOf } from "./reference.js";
import { searchEntries } from "./search-entries.js";
import { splitAtHeadings } from "./sections.js";
import { beginningOf, startPage } from "./start-page.js";

/** These pages run scripts of this server alone; nothing is fetched from, or sent to, any other server. */
const pagePolicy = policy("script-src 'self'", "style-src 'self'");
/** The console makes its styles as it runs. */
const consolePolicy = policy("script-src 'self'", "style-src 'self' 'unsafe-inline'", "worker-src 'self' blob:");

function policy(...own: readonly string[]): string {
  return [
    "default-src 'none'",
    ...own,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const htmlType = "text/html; charset=utf-8";
const scriptType = "text/javascript; charset=utf-8";
const markdownType = "text/markdown; charset=utf-8";

export interface DocsOptions {
  /** Whether there are pages besides `/openapi.json`. */
  readonly page: boolean;
  /** What the pages of the API are about. */
  readonly contracts: readonly Contract[];
  /** Whether the story can be played here. */
  readonly sandbox: boolean;
}

/**
 * Serves the document at `/openapi.json`, and, if `page` says so, the documentation: a first page with a story to be played
 * at `/docs/`, the guides, a page for every noun of the API and one for the errors, each as HTML and as Markdown, and a
 * console for every call at `/docs/api/`. All are read by anybody, so that all readers share the same bytes.
 */
export async function addDocs(app: FastifyInstance, document: OpenApiDocument, options: DocsOptions): Promise<void> {
  await app.register(async (open) => {
    keepAnswers(open);
    const text = JSON.stringify(document);
    open.get(openApiContract.path, { config: { operation: openApiContract.operation } }, (_request, reply) => {
      reply.header("content-type", jsonContentType).header("cache-control", "no-cache").send(text);
    });
    if (!options.page) return;
    addConsole(open);
    addPages(open, options);
  });
}

function addPages(app: FastifyInstance, { contracts, sandbox }: DocsOptions): void {
  const pages = docPages(contracts);
  let renderer: ReturnType<typeof createRenderer> | undefined;
  const slugs = new Set(pages.map(({ slug }) => slug));
  const html = async (page: DocPage): Promise<string> => {
    renderer ??= createRenderer((file) => (slugs.has(slugOfFile(file)) ? slugOfFile(file) : undefined));
    const main = leadOn(page, await (await renderer)(page.markdown(), page.file ?? ""));
    return htmlPage(pages, { title: page.title, current: page.slug, main, sections: sectionTitles(page) });
  };
  /** Below the heading of a page of the contract: where the fields and examples of its calls are. */
  const leadOn = ({ slug }: DocPage, main: string): string => {
    const links = referencesOf(slug, pages).map((each) => `<a href="/docs/${each.slug}">${escapeHtml(each.title)}</a>`);
    const line = `<p class="lead">Every field of its calls, with examples: ${links.join(", ")}.</p>`;
    return links.length === 0 ? main : main.replace("</h1>", () => `</h1>\n${line}`);
  };
  const serve = (path: string, type: string, make: () => string | Promise<string>) => {
    app.get(path, async (_request, reply: FastifyReply) => {
      const text = await make();
      reply.header("content-security-policy", pagePolicy).header("cache-control", "max-age=300");
      return reply.header("content-type", type).send(text);
    });
  };
  for (const path of ["/", "/docs"]) app.get(path, (_request, reply) => reply.redirect("/docs/", 302));
  serve("/docs/", htmlType, () =>
    htmlPage(pages, {
      title: "Start",
      current: "",
      main: startPage(pages, { sandbox }),
      scripts: sandbox ? ["story.js"] : [],
    }),
  );
  for (const page of pages) {
    serve(`/docs/${page.slug}`, htmlType, () => html(page));
    serve(`/docs/${page.slug}.md`, markdownType, () => page.markdown());
  }
  let searched: string | undefined;
  serve("/docs/search.json", jsonContentType, () => {
    searched ??= JSON.stringify(searchEntries(pages));
    return searched;
  });
  serve("/docs/assets/style.css", "text/css; charset=utf-8", () => style);
  for (const name of pageScripts) {
    // Built by scripts/bundle-pages.mjs from browser/, with the client library in it.
    serve(`/docs/assets/${name}`, scriptType, () => readBuilt(name));
  }
  for (const [name, picture] of pictures()) serve(`/docs/assets/${name}`, "image/svg+xml", () => picture);
  serve("/llms.txt", markdownType, () => index(pages));
  serve("/llms-full.txt", markdownType, () => pages.map((page) => page.markdown()).join("\n\n"));
  // Anybody may read the pages; the interface itself is nothing to be crawled.
  serve("/robots.txt", "text/plain; charset=utf-8", () => "User-agent: *\nAllow: /docs/\nDisallow: /api/\n");
  for (const path of ["/favicon.svg", "/favicon.ico"]) serve(path, "image/svg+xml", () => favicon);
}

/** A page of more than these sections is a list of its own, and no contents stand beside it. */
const sectionsMax = 30;

function sectionTitles({ markdown }: DocPage): readonly string[] {
  const titles = splitAtHeadings(markdown()).flatMap(([line = ""]) =>
    line.startsWith("## ") ? [headingOf(line)] : [],
  );
  return titles.length > sectionsMax ? [] : titles;
}

/** The pages as a program wants them listed: llmstxt.org. */
function index(pages: readonly DocPage[]): string {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const lists = groups.map(
    (group) =>
      `## ${group}\n\n${pages
        .filter((page) => page.group === group)
        .map(({ slug, title, markdown }) => `- [${title}](/docs/${slug}.md): ${beginningOf(markdown())}`)
        .join("\n")}\n`,
  );
  return `# Trellis

> A self-hosted smart account service for Solana: accounts by e-mail or from keys of one's own, payments, proposals and votes, standing
> orders, bank rails, events. HTTP and JSON; every field of it is in [openapi.json](/openapi.json). All pages in one file:
> [llms-full.txt](/llms-full.txt).

${lists.join("\n")}`;
}

function addConsole(app: FastifyInstance): void {
  app.get("/docs/api", (_request, reply) => reply.redirect("/docs/api/", 302));
  app.get("/docs/api/", (_request, reply) => {
    reply.header("content-security-policy", consolePolicy).header("cache-control", "max-age=300");
    return reply.header("content-type", htmlType).send(consolePage);
  });
}

/** Read once, as megabytes for every reader would be many. */
const built = new Map<string, string>();
async function readBuilt(name: string): Promise<string> {
  const text = built.get(name) ?? (await readFile(join(repository, "dist", "docs", name), "utf8"));
  built.set(name, text);
  return text;
}
