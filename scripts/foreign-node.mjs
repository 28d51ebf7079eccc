/**
 * Has the service work on a third-party node: Surfpool, from its crates, without a network behind it. The service
 * takes it for devnet: an account by e-mail is made and verified, given money, pays, and sees its history.
 * `npm run foreign-node`. Compiling the node takes a quarter of an hour and a cargo, so that build servers leave it out.
 * Ends with a failure where the story does. Without a cargo, or where the node cannot be compiled, it says so and plays nothing.
 */
import { strict as assert } from "node:assert";
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  getAddressEncoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from "@solana/kit";
import { createTrellisClient, generateEncryptionKeyPair, openSession } from "@trellis/sdk";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { startSandbox } from "./sandbox-process.mjs";

const program = "../packages/program-client/dist/";
const { getProgramConfigEncoder } = await import(`${program}generated/accounts/index.js`);
const { PROGRAM_CONFIG_ADDRESS, SMART_ACCOUNT_PROGRAM_ADDRESS } = await import(`${program}index.js`);

const sol = 1_000_000_000n;
/** As long as anything here may take: the node makes a slot in 0.4 seconds. */
const patience = { tries: 600, apartMs: 200 };
const crate = fileURLToPath(new URL("foreign-node", import.meta.url));
const elf = fileURLToPath(new URL("../program/artifact/smart_account_program.so", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "trellis-foreign-node-"));
const target = process.env.CARGO_TARGET_DIR ?? join(place, "target");
const closing = [() => rmSync(place, { recursive: true, force: true })];

/** The path of the compiled node, or why there is none. */
function compileNode() {
  if (spawnSync("cargo", ["--version"]).status !== 0) return { missing: "`cargo --version` does not run here" };
  // Its crates ask for a newer compiler than they need.
  const args = ["build", "--locked", "--ignore-rust-version"];
  const env = { ...process.env, CARGO_TARGET_DIR: target };
  const { status } = spawnSync("cargo", args, { cwd: crate, env, stdio: ["ignore", "inherit", "inherit"] });
  return status === 0 ? { node: join(target, "debug/foreign-node") } : { missing: "it could not be compiled" };
}

/** Starts the node with the program and its configuration in place; its URLs. */
async function startNode(command, feePayer) {
  const configuration = getProgramConfigEncoder().encode({
    smartAccountIndex: 0n,
    authority: feePayer,
    smartAccountCreationFee: 0n,
    treasury: feePayer,
    reserved: new Uint8Array(64),
  });
  const data = Buffer.from(configuration).toString("hex");
  const args = [feePayer, SMART_ACCOUNT_PROGRAM_ADDRESS, elf, PROGRAM_CONFIG_ADDRESS, data];
  const child = spawn(command, args, { cwd: place, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  closing.unshift(async () => {
    child.stdin.end();
    const wasSlow = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(wasSlow);
  });
  const [first] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(([code]) => Promise.reject(new Error(`the node ended with ${code}`))),
  ]);
  const [rpcUrl, wsUrl] = first.split(" ");
  return { rpcUrl, wsUrl };
}

/** Takes the service's mail; what was written last. */
async function startMailbox() {
  const letters = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => {
      PostalMime.parse(new Response(stream).body ?? "").then(({ text }) => {
        letters.push(text ?? "");
        done();
      }, done);
    },
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.unshift(() => new Promise((resolve) => server.close(resolve)));
  return { url: `smtp://127.0.0.1:${server.server.address().port}`, letters };
}

/** The accounts of a transaction in base64, in their order; the transactions of this story use no lookup tables. */
function accountsOf(wire) {
  const { messageBytes } = getTransactionDecoder().decode(Buffer.from(wire, "base64"));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  assert.equal(message.addressTableLookups?.length ?? 0, 0);
  return message.staticAccounts;
}

/**
 * Stands before the node and adds the one thing that the service wants of a node and this one leaves out: what each account
 * holds before and after a simulated transaction. All else passes as it is. Its URL.
 */
async function startAccountant(rpcUrl) {
  const ask = async (request) => {
    const answer = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    return answer.text();
  };
  const simulate = async (request) => {
    const [wire, config] = request.params;
    const addresses = accountsOf(wire);
    const held = { jsonrpc: "2.0", id: 1, method: "getMultipleAccounts", params: [addresses, { encoding: "base64" }] };
    const lamportsOf = (accounts) => accounts.map((account) => account?.lamports ?? 0);
    const { result: before } = JSON.parse(await ask(held));
    const accounts = { encoding: "base64", addresses };
    const answer = JSON.parse(await ask({ ...request, params: [wire, { ...config, accounts }] }));
    const value = answer.result?.value;
    if (value?.accounts) {
      value.preBalances = lamportsOf(before.value);
      value.postBalances = lamportsOf(value.accounts);
      value.accounts = null;
    }
    return JSON.stringify(answer);
  };
  const server = createServer((request, response) => {
    json(request)
      .then((asked) => (asked.method === "simulateTransaction" ? simulate(asked) : ask(asked)))
      .then(
        (answer) => response.setHeader("content-type", "application/json").end(answer),
        () => response.destroy(),
      );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.unshift(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${server.address().port}`;
}

/** Asks until there is an answer that is wanted. */
async function until(what, ask) {
  for (let tries = 0; tries < patience.tries; tries += 1) {
    const found = await ask();
    if (found) return found;
    await pause(patience.apartMs);
  }
  throw new Error(`it did not come to this: ${what}`);
}

const said = (line) => process.stdout.write(`${line}\n`);

async function play(node) {
  const seed = randomBytes(32);
  const { address: feePayer } = await createKeyPairSignerFromPrivateKeyBytes(seed);
  const secretKey = [...seed, ...getAddressEncoder().encode(feePayer)];
  const { rpcUrl, wsUrl } = await startNode(node, feePayer);
  const rpc = createSolanaRpc(rpcUrl);
  const version = await rpc.getVersion().send();
  said(`the node is ${JSON.stringify(version)}`);
  const mailbox = await startMailbox();
  const service = await startSandbox(join(place, "data"), {
    TRELLIS_API_KEY_ENVIRONMENTS: "devnet",
    TRELLIS_DEVNET_RPC_URLS: await startAccountant(rpcUrl),
    TRELLIS_DEVNET_WS_URL: wsUrl,
    TRELLIS_DEVNET_FEE_PAYER: JSON.stringify(secretKey),
    TRELLIS_DEVNET_GENESIS_HASH: await rpc.getGenesisHash().send(),
    TRELLIS_SANDBOX: "off",
    TRELLIS_SMTP_URL: mailbox.url,
    TRELLIS_MAIL_FROM: "trellis@example.org",
  });
  closing.unshift(service.stop);
  const trellis = createTrellisClient({ baseUrl: service.url, apiKey: service.apiKey, environment: "devnet" });

  const email = "ada@example.org";
  await trellis.accounts.create({ type: "email", email });
  const otp_code = await until("a code by mail", () => /\b\d{6}\b/.exec(mailbox.letters.at(-1) ?? "")?.[0]);
  const keyPair = generateEncryptionKeyPair();
  const verified = await trellis.accounts.verify({
    email,
    otp_code,
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const account = verified.address;
  const session = await openSession(verified.authentication[0], keyPair);
  said(`an account was made by e-mail: ${account}`);

  await rpc.requestAirdrop(account, 2n * sol).send();
  await until("two SOL", async () => (await rpc.getBalance(account).send()).value === 2n * sol);
  said("it was given two SOL");

  const { address: destination } = await createKeyPairSignerFromPrivateKeyBytes(randomBytes(32));
  const paid = await trellis.transfers.send({ account, session, currency: "sol", destination, amount: sol / 2n });
  assert.equal((await rpc.getBalance(destination).send()).value, sol / 2n);
  assert.equal((await rpc.getBalance(account).send()).value, (3n * sol) / 2n);
  said(`it has paid half of one: ${paid.signature}`);

  const outflow = await until("the payment in its history", async () => {
    const { items } = await trellis.history.transfersPage(account, {});
    return items.find((item) => JSON.stringify(item).includes(destination));
  });
  assert.ok(JSON.stringify(outflow).includes(paid.signature), JSON.stringify(outflow));
  said("its history shows the payment");
}

const { node, missing } = compileNode();
let failed = false;
if (missing !== undefined) {
  said(`nothing was played, as ${missing}`);
} else {
  try {
    await play(node);
    said("the service works on a node that nobody here wrote");
  } catch (error) {
    failed = true;
    said(`FAILED: ${error.stack}${error.cause ? `\n${error.cause.stack ?? error.cause}` : ""}`);
  }
}
for (const close of closing) await close();
process.exit(failed ? 1 : 0);
