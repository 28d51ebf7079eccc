// Plays the example application in headless chromium, against a sandbox of its own, as a person would: signs in with the code
// of the mail, is given play money by the example's backend, pays, sees it confirmed, votes, and signs out. Each state is examined
// by axe-core, on a phone and on a desk, in light and dark. `--pictures DIR` keeps the screenshots.
import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { getBase58Decoder } from "@solana/kit";
import { createTrellisClient } from "@trellis/sdk";
import { chromium } from "playwright-core";
import { build, preview } from "vite";
import { chromiumPath, findingsOf } from "./accessibility.mjs";
import { startSandbox, usdcOf } from "./sandbox-process.mjs";

const { values: options } = parseArgs({ options: { pictures: { type: "string" } } });
if (chromiumPath === undefined) {
  process.stderr.write("NOT TESTED: the example in a browser, as there is no chromium here (CHROMIUM_PATH).\n");
  process.exit(0);
}

const root = fileURLToPath(new URL("../examples/vite-app", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "trellis-example-"));
const endings = [];
// An endless wait has to be reported, on the slowest machine too.
const watchdog = setTimeout(() => fail(new Error("nothing has happened for ten minutes")), 600_000);
let page;

try {
  await play();
  process.stdout.write("The example works in chromium.\n");
} catch (error) {
  await fail(error);
} finally {
  await end();
}

async function play() {
  const sandbox = await startSandbox(join(place, "data"));
  endings.push(sandbox.stop);
  const trellis = createTrellisClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, environment: "sandbox" });
  const server = await preview({
    root,
    logLevel: "error",
    preview: { port: 0, strictPort: false },
    build: { outDir: join(place, "page") },
  });
  endings.push(() => server.close());
  const origin = `http://localhost:${server.httpServer.address().port}`;
  const backendUrl = await startBackend({
    TRELLIS_URL: sandbox.url,
    TRELLIS_API_KEY: sandbox.apiKey,
    APP_ORIGIN: origin,
    PORT: "0",
  });
  const { key } = await trellis.apiKeys.create({
    name: "Purse",
    type: "publishable",
    environments: ["sandbox"],
    allowed_origins: [origin],
    scopes: [
      "auth:write",
      "payments:write",
      "transactions:write",
      "accounts:read",
      "proposals:read",
      "proposals:write",
    ],
  });
  Object.assign(process.env, { VITE_TRELLIS_URL: sandbox.url, VITE_TRELLIS_KEY: key, VITE_BACKEND_URL: backendUrl });
  await build({ root, logLevel: "error", build: { outDir: join(place, "page"), emptyOutDir: true } });

  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  endings.push(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  context.setDefaultTimeout(0);
  page = await context.newPage();
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  await page.goto(origin);

  await step("sign in with the code of the mail, without a mouse");
  const email = "ada@example.org";
  await page.getByLabel("E-mail address").fill(email);
  await page.keyboard.press("Enter");
  const codeField = page.getByLabel("Code from the mail");
  await codeField.waitFor();
  await picture("code");
  const [{ otp_code: code }] = await trellis.sandbox.outbox(email);
  expectEqual(await codeField.getAttribute("autocomplete"), "one-time-code");
  await codeField.focus();
  await page.keyboard.type(code === "000000" ? "111111" : "000000");
  await page.getByText("That code is not right").waitFor();
  await picture("wrong-code");
  troubles.length = 0; // The browser logs the refusal.
  await page.evaluate((text) => {
    const field = document.activeElement;
    const data = new DataTransfer();
    data.setData("text/plain", text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    document.execCommand("insertText", false, text);
  }, `Your code is ${code}.`);

  await step("be given play money by the application's backend");
  await page.getByRole("button", { name: "Get play money" }).click();
  await page.getByTestId("usdc").getByText("250.00").waitFor();
  await page.getByTestId("sol").getByText("1.00 SOL").waitFor();
  await picture("wallet");

  await step("pay, with a click too many");
  const payee = freshAddress();
  const destination = page.getByLabel("To", { exact: true });
  await destination.fill(payee);
  await page.getByLabel("Amount").fill("12.5");
  await picture("pay");
  await page.getByRole("button", { name: "Pay", exact: true }).dblclick();
  await page.getByText("Paid.").waitFor();
  await page.getByTestId("usdc").getByText("237.50").waitFor();
  await picture("paid");
  expectEqual(await usdcOf(sandbox, payee), "12500000");

  await step("load the page anew, and still be signed in");
  await page.reload();
  await page.getByTestId("usdc").getByText("237.50").waitFor();
  await page.getByText(email).waitFor();

  await step("propose a payment, approve it and carry it out");
  await destination.fill(payee);
  await page.getByLabel("Amount").fill("7");
  await page.getByLabel("Put it to a vote first").check();
  await page.getByRole("button", { name: "Propose" }).click();
  const proposals = page.getByLabel("Proposals", { exact: true });
  await proposals.getByText("Pays 7 USDC to").waitFor();
  // The whole address, not its ends.
  await proposals.getByText(payee, { exact: true }).waitFor();
  await picture("proposal");
  await page.getByRole("button", { name: "Approve and pay" }).click();
  await page.getByText("Executed").waitFor();
  await page.getByTestId("usdc").getByText("230.50").waitFor();
  expectEqual(await usdcOf(sandbox, payee), "19500000");
  await picture("executed");

  await step("show a change of the rules, with its warning, before it can be approved");
  const { verify } = await trellis.auth.signIn(email);
  const [{ otp_code: secondCode }] = await trellis.sandbox.outbox(email);
  const { account, session } = await verify(secondCode);
  const spender = freshAddress();
  const limit = { type: "AddSpendingLimit", mint: null, amount: "5000000", period: "week", signers: [spender] };
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  await context.route(/\/proposals\/[^/?]+(\?.*)?$/, async (route) => {
    if (route.request().method() === "GET") await held;
    await route.continue();
  });
  const content = { type: "settings", actions: [limit] };
  const { proposalAddress } = await trellis.proposals.create({ account, session, content });
  await page.reload();
  const row = page.locator(`[data-proposal="${proposalAddress}"]`);
  await row.getByText("Reading what it does").waitFor();
  expectEqual(await row.getByRole("button", { name: /Approve/ }).count(), 0);
  release();
  await row.getByRole("button", { name: "Approve and execute" }).waitFor();
  await row.getByText("pay up to 0.005 SOL a week, without any vote, to anybody, without an end").waitFor();
  await row.getByText(spender, { exact: true }).waitFor();
  await row.getByText("One or more people will be able to pay from this account without any vote.").waitFor();
  await picture("settings-proposal");
  await row.getByRole("button", { name: "Approve and execute" }).click();
  await row.getByText("Executed").waitFor();
  expectEqual((await trellis.spendingLimits.list(account)).length, 1);
  await context.unroute(/\/proposals\/[^/?]+(\?.*)?$/);

  await step("sign out, on every tab");
  const otherTab = await context.newPage();
  await otherTab.goto(origin);
  await otherTab.getByTestId("usdc").getByText("230.50").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("E-mail address").waitFor();
  await otherTab.getByLabel("E-mail address").waitFor();
  await otherTab.close();
  await picture("signed-out");
  await page.reload();
  await page.getByLabel("E-mail address").waitFor();
  expectEqual(troubles.join("\n"), "");
}

/** The example's backend, as its reader starts it. */
function startBackend(variables) {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("../examples/node-backend/server.mjs", import.meta.url))],
    {
      env: { ...process.env, ...variables },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  endings.push(() => child.kill());
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (text) => {
      said += text;
      const [, url] = /answers at (http:\S+?),/.exec(said) ?? [];
      if (url) resolve(url);
    });
    child.on("exit", (code) => reject(new Error(`the backend ended with ${code}: ${said}`)));
  });
}

function freshAddress() {
  const { publicKey } = generateKeyPairSync("ed25519");
  return getBase58Decoder().decode(publicKey.export({ type: "spki", format: "der" }).subarray(-32));
}

function expectEqual(actual, expected) {
  if (actual !== expected)
    throw new Error(`expected ${JSON.stringify(expected)}, and there is ${JSON.stringify(actual)}`);
}

async function step(title) {
  process.stdout.write(`  ${title}\n`);
}

/** Its appearance on a phone and on a desk, in light and dark, and what of that is hard to see, read or operate. */
async function picture(name) {
  if (options.pictures !== undefined) mkdirSync(options.pictures, { recursive: true });
  for (const [width, height] of [
    [1400, 900],
    [390, 844],
  ]) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["dark", "light"]) {
      await page.emulateMedia({ colorScheme });
      const findings = await findingsOf(page);
      if (findings.length > 0) throw new Error(`${name}, ${width} px, ${colorScheme}: ${findings.join("\n")}`);
    }
    if (options.pictures !== undefined)
      await page.screenshot({ path: join(options.pictures, `${name}-${width}.png`), fullPage: true });
  }
}

async function fail(error) {
  process.stderr.write(`The example does not work in chromium: ${error.stack}\n`);
  const text = await page?.evaluate(() => document.body.textContent).catch(() => undefined);
  if (text) process.stderr.write(`The page says:\n${text}\n`);
  process.exitCode = 1;
  if (!error.message.startsWith("nothing has happened")) return;
  await Promise.race([end(), new Promise((resolve) => setTimeout(resolve, 15_000))]);
  process.exit(1);
}

async function end() {
  clearTimeout(watchdog);
  for (const stop of endings.reverse()) await stop();
  rmSync(place, { recursive: true, force: true });
}
