// Uses the treasury in headless chromium as its owners do, three at once, signed in by the codes of their mails: one proposes a payment,
// the second sees it in full and approves it, and it is paid once. Opens every view on a desk in light and on a phone in dark, and
// fails on what axe-core finds there, on a page wider than its window, and on any error in a script. Then what must not happen: that an
// answer that was lost pays twice, that a service which lies gets a signature, that somebody stays signed in in another tab.
// `--pictures DIR` keeps the screenshots.
import { createPrivateKey, sign } from "node:crypto";
import { fileURLToPath } from "node:url";
import { addressOfKey, signTransaction } from "@trellis/sdk";
import { build } from "esbuild";
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
  phone,
  playIn,
  settled,
  tabTo,
} from "./console-browser.mjs";
import { startSandbox, usdcOf } from "./sandbox-process.mjs";
import { found, newAddress, team, turningMemo } from "./treasury-scene.mjs";

let sandbox;
let browser;
await playIn("the treasury", startSandbox, async (given) => {
  ({ sandbox, browser } = given);
  const scene = await found(sandbox);
  const [ada, ben, cleo] = await Promise.all(team.map((email, at) => signIn(scene, email, at === 0)));
  const payee = newAddress();
  const proposal = await propose(ada, scene, { payee, amount: "12.5" });
  await approveAfterLies(ben, scene, { payee, proposal });
  await seeIt(cleo, scene, { payee, proposal });
  await loseAnswers(scene, ada, ben);
  await payDirectly(ada, scene);
  await payMany(ada, scene);
  await onSlowNetwork(cleo, scene);
  await allowAgent([ada, ben], scene);
  await changeRules([ada, ben], scene);
  await byWallet(scene);
  await byBurnerWallet(scene);
  await visitAll(ada, scene, proposal);
  await signOutEverywhere(ben, scene);
  await closed(scene);
});

/** Signs in with the code of the mail, without a mouse, and goes to the account of the three. */
async function signIn({ account, codeOf }, email, isMeasured = false) {
  const context = await browser.newContext(desk);
  context.setDefaultTimeout(20_000);
  const page = await newPage(context);
  const sayFirstLoad = measureFirstLoad(page, /^\/(app|pages)\//);
  await page.goto(`${sandbox.url}/app/`);
  const field = page.getByLabel("E-mail address");
  await field.waitFor();
  if (isMeasured) {
    await sayFirstLoad();
    await examine(page, "sign-in");
  }
  await tabTo(page, field, "the address");
  await page.keyboard.type(email);
  await page.keyboard.press("Enter");
  const code = page.getByLabel("Code from the e-mail");
  await code.waitFor();
  if (isMeasured) await examine(page, "code");
  await tabTo(page, code, "the code");
  await page.keyboard.type(await codeOf(email));
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.goto(`${sandbox.url}/app/#/default/sandbox/${account}`);
  await page.locator(`select option:checked[value="${account}"]`).waitFor({ state: "attached" });
  await settled(page);
  return page;
}

/** Goes to a view of an account and waits for what it reads. */
async function open(page, account, where = "") {
  await page.evaluate(
    (hash) => {
      if (location.hash !== hash) document.querySelector("main h1")?.setAttribute("data-left", "");
      location.hash = hash;
    },
    `#/default/sandbox/${account}${where === "" ? "" : `/${where}`}`,
  );
  await page.locator("main h1:not([data-left])").waitFor();
  await settled(page);
}

/** Proposes a payment by the keyboard alone; two presses propose one. Answers its address. */
async function propose(page, { account, client }, { payee, amount }) {
  const listed = async () => (await client.proposals.page(account)).proposals;
  const before = (await listed()).length;
  await open(page, account, "pay");
  const type = async (label, text) => {
    await tabTo(page, page.getByLabel(label, { exact: true }), `the field "${label}"`);
    await page.keyboard.type(text);
  };
  await page.getByLabel("Currency").selectOption({ label: "USDC" });
  await type("To", payee);
  await type("Amount", amount);
  await type("Memo (may stay empty)", turningMemo);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Check this payment" }).waitFor();
  const text = await page.locator("main").textContent();
  expect(text.includes(payee), "a payment is reviewed without its whole address");
  expect(text.includes("U+202E") && !text.includes("\u202e"), "a memo turns the direction");
  await examine(page, "pay-review");
  await page.getByRole("button", { name: "Propose and approve" }).dblclick();
  await page.getByRole("heading", { name: "Proposed", exact: true }).waitFor();
  await examine(page, "pay-proposed");
  const proposals = await listed();
  expect(proposals.length === before + 1, `a double click made ${proposals.length - before} proposals`);
  return proposals[0].proposalAddress;
}

/**
 * Sees what is proposed, and does not approve it as long as the service lies: neither where it prepares other bytes than it should, nor
 * where it says something else of the proposal. Then approves it, with a click too many, and it is paid once.
 */
async function approveAfterLies(page, { account, client }, { payee, proposal }) {
  await open(page, account, "inbox");
  await page.getByRole("heading", { name: "Waits for you" }).waitFor();
  await examine(page, "inbox");
  await open(page, account, `inbox/${proposal}`);
  await page.getByText(payee, { exact: true }).first().waitFor();
  const button = page.getByRole("button", { name: "Approve and execute" });
  await button.waitFor();
  await examine(page, "proposal");
  // Another transaction than the one that was asked for, as the service would prepare it.
  const other = await client.proposals.prepareCreate(account, {
    type: "transfer",
    amount: "5000000",
    destination: newAddress(),
    currency: "usdc",
    signer: (await client.proposals.get(account, proposal)).approved[0],
  });
  let lies = 0;
  const prepared = /\/proposals\/[^/]+\/(vote|execute)/;
  await page.route(prepared, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    lies += 1;
    body.data.transactions = [other.transaction];
    await route.fulfill({ response: answer, json: body });
  });
  await button.click();
  await page.getByText("Nothing was signed.").first().waitFor();
  await page.unroute(prepared);
  expect(lies > 0, "the service was not asked for what it could lie about");
  await examine(page, "proposal-lie");
  const { status } = await client.proposals.get(account, proposal);
  expect(status === "Active", `after a lie the proposal is ${status}`);
  await page.reload();
  await button.waitFor();
  await button.dblclick();
  await page.getByText("Approved and executed.").waitFor();
  await expectPaid(payee, "12500000");
}

/** The third sees that it is done, by whom, and has nothing left to decide. */
async function seeIt(page, { account }, { payee, proposal }) {
  await open(page, account, `inbox/${proposal}`);
  await page.getByText("This was executed. Nothing is left to decide.").waitFor();
  for (const text of [payee, "Ada", "Ben"]) await page.getByText(text).first().waitFor();
  expect((await page.getByRole("button", { name: /Approve|Execute/ }).count()) === 0, "what is done can be done again");
}

/** Every answer to what was submitted is lost, twice: nothing is done twice, and it is found out what became of it. */
async function loseAnswers({ account, client }, proposer, voter) {
  const payee = newAddress();
  await open(proposer, account, "pay");
  await proposer.getByRole("button", { name: "Another payment" }).click();
  await proposer.getByLabel("Currency").selectOption({ label: "USDC" });
  await proposer.getByLabel("To", { exact: true }).fill(payee);
  await proposer.getByLabel("Amount", { exact: true }).fill("3");
  await proposer.getByRole("button", { name: "Review" }).click();
  const submitted = /\/submit$/;
  const lose = async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  };
  await proposer.route(submitted, lose, { times: 2 });
  await proposer.getByRole("button", { name: "Propose and approve" }).click();
  const outcome = proposer.getByRole("heading", { name: "Proposed", exact: true });
  await outcome
    .or(proposer.getByRole("button", { name: "Find out" }))
    .first()
    .waitFor();
  if (!(await outcome.isVisible())) await proposer.getByRole("button", { name: "Find out" }).click();
  await outcome.waitFor();
  const { proposals } = await client.proposals.page(account, { status: "Active" });
  expect(proposals.length === 1, `with lost answers ${proposals.length} proposals were made`);
  await open(voter, account, `inbox/${proposals[0].proposalAddress}`);
  const button = voter.getByRole("button", { name: "Approve and execute" });
  await button.waitFor();
  await voter.route(submitted, lose, { times: 2 });
  await button.click();
  const done = voter.getByText("Approved and executed.");
  await done
    .or(voter.getByRole("button", { name: "Find out" }))
    .first()
    .waitFor();
  if (!(await done.isVisible())) await voter.getByRole("button", { name: "Find out" }).click();
  await done.waitFor();
  for (const page of [proposer, voter]) await page.unroute(submitted);
  forget(/ERR_CONNECTION_RESET/);
  await expectPaid(payee, "3000000");
}

/** From an account of one's own a payment goes at once; the page is left in the middle, and it is paid once. */
async function payDirectly(page, { client, own }) {
  await client.sandbox.airdrop({ address: own, currency: "usdc", amount: "20000000" });
  await client.sandbox.airdrop({ address: own, currency: "sol", amount: "100000000" });
  const payee = newAddress();
  await open(page, own, "pay");
  await page.getByLabel("Currency").selectOption({ label: "USDC" });
  await page.getByLabel("To", { exact: true }).fill(payee);
  await page.getByLabel("Amount", { exact: true }).fill("7.25");
  await page.getByRole("button", { name: "Review" }).click();
  const button = page.getByRole("button", { name: "Pay now" });
  await button.waitFor();
  await examine(page, "pay-directly");
  await button.dblclick();
  await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
  await examine(page, "paid");
  await expectPaid(payee, "7250000");
}

/** A list of payees becomes one proposal; a line that cannot be paid is named. */
async function payMany(page, { account, client }) {
  const payees = [newAddress(), newAddress(), newAddress()];
  await open(page, account, "pay/many");
  const list = page.getByLabel("The list");
  await list.fill(`destination,amount,memo\n${payees[0]},1,first\nnobody,2,second\n`);
  await page.getByText("1 line cannot be paid as it is.").waitFor();
  await examine(page, "pay-many-faulty");
  await list.fill(
    `destination,amount,memo\n${payees.map((payee, at) => `${payee},${at + 1},"pay, ${at}"`).join("\n")}`,
  );
  await page.getByRole("button", { name: "Have every payee checked" }).click();
  const button = page.getByRole("button", { name: "Propose and approve" });
  await button.waitFor();
  const text = await page.locator("main").textContent();
  expect(
    payees.every((payee) => text.includes(payee)),
    "a list is reviewed without the whole addresses",
  );
  await examine(page, "pay-many-review");
  await button.click();
  await page.getByRole("heading", { name: "Proposed", exact: true }).waitFor();
  const { proposals } = await client.proposals.page(account, { status: "Active" });
  expect(proposals.length === 1, `a list made ${proposals.length} proposals`);
}

/** A change of the rules is shown as before and after. Under the time lock that it made a payment is counted down, and then executed. */
async function changeRules([proposer, voter], { account, client }) {
  await open(proposer, account, "rules");
  await proposer.getByText("Propose other rules").click();
  await proposer.getByLabel("Time lock", { exact: true }).fill("2");
  await proposer.getByLabel("Unit of the time lock").selectOption({ label: "hours" });
  const button = proposer.getByRole("button", { name: "Propose this" });
  await button.waitFor();
  expect((await proposer.getByRole("table", { name: "Before and after" }).count()) > 0, "a change has no difference");
  await examine(proposer, "rules-change");
  await button.click();
  await proposer.getByText("Proposed.").waitFor();
  const newest = async () => (await client.proposals.page(account, { status: "Active" })).proposals[0].proposalAddress;
  await open(voter, account, `inbox/${await newest()}`);
  await voter.getByText("2 hours").first().waitFor();
  await examine(voter, "proposal-rules");
  await voter.getByRole("button", { name: "Approve and execute" }).click();
  await voter.getByText("Approved and executed.").waitFor();
  const payee = newAddress();
  await propose(proposer, { account, client }, { payee, amount: "1" });
  await open(voter, account, `inbox/${await newest()}`);
  await voter.getByRole("button", { name: "Approve", exact: true }).click();
  await voter.getByRole("timer").waitFor();
  await examine(voter, "proposal-locked");
  const execute = voter.getByRole("button", { name: "Execute", exact: true });
  expect((await execute.count()) === 0, "what is locked can be executed");
  await client.sandbox.advanceClock(7_260);
  await voter.reload();
  await execute.click();
  await voter.getByText("Executed.", { exact: true }).waitFor();
  await expectPaid(payee, "1000000");
}

/** A key that is no member of the account gets a limit, once two have seen its whole address, and pays by it alone. */
async function allowAgent([proposer, voter], { account, client }) {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const [agent, payee] = [addressOfKey(key), newAddress()];
  await open(proposer, account, "limits");
  await proposer.getByLabel("Currency").selectOption({ label: "USDC" });
  await proposer.getByLabel("Amount in each period").fill("20");
  const others = proposer.getByLabel("Others who may, such as an agent");
  const shown = proposer.getByRole("region", { name: "What will be proposed" });
  for (const [typed, refusal] of [
    ["my agent", "This is not an address on Solana: my"],
    [account, "This is the address of the account itself."],
    [Array.from({ length: 11 }, newAddress).join("\n"), "At most 10 may pay."],
  ]) {
    await others.fill(typed);
    await proposer.getByText(refusal).waitFor();
    expect((await shown.count()) === 0, `a limit can be proposed for ${typed}`);
  }
  await others.fill(agent);
  await shown.getByText("Not members of this account.").waitFor();
  expect((await shown.textContent()).includes(agent), "a limit is proposed without the whole address of its agent");
  await examine(proposer, "limit-agent");
  await examine(proposer, "limit-agent", phone);
  await shown.getByRole("button", { name: "Propose this" }).click();
  await proposer.getByText("Proposed.").waitFor();
  const [{ proposalAddress }] = (await client.proposals.page(account, { status: "Active" })).proposals;
  await open(voter, account, `inbox/${proposalAddress}`);
  await voter.getByText(agent).first().waitFor();
  await voter.getByRole("button", { name: "Approve and execute" }).click();
  await voter.getByText("Approved and executed.").waitFor();
  const [{ allowance }] = await client.allowances.list({ agent });
  await client.allowances.pay({
    account,
    allowance,
    keys: [key],
    currency: "usdc",
    recipient: payee,
    amount: 1_000_000n,
  });
  await expectPaid(payee, "1000000");
}

/** With a wallet of the browser its owner signs in and pays; a wallet that signs another transaction pays nothing. */
async function byWallet({ client }) {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const address = addressOfKey(key);
  const { address: account } = await client.accounts.create({ type: "signers", signers: [address], threshold: 1 });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  const other = await client.transfers.prepare(account, {
    amount: "900000000",
    source: { account, currency: "sol" },
    destination: { address: newAddress(), currency: "sol" },
    transaction_signers: [address],
  });
  const context = await browser.newContext(desk);
  context.setDefaultTimeout(20_000);
  let isLying = true;
  await context.exposeFunction("signWithWallet", (message) =>
    sign(null, Buffer.from(message, "base64"), privateKeyOf(key)).toString("base64"),
  );
  await context.exposeFunction("signTransactionWithWallet", (transaction) =>
    signTransaction(isLying ? other.transaction : transaction, [key]),
  );
  await context.addInitScript(registerWallet, { address, name: "Pocket" });
  const page = await newPage(context);
  await page.goto(`${sandbox.url}/app/`);
  const button = page.getByRole("button", { name: "Sign in with Pocket" });
  await button.waitFor();
  await tabTo(page, button, "the wallet");
  await page.keyboard.press("Enter");
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  const payee = newAddress();
  const pay = async () => {
    await page.getByRole("button", { name: "Pay now" }).click();
  };
  await open(page, account, "pay");
  await page.getByLabel("To", { exact: true }).fill(payee);
  await page.getByLabel("Amount", { exact: true }).fill("0.25");
  await page.getByRole("button", { name: "Review" }).click();
  await pay();
  await page.getByRole("alert").first().waitFor();
  const { tokens } = await client.accounts.balances(account);
  expect(
    tokens.find(({ symbol }) => symbol === "SOL")?.amount_decimal === "1",
    "a wallet that signs something else has paid",
  );
  await examine(page, "wallet-lie");
  isLying = false;
  await pay();
  await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
  await resumeOrder(page, { client, account, key });
  await context.close();
}

/** An order whose limit was taken away is paused. It is resumed once it was said what it pays, with a new limit that the wallet signs. */
async function resumeOrder(page, { client, account, key }) {
  const payee = newAddress();
  const start = new Date(Date.now() + 86_400_000);
  const order = { currency: "sol", amount: 50_000_000n, payee, frequency: "weekly", start };
  const { id, spendingLimit } = await client.standingOrders.create({ account, keys: [key], order });
  await client.spendingLimits.remove({ account, keys: [key], spendingLimit });
  const statusOf = async () => (await client.standingOrders.get(account, id)).status;
  expect((await statusOf()) === "inactive", "an order without its limit is not paused");
  await open(page, account, "orders");
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  const shown = page.getByRole("region", { name: "Resume" });
  for (const text of [payee, start.toISOString().slice(0, 10), "0.05"])
    expect((await shown.textContent()).includes(text), `an order is resumed without saying ${text}`);
  await examine(page, "order-resume");
  await examine(page, "order-resume", phone);
  await shown.getByRole("button", { name: "Resume it" }).click();
  await page.getByText("Signed.", { exact: true }).waitFor();
  expect((await statusOf()) === "active", "an order was resumed and is not active");
}

/** A wallet that others wrote registers itself, signs in, and signs a payment. */
async function byBurnerWallet({ client }) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("burner-wallet.mjs", import.meta.url))],
    bundle: true,
    format: "esm",
    write: false,
    conditions: ["browser"],
    define: { global: "globalThis" },
  });
  const context = await browser.newContext(desk);
  context.setDefaultTimeout(20_000);
  const page = await newPage(context);
  await page.goto(`${sandbox.url}/app/`);
  await page.getByLabel("E-mail address").waitFor();
  // As an extension's script comes: beside what the page's policy lets in.
  const address = await page.evaluate(`(async () => { ${outputFiles[0].text}; return globalThis.burnerAddress; })()`);
  const { address: account } = await client.accounts.create({ type: "signers", signers: [address], threshold: 1 });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  await page.getByRole("button", { name: "Sign in with Burner Wallet" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  const payee = newAddress();
  await open(page, account, "pay");
  await page.getByLabel("To", { exact: true }).fill(payee);
  await page.getByLabel("Amount", { exact: true }).fill("0.25");
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
  const { tokens } = await client.accounts.balances(account);
  const left = tokens.find(({ symbol }) => symbol === "SOL")?.amount_decimal;
  expect(left === "0.75", `with a wallet of others 0.25 of 1 SOL were paid, and ${left} is left`);
  await context.close();
}

/** In the page: a wallet by the Wallet Standard, whose key the page does not have. */
function registerWallet({ address, name }) {
  const toText = (bytes) => btoa(String.fromCharCode(...bytes));
  const toBytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const chains = ["solana:localnet", "solana:devnet", "solana:mainnet"];
  const features = {
    "standard:connect": { version: "1.0.0", connect: async () => ({ accounts: [account] }) },
    "solana:signMessage": {
      version: "1.1.0",
      signMessage: async ({ message }) => [
        { signedMessage: message, signature: toBytes(await globalThis.signWithWallet(toText(message))) },
      ],
    },
    "solana:signTransaction": {
      version: "1.0.0",
      supportedTransactionVersions: ["legacy", 0],
      signTransaction: async ({ transaction }) => [
        { signedTransaction: toBytes(await globalThis.signTransactionWithWallet(toText(transaction))) },
      ],
    },
  };
  const account = { address, chains, features: Object.keys(features) };
  const wallet = { version: "1.0.0", name, icon: "data:image/png;base64,", chains, accounts: [account], features };
  const register = (api) => api.register(wallet);
  addEventListener("wallet-standard:app-ready", ({ detail }) => register(detail));
  dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: register }));
}

function privateKeyOf(seed) {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

/** On a slow network nothing can be approved before it is displayed. */
async function onSlowNetwork(page, { account, client }) {
  const { proposals } = await client.proposals.page(account, { status: "Active" });
  const [{ proposalAddress }] = proposals;
  const api = "**/api/service/v1/**";
  await page.route(api, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    await route.continue();
  });
  await page.reload();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/default/sandbox/${account}/inbox/${proposalAddress}`);
  const content = page.locator(".effects");
  const buttons = page.getByRole("button", { name: /^(Approve|Execute)/ });
  await content.or(buttons).first().waitFor();
  expect(await content.isVisible(), "something can be approved before it is displayed");
  await buttons.first().waitFor();
  await page.unrouteAll({ behavior: "wait" });
}

/** Every view, as a desk and a phone have it, of the account of three. */
async function visitAll(page, { account }, proposal) {
  for (const where of [...namesOfViews("app/views.ts", 9), "pay/many", `inbox/${proposal}`]) {
    await open(page, account, where);
    await examineBoth(page, nameOf(where));
  }
}

/** Signing out counts in every tab. */
async function signOutEverywhere(page, { account }) {
  const other = await newPage(page.context());
  await other.goto(`${sandbox.url}/app/#/default/sandbox/${account}`);
  await other.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  for (const each of [page, other]) await each.getByLabel("E-mail address").waitFor();
  // What was asked with the session that had just ended is refused, and the browser logs it.
  forget(/status of 401/);
  await page.context().close();
}

/** Where the tenant has turned its pages off there are none. */
async function closed({ client }) {
  await client.treasuryPage.remove();
  const page = await newPage(await browser.newContext(phone));
  await page.goto(`${sandbox.url}/app/`);
  await page.getByText("There is no treasury here").waitFor();
  await examine(page, "closed", phone);
  forget(/status of 404/);
}

async function expectPaid(payee, units) {
  const paid = await usdcOf(sandbox, payee);
  expect(paid === units, `${units} base units were approved, and ${paid} arrived`);
}
