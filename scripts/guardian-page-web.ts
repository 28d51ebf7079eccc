// Plays the guardian's own page in headless chromium, with a service, a guardian and an application of its own: a payment to a new
// destination is refused without the page, approved on it, and declined on it, in a window and by a redirect. What answers elsewhere, is
// framed, blocked or cut off does not work, and says so. At the end the device is lost, and replaced. `--screenshots <folder>` keeps what it looks like.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { addressOfKey } from "@trellis/sdk";
import { type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { newKey } from "../test/proposals/support.js";
import { startTestCustodian } from "../test/support/custodian.js";
import { publicKeyOf } from "../test/support/test-network.js";
import { startTestService } from "../test/support/test-service.js";
import { chromiumPath, findingsOf } from "./accessibility.mjs";
import { becomesTrue } from "./becomes-true.js";
import { serveApp } from "./guardian-page-app.js";

const payee = publicKeyOf("a shop that is new");
/** The recovery key, which its owner has on paper. */
const drawer = newKey();
const folder = process.argv[process.argv.indexOf("--screenshots") + 1];
const isKept = process.argv.includes("--screenshots");

const endings: (() => unknown)[] = [];
async function play(executablePath: string): Promise<void> {
  const pageOrigin = `http://localhost:${await freePort()}`;
  const guardian = await startTestCustodian({
    variables: {
      TRELLIS_CUSTODIAN_NAME: "kms_c",
      TRELLIS_CUSTODIAN_PAGE_ORIGIN: pageOrigin,
      TRELLIS_CUSTODIAN_PAGE_PORT: new URL(pageOrigin).port,
    },
  });
  endings.push(() => guardian.close());
  const service = await startTestService({
    TRELLIS_GUARDIAN: "kms_c",
    TRELLIS_CUSTODIAN_KMS_C_URL: guardian.url,
    TRELLIS_CUSTODIAN_KMS_C_KEYS: guardian.folders.service,
  });
  endings.push(() => service.close());
  const served = await serveApp(async (path, body) => (await service.request("POST", path, body)).body);
  endings.push(served.close);
  const { origin } = served;
  const { client } = service;
  const { key } = await client.apiKeys.create({
    name: "Page",
    type: "publishable",
    environments: ["sandbox"],
    allowed_origins: [origin],
    scopes: ["auth:write", "payments:write", "transactions:write", "accounts:read"],
  });
  const opened = await openAccount(client);
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox"],
    ignoreDefaultArgs: ["--disable-popup-blocking"],
  });
  endings.push(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  const app = await context.newPage();
  app.on("pageerror", (error) => process.stderr.write(`${error}\n`));
  await app.goto(origin);
  await becomesTrue(app, "window.ready");
  const { id, devices } = await addDevice(context, app);
  const given = {
    ...opened,
    url: service.url,
    key,
    payee,
    page: pageOrigin,
    guardian: { identity: guardian.identity },
    recovery: { address: addressOfKey(drawer) },
  };
  await run(app, "begin", given);
  const [mail] = await client.sandbox.outbox(opened.email);
  await run(app, "signIn", mail?.otp_code);
  expectEqual(await run(app, "enrol"), 1);
  await run(app, "take");
  expectEqual(await run(app, "payHere"), "guardian_refused");
  const credentials = () => credentialsOn({ id, devices });

  const declined = await openPage(context, app);
  expectEqual(await declined.textContent("h2"), "Pay 0.0015 SOL");
  await declined.click("#decline");
  expectEqual(await answerOf(app), "ApprovalDeclinedError");

  const page = await openPage(context, app, "tapped");
  const phone = await addDevice(context, page);
  await moveCredentials(await credentials(), phone, 100);
  await keep(page, "light");
  expectEqual(await findingsOf(page), []);
  await page.emulateMedia({ colorScheme: "dark" });
  await keep(page, "dark");
  expectEqual(await findingsOf(page, { only: ["color-contrast"] }), []);
  await page.emulateMedia({ colorScheme: "light" });
  await page.click("#approve");
  expectEqual(await answerOf(app), "confirmed");
  expectEqual(await service.lamportsOf(payee), 1_500_000n);

  await moveCredentials(await credentials(), { id, devices }, 1_000);
  await playRedirect(app, () => service.lamportsOf(payee));
  await playRefusals(context, app, { origin, pageOrigin });
  await playRecovery(app, { id, devices }, { former: opened.signer, balance: () => service.lamportsOf(payee) });
}

/** The device is lost, and its passkey with it: session and recovery key put another wallet of the guardian in place, with a new passkey. */
async function playRecovery(
  app: Page,
  { id: authenticatorId, devices }: Device,
  { former, balance }: { readonly former: string; readonly balance: () => Promise<bigint> },
): Promise<void> {
  await devices.send("WebAuthn.clearCredentials", { authenticatorId });
  await app.goto(new URL(app.url()).origin);
  await becomesTrue(app, "window.ready");
  await app.bringToFront();
  const signer = await run(app, "recover", [...drawer]);
  expectEqual(typeof signer === "string" && signer !== former, true);
  const before = await balance();
  expectEqual(await run(app, "payHere"), "confirmed");
  expectEqual((await balance()) > before, true);
}

type Device = { readonly id: string; readonly devices: CDPSession };

const credentialsOn = async ({ id: authenticatorId, devices }: Device) =>
  (await devices.send("WebAuthn.getCredentials", { authenticatorId })).credentials;

/** The same passkey on a virtual device, which has to count on from where another one has counted to. */
async function moveCredentials(
  credentials: Awaited<ReturnType<typeof credentialsOn>>,
  { id: authenticatorId, devices }: Device,
  by: number,
): Promise<void> {
  await devices.send("WebAuthn.clearCredentials", { authenticatorId });
  for (const credential of credentials) {
    const counted = { ...credential, signCount: credential.signCount + by };
    await devices.send("WebAuthn.addCredential", { authenticatorId, credential: counted });
  }
}

/** The application's page itself leaves for the guardian's, and comes back. */
async function playRedirect(app: Page, paidSoFar: () => Promise<bigint>): Promise<void> {
  await app.evaluate("sessionStorage.setItem('amount', '2000000')");
  await app.click("#leave");
  await app.waitForSelector("#decline:visible");
  await app.click("#decline");
  expectEqual(await returned(app), "declined");
  expectEqual(await answerOf(app), "ApprovalDeclinedError");

  await app.click("#leave");
  await app.waitForSelector("#bar:not([hidden])");
  await keep(app, "redirect");
  const back = app.waitForURL(/trellis_approval=approved/);
  await app.click("#approve");
  await back;
  expectEqual(await returned(app), "approved");
  expectEqual(await answerOf(app), "confirmed");
  expectEqual(await paidSoFar(), 3_500_000n);

  // An answer that is not to a question of this tab, or to one that was answered, changes nothing and leaves the address.
  const stamp = "credential_id=a&authenticator_data=a&client_data_json=a&signature=a";
  await app.goto(`${new URL(app.url()).origin}/#trellis_approval=approved&state=${"0".repeat(32)}&${stamp}`);
  await app.reload();
  expectEqual(await returned(app), "nothing");

  await app.click("#fallback");
  await app.waitForSelector("#bar:not([hidden])");
  await app.click("#approve");
  expectEqual(await returned(app), "approved");
  expectEqual(await answerOf(app), "confirmed");
  expectEqual(await paidSoFar(), 5_500_000n);
}

/** What the application has received by its address, which has nothing of it any more. */
async function returned(app: Page): Promise<unknown> {
  await becomesTrue(app, "window.ready");
  expectEqual(await app.evaluate("location.hash"), "");
  return app.evaluate("window.received");
}

async function playRefusals(
  context: BrowserContext,
  app: Page,
  { origin, pageOrigin }: { readonly origin: string; readonly pageOrigin: string },
): Promise<void> {
  await app.click("#blocked");
  expectEqual(await answerOf(app), "guardian_window_blocked");

  // The payload of a payment that waits for its approval.
  await app.click("#leave");
  await app.waitForSelector("#bar:not([hidden])");
  const asked = new URLSearchParams(new URL(app.url()).hash.slice(1));
  const bad: readonly Readonly<Record<string, string>>[] = [
    { return_to: "https://evil.example/" },
    { return_to: `${origin}/go?to=https://evil.example` },
    { return_to: "javascript:document.title=1" },
    { return_to: `${pageOrigin}/` },
    { state: "short" },
    { state: "0123456789abcdef&trellis_approval=approved" },
    { payload: "e30=" },
  ];
  const stranger = await context.newPage();
  for (const changed of bad) {
    await stranger.goto("about:blank");
    await stranger.goto(`${pageOrigin}/#${new URLSearchParams({ ...Object.fromEntries(asked), ...changed })}`);
    await becomesTrue(stranger, "document.title === 'This cannot be approved here'");
    expectEqual(await stranger.isVisible("#bar"), false);
    expectEqual(await stranger.getAttribute("#back", "href"), null);
  }
  // Of a name that is there twice the first one is checked, and is the one that is gone to.
  await stranger.goto("about:blank");
  await stranger.goto(`${pageOrigin}/#return_to=https://evil.example/&${asked}`);
  await becomesTrue(stranger, "document.title === 'This cannot be approved here'");

  await app.goto(`${origin}/`);
  await becomesTrue(app, "window.ready");
  await app.evaluate((address) => {
    const frame = document.createElement("iframe");
    frame.src = address;
    document.body.append(frame);
    return new Promise((resolve) => {
      frame.onload = resolve;
    });
  }, `${pageOrigin}/#${asked}`);
  expectEqual(await app.frames()[1]?.locator("#title").count(), 0);

  await app.goto(`${origin}/isolated`);
  await becomesTrue(app, "window.ready");
  const [cut] = await Promise.all([context.waitForEvent("page"), app.click("#pay")]);
  expectEqual(await answerOf(app), "guardian_page_unreached");
  await becomesTrue(cut, "document.title === 'This page cannot answer'");
}

async function openAccount(client: Awaited<ReturnType<typeof startTestService>>["client"]) {
  const email = "ada@example.org";
  const recovery = { address: addressOfKey(drawer) };
  await client.accounts.create({ type: "email", email, protection: "guarded", recovery });
  const [mail] = await client.sandbox.outbox(email);
  const { generateEncryptionKeyPair } = await import("@trellis/sdk");
  const { address: account, policies } = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: generateEncryptionKeyPair().publicKeySpkiBase64 },
  });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  return { email, account, signer: policies.signers[1]?.address ?? "" };
}

/** The application asks, and the guardian's page opens with what it shows. */
async function openPage(context: BrowserContext, app: Page, button = "pay"): Promise<Page> {
  const [page] = await Promise.all([context.waitForEvent("page"), app.click(`#${button}`)]);
  page.on("console", (message) => {
    if (message.type() === "error") process.stderr.write(`${message.text()}\n`);
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForSelector("#bar:not([hidden])");
  return page;
}

async function addDevice(context: BrowserContext, page: Page): Promise<Device> {
  const devices = await context.newCDPSession(page);
  await devices.send("WebAuthn.enable");
  const { authenticatorId: id } = await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { id, devices };
}

const run = (page: Page, name: string, given?: unknown): Promise<unknown> =>
  page.evaluate(`window[${JSON.stringify(name)}](${JSON.stringify(given) ?? ""})`);

async function answerOf(app: Page): Promise<unknown> {
  await becomesTrue(app, "window.paid !== undefined");
  return app.evaluate("window.paid");
}

async function keep(page: Page, name: string): Promise<void> {
  if (isKept && folder !== undefined) await page.screenshot({ path: join(folder, `guardian-page-${name}.png`) });
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
  process.stderr.write("NOT TESTED: the guardian's page in a browser, as there is no chromium here (CHROMIUM_PATH).\n");
} else {
  try {
    await play(chromiumPath);
    process.stdout.write("The guardian's page works in chromium.\n");
  } finally {
    for (const end of endings.reverse()) await end();
  }
}
