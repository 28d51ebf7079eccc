// The application with which the guardian's page is played in chromium: the client library in a page, and buttons.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { build } from "esbuild";

/** What the application does, by what the test asks. What is to outlive a redirect is kept where a real one would keep it. */
const appScript = `
import { createSessionKeeper, createTrellisClient, openGuardianWindow, receiveApproval } from "@trellis/sdk";
const kept = (name) => JSON.parse(sessionStorage.getItem(name));
const keep = (name, value) => sessionStorage.setItem(name, JSON.stringify(value));
let trellis, keeper, given, verify;
const nameOf = (error) => error.code ?? error.name;
const connect = (all) => {
  given = all;
  trellis = createTrellisClient({ baseUrl: all.url, apiKey: all.key, environment: "sandbox", sessionToken: () => keeper.token() });
  keeper = createSessionKeeper({ client: trellis });
};
window.begin = async (all) => {
  keep("given", all);
  connect(all);
  verify = (await trellis.auth.signIn(all.email)).verify;
};
window.signIn = async (code) => keeper.keep(await verify(code));
window.enrol = () => keeper.withSession(async (session) => {
  const { account, signer, guardian } = given;
  const passkey = await trellis.passkeys.add({ account, session, signer, name: "Phone", guardian });
  keep("passkey", passkey);
  const by = { account, signer, guardian, passkeys: { passkeys: [passkey] } };
  const { policy } = await trellis.guardianPolicy.get(by);
  const transfers = { ...policy.transfers, destinations: { type: "approved" } };
  return (await trellis.guardianPolicy.set({ ...by, policy: { ...policy, transfers } })).version;
});
// The call itself has to open the window, so the session is at hand by then.
let session;
window.take = () => keeper.withSession(async (one) => { session = one; });
const pay = (more, options = {}) => trellis.transfers.send({
  account: given.account, session, currency: "sol", destination: given.payee, amount: BigInt(kept("amount") ?? 1500000),
  passkeys: { passkeys: [kept("passkey")], ...more },
}, options).then(() => "confirmed", nameOf);
window.payHere = () => pay({});
// A change of signers is asked for with a secret key: by the application's own server.
const ofServer = (url, init) => fetch("/server" + new URL(url).pathname, { method: "POST", body: init.body });
const recovering = () => createTrellisClient({
  baseUrl: given.url, apiKey: given.key, environment: "sandbox", sessionToken: () => keeper.token(),
  fetch: (url, init) => (String(url).endsWith("/protection") ? ofServer(url, init) : fetch(url, init)),
});
window.recover = (drawer) => keeper.withSession(async (session) => {
  const { account, guardian, recovery } = given;
  const lost = { account, session, recovery, guardian, name: "New phone", replaceGuardian: true };
  const { passkey } = await recovering().accounts.protect({ ...lost, keys: [Uint8Array.from(drawer)] });
  keep("passkey", passkey);
  return passkey.signer;
});
const shown = (paying) => { window.paid = undefined; paying.then((paid) => (window.paid = paid)); };
const page = (more) => ({ page: { origin: given.page, provider: "kms_c", ...more } });
const redirect = { returnTo: location.origin + location.pathname };
const payByRedirect = () => pay(page({ redirect, form: "redirect" }), { idempotencyKey: kept("order") });
const on = (id, act) => { document.getElementById(id).onclick = act; };
on("pay", () => shown(pay(page())));
on("tapped", () => {
  const opened = openGuardianWindow();
  setTimeout(() => shown(pay(page({ window: opened }))));
});
on("leave", () => {
  keep("order", crypto.randomUUID());
  shown(payByRedirect());
});
// The first window takes the tap, so that the browser blocks the second.
on("blocked", () => {
  window.open("about:blank")?.close();
  shown(pay(page()));
});
on("fallback", () => {
  window.open("about:blank")?.close();
  keep("order", crypto.randomUUID());
  shown(pay(page({ redirect }), { idempotencyKey: kept("order") }));
});
if (kept("given") !== null) {
  connect(kept("given"));
  await keeper.restore();
  await window.take().catch(() => undefined);
  window.received = (await receiveApproval()) ?? "nothing";
  if (window.received !== "nothing") shown(payByRedirect());
}
window.ready = true;
`;

const buttons = ["pay", "tapped", "leave", "blocked", "fallback"];

/**
 * A page with the client library in it, and its server, which asks the service with a secret key. At `/isolated` no window that the page
 * opens can answer.
 */
export async function serveApp(
  ask: (path: string, body: unknown) => Promise<unknown>,
): Promise<{ readonly origin: string; close(): unknown }> {
  const { outputFiles } = await build({
    stdin: { contents: appScript, resolveDir: process.cwd(), loader: "js" },
    bundle: true,
    format: "esm",
    write: false,
    conditions: ["browser"],
  });
  const html = `<!doctype html><title>App</title>${buttons.map((id) => `<button id="${id}">${id}</button>`).join("")}<script type="module" src="/page.js"></script>`;
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith("/server/")) {
      const answered = await ask(request.url.slice("/server".length), await json(request));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answered));
      return;
    }
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    if (request.url === "/isolated") response.setHeader("cross-origin-opener-policy", "same-origin");
    response.end(isScript ? outputFiles[0]?.text : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
