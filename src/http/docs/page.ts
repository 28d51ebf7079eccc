import { fileURLToPath } from "node:url";

/** Where the repository's own documents lie, seen from the source and from what is built of it alike. */
export const repository = fileURLToPath(new URL("../../../", import.meta.url));

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
    /** The headings to be shown beside it. */
    readonly sections?: readonly string[];
    readonly scripts?: readonly string[];
  },
): string {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const { sections = [] } = page;
  const within =
    sections.length === 0
      ? ""
      : `<ul>${sections.map((title) => `<li><a href="#${anchorOf(title)}">${escapeHtml(title)}</a></li>`).join("")}</ul>`;
  const link = (slug: string, title: string) =>
    slug === page.current
      ? `<li><a href="/docs/${slug}" aria-current="page">${escapeHtml(title)}</a>${within}</li>`
      : `<li><a href="/docs/${slug}">${escapeHtml(title)}</a></li>`;
  const lists = groups.map(
    (group) =>
      `<h2>${group}</h2><ul>${pages
        .filter((each) => each.group === group)
        .map(({ slug, title }) => link(slug, title))
        .join(
          "",
        )}${group === "Reference" ? '<li><a href="/docs/api/">Try every call</a></li><li><a href="/openapi.json">openapi.json</a></li>' : ""}</ul>`,
  );
  const scripts = ["search.js", ...(page.scripts ?? [])];
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
<form role="search" id="search"><label for="words">Search</label><input id="words" type="search" autocomplete="off" placeholder="spending limit, invalid_otp, …"><ul id="found" aria-live="polite" hidden></ul></form>
</header>
<div class="columns">
<nav aria-label="Pages"><details id="contents"><summary>Pages</summary><ul>${link("", "Start")}</ul>${lists.join("")}</details></nav>
<main id="main">
${page.main}
</main>
</div>
</body>
</html>
`;
}

export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#14532d"/><path d="M8 6v20M16 6v20M24 6v20M5 11h22M5 21h22" stroke="#bbf7d0" stroke-width="2.4" stroke-linecap="round"/></svg>`;

export const style = `:root{color-scheme:light dark;--text:#1b1b1b;--ground:#fff;--quiet:#f3f5f2;--line:#d4d9d1;--link:#14532d;--good:#15803d;--bad:#b91c1c}
@media (prefers-color-scheme:dark){:root{--text:#ececec;--ground:#141614;--quiet:#1f231f;--line:#3a413a;--link:#86efac;--good:#4ade80;--bad:#f87171}}
*{box-sizing:border-box}html{scroll-padding-top:4.5rem}
body{margin:0;font:1rem/1.6 system-ui,sans-serif;color:var(--text);background:var(--ground)}
a{color:var(--link)}a:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible{outline:.18rem solid #1d4ed8;outline-offset:.12rem}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--ground);padding:.5rem;z-index:3}
header{position:sticky;top:0;z-index:2;display:flex;gap:1rem;align-items:center;justify-content:space-between;padding:.6rem 1.2rem;background:var(--ground);border-bottom:1px solid var(--line)}
.name{font-weight:700;font-size:1.2rem;text-decoration:none}
#search{position:relative;flex:0 1 24rem}#search label{position:absolute;left:-99rem}
input:not([type=checkbox]){width:100%;padding:.45rem .7rem;font:inherit;color:inherit;background:var(--quiet);border:1px solid var(--line);border-radius:.4rem}
#found{position:absolute;right:0;width:min(34rem,calc(100vw - 2.4rem));margin:.2rem 0 0;padding:.3rem;max-height:70vh;overflow:auto;list-style:none;background:var(--ground);border:1px solid var(--line);border-radius:.4rem}
#found a{display:block;overflow-wrap:anywhere;padding:.35rem .5rem;text-decoration:none}#found small{color:var(--text);opacity:.8}#found small:last-child{display:block}#found b{font-weight:600}
.columns{display:grid;grid-template-columns:15rem minmax(0,52rem);gap:2.5rem;max-width:76rem;margin:0 auto;padding:1rem 1.2rem 4rem}
nav{font-size:.95rem}nav h2{margin:1.2rem 0 .3rem;font-size:.8rem;text-transform:uppercase;letter-spacing:.06em;opacity:.7}
nav ul{list-style:none;margin:0;padding:0}nav a{display:block;padding:.12rem 0;text-decoration:none}nav a[aria-current]{font-weight:700}
nav li ul{margin:.1rem 0 .4rem;padding-left:.8rem;border-left:1px solid var(--line);font-size:.88rem}nav summary{display:none}
@media (min-width:60.01rem){td:first-child:has(code){min-width:13rem}nav{position:sticky;top:3.9rem;align-self:start;max-height:calc(100vh - 4.5rem);overflow-y:auto;padding-right:.5rem}}
main{min-width:0}h1{font-size:1.9rem;line-height:1.25;margin:.6rem 0 1rem}h2{margin-top:2.2rem}h3{margin-top:1.8rem}h1,h2,h3,p,li{overflow-wrap:anywhere}
pre{overflow:auto;padding:.8rem 1rem;background:var(--quiet);border:1px solid var(--line);border-radius:.4rem;font-size:.88rem;line-height:1.45}
code{font-family:ui-monospace,monospace;font-size:.92em;overflow-wrap:anywhere}pre code{overflow-wrap:normal;font-size:inherit}
img{display:block;max-width:100%;height:auto;margin:1.2rem auto}
.lead{font-size:.92rem;opacity:.85}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
td code{overflow-wrap:anywhere}li:has(>input[type=checkbox]),li:has(>p>input[type=checkbox]){list-style:none;margin-left:-1.5rem;padding-left:1.5rem;text-indent:-1.5rem}input[type=checkbox]{width:1rem;height:1rem;margin:0 .5rem 0 0;vertical-align:-.1rem}.wide:focus-visible,pre:focus-visible{outline:.18rem solid #1d4ed8}blockquote{margin:1rem 0;padding:.1rem 1rem;border-left:.3rem solid var(--line)}
button{padding:.55rem 1.1rem;font:inherit;font-weight:600;color:#fff;background:#14532d;border:0;border-radius:.4rem;cursor:pointer}button:disabled{opacity:.55;cursor:default}
.play{display:grid;gap:.6rem;padding:1rem 1.2rem;border:1px solid var(--line);border-radius:.6rem;background:var(--quiet)}.play input{background:var(--ground)}
#story{list-style:none;padding:0}#story>li{margin:.8rem 0;padding:.7rem 1rem;border:1px solid var(--line);border-left:.3rem solid var(--line);border-radius:.4rem}
#story>li.done{border-left-color:var(--good)}#story>li.failed{border-left-color:var(--bad)}#story h3{margin:0;font-size:1rem}#story p,#story summary{margin:.3rem 0;overflow-wrap:anywhere}#story summary{word-break:break-all}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1rem;padding:0;list-style:none}.cards li{padding:.8rem 1rem;border:1px solid var(--line);border-radius:.5rem}.cards p{margin:.3rem 0 0}
@media (max-width:60rem){.columns{grid-template-columns:minmax(0,1fr);gap:0}nav summary{display:list-item;padding:.5rem 0;cursor:pointer}nav{border-bottom:1px solid var(--line)}td{min-width:6.5rem}}
`;
