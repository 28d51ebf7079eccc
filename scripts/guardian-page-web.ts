// Plays the guardian's own page in headless chromium, with a service, a guardian and an application of its own: a payment to a new
// destination is refused without the page, approved on it, and declined on it. `--screenshots <folder>` keeps what it looks like.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { startTestCustodian } from "../test/support/custodian.js";
import { publicKeyOf } from "../test/support/test-network.js";
import { startTestService } from "../test/support/test-service.js";
import { chromiumPath, findingsOf } from "./accessibility.mjs";

const payee = publicKeyOf("a shop that is new");
const folder = process.argv[process.argv.indexOf("--screenshots") + 1];
const isKept = process.argv.includes("--screenshots");

/** What the application does, by what the test asks. */
const appScript = `
import { createTrellisClient, sessionTokenOf } from "@trellis/sdk";
let trellis, given, session, passkey, verify;
const nameOf = (error) => error.code ?? error.name;
window.begin = async (all) => {
  given = all;
  const token = () => session && sessionTokenOf(session);
  trellis = createTrellisClient({ baseUrl: all.url, apiKey: all.key, environment: "sandbox", sessionToken: token });
  verify = (await trellis.auth.signIn(all.email)).verify;
};
window.signIn = async (code) => { session = (await verify(code)).session; };
window.enrol = async () => {
  const { account, signer, guardian } = given;
  passkey = await trellis.passkeys.add({ account, session, signer, name: "Phone", guardian });
  const by = { account, signer, guardian, passkeys: { passkeys: [passkey] } };
  const { policy } = await trellis.guardianPolicy.get(by);
  const transfers = { ...policy.transfers, destinations: { type: "approved" } };
  return (await trellis.guardianPolicy.set({ ...by, policy: { ...policy, transfers } })).version;
};
const pay = (more) => trellis.transfers.send({
  account: given.account, session, currency: "sol", destination: given.payee, amount: 1500000n,
  passkeys: { passkeys: [passkey], ...more },
}).then(() => "confirmed", nameOf);
window.payHere = () => pay({});
document.getElementById("pay").onclick = () => {
  window.paid = undefined;
  pay({ page: { origin: given.page, provider: "kms_c" } }).then((paid) => (window.paid = paid));
};
window.ready = true;
`;

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
  const origin = await serveApp();
  const { client } = service;
  const { key } = await client.apiKeys.create({
    name: "Page",
    type: "publishable",
    environments: ["sandbox"],
    allowed_origins: [origin],
    scopes: ["auth:write", "payments:write", "transactions:write", "accounts:read"],
  });
  const opened = await openAccount(client);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  endings.push(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  const app = await context.newPage();
  app.on("pageerror", (error) => process.stderr.write(`${error}\n`));
  await app.goto(origin);
  await app.waitForFunction("window.ready");
  const { id, devices } = await addDevice(context, app);
  const given = {
    ...opened,
    url: service.url,
    key,
    payee,
    page: pageOrigin,
    guardian: { identity: guardian.identity },
  };
  await run(app, "begin", given);
  const [mail] = await client.sandbox.outbox(opened.email);
  await run(app, "signIn", mail?.otp_code);
  expectEqual(await run(app, "enrol"), 1);
  expectEqual(await run(app, "payHere"), "guardian_refused");
  const credentials = async () => (await devices.send("WebAuthn.getCredentials", { authenticatorId: id })).credentials;

  const declined = await openPage(context, app);
  expectEqual(await declined.textContent("h2"), "Pay 0.0015 SOL");
  await declined.click("#decline");
  expectEqual(await answerOf(app), "ApprovalDeclinedError");

  const page = await openPage(context, app);
  const phone = await addDevice(context, page);
  for (const credential of await credentials()) {
    // The same passkey on another virtual device, which has to count on.
    const counted = { ...credential, signCount: credential.signCount + 100 };
    await phone.devices.send("WebAuthn.addCredential", { authenticatorId: phone.id, credential: counted });
  }
  await keep(page, "light");
  expectEqual(await findingsOf(page), []);
  await page.emulateMedia({ colorScheme: "dark" });
  await keep(page, "dark");
  expectEqual(await findingsOf(page, { only: ["color-contrast"] }), []);
  await page.emulateMedia({ colorScheme: "light" });
  await page.click("#approve");
  expectEqual(await answerOf(app), "confirmed");
  expectEqual(await service.lamportsOf(payee), 1_500_000n);
}

async function openAccount(client: Awaited<ReturnType<typeof startTestService>>["client"]) {
  const email = "ada@example.org";
  const recovery = { address: publicKeyOf("kept in a drawer") };
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
async function openPage(context: BrowserContext, app: Page): Promise<Page> {
  const [page] = await Promise.all([context.waitForEvent("page"), app.click("#pay")]);
  page.on("console", (message) => {
    if (message.type() === "error") process.stderr.write(`${message.text()}\n`);
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForSelector("#bar:not([hidden])");
  return page;
}

async function addDevice(context: BrowserContext, page: Page): Promise<{ id: string; devices: CDPSession }> {
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
  await app.waitForFunction("window.paid !== undefined");
  return app.evaluate("window.paid");
}

async function keep(page: Page, name: string): Promise<void> {
  if (isKept && folder !== undefined) await page.screenshot({ path: join(folder, `guardian-page-${name}.png`) });
}

/** A page with the client library in it. */
async function serveApp(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: appScript, resolveDir: process.cwd(), loader: "js" },
    bundle: true,
    format: "esm",
    write: false,
    conditions: ["browser"],
  });
  const html =
    '<!doctype html><title>App</title><button id="pay">Pay</button><script type="module" src="/page.js"></script>';
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? outputFiles[0]?.text : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  endings.push(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
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
