// What the browser tests of the console and of the treasury are made of: a play with its browser and service, pages whose errors count,
// what is examined on them, and the keyboard.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { chromiumPath, findingsOf } from "./accessibility.mjs";

const { values: options } = parseArgs({ options: { pictures: { type: "string" } } });
if (options.pictures !== undefined) mkdirSync(options.pictures, { recursive: true });

export const desk = { viewport: { width: 1400, height: 900 }, colorScheme: "light" };
export const phone = { viewport: { width: 390, height: 844 }, colorScheme: "dark" };
export const problems = [];
/** How many pages were examined. */
export const checked = { count: 0 };

const firstLoadBytesMax = 200_000;

/**
 * Plays with a service of its own and a browser, says what came of it, and ends the process with 1 where there are problems. `what`: in the
 * middle of a sentence. Without a chromium it says that nothing was tested.
 */
export async function playIn(what, start, play) {
  if (chromiumPath === undefined) {
    process.stderr.write(`NOT TESTED: ${what} in a browser, as there is no chromium here (CHROMIUM_PATH).\n`);
    return;
  }
  const begun = performance.now();
  const place = mkdtempSync(join(tmpdir(), "trellis-browser-"));
  // Something that waits for ever ends here, on the slowest machine too.
  const watchdog = setTimeout(() => {
    process.stderr.write(`${what} in chromium: nothing has happened for ten minutes.\n${problems.join("\n")}\n`);
    process.exit(1);
  }, 600_000);
  const sandbox = await start(join(place, "data"));
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  try {
    await play({ sandbox, browser });
  } catch (error) {
    problems.push(error.stack);
    for (const page of browser.contexts().flatMap((context) => context.pages()))
      problems.push(`${page.url()} says: ${await page.evaluate(() => document.querySelector("main")?.innerText)}`);
  } finally {
    clearTimeout(watchdog);
    await browser.close();
    await sandbox.stop();
    rmSync(place, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  if (problems.length > 0) {
    process.stderr.write(`${problems.join("\n")}\n${problems.length} problems in ${what}, in ${seconds} s.\n`);
    process.exitCode = 1;
    return;
  }
  process.stdout.write(`In chromium ${what} works: ${checked.count} examined in ${seconds} s, no findings.\n`);
}

/** Counts the bytes of what a page loads from these paths. What it answers says them, and is called when the page is there. */
export function measureFirstLoad(page, paths) {
  const sizes = [];
  page.on("requestfinished", (request) => {
    if (paths.test(new URL(request.url()).pathname)) sizes.push(request.sizes());
  });
  return async () => {
    const total = (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(total <= firstLoadBytesMax, `the first load has ${total} bytes, and may have ${firstLoadBytesMax}`);
    process.stdout.write(`  first load: ${total} bytes in ${sizes.length} files\n`);
  };
}

/** The names of all views, as a file lists them. */
export function namesOfViews(file, atLeast) {
  const text = readFileSync(new URL(`../packages/console/src/${file}`, import.meta.url), "utf8");
  const names = [...text.matchAll(/\bname: "([a-z-]*)"/g)].map(([, name]) => name);
  if (names.length < atLeast) throw new Error(`only ${names.length} views are listed`);
  return names;
}

/** Examines what is there as a desk and as a phone have it. */
export async function examineBoth(page, name) {
  for (const window of [desk, phone]) {
    await page.setViewportSize(window.viewport);
    await page.emulateMedia({ colorScheme: window.colorScheme });
    await examine(page, name, window);
  }
  await page.setViewportSize(desk.viewport);
  await page.emulateMedia({ colorScheme: "light" });
}

/** A view, or one of what it lists, by which it is not named: addresses are others each time. */
export function nameOf(where) {
  return where === "" ? "overview" : where.replace(/\/.*/, "-one");
}

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
