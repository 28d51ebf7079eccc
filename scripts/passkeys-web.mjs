// Plays passkeys in headless chromium with its virtual authenticators, against a sandbox of its own: a page signs in with the code
// of the mail, adds a passkey, pays with it, adds a second device by the first, removes one, and what may not work does not.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTrellisClient } from "@trellis/sdk";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { chromiumPath } from "./accessibility.mjs";
import { startSandbox } from "./sandbox-process.mjs";

if (chromiumPath === undefined) {
  process.stderr.write("NOT TESTED: passkeys in a browser, as there is no chromium here (CHROMIUM_PATH).\n");
  process.exit(0);
}

const place = mkdtempSync(join(tmpdir(), "trellis-passkeys-"));
const endings = [];
// Something that waits for ever is to be told, on the slowest machine too.
const watchdog = setTimeout(() => {
  process.stderr.write("Passkeys in chromium: nothing has happened for ten minutes.\n");
  process.exit(1);
}, 600_000);

/** What the page does, by what its tests ask. */
const pageScript = `
import { createTrellisClient, sessionTokenOf } from "@trellis/sdk";
let trellis, account, session;
// What is asked for besides the passkey itself: an authenticator that knows no extension, PRF among them, has to do.
window.extensions = [];
for (const name of ["create", "get"]) {
  const ask = navigator.credentials[name].bind(navigator.credentials);
  navigator.credentials[name] = (options) => {
    window.extensions.push(...Object.keys(options.publicKey.extensions ?? {}));
    return ask(options);
  };
}
const passkeys = async () => ({ passkeys: await trellis.passkeys.list(account) });
const nameOf = (error) => (error.name === "TrellisApiError" ? error.code : error.name);
window.payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";
let verify;
window.begin = async ({ url, key, email }) => {
  const token = () => session && sessionTokenOf(session);
  trellis = createTrellisClient({ baseUrl: url, apiKey: key, environment: "sandbox", sessionToken: token });
  verify = (await trellis.auth.signIn(email)).verify;
};
window.signIn = async (code) => {
  const signedIn = await verify(code);
  session = signedIn.session;
  return (account = signedIn.account);
};
window.add = (name) => trellis.passkeys.add({ account, session, name }).catch(nameOf);
window.addByPasskey = async (name) => {
  const get = async (options) => {
    await new Promise((resolve) => (window.reachForThePhone = resolve));
    return navigator.credentials.get(options);
  };
  const by = { ...(await passkeys()), credentials: { get } };
  return trellis.passkeys.add({ account, passkeys: by, name }).catch(nameOf);
};
window.pay = async (amount) => {
  const order = { account, passkeys: await passkeys(), currency: "sol", destination: window.payee, amount: BigInt(amount) };
  return trellis.transfers.send(order).then(() => "confirmed", nameOf);
};
window.payBySession = async (amount) => {
  const order = { account, session, currency: "sol", destination: window.payee, amount: BigInt(amount) };
  return trellis.transfers.send(order).then(() => "confirmed", nameOf);
};
window.signInByPasskey = async () => {
  session = undefined;
  const signedIn = await trellis.auth.signInWithPasskey().catch((error) => ({ account: nameOf(error) }));
  session = signedIn.session;
  return signedIn.account;
};
window.require = async (required) =>
  trellis.passkeys.setRequirement({ account, required, passkeys: await passkeys() }).then((set) => set.required, nameOf);
window.signInAgain = async (code) => {
  const signedIn = await verify(code).catch((error) => ({ account: nameOf(error) }));
  session = signedIn.session;
  return signedIn.account;
};
window.remove = async (id) => {
  const by = await passkeys();
  const passkey = by.passkeys.find((each) => each.id === id);
  return trellis.passkeys.remove({ account, passkey, session }).then(({ status }) => status, nameOf);
};
window.ready = true;
`;

try {
  await play();
  process.stdout.write("Passkeys work in chromium.\n");
} finally {
  clearTimeout(watchdog);
  for (const end of endings.reverse()) await end();
  rmSync(place, { recursive: true, force: true });
}

async function play() {
  const sandbox = await startSandbox(join(place, "data"));
  endings.push(sandbox.stop);
  const server = await servePage();
  endings.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address();
  const origin = `http://localhost:${port}`;
  const trellis = createTrellisClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, environment: "sandbox" });
  const { key } = await trellis.apiKeys.create({
    name: "Page",
    type: "publishable",
    environments: ["sandbox"],
    allowed_origins: [origin],
    scopes: ["auth:write", "payments:write", "transactions:write", "accounts:read"],
  });
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  endings.push(() => browser.close());
  const context = await browser.newContext();
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  page.on("pageerror", (error) => process.stderr.write(`${error}\n`));
  await page.goto(origin);
  await page.waitForFunction(() => window.ready);
  const devices = await context.newCDPSession(page);
  await devices.send("WebAuthn.enable");

  const email = "ada@example.org";
  await page.evaluate((given) => window.begin(given), { url: sandbox.url, key, email });
  const [{ otp_code }] = await trellis.sandbox.outbox(email);
  const address = await page.evaluate((code) => window.signIn(code), otp_code);
  await trellis.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });

  const phone = await addDevice(devices, {});
  const first = await page.evaluate(() => window.add("Phone"));
  expectEqual([first.name, first.rp_id, first.synced], ["Phone", "localhost", false]);
  expectEqual(await page.evaluate(() => window.pay("1000000")), "confirmed");
  expectEqual(await page.evaluate(() => window.add("Phone again")), "InvalidStateError");

  // Another device, let in by the first: a synchronised passkey, which never counts.
  const laptop = await addDevice(devices, {
    transport: "usb",
    defaultBackupEligibility: true,
    defaultBackupState: true,
  });
  // Its own one first, and the phone once that has answered.
  await touch(devices, phone, false);
  const adding = page.evaluate(() => window.addByPasskey("Laptop"));
  await page.waitForFunction(() => window.reachForThePhone);
  await Promise.all([touch(devices, phone, true), touch(devices, laptop, false)]);
  await page.evaluate(() => window.reachForThePhone());
  const second = await adding;
  await touch(devices, laptop, true);
  expectEqual(second.synced, true);
  expectEqual(
    (await trellis.passkeys.list(address)).map(({ name }) => name),
    ["Phone", "Laptop"],
  );

  await devices.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: phone });
  expectEqual(await page.evaluate(() => window.pay("2000000")), "confirmed");
  expectEqual(await page.evaluate((id) => window.remove(id), first.id), "removed");
  expectEqual(
    (await trellis.passkeys.list(address)).map(({ name }) => name),
    ["Laptop"],
  );

  // Without a code and without a name; and the session that this opens signs.
  expectEqual(await page.evaluate(() => window.signInByPasskey()), address);
  expectEqual(await page.evaluate(() => window.payBySession("4000000")), "confirmed");

  // With a passkey required beside the code, the library asks the browser for it in the same flow.
  expectEqual(await page.evaluate(() => window.require(true)), true);
  await page.evaluate((given) => window.begin(given), { url: sandbox.url, key, email });
  const [{ otp_code: beside }] = await trellis.sandbox.outbox(email);
  expectEqual(await page.evaluate((code) => window.signInAgain(code), beside), address);
  expectEqual(await page.evaluate(() => window.payBySession("5000000")), "confirmed");

  // A user who is not verified signs nothing.
  await devices.send("WebAuthn.setUserVerified", { authenticatorId: laptop, isUserVerified: false });
  expectEqual(await page.evaluate(() => window.pay("3000000")), "NotAllowedError");
  expectEqual(await page.evaluate(() => window.extensions), []);
  const { lamports } = await trellis.accounts.balances(address);
  expectEqual(lamports, 988_000_000);
}

/** Whether somebody touches a device whenever it asks. */
function touch(devices, authenticatorId, enabled) {
  return devices.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
}

async function addDevice(devices, more) {
  const { authenticatorId } = await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf: false,
      ...more,
    },
  });
  return authenticatorId;
}

/** A page with the client library in it. */
async function servePage() {
  const { outputFiles } = await build({
    stdin: { contents: pageScript, resolveDir: process.cwd(), loader: "js" },
    bundle: true,
    format: "esm",
    write: false,
    conditions: ["browser"],
  });
  const html = '<!doctype html><title>Passkeys</title><script type="module" src="/page.js"></script>';
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? outputFiles[0].text : html);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function expectEqual(actual, expected) {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Error(`expected ${JSON.stringify(expected)}, and it was ${JSON.stringify(actual)}`);
}
