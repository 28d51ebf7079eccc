// What the browser test of the console is made of: pages whose errors count, what is examined on them, and the keyboard.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findingsOf } from "./accessibility.mjs";

const { values: options } = parseArgs({ options: { pictures: { type: "string" } } });
if (options.pictures !== undefined) mkdirSync(options.pictures, { recursive: true });

export const desk = { viewport: { width: 1400, height: 900 }, colorScheme: "light" };
export const phone = { viewport: { width: 390, height: 844 }, colorScheme: "dark" };
export const problems = [];
/** How many pages were examined. */
export const checked = { count: 0 };

export async function newPage(context) {
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(`${page.url()}: ${error}`));
  page.on("console", (message) => message.type() === "error" && problems.push(`${page.url()}: ${message.text()}`));
  return page;
}

/** Goes to a place of the sandbox's console and waits for what it reads. */
export async function open(page, where) {
  await page.evaluate((hash) => {
    // What stands there until the other view does is not taken for it.
    if ((location.hash || "#/sandbox/") !== hash) document.querySelector("main h1")?.setAttribute("data-left", "");
    location.hash = hash;
  }, `#/sandbox/${where}`);
  await page.locator("main h1:not([data-left])").waitFor();
  await settled(page);
  expect(
    (await page.getByRole("alert").filter({ hasText: "Request" }).count()) === 0,
    `${where}: something was not read`,
  );
}

/** By locators: a function would be evaluated in the page again and again, which its policy forbids where the first time was too early. */
export async function settled(page) {
  await page.locator("main h1").first().waitFor({ state: "attached" });
  await page.getByText("Loading…").first().waitFor({ state: "detached" });
}

/** What a page breaks now, as it is displayed. */
export async function examine(page, name, { viewport, colorScheme } = desk) {
  checked.count += 1;
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  const where = `${name}, ${viewport.width} px, ${colorScheme}`;
  for (const finding of await findingsOf(page)) problems.push(`${where}: ${finding}`);
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (excess > 0) problems.push(`${where}: ${excess} px wider than its window`);
  if (options.pictures === undefined) return;
  await page.screenshot({ path: join(options.pictures, `${name}-${viewport.width}.png`), fullPage: true });
}

/** Moves on by the keyboard alone until the element has the focus. */
export async function tabTo(page, element, what) {
  for (let stops = 0; stops < 150; stops += 1) {
    if (await element.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${what} is not reached by the keyboard`);
}

export function expect(isTrue, problem) {
  if (!isTrue) problems.push(problem);
}

export function forget(pattern) {
  const kept = problems.filter((problem) => !pattern.test(problem));
  problems.splice(0, problems.length, ...kept);
}
