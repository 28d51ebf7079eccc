import type { Contract } from "@trellis/kernel/endpoint.js";
import { openApiContract } from "../../src/http/operational-endpoints.js";
import { servedContracts } from "../../src/http/served-contracts.js";
import type { Rendered } from "../../src/http/site-file.js";
import { consolePage } from "./console-page.js";
import { pictures, slugOfFile } from "./guides.js";
import { createRenderer } from "./markdown.js";
import { buildOpenApi } from "./openapi/build-openapi.js";
import type { EventDescription } from "./openapi/webhooks.js";
import { type DocPage, escapeHtml, favicon, headingOf, htmlPage, pageScripts, style } from "./page.js";
import { docPages } from "./pages.js";
import { documentPath, referencesOf, tagsOf } from "./reference.js";
import { searchEntries } from "./search-entries.js";
import { splitAtHeadings } from "./sections.js";
import { beginningOf, startPage } from "./start-page.js";

/** These pages run scripts of this server alone; nothing is fetched from, or reported to, another server. */
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
const jsonType = "application/json; charset=utf-8";
const scriptType = "text/javascript; charset=utf-8";
const markdownType = "text/markdown; charset=utf-8";

export interface SiteContent {
  readonly endpoints: readonly { readonly contract: Contract }[];
  readonly events: Readonly<Record<string, EventDescription>>;
  readonly version: string;
  /** Whether the service has a sandbox: calls of its own, and a story to be played. */
  readonly sandbox: boolean;
}

/** The OpenAPI document, whole or of one noun. Its server is the one that it is read from. */
export function renderDocument({ endpoints, version, events }: Omit<SiteContent, "sandbox">, tag?: string): Rendered {
  return {
    content: JSON.stringify(buildOpenApi(endpoints, { version, events, ...(tag === undefined ? {} : { tag }) })),
    headers: { "content-type": jsonType, "cache-control": "no-cache" },
  };
}

/**
 * Renders everything that the service shows to anybody, by path: the OpenAPI document, a first page with a story to be played
 * at `/docs/`, the guides, a page for every noun of the API and one for the errors, each as HTML and as Markdown, and a
 * console for every call at `/docs/api/`. `scriptOf` reads a script of the pages, as `bundleScripts` made it.
 */
export async function renderSite(
  content: SiteContent,
  scriptOf: (name: string) => string,
): Promise<ReadonlyMap<string, Rendered>> {
  const { sandbox } = content;
  const contracts = servedContracts(content.endpoints, { sandbox });
  const pages = docPages(contracts);
  const page = (type: string, text: string | Buffer): Rendered => ({
    content: text,
    headers: { "content-security-policy": pagePolicy, "cache-control": "max-age=300", "content-type": type },
  });
  const first = { title: "Start", current: "", main: startPage(pages, { sandbox }) };
  const html = await createPageRenderer(pages);
  const rendered: [path: string, Rendered][] = [
    [openApiContract.path, renderDocument(content)],
    ["/docs/", page(htmlType, htmlPage(pages, sandbox ? { ...first, scripts: ["story.js"] } : first))],
    ["/docs/api/", withPolicy(page(htmlType, consolePage), consolePolicy)],
  ];
  for (const tag of tagsOf(contracts)) rendered.push([documentPath(tag), renderDocument(content, tag)]);
  for (const each of pages) {
    rendered.push([`/docs/${each.slug}`, page(htmlType, await html(each))]);
    rendered.push([`/docs/${each.slug}.md`, page(markdownType, each.markdown())]);
  }
  for (const name of pageScripts) rendered.push([`/docs/assets/${name}`, page(scriptType, scriptOf(name))]);
  for (const { name, type, content } of pictures()) rendered.push([`/docs/assets/${name}`, page(type, content)]);
  for (const path of ["/favicon.svg", "/favicon.ico"]) rendered.push([path, page("image/svg+xml", favicon)]);
  rendered.push(
    ["/docs/search.json", page(jsonType, JSON.stringify(searchEntries(pages)))],
    ["/docs/assets/style.css", page("text/css; charset=utf-8", style)],
    ["/llms.txt", page(markdownType, index(pages))],
    ["/llms-full.txt", page(markdownType, pages.map(({ markdown }) => markdown()).join("\n\n"))],
    // Anybody may read the pages; the interface itself is nothing to be crawled.
    ["/robots.txt", page("text/plain; charset=utf-8", "User-agent: *\nAllow: /docs/\nDisallow: /api/\n")],
  );
  return new Map(rendered);
}

function withPolicy({ content, headers }: Rendered, own: string): Rendered {
  return { content, headers: { ...headers, "content-security-policy": own } };
}

async function createPageRenderer(pages: readonly DocPage[]): Promise<(page: DocPage) => Promise<string>> {
  const slugs = new Set(pages.map(({ slug }) => slug));
  const render = createRenderer((file) => (slugs.has(slugOfFile(file)) ? slugOfFile(file) : undefined));
  /** Below the heading of a page of the contract: where the fields and examples of its calls are. */
  const leadOn = ({ slug }: DocPage, main: string): string => {
    const links = referencesOf(slug, pages).map((each) => `<a href="/docs/${each.slug}">${escapeHtml(each.title)}</a>`);
    const line = `<p class="lead">Every field of its calls, with examples: ${links.join(", ")}.</p>`;
    return links.length === 0 ? main : main.replace("</h1>", () => `</h1>\n${line}`);
  };
  return async (page) => {
    const main = leadOn(page, await render(page.markdown(), page.file ?? ""));
    return htmlPage(pages, { title: page.title, current: page.slug, main, sections: sectionTitles(page) });
  };
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
> orders, bank rails, events. HTTP and JSON; every field of it is in [openapi.json](/openapi.json), and one noun's alone in a
> document that its page below Reference names. All pages in one file: [llms-full.txt](/llms-full.txt).

${lists.join("\n")}`;
}
