import type { Marked } from "marked";
import { anchorOf, escapeHtml } from "./page.js";

/** What turns Markdown into HTML; `slugOf` gives the page that a file of the repository is shown as, if it is one. */
export async function createRenderer(slugOf: (file: string) => string | undefined): Promise<Marked> {
  const { Marked } = await import("marked");
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchorOf(text.replace(/[`*]/g, ""))}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href, slugOf);
        return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      // Documents hold none that is meant; what looks like a tag is text.
      html({ text }) {
        return text.startsWith("<!--") ? "" : escapeHtml(text);
      },
      table(token) {
        const cells = (row: typeof token.header, name: "th" | "td") =>
          `<tr>${row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join("")}</tr>`;
        const body = token.rows.map((row) => cells(row, "td")).join("");
        return `<div class="wide"><table><thead>${cells(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
}

/** Where a link of a document leads here; undefined: to a file that is not shown. */
function targetOf(href: string, slugOf: (file: string) => string | undefined): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const file = path.replace(/^(\.\.?\/)+/, "").replace(/^docs\//, "");
  const slug = slugOf(file);
  return slug === undefined ? undefined : `/docs/${slug}${anchor === undefined ? "" : `#${anchor}`}`;
}
