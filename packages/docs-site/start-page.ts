import { type DocPage, escapeHtml } from "./page.js";

/** The first page, as HTML: what this is, the story to be played here, and where to continue. */
export function startPage(pages: readonly DocPage[], options: { readonly sandbox: boolean }): string {
  const guides = pages.filter(({ group }) => group === "Guides");
  return `<h1>Smart accounts for Solana, on your own server</h1>
<p>Your users open an account with an e-mail address or with their own keys. They pay, vote on proposals, set up standing orders and receive
bank transfers. The accounts live on chain, under a public program; the service prepares transactions and pays the fees, and can move
nothing without a signature of the account's signers.</p>
${options.sandbox ? story : ""}
<h2>Read on</h2>
<ul class="cards">
<li><a href="/docs/api/">Try every call</a><p>The whole API, in an explorer.</p></li>
${pages.some(({ slug }) => slug === "contract") ? contract : ""}
<li><a href="/docs/errors">Errors</a><p>Every code: what it means, and what to do.</p></li>
${guides.map(({ slug, title, markdown }) => `<li><a href="/docs/${slug}">${escapeHtml(title)}</a><p>${escapeHtml(beginningOf(markdown()))}</p></li>`).join("\n")}
</ul>
<p>For programs: <a href="/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a>, and every page as Markdown under its
own address with <code>.md</code>.</p>`;
}

/** The first sentence below a page's heading, in plain words. */
export function beginningOf(markdown: string): string {
  const [, text = ""] = /^# .+\n+([\s\S]*?)(?:\n\n|$)/.exec(markdown) ?? [];
  const plain = text
    .replace(/<[^>]*>/g, "")
    .replace(/\]\([^)]*\)/g, "")
    .replace(/[`*[\]]/g, "")
    .replace(/\s+/g, " ");
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, ".") ?? plain;
}

const contract =
  '<li><a href="/docs/contract">The contract</a><p>Every call, by noun: requests, answers and errors.</p></li>';

/** Played in the browser by `browser/story.ts`; without a script it is still the story. */
const story = `<h2 id="story-title">The story, played here</h2>
<p>Ada gets an account by e-mail, the sandbox gives her play money, and she pays Grace. Her key is made in this page and never leaves it: the
page checks the bytes of the payment before it signs them. No real money is used, and no mail is sent.</p>
<form class="play" id="play">
<label for="key">API key of the sandbox: <code>sk_test_…</code>, printed at the first start of the service</label>
<input id="key" name="key" autocomplete="off" spellcheck="false" required pattern="[!-~]+">
<div><button type="submit">Play the story</button></div>
<noscript><p>This needs JavaScript. <code>npm run demo</code> plays the same in a terminal.</p></noscript>
</form>
<ol id="story" aria-live="polite"></ol>`;
