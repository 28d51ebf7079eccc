import type { Page } from "playwright-core";

/**
 * Waits until an expression is true in a page, for two minutes at least. Playwright's `waitForFunction` evaluates a string in the page again
 * and again, and the content security policy of our pages forbids that. A page that is going elsewhere cannot be asked: it is asked there.
 */
export async function becomesTrue(page: Page, expression: string): Promise<void> {
  for (let left = 6_000; (await page.evaluate(expression).catch(() => false)) !== true; left -= 1) {
    if (left === 0) throw new Error(`${page.url()}: never ${expression}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
