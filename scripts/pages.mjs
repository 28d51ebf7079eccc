// Opens every page that the service serves in headless chromium, on a phone and on a desk, in light and dark, and fails on what
// axe-core finds there, on a page wider than its window and on an error in a script. Then uses what moves on them: the story, the
// search, the buttons that copy, the console. `--opened` does the former alone, `--used` the latter.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createTrellisClient } from "@trellis/sdk";
import { chromium } from "playwright-core";
import { chromiumPath, findingsOf } from "./accessibility.mjs";
import { startSandbox } from "./sandbox-process.mjs";

if (chromiumPath === undefined) {
  process.stderr.write("NOT TESTED: the pages in a browser, as there is no chromium here (CHROMIUM_PATH).\n");
  process.exit(0);
}

const asked = parseArgs({ options: { opened: { type: "boolean" }, used: { type: "boolean" } } }).values;
const everything = !asked.opened && !asked.used;
const place = mkdtempSync(join(tmpdir(), "trellis-pages-"));
const windows = [
  { width: 1400, height: 900 },
  { width: 390, height: 844 },
];
const colors = ["light", "dark"];
/** Rules whose answer changes with the colours, and with the window. The others are asked once for each page. */
const ofColors = ["color-contrast", "link-in-text-block"];
const ofWindow = ["target-size", "scrollable-region-focusable"];
const problems = [];
let checked = 0;

const begun = performance.now();
const sandbox = await startSandbox(join(place, "data"));
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
// Something that waits for ever ends here, on the slowest machine too.
const watchdog = setTimeout(() => {
  process.stderr.write("The pages in chromium: nothing has happened for ten minutes.\n");
  process.exit(1);
}, 600_000);
try {
  if (everything || asked.opened) {
    const paths = await pathsServed();
    // Two at once: one is painted while the other is examined.
    await Promise.all([1, 2].map(() => checkAll(paths)));
  }
  if (everything || asked.used)
    for (const check of [checkConsole, checkHosted, playStory, search, copy, countStops]) await check();
} finally {
  clearTimeout(watchdog);
  await browser.close();
  await sandbox.stop();
  rmSync(place, { recursive: true, force: true });
}
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n${problems.length} problems on the pages, in ${seconds} s.\n`);
  process.exit(1);
}
process.stdout.write(`The pages work in chromium: ${checked} examined in ${seconds} s, no findings.\n`);

/** Every page of the documentation, as the service lists them for programs, and the first one. */
async function pathsServed() {
  const listed = await (await fetch(`${sandbox.url}/llms.txt`)).text();
  const paths = [...listed.matchAll(/\]\((\/docs\/[^)]+)\.md\)/g)].map(([, path]) => path);
  if (paths.length < 40) throw new Error(`only ${paths.length} pages are listed`);
  return ["/", ...paths];
}

async function newPage(options = {}) {
  const context = await browser.newContext({ viewport: windows[0], colorScheme: "light", ...options });
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(`${page.url()}: ${error}`));
  page.on("console", (message) => message.type() === "error" && problems.push(`${page.url()}: ${message.text()}`));
  return page;
}

async function checkAll(paths) {
  const page = await newPage();
  const [desk, phone] = windows;
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    const as = async (viewport, colorScheme, only) => {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await examine(page, `${path}, ${viewport.width} px, ${colorScheme}`, { only });
    };
    await page.goto(`${sandbox.url}${path}`);
    await as(desk, "light");
    await as(desk, "dark", ofColors);
    await as(phone, "dark", ofColors);
    await as(phone, "light", [...ofColors, ...ofWindow]);
  }
  await page.context().close();
}

/** What a page breaks now, as it is displayed. */
async function examine(page, where, options) {
  checked += 1;
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity);
    return Promise.allSettled(ending.map(({ finished }) => finished));
  });
  for (const finding of await findingsOf(page, options)) problems.push(`${where}: ${finding}`);
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (excess > 0) problems.push(`${where}: ${excess} px wider than its window`);
}

/** The console takes a key, goes to a call, and makes it. */
async function checkConsole() {
  for (const viewport of windows) {
    for (const colorScheme of colors) {
      const where = `/docs/api/, ${viewport.width} px, ${colorScheme}`;
      const page = await newPage({ viewport, colorScheme });
      await page.goto(`${sandbox.url}/docs/api/#key=${sandbox.apiKey}`);
      await page.getByRole("heading", { name: "Accounts", exact: true }).waitFor();
      expect(!page.url().includes(sandbox.apiKey), `${where}: the key stays in the address`);
      await examine(page, where);
      if (colorScheme === "light") await callFromConsole(page, where);
      await page.context().close();
    }
  }
}

/** As the link of a page leads to it. */
async function callFromConsole(page, where) {
  await page.goto(`${sandbox.url}/docs/api-accounts`);
  const link = page.getByRole("link", { name: "Try it in the API explorer" }).first();
  const [, place] = (await link.getAttribute("href")).split("#");
  const heading = await page.locator("h2").first().textContent();
  await page.goto(`${sandbox.url}/docs/api/#key=${sandbox.apiKey}`);
  await page.getByRole("heading", { name: "Accounts", exact: true }).waitFor();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, place);
  await page.getByRole("heading", { name: heading, exact: true }).waitFor();
  await examine(page, `${where}, a call`);
  await page
    .getByRole("button", { name: /^Test Request/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: "API Client" });
  await dialog.getByRole("button", { name: /^Send Request/ }).click();
  await dialog.getByText("201 Created").waitFor();
  // While a modal dialog is open, what it covers is no landmark for any reader; the rules count it.
  await examine(page, `${where}, an answer`, { without: ["landmark-no-duplicate-main", "landmark-unique"] });
}

/** The pages of the simulated partner: a verification, its terms, what a choice leads to, and a link that leads nowhere. */
async function checkHosted() {
  const client = createTrellisClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, environment: "sandbox" });
  const signer = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";
  const { address } = await client.accounts.create({ type: "signers", signers: [signer], threshold: 1 });
  const email = "ada@example.org";
  const kyc = await client.kyc.start(address, { type: "individual", email, full_name: "Ada Lovelace" });
  const page = await newPage();
  for (const link of [kyc.kyc_link, kyc.tos_link]) {
    await page.goto(link);
    await examineInAll(page, new URL(link).pathname);
  }
  await page.getByRole("button", { name: "Accept the terms" }).click();
  await page.getByText("Nothing is left to do here").waitFor();
  await examineInAll(page, "a choice at the partner");
  await page.goto(`${sandbox.url}/sandbox/pages/none`);
  await page.getByRole("heading", { name: "This link leads nowhere" }).waitFor();
  await examineInAll(page, "a link of the partner that leads nowhere");
  forget(/status of 404/);
  await page.context().close();
}

/** The story with every request unfolded. */
async function playStory() {
  const page = await newPage();
  await page.goto(`${sandbox.url}/docs/#key=${sandbox.apiKey}`);
  await page.getByRole("button", { name: "Play the story" }).click();
  await page.getByText("12.5 USDC").waitFor();
  for (const summary of await page.locator("#story summary").all()) await summary.click();
  await examineInAll(page, "the story");
  await page.context().close();
}

async function search() {
  const page = await newPage();
  const list = "**/docs/search.json";
  await page.route(list, (route) => route.fulfill({ status: 503, body: "{}" }));
  await page.goto(`${sandbox.url}/docs/`);
  await page.keyboard.press("/");
  await page.keyboard.type("webhoo");
  await page.locator("#found").getByText("The search could not be loaded").waitFor();
  await page.unroute(list);
  await page.keyboard.type("k");
  const first = page.locator("#found a").first();
  await first.waitFor();
  await examineInAll(page, "the search");
  const shown = await first.getAttribute("href");
  await page.locator("#words").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${shown}`);
  expect(shown.startsWith("/docs/contract-events#"), `"webhook" leads to ${shown}`);
  // The only errors are those of the two loads that failed.
  forget(/status of 503/);
  await page.context().close();
}

async function copy() {
  for (const [permissions, said] of [
    [["clipboard-read", "clipboard-write"], "Copied"],
    [[], /^(Copied|The browser does not let)/],
  ]) {
    const page = await newPage({ permissions });
    if (permissions.length === 0)
      await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await page.goto(`${sandbox.url}/docs/sdk`);
    const block = page.locator(".code").first();
    const height = await page.evaluate(() => document.body.scrollHeight);
    await block.getByRole("button").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText(said).waitFor();
    if (permissions.length > 0) {
      const text = await page.evaluate(() => navigator.clipboard.readText());
      expect(text === (await block.locator("pre").textContent()).trimEnd(), `copied: ${text}`);
    }
    expect((await page.evaluate(() => document.body.scrollHeight)) === height, "copying moves the page");
    await examine(page, "a block that was copied");
    await page.context().close();
  }
}

/** A reader without a mouse is soon at the text. */
async function countStops() {
  const page = await newPage();
  await page.goto(`${sandbox.url}/docs/contract-transactions`);
  const isInText = () => page.evaluate(() => document.querySelector("main").contains(document.activeElement));
  let stops = 0;
  while (!(await isInText()) && stops < 100) {
    await page.keyboard.press("Tab");
    stops += 1;
  }
  expect(stops <= 45, `${stops} stops of the keyboard before the text`);
  await page.context().close();
}

async function examineInAll(page, where) {
  for (const viewport of windows) {
    await page.setViewportSize(viewport);
    for (const colorScheme of colors) {
      await page.emulateMedia({ colorScheme });
      await examine(page, `${where}, ${viewport.width} px, ${colorScheme}`);
    }
  }
}

function expect(isTrue, problem) {
  if (!isTrue) problems.push(problem);
}

function forget(pattern) {
  const kept = problems.filter((problem) => !pattern.test(problem));
  problems.splice(0, problems.length, ...kept);
}
