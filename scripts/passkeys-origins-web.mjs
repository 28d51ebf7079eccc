// Plays one relying party over several pages in headless chromium, with TLS of its own: a page of a related origin signs with the
// tenant's domain, one that the domain does not list is refused by the browser, one that the tenant does not list by the service,
// and so is a page in a frame of another page.
import { execFileSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTrellisClient } from "@trellis/sdk";
import { chromium } from "playwright-core";
import { chromiumPath } from "./accessibility.mjs";
import { startSandbox } from "./sandbox-process.mjs";

const home = "https://accounts.trellis.example";
const listed = "https://shop-one.example";
const stranger = "https://shop-two.example";
const payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";

const place = mkdtempSync(join(tmpdir(), "trellis-origins-"));
const certificate = makeCertificate();
if (chromiumPath === undefined || certificate === undefined) {
  process.stderr.write(
    "NOT TESTED: passkeys of related origins, as there is no chromium (CHROMIUM_PATH) or no openssl here.\n",
  );
  rmSync(place, { recursive: true, force: true });
  process.exit(0);
}
const endings = [];
// Something that waits for ever is to be told, on the slowest machine too.
const watchdog = setTimeout(() => {
  process.stderr.write("Passkeys of related origins: nothing has happened for ten minutes.\n");
  process.exit(1);
}, 600_000);

try {
  await play();
  process.stdout.write("Passkeys of related origins work in chromium.\n");
} finally {
  clearTimeout(watchdog);
  for (const end of endings.reverse()) await end();
  rmSync(place, { recursive: true, force: true });
}

async function play() {
  const sandbox = await startSandbox(join(place, "data"));
  endings.push(sandbox.stop);
  const related = [home, listed];
  const server = await servePages(related);
  endings.push(() => new Promise((resolve) => server.close(resolve)));
  const trellis = createTrellisClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, environment: "sandbox" });
  const rpId = new URL(home).hostname;
  await trellis.passkeys.setRelyingParty({ rp_id: rpId, name: "Accounts", origins: [home, listed] });
  const email = "ada@example.org";
  const { verify } = await trellis.auth.signIn(email);
  const [{ otp_code }] = await trellis.sandbox.outbox(email);
  const { account, session } = await verify(otp_code);
  await trellis.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });

  const page = await openPage(server.address().port);
  const credentials = credentialsIn(() => page.mainFrame());
  await page.goto(home);
  const passkey = await trellis.passkeys.add({ account, session, name: "Phone", credentials });
  expectEqual(passkey.rp_id, rpId);
  let amount = 0n;
  const pay = (by = credentials) => {
    amount += 1_000_000n;
    const passkeys = { passkeys: [passkey], credentials: by };
    const order = { account, passkeys, currency: "sol", destination: payee, amount };
    return trellis.transfers.send(order).then(
      () => "confirmed",
      (error) => error.code ?? error.message,
    );
  };
  expectEqual(await pay(), "confirmed");

  await page.goto(listed);
  expectEqual(await pay(), "confirmed");
  expectEqual((await trellis.auth.signInWithPasskey({ credentials })).account, account);

  await page.goto(stranger);
  expectEqual(await pay(), "SecurityError");
  // The domain lists it by now, the tenant does not.
  related.push(stranger);
  expectEqual(await pay(), "invalid_signature");
  const refusal = await trellis.auth.signInWithPasskey({ credentials }).catch((error) => error.code);
  expectEqual(refusal, "invalid_passkey");

  // A page that may sign, in a frame of one that may not: the browser lets it, with that page's leave.
  await page.goto(`${stranger}/frame`);
  const frame = page.frames().find((each) => each.url().startsWith(home));
  await frame.waitForLoadState();
  expectEqual(await pay(credentialsIn(() => frame)), "invalid_signature");
}

async function openPage(port) {
  const spki = createHash("sha256").update(certificate.spki).digest("base64");
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--no-sandbox",
      `--host-resolver-rules=MAP *.example 127.0.0.1:${port}`,
      `--ignore-certificate-errors-spki-list=${spki}`,
    ],
  });
  endings.push(() => browser.close());
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const devices = await context.newCDPSession(page);
  await devices.send("WebAuthn.enable");
  await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}

/** What the page in a frame offers, for a library outside of it: bytes go there and back in base64url. */
function credentialsIn(frameOf) {
  const text = (bytes) => Buffer.from(bytes).toString("base64url");
  const bytes = (value) => Uint8Array.from(Buffer.from(value, "base64url")).buffer;
  const ask = async (kind, options) => {
    const answered = await frameOf().evaluate(askInPage, [kind, options]);
    if (answered.refused !== undefined) throw new Error(answered.refused);
    return answered;
  };
  return {
    create: async ({ publicKey }) => {
      const { challenge, user, excludeCredentials, ...rest } = publicKey;
      const options = { ...rest, challenge: text(challenge), user: { ...user, id: text(user.id) } };
      const made = await ask("create", options);
      return {
        rawId: bytes(made.rawId),
        response: {
          clientDataJSON: bytes(made.clientDataJSON),
          getAuthenticatorData: () => bytes(made.authenticatorData),
          getPublicKey: () => bytes(made.publicKey),
        },
      };
    },
    get: async ({ publicKey }) => {
      const { challenge, allowCredentials, ...rest } = publicKey;
      const allowed = allowCredentials.map(({ id, type }) => ({ type, id: text(id) }));
      const made = await ask("get", { ...rest, challenge: text(challenge), allowCredentials: allowed });
      return {
        rawId: bytes(made.rawId),
        response: {
          clientDataJSON: bytes(made.clientDataJSON),
          authenticatorData: bytes(made.authenticatorData),
          signature: bytes(made.signature),
        },
      };
    },
  };
}

/** Runs in the page. */
async function askInPage([kind, options]) {
  try {
    const text = (buffer) =>
      btoa(String.fromCharCode(...new Uint8Array(buffer)))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "");
    const credential =
      kind === "create"
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
    const { response } = credential;
    return {
      rawId: text(credential.rawId),
      clientDataJSON: text(response.clientDataJSON),
      ...(kind === "create"
        ? { authenticatorData: text(response.getAuthenticatorData()), publicKey: text(response.getPublicKey()) }
        : { authenticatorData: text(response.authenticatorData), signature: text(response.signature) }),
    };
  } catch (error) {
    return { refused: error.name };
  }
}

/** Every host's pages, and what the domain says of related ones, which may change. */
async function servePages(related) {
  const server = createServer({ key: certificate.key, cert: certificate.cert }, ({ url }, response) => {
    const isList = url === "/.well-known/webauthn";
    response.setHeader("content-type", isList ? "application/json" : "text/html");
    const allowed = "publickey-credentials-get *; publickey-credentials-create *";
    const frame = url === "/frame" ? `<iframe allow="${allowed}" src="${home}/"></iframe>` : "";
    response.end(isList ? JSON.stringify({ origins: related }) : `<!doctype html><title>Page</title>${frame}`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** Undefined where nothing here makes one. */
function makeCertificate() {
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(place, name));
  const names = [home, listed, stranger].map((origin) => `DNS:${new URL(origin).hostname}`).join(",");
  const shape = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test"];
  try {
    const files = ["-keyout", key, "-out", cert, "-addext", `subjectAltName=${names}`];
    execFileSync("openssl", ["req", "-x509", ...shape, ...files], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  const spki = new X509Certificate(readFileSync(cert)).publicKey.export({ type: "spki", format: "der" });
  return { key: readFileSync(key), cert: readFileSync(cert), spki };
}

function expectEqual(actual, expected) {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Error(`expected ${JSON.stringify(expected)}, and it was ${JSON.stringify(actual)}`);
}
