import { fileURLToPath } from "node:url";

/** Where the repository's own documents lie. */
export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** What the pages run: bundled by bundle-scripts.ts, and served at `/docs/assets/`. */
export const pageScripts = ["search.js", "blocks.js", "story.js", "console.js", "scalar.js"] as const;

/** A page of the documentation: Markdown that is served as it is, and as HTML. */
export interface DocPage {
  /** Below `/docs/`, without slashes. */
  readonly slug: string;
  readonly title: string;
  readonly group: "Guides" | "The contract" | "Reference" | "In detail";
  /** The file of the repository it is, for links that go out from it. */
  readonly file?: string;
  readonly markdown: () => string;
}

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The words of a heading's line. */
export const headingOf = (line: string): string => line.replace(/^#+ /, "").replace(/[`*]/g, "");

/** The name by which a heading can be linked to: its words, in lower case, with hyphens between. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

/** One whole page: `main` is HTML, `current` the slug of the page, empty for the first one. */
export function htmlPage(
  pages: readonly DocPage[],
  page: {
    readonly title: string;
    readonly current: string;
    readonly main: string;
    /** The headings to be displayed beside it. */
    readonly sections?: readonly string[];
    readonly scripts?: readonly (typeof pageScripts)[number][];
  },
): string {
  const { sections = [] } = page;
  const within =
    sections.length === 0
      ? ""
      : `<ul>${sections.map((title) => `<li><a href="#${anchorOf(title)}">${escapeHtml(title)}</a></li>`).join("")}</ul>`;
  const link = (slug: string, title: string) =>
    slug === page.current
      ? `<li><a href="/docs/${slug}" aria-current="page">${escapeHtml(title)}</a>${within}</li>`
      : `<li><a href="/docs/${slug}">${escapeHtml(title)}</a></li>`;
  const viewGroup = pages.find(({ slug }) => slug === page.current)?.group ?? "Guides";
  // One group is open, so that the keyboard is soon past the menu.
  const lists = [...new Set(pages.map(({ group }) => group))].map((group) => {
    const links = pages.filter((each) => each.group === group).map(({ slug, title }) => link(slug, title));
    const further = group === "Reference" ? toolLinks : "";
    return `<details class="group"${group === viewGroup ? " open" : ""}><summary>${group}</summary><ul>${further}${links.join("")}</ul></details>`;
  });
  const scripts = ["search.js", "blocks.js", ...(page.scripts ?? [])];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Trellis</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/style.css">
${scripts.map((name) => `<script type="module" src="/docs/assets/${name}"></script>`).join("\n")}
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header>
<a class="name" href="/docs/">Trellis</a>
<form role="search" id="search"><label for="words">Search</label><input id="words" type="search" autocomplete="off" placeholder="spending limit, invalid_otp, …"><ul id="found" hidden></ul><p id="heard" class="unseen" role="status"></p></form>
</header>
<div class="columns">
<nav id="pages" aria-label="Pages"><details id="contents"><summary>Pages</summary><ul>${link("", "Start")}</ul>${lists.join("")}</details></nav>
<main id="main">
${page.main}
${neighbours(pages, page.current)}
</main>
</div>
</body>
</html>
`;
}

const toolLinks = '<li><a href="/docs/api/">Try every call</a></li><li><a href="/openapi.json">openapi.json</a></li>';

/** The pages before and after one, in the order of the menu. */
function neighbours(pages: readonly DocPage[], current: string): string {
  const all = [{ slug: "", title: "Start" }, ...pages];
  const place = all.findIndex(({ slug }) => slug === current);
  const [before, after] = [all[place - 1], all[place + 1]];
  const link = (page: { slug: string; title: string } | undefined, rel: "prev" | "next", word: string) =>
    page === undefined
      ? ""
      : `<a rel="${rel}" href="/docs/${page.slug}"><small>${word}</small> ${escapeHtml(page.title)}</a>`;
  return `<nav class="turn" aria-label="Previous and next page">${link(before, "prev", "Previous")}${link(after, "next", "Next")}</nav>`;
}

export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#14532d"/><path d="M8 6v20M16 6v20M24 6v20M5 11h22M5 21h22" stroke="#bbf7d0" stroke-width="2.4" stroke-linecap="round"/></svg>`;

export const style = `:root{color-scheme:light dark;--text:#1b1b1b;--ground:#fff;--quiet:#f3f5f2;--line:#d4d9d1;--link:#14532d;--faint:#565c56;--good:#15803d;--bad:#b91c1c}
@media (prefers-color-scheme:dark){:root{--text:#ececec;--ground:#141614;--quiet:#1f231f;--line:#3a413a;--link:#86efac;--faint:#a9b1a9;--good:#4ade80;--bad:#f87171}}
*{box-sizing:border-box}html{scroll-padding-top:4.5rem}
body{margin:0;font:1rem/1.6 system-ui,sans-serif;color:var(--text);background:var(--ground)}
a{color:var(--link)}a:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible{outline:.18rem solid #1d4ed8;outline-offset:.12rem}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--ground);padding:.5rem;z-index:3}
header{position:sticky;top:0;z-index:2;display:flex;gap:1rem;align-items:center;justify-content:space-between;padding:.6rem max(1.2rem,calc((100vw - 76rem)/2 + 1.2rem));background:var(--ground);border-bottom:1px solid var(--line)}
.name{font-weight:700;font-size:1.2rem;text-decoration:none}
#search{position:relative;flex:0 1 24rem}#search label{position:absolute;left:-99rem}
input:not([type=checkbox]){width:100%;padding:.45rem .7rem;font:inherit;color:inherit;background:var(--quiet);border:1px solid var(--line);border-radius:.4rem}
#found{position:absolute;right:0;width:min(34rem,calc(100vw - 2.4rem));margin:.2rem 0 0;padding:.3rem;max-height:70vh;overflow:auto;list-style:none;background:var(--ground);border:1px solid var(--line);border-radius:.4rem}
#found a{display:block;overflow-wrap:anywhere;padding:.35rem .5rem;text-decoration:none}#found small{color:var(--faint)}#found small:last-child{display:block}#found b{font-weight:600}
.columns{display:grid;grid-template-columns:15rem minmax(0,52rem);gap:2.5rem;max-width:76rem;margin:0 auto;padding:1rem 1.2rem 4rem}
#pages{font-size:.95rem}.group{margin-top:1rem}.group>summary{padding:.2rem 0;font-size:.8rem;font-weight:700;text-transform:uppercase;letter-spacing:.06em;color:var(--faint);cursor:pointer}
.turn{display:flex;flex-wrap:wrap;gap:1rem;margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line)}.turn a[rel=next]{margin-left:auto;text-align:right}.turn a{text-decoration:none;font-weight:600}.turn small{display:block;font-weight:400;color:var(--faint)}
nav ul{list-style:none;margin:0;padding:0}#pages a{display:block;padding:.12rem 0;text-decoration:none}nav a[aria-current]{font-weight:700}
nav li ul{margin:.1rem 0 .4rem;padding-left:.8rem;border-left:1px solid var(--line);font-size:.88rem}#contents>summary{display:none}
@media (min-width:60.01rem){td:first-child:has(code){min-width:13rem}#pages{position:sticky;top:3.9rem;align-self:start;max-height:calc(100vh - 4.5rem);overflow-y:auto;padding-right:.5rem}#contents::details-content{content-visibility:visible;block-size:auto}}
main{min-width:0}h1{font-size:1.9rem;line-height:1.25;margin:.6rem 0 1rem}h2{margin-top:2.2rem}h3{margin-top:1.8rem}h1,h2,h3,p,li{overflow-wrap:anywhere}
pre{overflow:auto;padding:.8rem 1rem;background:var(--quiet);border:1px solid var(--line);border-radius:.4rem;font-size:.88rem;line-height:1.45}
.code{position:relative;margin:1rem 0;background:var(--quiet);border:1px solid var(--line);border-radius:.4rem}.code pre{margin:0 5rem 0 0;border:0}
code{font-family:ui-monospace,monospace;font-size:.92em;overflow-wrap:anywhere}pre code{overflow-wrap:normal;font-size:inherit}
img{display:block;max-width:100%;height:auto;margin:1.2rem auto}
.lead{font-size:.92rem;color:var(--faint)}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
td code{overflow-wrap:anywhere}li:has(>input[type=checkbox]),li:has(>p>input[type=checkbox]){list-style:none;margin-left:-1.5rem;padding-left:1.5rem;text-indent:-1.5rem}input[type=checkbox]{width:1rem;height:1rem;margin:0 .5rem 0 0;vertical-align:-.1rem}.wide:focus-visible,pre:focus-visible{outline:.18rem solid #1d4ed8}blockquote{margin:1rem 0;padding:.1rem 1rem;border-left:.3rem solid var(--line)}
button{padding:.55rem 1.1rem;font:inherit;font-weight:600;color:#fff;background:#14532d;border:0;border-radius:.4rem;cursor:pointer}button:disabled{opacity:.55;cursor:default}
.copy{position:absolute;top:.45rem;right:.45rem;min-width:4.2rem;padding:.15rem .5rem;font-size:.8rem;font-weight:400;color:var(--text);background:var(--ground);border:1px solid var(--line)}.copy:hover{border-color:var(--link)}.unseen{position:absolute;left:-99rem}
.play{display:grid;gap:.6rem;padding:1rem 1.2rem;border:1px solid var(--line);border-radius:.6rem;background:var(--quiet)}.play input{background:var(--ground)}
#story{list-style:none;padding:0}#story>li{margin:.8rem 0;padding:.7rem 1rem;border:1px solid var(--line);border-left:.3rem solid var(--line);border-radius:.4rem}
#story>li.done{border-left-color:var(--good)}#story>li.failed{border-left-color:var(--bad)}#story h3{margin:0;font-size:1rem}#story p,#story summary{margin:.3rem 0;overflow-wrap:anywhere}#story summary{word-break:break-all}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1rem;padding:0;list-style:none}.cards li{padding:.8rem 1rem;border:1px solid var(--line);border-radius:.5rem}.cards p{margin:.3rem 0 0}
@media (max-width:60rem){.columns{grid-template-columns:minmax(0,1fr);gap:0}#contents>summary{display:list-item;padding:.5rem 0;cursor:pointer}#pages{border-bottom:1px solid var(--line)}td{min-width:6.5rem}}
@media (max-width:40rem){.code{padding-top:1.8rem}.code pre{margin:0}.wide table,.wide tbody,.wide tr,.wide td{display:block}.wide thead{position:absolute;left:-99rem}.wide tr{padding:.5rem 0;border-bottom:1px solid var(--line)}.wide td{padding:.1rem 0;border:0}.wide td:empty{display:none}.wide td:first-child{font-weight:600}.wide td:not(:first-child)::before{content:attr(data-of) ": ";color:var(--faint)}}
@media print{header,#pages,.turn,.copy,.skip{display:none}.columns{display:block;max-width:none;padding:0}pre{white-space:pre-wrap;overflow-wrap:anywhere}.code pre{margin:0}li,tr,pre{break-inside:avoid}}
`;
