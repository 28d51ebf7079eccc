// What scripts that play pages in a browser share: where the browser is, and what is hard to see, read or operate on a page.
import { existsSync } from "node:fs";
import axe from "axe-core";

/** The browser of this machine; undefined where there is none. `CHROMIUM_PATH` names another one. */
export const chromiumPath = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path && existsSync(path),
);

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * The rules of axe-core that a page breaks as displayed now, a line for each with the first elements that break it. `without` names
 * rules that are not asked about; `only` the sole ones that are.
 */
export async function findingsOf(page, { without = [], only } = {}) {
  if (await page.evaluate(() => globalThis.axe === undefined)) await page.evaluate(axe.source);
  // What scripts do about a window of another size they do when a frame is drawn, and it is seen in the one after.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return page.evaluate(
    async ({ tags, without, only }) => {
      const { violations } = await globalThis.axe.run(document, {
        runOnly: only ? { type: "rule", values: only } : { type: "tag", values: tags },
        rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
        resultTypes: ["violations"],
      });
      return violations.map(({ id, nodes }) => {
        const some = nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary}`);
        return `${id}, ${nodes.length} times: ${some.join(" | ").replace(/\s+/g, " ")}`;
      });
    },
    { tags, without, only },
  );
}
