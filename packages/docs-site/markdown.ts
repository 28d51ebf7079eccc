import { posix } from "node:path";
import { errorCatalogue } from "@trellis/kernel/errors.js";
import { Marked } from "marked";
import { anchorOf, escapeHtml } from "./page.js";

/** A place that can be linked to, and that is not visible; or the end of a line within a table. */
const view = /^(<a id="[a-z0-9-]+">|<\/a>|<br>)$/;

/**
 * What turns the Markdown of a file of the repository into HTML; `slugOf` gives the page that such a file is published as, if
 * it is one.
 */
export function createRenderer(
  slugOf: (file: string) => string | undefined,
): (markdown: string, file: string) => string | Promise<string> {
  const rendererOf = (file: string) => {
    let isInLink = false;
    return new Marked({
      renderer: {
        heading({ tokens, depth, text }) {
          const inner = this.parser.parseInline(tokens);
          return `<h${depth} id="${anchorOf(text.replace(/[`*]/g, ""))}">${inner}</h${depth}>\n`;
        },
        link({ href, tokens }) {
          isInLink = true;
          const inner = this.parser.parseInline(tokens);
          isInLink = false;
          const target = targetOf(href, file, slugOf);
          return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
        },
        // The code of an error leads to what it means.
        codespan({ text }) {
          // Long names may break at their seams, where a column is narrow.
          const seamed = escapeHtml(text).replace(/(?<=[A-Za-z0-9\]])[_/:.]+(?=[A-Za-z0-9{])/g, "$&<wbr>");
          const code = `<code>${seamed}</code>`;
          return Object.hasOwn(errorCatalogue, text) && !isInLink ? `<a href="/docs/errors#${text}">${code}</a>` : code;
        },
        // A picture of the documents' own, or the words for it.
        image({ href, text }) {
          const [, name] = /^docs\/([\w-]+\.(?:svg|png))$/.exec(posix.join(posix.dirname(file), href)) ?? [];
          return name === undefined ? escapeHtml(text) : `<img src="/docs/assets/${name}" alt="${escapeHtml(text)}">`;
        },
        // Of tags, documents hold those; what else resembles one is text.
        html({ text }) {
          if (view.test(text)) return text;
          return text.startsWith("<!--") ? "" : escapeHtml(text);
        },
        code({ text, lang }) {
          const language = /^\w+/.exec(lang ?? "")?.[0];
          const named = language === undefined ? "" : ` class="language-${language}"`;
          return `<div class="code"><pre tabindex="0"><code${named}>${escapeHtml(text)}\n</code></pre></div>\n`;
        },
        // For who goes through a list with the page open; nothing is stored.
        checkbox({ checked }) {
          return `<input type="checkbox" aria-label="Done"${checked ? " checked" : ""}>`;
        },
        // On a phone each row stands for itself, and each cell says whose column it is of: the roles hold the table together.
        table(token) {
          const titles = token.header.map(({ text }) => text.replace(/[`*]/g, ""));
          const head = token.header
            .map(({ tokens }) => `<th role="columnheader">${this.parser.parseInline(tokens)}</th>`)
            .join("");
          const rows = token.rows.map((row) => {
            const cells = row.map(({ tokens }, column) => {
              const title = escapeHtml(titles[column] ?? "");
              return `<td role="cell" data-of="${title}">${this.parser.parseInline(tokens)}</td>`;
            });
            return `<tr role="row">${cells.join("")}</tr>`;
          });
          // It can be wider than the window: the keyboard reaches what is out of sight.
          return `<div class="wide" tabindex="0" role="group" aria-label="Table: ${escapeHtml(titles.join(", "))}"><table role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">${rows.join("")}</tbody></table></div>\n`;
        },
      },
    });
  };
  return (markdown, file) => rendererOf(file).parse(markdown);
}

/** Where a link of a document leads here; undefined: to a file that is not published. */
function targetOf(href: string, from: string, slugOf: (file: string) => string | undefined): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [path = "", place] = href.split("#");
  const slug = slugOf(posix.join(posix.dirname(from), path));
  return slug === undefined ? undefined : `/docs/${slug}${place === undefined ? "" : `#${place}`}`;
}
