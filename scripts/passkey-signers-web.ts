// Plays the page of passkey signers in headless chromium, with a service and an application of its own: a passkey is made in a window,
// and its session pays; by a redirect another session takes its place, and is ended. Then the passkey approves one payment itself. An address that was altered, a frame, a closed window and
// a minute that has passed open nothing, and say so. `--screenshots <folder>` keeps what it looks like.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Address } from "@solana/kit";
import {
  addressOfKey,
  assertTransferMatches,
  type BegunPasskeyApproval,
  type BegunPasskeySession,
  type Confirmation,
  decodeTransaction,
  type PasskeySessionOutcome,
  readPasskeyReturn,
  type TrellisClient,
} from "@trellis/sdk";
import { build } from "esbuild";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { newKey } from "../test/proposals/support.js";
import { publicKeyOf } from "../test/support/test-network.js";
import { startTestService } from "../test/support/test-service.js";
import { chromiumPath, findingsOf } from "./accessibility.mjs";
import { becomesTrue } from "./becomes-true.js";

const payee = publicKeyOf("a shop that is new");
const folder = process.argv[process.argv.indexOf("--screenshots") + 1];
const isKept = process.argv.includes("--screenshots");
const widths = { narrow: 360, wide: 1280 };

type Passkey = {
  readonly credentialId: string;
  readonly isResidentCredential: boolean;
  readonly privateKey: string;
  readonly signCount: number;
};
/** What the user has, by id: a virtual device belongs to one page. */
const passkeys = new Map<string, Passkey>();

const endings: (() => unknown)[] = [];

async function play(executablePath: string): Promise<void> {
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const service = await startTestService({
    PORT: String(port),
    TRELLIS_PUBLIC_URL: publicUrl,
    TRELLIS_DIALECT: "grid",
  });
  endings.push(() => service.close());
  const { client } = service;
  const served = await serveApp();
  endings.push(served.close);
  const { origin } = served;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  endings.push(() => browser.close());
  const context = await browser.newContext({ viewport: { width: widths.narrow, height: 740 }, deviceScaleFactor: 2 });
  const app = await context.newPage();
  app.on("pageerror", (error) => process.stderr.write(`${error}\n`));
  await app.goto(origin);
  await becomesTrue(app, "window.ready");
  const asked = (key: Uint8Array, seconds = 900) => ({
    sessionKey: addressOfKey(key),
    seconds,
    appName: "Shop",
    redirectUrl: `${origin}/back?order=7`,
    pageOrigin: publicUrl,
  });

  const key = newKey();
  const page = await openPage(context, app, await client.passkeySigners.create(asked(key)));
  const text = await page.innerText("main");
  for (const shown of [
    "Shop",
    "Default",
    new URL(origin).host,
    addressOfKey(key),
    "15 minutes",
    "pay out all of the money",
  ]) {
    expectEqual([shown, text.includes(shown)], [shown, true]);
  }
  await examine(page, "create");
  await act(page, "#go");
  const opened = (await answerOf(app)) as PasskeySessionOutcome;
  const { passkeyAccount } = opened;
  expectEqual(opened.sessionKey, addressOfKey(key));
  expectEqual(Object.keys(opened.authenticatorResponse?.response ?? {}).sort(), [
    "authenticatorData",
    "clientDataJSON",
    "publicKey",
    "signature",
  ]);

  const { address: account } = await client.accounts.create({
    type: "signers",
    signers: [passkeyAccount],
    threshold: 1,
  });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  const pay = (by: Uint8Array) =>
    client.transfers
      .send({
        account,
        passkeySessions: [{ passkeyAccount, key: by }],
        currency: "sol",
        destination: payee,
        amount: 5_000_000n,
      })
      .then(
        () => "confirmed",
        (error) => error.code ?? error.difference ?? error.name,
      );
  expectEqual(await pay(key), "confirmed");
  expectEqual(await service.lamportsOf(payee), 5_000_000n);

  const second = newKey();
  const renewed = await client.passkeySigners.authorize(asked(second));
  const back = await byRedirect(app, renewed, "renew");
  expectEqual(new URL(back).searchParams.get("order"), "7");
  expectEqual(readPasskeyReturn(back, renewed)?.passkeyAccount, passkeyAccount);
  expectEqual(await pay(second), "confirmed");
  // The service has it signed by the session that there is.
  expectEqual(await pay(key), "signers");
  await byRedirect(app, await client.passkeySigners.authorize(asked(second, 0)), "end");
  expectEqual(await pay(second), "passkey_session_required");
  expectEqual(await service.lamportsOf(payee), 10_000_000n);

  await playApproval(context, app, { client, account, passkeyAccount, origin, publicUrl });
  expectEqual(await service.lamportsOf(payee), 15_000_000n);

  await playRefusals(context, app, () => client.passkeySigners.authorize(asked(newKey())));
}

/** Without any session: the passkey approves one payment, which the page shows and the library has checked. */
async function playApproval(
  context: BrowserContext,
  app: Page,
  { client, account, passkeyAccount, origin, publicUrl }: ApprovalScene,
): Promise<void> {
  const { transaction } = await client.transfers.prepare(account, {
    amount: "5000000",
    source: { account, currency: "sol" },
    destination: { address: payee, currency: "sol" },
    passkey_approval: true,
  });
  const terms = { from: account as Address, to: payee, mint: null, amount: 5_000_000n };
  assertTransferMatches(decodeTransaction(transaction), terms);
  const begun = await client.passkeySigners.approve({
    account,
    passkeyAccount,
    transaction,
    appName: "Shop",
    redirectUrl: `${origin}/back?order=8`,
    pageOrigin: publicUrl,
  });
  const altered = new URL(begun.url);
  altered.searchParams.set("app-name", "Your bank");
  const stranger = await context.newPage();
  await stranger.goto(altered.href);
  await becomesTrue(stranger, "document.title === 'Nothing was signed'");
  await stranger.close();
  const page = await openPage(context, app, begun);
  const text = await page.innerText("main");
  for (const shown of [`Pays 0.005 SOL to ${payee}`, account, "Shop", "Default", new URL(origin).host]) {
    expectEqual([shown, text.replaceAll("\n", "").includes(shown)], [shown, true]);
  }
  await examine(page, "approve");
  expectEqual(await page.locator("#back a").count(), 1);
  const answers = await holdAnswers(page);
  await act(page, "#go");
  await answers.arrived;
  // What is on its way cannot be cancelled.
  expectEqual([await page.locator("#back a").count(), await page.isVisible("#go")], [0, false]);
  answers.release();
  const landed = (await answerOf(app)) as Confirmation;
  const known = await client.transactions.submit(account, { transaction });
  expectEqual(landed, { signature: known.transaction_signature, confirmedAt: known.confirmed_at });
}

/** Keeps the page's next answer back until it is released. */
async function holdAnswers(page: Page): Promise<{ readonly arrived: Promise<void>; readonly release: () => void }> {
  let arrive = () => {};
  let release = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/passkeys/ceremony", async (route) => {
    if (route.request().method() === "POST") {
      arrive();
      await released;
    }
    await route.continue();
  });
  return { arrived, release };
}

interface ApprovalScene {
  readonly client: TrellisClient;
  readonly account: string;
  readonly passkeyAccount: string;
  readonly origin: string;
  readonly publicUrl: string;
}

/** The application's own tab goes to the page and comes back; answers where to. */
async function byRedirect(app: Page, begun: BegunPasskeySession, name: string): Promise<string> {
  await app.goto(begun.url);
  await ready(app);
  await examine(app, name);
  const back = app.waitForURL(/status=success/);
  await act(app, "#go", back);
  return app.url();
}

async function playRefusals(
  context: BrowserContext,
  app: Page,
  begin: () => Promise<BegunPasskeySession>,
): Promise<void> {
  const { url } = await begin();
  const altered: readonly Readonly<Record<string, string>>[] = [
    { "app-name": "Your bank" },
    { "redirect-url": "https://evil.example/" },
    { "session-key": payee },
    { "expiration-in-seconds": "60" },
    { env: "mainnet" },
    { "slot-num": "1" },
  ];
  const stranger = await context.newPage();
  for (const change of altered) {
    await stranger.goto(`${new URL(url).origin}/passkeys/ui?${new URLSearchParams({ ...queryOf(url), ...change })}`);
    await becomesTrue(stranger, "document.title === 'Nothing was signed'");
    expectEqual(await stranger.isVisible("#go"), false);
    expectEqual(await stranger.locator("#back a").count(), 0);
  }
  await examine(stranger, "altered");
  const unknown = Buffer.alloc(32, 7).toString("base64");
  await stranger.goto(
    `${new URL(url).origin}/passkeys/ui?${new URLSearchParams({ ...queryOf(url), challenge: unknown })}`,
  );
  await becomesTrue(stranger, "document.title === 'This request is over'");
  await stranger.close();

  // A link that says who asks, as the page's user has cancelled.
  await app.goto(url);
  await ready(app);
  const cancelled = app.waitForURL(/status=error&message=cancelled/);
  await app.click("#back a");
  await cancelled;

  const waiting = await begin();
  await app.clock.install();
  await app.goto(waiting.url);
  await becomesTrue(app, "document.getElementById('facts').hidden === false");
  await app.clock.fastForward(61_000);
  await becomesTrue(app, "document.title === 'This took too long'");
  await examine(app, "expired");
  await app.click("#back a");
  await becomesTrue(app, "location.search.includes('message=expired')");
  await app.clock.resume();

  await app.evaluate((address) => {
    const frame = document.createElement("iframe");
    frame.src = address;
    document.body.append(frame);
    return new Promise((resolve) => {
      frame.onload = resolve;
    });
  }, url);
  expectEqual(await app.frames()[1]?.locator("#title").count(), 0);

  await becomesTrue(app, "window.ready");
  const closed = await openPage(context, app, await begin());
  await closed.close();
  expectEqual(await answerOf(app), "closed");
}

const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

/** The application asks in a tap, and the page opens with what it shows. */
async function openPage(
  context: BrowserContext,
  app: Page,
  begun: BegunPasskeySession | BegunPasskeyApproval,
): Promise<Page> {
  await app.evaluate(`window.begun = ${JSON.stringify(begun)}`);
  const [page] = await Promise.all([context.waitForEvent("page"), app.click("#ask")]);
  page.on("console", (message) => {
    if (message.type() === "error") process.stderr.write(`${message.text()}\n`);
  });
  await ready(page);
  return page;
}

/** The page shows what is asked for, and takes a click. */
async function ready(page: Page): Promise<void> {
  await page.waitForSelector("#go:not([disabled])");
}

/** Clicks, with the user's device at hand. */
async function act(page: Page, button: string, end?: Promise<unknown>): Promise<void> {
  await bringDevice(page);
  await page.click(button);
  await end;
}

const withDevice = new WeakSet<Page>();

/** The same passkeys on the virtual device of a page, which hands on what it has made and counted. */
async function bringDevice(page: Page): Promise<void> {
  if (withDevice.has(page)) return;
  withDevice.add(page);
  const devices = await page.context().newCDPSession(page);
  await devices.send("WebAuthn.enable");
  const { authenticatorId } = await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  for (const credential of passkeys.values())
    await devices.send("WebAuthn.addCredential", { authenticatorId, credential });
  const keep = ({ credential }: { credential: Passkey }) => {
    passkeys.set(credential.credentialId, credential);
  };
  devices.on("WebAuthn.credentialAdded", keep);
  devices.on("WebAuthn.credentialAsserted", keep);
}

/** Looks at the page as people see it: with axe, and narrow and wide. */
async function examine(page: Page, name: string): Promise<void> {
  for (const [size, width] of Object.entries(widths)) {
    await page.setViewportSize({ width, height: 800 });
    const isWider = await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
    expectEqual([name, size, isWider], [name, size, false]);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expectEqual(await findingsOf(page), []);
      await keep(page, `${name}-${size}-${colorScheme}`);
    }
  }
  await page.setViewportSize({ width: widths.narrow, height: 740 });
}

const appScript = `
import { askPasskeyApproval, askPasskeyPage, openGuardianWindow } from "@trellis/sdk";
const nameOf = (error) => error.code ?? error.name;
document.getElementById("ask").onclick = () => {
  window.answered = undefined;
  const show = (answer) => { window.answered = answer; };
  const ask = window.begun.approval === undefined ? askPasskeyPage : askPasskeyApproval;
  ask(window.begun, openGuardianWindow()).then(show, (error) => show(nameOf(error)));
};
window.ready = true;
`;

/** A page with the client library in it, at every path. */
async function serveApp(): Promise<{ readonly origin: string; close(): unknown }> {
  const { outputFiles } = await build({
    stdin: { contents: appScript, resolveDir: process.cwd(), loader: "js" },
    bundle: true,
    format: "esm",
    write: false,
    conditions: ["browser"],
  });
  const html = `<!doctype html><title>App</title><button id="ask">ask</button><script type="module" src="/page.js"></script>`;
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? outputFiles[0]?.text : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function answerOf(app: Page): Promise<unknown> {
  await becomesTrue(app, "window.answered !== undefined");
  return app.evaluate("window.answered");
}

async function keep(page: Page, name: string): Promise<void> {
  if (isKept && folder !== undefined)
    await page.screenshot({ path: join(folder, `passkey-signers-${name}.png`), fullPage: true });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function expectEqual(actual: unknown, expected: unknown): void {
  const [one, other] = [actual, expected].map((value) =>
    JSON.stringify(value, (_, each) => (typeof each === "bigint" ? each.toString() : each)),
  );
  if (one !== other) throw new Error(`expected ${other}, and it was ${one}`);
}

if (chromiumPath === undefined) {
  process.stderr.write("NOT TESTED: the page of passkey signers, as there is no chromium here (CHROMIUM_PATH).\n");
} else {
  try {
    await play(chromiumPath);
    process.stdout.write("The page of passkey signers works in chromium.\n");
  } finally {
    for (const end of endings.reverse()) await end();
  }
}
