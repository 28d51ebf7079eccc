// Uses the console in headless chromium as its members do, signed in by an invitation's link: opens every view on a desk in light and
// on a phone in dark, and fails on what axe-core finds there, on a page wider than its window, and on any error in a script or in the
// browser's console. Then what a page must not do: take a change without its second secret, act twice where an answer was lost, stay
// signed in elsewhere, ask for a mouse. `--pictures DIR` keeps the screenshots.
import {
  desk,
  examine,
  examineBoth,
  expect,
  forget,
  measureFirstLoad,
  nameOf,
  namesOfViews,
  newPage,
  open,
  phone,
  playIn,
  settled,
  tabTo,
} from "./console-browser.mjs";
import { fill, invited, startWithOperator } from "./console-scene.mjs";

const csrfPath = "/api/service/v1/labels/So11111111111111111111111111111111111111112";

let sandbox;
let browser;
await playIn("the console", startWithOperator, async (given) => {
  ({ sandbox, browser } = given);
  const scene = await fill(sandbox);
  const views = namesOfViews("views.ts", 12);
  const operator = await signIn(desk, sandbox.operatorToken, { isMeasured: true });
  await turnTreasuryOn(operator);
  await visitAll(operator, views, scene);
  await useFilter(operator, scene);
  for (const [view, button, fields] of [
    ["keys", "Make a key", { Name: "Lost answer" }],
    ["webhooks", "Add an endpoint", { Address: "https://lost.example/answer" }],
  ])
    await loseAnswer(operator, { view, button, fields });
  await makeAgentKey(operator);
  await askPartner(operator, scene);
  await useRails(operator, scene);
  await editEndpoint(operator, scene);
  await followLinks(operator, scene);
  await moveClock(operator);
  await lie(operator);
  await signOutEverywhere(operator);
  await usePasskeys(await invited(scene.client, "keys@example.org", "owner"));
  await asViewer(await invited(scene.client, "viewer@example.org", "viewer"), views);
});

/** Opens the link of an invitation and uses it, without a mouse. Nothing is used up by opening it. */
async function signIn(window, token, { isMeasured = false, url = sandbox.url } = {}) {
  const context = await browser.newContext(window);
  context.setDefaultTimeout(30_000);
  const page = await newPage(context);
  const sayFirstLoad = measureFirstLoad(page, /^\/(console|pages)\//);
  await page.goto(`${url}/console/#accept=${token}`);
  const button = page.getByRole("button", { name: "Sign in", exact: true });
  await button.waitFor();
  expect(!page.url().includes(token), "the token of the link stays in the address");
  await examine(page, "sign-in");
  // A page without a session says so once, as a refusal; the browser logs it.
  forget(/status of 401/);
  await tabTo(page, button, "the sign-in");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: /^Overview/ }).waitFor();
  await settled(page);
  if (isMeasured) {
    await sayFirstLoad();
  }
  return page;
}

async function visitAll(page, views, scene) {
  const { account, treasury, proposal, endpoint, payment, request, virtualAccount } = scene;
  const linked = await page
    .getByRole("navigation")
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href").split("/")[2] ?? ""));
  expect(
    views.every((name) => linked.includes(name)),
    `the menu lacks views: it has ${linked.join(", ")}`,
  );
  const details = [
    `accounts/${account}`,
    `proposals/${treasury}/${proposal}`,
    `webhooks/${endpoint}`,
    `payments/${account}/${payment}`,
    `requests/${request}`,
    `rails/${treasury}/${virtualAccount}`,
  ];
  // Amounts as people write them.
  const amounts = {
    payments: "12.5\u00a0USDC",
    [`payments/${account}/${payment}`]: "12.5\u00a0USDC",
    limits: "100\u00a0USDC",
    [`proposals/${treasury}/${proposal}`]: "0.4\u00a0SOL",
  };
  for (const where of [...views, ...details]) {
    await open(page, where);
    const text = await page.locator("main").textContent();
    // What shows memos shows what is hidden in them.
    if (where === "accounts" || where === `accounts/${account}`)
      expect(text.includes("U+202E") && !text.includes("\u202e"), `${where}: a memo turns the direction`);
    const amount = amounts[where];
    expect(amount === undefined || text.includes(amount), `${where}: does not have ${amount}`);
    await examineBoth(page, nameOf(where));
  }
}

/** The pages for owners are off until somebody turns them on; then they are there. */
async function turnTreasuryOn(page) {
  await open(page, "treasury");
  await page.getByText("The treasury is off.").waitFor();
  await examine(page, "treasury-off");
  // What is off is not found, and the browser logs it.
  forget(/treasury: .*status of 404/);
  const button = "Turn the treasury on";
  await page.locator("main").getByRole("button", { name: button, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: button });
  await dialog.getByLabel("Name, at the top of every page").fill("Aldine Press");
  await examine(page, "treasury-dialog");
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("link", { name: /\/app\/#\// }).waitFor();
  const other = await newPage(page.context());
  await other.goto(`${sandbox.url}/app/`);
  await other.getByText("Aldine Press").waitFor();
  await other.close();
}

/** A filter by the keyboard: what it finds is in the address, and nothing else is shown. */
async function useFilter(page, { account }) {
  await open(page, "accounts");
  await tabTo(page, page.getByLabel("Find by"), "the filter");
  await page.keyboard.type("Address");
  const field = page.getByRole("searchbox");
  await tabTo(page, field, "the filter's text");
  await page.keyboard.type(account);
  await page.keyboard.press("Enter");
  await page.waitForURL(/accounts\?address=/);
  const rows = page.locator("main tbody tr");
  await rows.nth(1).waitFor({ state: "detached" });
  await rows.getByText("Household").waitFor();
}

/** Makes something by the keyboard, and loses the first answer: the second attempt answers the same, and there is one. */
async function loseAnswer(page, { view, button, fields }) {
  await open(page, view);
  const path = { keys: "/api-keys", webhooks: "/webhook-endpoints" }[view];
  const rows = page.locator("main tbody tr");
  const before = await rows.count();
  let attempts = 0;
  await page.route(`**/api/service/v1${path}`, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    attempts += 1;
    if (attempts > 1) return route.continue();
    const answer = await route.fetch();
    expect(answer.status() === 201, `${view}: making one answers ${answer.status()}`);
    await route.abort("connectionreset");
  });
  const opener = page.locator("main").getByRole("button", { name: button, exact: true });
  await tabTo(page, opener, `the button "${button}"`);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: button });
  for (const [label, text] of Object.entries(fields)) {
    await tabTo(page, dialog.getByLabel(label, { exact: true }), `the field "${label}"`);
    await page.keyboard.type(text);
  }
  if (view === "keys") {
    await tabTo(page, dialog.getByLabel("accounts:read", { exact: true }), "a scope");
    await page.keyboard.press("Space");
  }
  await examine(page, `${view}-dialog`);
  await page.keyboard.press("Enter");
  await dialog.getByText("The service does not answer.").waitFor();
  forget(/ERR_CONNECTION_RESET/);
  await tabTo(page, dialog.getByRole("button", { name: button, exact: true }), "the dialog's own button");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "I have stored it" }).waitFor();
  await examine(page, `${view}-secret`);
  await page.unroute(`**/api/service/v1${path}`);
  await rows.nth(before).waitFor();
  await settled(page);
  const made = (await rows.count()) - before;
  expect(attempts === 2 && made === 1, `${view}: ${attempts} attempts made ${made}`);
}

/** A key of an agent has what an agent may have, and no more. The list says whose it is. */
async function makeAgentKey(page) {
  await open(page, "keys");
  const button = "Make a key";
  await page.locator("main").getByRole("button", { name: button, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: button });
  await dialog.getByLabel("admin:keys", { exact: true }).check();
  await dialog.getByLabel("Name", { exact: true }).fill("Shopper");
  await dialog.getByLabel("Kind").selectOption({ label: "Agent: for a program that acts for people" });
  expect((await dialog.getByLabel("admin:keys", { exact: true }).count()) === 0, "an agent is offered to make keys");
  await dialog.getByLabel("accounts:read", { exact: true }).waitFor();
  await examine(page, "keys-agent");
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("button", { name: "I have stored it" }).waitFor();
  const key = (await page.locator("code.secret").textContent()).trim();
  const row = page.locator("main tbody tr").filter({ hasText: "Shopper" });
  await row.getByRole("cell", { name: "Agent", exact: true }).waitFor();
  const ask = (path) => fetch(`${sandbox.url}/api/service/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  const [reads, keys] = await Promise.all(["/accounts", "/api-keys"].map(ask));
  expect(reads.status === 200, `an agent reads accounts: ${reads.status}`);
  expect((await keys.json()).code === "not_for_agents", `an agent reads keys: ${keys.status}`);
  await page.getByRole("button", { name: "I have stored it" }).click();
}

/** The sandbox's partner verifies somebody, whose virtual account is then paid into. */
async function askPartner(page, { client, account }) {
  const person = { type: "individual", email: "ada@example.org", full_name: "Ada Lovelace" };
  const kyc = await client.kyc.start(account, person);
  await open(page, "sandbox");
  const move = async (button, texts) => {
    await page.locator("main").getByRole("button", { name: button, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: button });
    for (const [label, text] of Object.entries(texts)) await dialog.getByLabel(label).fill(text);
    await dialog.getByRole("button", { name: button, exact: true }).click();
  };
  await move("Decide a verification", { "Id of the verification": kyc.id });
  await page.getByText("The verification is approved.").waitFor();
  const { id } = await client.virtualAccounts.request(account, { currency: "usd" });
  await move("Pay into a virtual account", { "Id of the virtual account": id, "Amount, in the": "100.00" });
  await page.getByText(/^Deposit of 100(\.00)? USD: /).waitFor();
  await examine(page, "sandbox-partner");
}

/** Finds who was refused and why, opens a virtual account from the list, and has the partner pay into it. */
async function useRails(page, { treasury, virtualAccount }) {
  await open(page, "rails?verification=rejected");
  await page.getByRole("cell", { name: "The document has expired." }).waitFor();
  await examineBoth(page, "rails-refused");
  await page.getByRole("searchbox", { name: "Account" }).fill(treasury);
  await page.keyboard.press("Enter");
  await page.waitForURL(/account=/);
  await page.getByRole("link", { name: /^USD, ending in \d{4}$/ }).click();
  await page.waitForURL(new RegExp(`rails/${treasury}/${virtualAccount}`));
  const button = "Pay into a virtual account";
  const opener = page.locator("main").getByRole("button", { name: button, exact: true });
  await tabTo(page, opener, `the button "${button}"`);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: button });
  expect(
    (await dialog.getByLabel("Id of the virtual account").inputValue()) === virtualAccount,
    "the dialog does not know the virtual account",
  );
  await tabTo(page, dialog.getByLabel("Amount, in the"), "the amount");
  await page.keyboard.type("80.00");
  await examineBoth(page, "rails-dialog");
  await page.keyboard.press("Enter");
  await page.getByRole("cell", { name: "79.6 USDC" }).waitFor();
  await examineBoth(page, "rails-deposit");
}

/** Changes where an endpoint's events go; what was not written on stays. */
async function editEndpoint(page, { client, endpoint }) {
  await open(page, `webhooks/${endpoint}`);
  const button = "Change it";
  const opener = page.locator("main").getByRole("button", { name: button, exact: true });
  await tabTo(page, opener, `the button "${button}"`);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: button });
  await dialog.getByLabel("Events:", { exact: false }).fill("payment_intent kyc.updated");
  await examineBoth(page, "webhooks-edit");
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await page.getByText("payment_intent, kyc.updated").waitFor();
  const { url, types } = await client.webhookEndpoints.get(endpoint);
  expect(
    url === "https://receiver.example/trellis" && types.join() === "payment_intent,kyc.updated",
    `${url} ${types}`,
  );
}

/** A payment and a refused request are opened from their lists, and a payment shows its events. */
async function followLinks(page, { payment, request }) {
  await open(page, "payments");
  await page.locator(`main a[href*="${payment}"]`).click();
  await page.getByRole("heading", { level: 1, name: /^Payment payment processed/ }).waitFor();
  await page.getByRole("link", { name: "payment_intent.created" }).first().waitFor();
  await open(page, "requests");
  await page.locator(`main a[href*="${request}"]`).first().click();
  await page.getByText("insufficient_scope").waitFor();
  await open(page, "requests/of-nobody");
  await page.getByText("There is no such request").waitFor();
  forget(/status of 404/);
}

/** A sandbox whose clock was moved says so on every page, with the day, the time and the zone. */
async function moveClock(page) {
  await open(page, "sandbox");
  const button = "Move the clock";
  await page.locator("main").getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("dialog", { name: button }).getByRole("button", { name: button, exact: true }).click();
  await page.getByText(/^It is \w{3}, \w{3} \d{1,2}, \d{4}, .*(UTC|GMT)/).waitFor();
  await examineBoth(page, "sandbox-clock");
  await open(page, "calendar");
  await page.getByText("The clock of this sandbox has been moved.").waitFor();
  await examineBoth(page, "clock-notice");
}

/** A service that fails is said to have failed, and can be asked again. */
async function lie(page) {
  const all = "**/api/service/v1/labels*";
  await page.route(all, (route) => route.fulfill({ status: 500, body: "<h1>No</h1>", contentType: "text/html" }));
  await page.evaluate(() => {
    location.hash = "#/sandbox/labels";
  });
  const retry = page.getByRole("button", { name: "Try again" });
  await retry.waitFor();
  await page.getByRole("alert").filter({ hasText: "500" }).waitFor();
  await examine(page, "failed");
  await page.unroute(all);
  await retry.click();
  await retry.waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "Landlord" }).waitFor();
  // Where it does not even say who is signed in, nobody is sent to sign in.
  const session = "**/api/service/v1/console/session";
  await page.route(session, (route) => route.fulfill({ status: 500, body: "{}" }));
  await page.reload();
  await retry.waitFor();
  await page.unroute(session);
  await retry.click();
  await page.getByRole("cell", { name: "Landlord" }).waitFor();
  forget(/status of 500/);
}

/** A member adds a passkey, signs in with it alone, requires it, and removes it: by the keyboard. */
async function usePasskeys(token) {
  // Passkeys belong to a name.
  const url = sandbox.url.replace("127.0.0.1", "localhost");
  const page = await signIn(desk, token, { url });
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
  const press = async (within, name) => {
    await tabTo(page, within.getByRole("button", { name, exact: true }), `the button "${name}"`);
    await page.keyboard.press("Enter");
  };
  /** Opens a dialog by the button of its name, fills its field, and confirms. */
  const inDialog = async (name, text) => {
    await press(page.locator("main"), name);
    const dialog = page.getByRole("dialog", { name });
    await dialog.waitFor();
    await examine(page, `passkeys-${name.toLowerCase().replaceAll(" ", "-")}`);
    if (text !== undefined) {
      await tabTo(page, dialog.getByRole("textbox"), `the field of "${name}"`);
      await page.keyboard.press("Control+A");
      await page.keyboard.type(text);
    }
    await press(dialog, name);
    await dialog.waitFor({ state: "hidden" });
  };
  await open(page, "passkeys");
  await page.getByText("You have no passkeys.").waitFor();
  await inDialog("Add a passkey", "Phone");
  await page.getByRole("cell", { name: "Phone", exact: true }).waitFor();
  await inDialog("Rename", "Ada's phone");
  await page.getByRole("cell", { name: "Ada's phone", exact: true }).waitFor();
  await inDialog("Require a passkey");
  await page.getByText("Only passkeys sign you in.").waitFor();
  await open(page, "members");
  await page.getByRole("cell", { name: "passkeys only" }).waitFor();
  await open(page, "passkeys");
  for (const window of [desk, phone]) {
    await page.setViewportSize(window.viewport);
    await page.emulateMedia({ colorScheme: window.colorScheme });
    await examine(page, "passkeys-one", window);
  }
  await page.setViewportSize(desk.viewport);
  await page.emulateMedia({ colorScheme: "light" });

  // The authenticator answers when it is touched: what the field offers waits.
  const touch = (enabled) => devices.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  await touch(false);
  await page.getByRole("button", { name: "Sign out" }).click();
  const enter = page.getByRole("button", { name: "Sign in with a passkey", exact: true });
  await enter.waitFor();
  await examine(page, "sign-in-passkey");
  // Behind the examination: the browser logs a refusal when it likes.
  forget(/status of 401/);
  // A device that does not know the person signs nobody in, and says so.
  await touch(true);
  await devices.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await tabTo(page, enter, "signing in with a passkey");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "No passkey was used" }).waitFor();
  await examine(page, "sign-in-passkey-refused");
  await devices.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
  await tabTo(page, enter, "signing in with a passkey");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "My passkeys" }).waitFor();
  await settled(page);
  // The last one stays while it is required.
  await inDialog("Allow codes again");
  await page.getByText("Codes by e-mail sign you in, too.").waitFor();
  await inDialog("Remove");
  await page.getByText("You have no passkeys.").waitFor();
  await devices.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
  await page.context().close();
}

/** Signing out counts in every tab: the other one can do nothing more, and says so as soon as it asks. */
async function signOutEverywhere(page) {
  const other = await newPage(page.context());
  await other.goto(`${sandbox.url}/console/`);
  await other.getByRole("heading", { level: 1, name: /^Overview/ }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  for (const each of [page, other]) await each.getByLabel("E-mail address").waitFor();
  for (const each of [page, other]) await examine(each, "signed-out");
  // Behind the examination: the browser logs a refusal when it likes.
  forget(/status of 401/);
  await page.context().close();
}

/** A viewer sees everything that can be read and no button that changes something; the service refuses what a page makes up. */
async function asViewer(token, views) {
  const page = await signIn(phone, token);
  const harmless =
    /^(Copy|Copied|Copy the address .*|Search|Find|Show more|Sign out|Skip to content|Try again|Download as CSV|Turn my mails off)$/;
  for (const name of views) {
    if (!(await page.getByRole("navigation").locator(`a[href$="/sandbox/${name}"]`).count())) continue;
    await open(page, name);
    const buttons = await page
      .getByRole("button")
      .evaluateAll((all) => all.map((each) => (each.getAttribute("aria-label") ?? each.textContent).trim()));
    const changing = buttons.filter((text) => !harmless.test(text));
    expect(changing.length === 0, `${name}: a viewer sees ${changing.join(", ")}`);
    await examine(page, `viewer-${name}`, phone);
  }
  const answers = await page.evaluate(async (path) => {
    const of = async (headers) => {
      const body = JSON.stringify({ name: "Mine" });
      const init = { method: "PUT", body, headers: { "content-type": "application/json", ...headers } };
      const answer = await fetch(path, init);
      return `${answer.status} ${(await answer.json()).code}`;
    };
    const session = await (await fetch("/api/service/v1/console/session")).json();
    return [await of({}), await of({ "x-csrf-token": session.data.csrf_token })];
  }, csrfPath);
  expect(answers.join() === "403 invalid_csrf_token,403 insufficient_scope", `a viewer's change answers ${answers}`);
  forget(/status of 403/);
  await page.context().close();
}
