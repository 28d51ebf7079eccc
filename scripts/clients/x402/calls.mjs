/**
 * Payments for HTTP requests, between this repository and the x402 Foundation's own packages: our client pays at their server, whose
 * facilitator verifies and settles; and their client pays at ours (examples/x402-server). Everything happens on a sandbox. Prints a
 * line for each call: `ok`, or `failed` with the reason, then the name.
 *
 * Their packages know the networks mainnet, devnet and testnet alone, and USDC by its mint there. So the sandbox, which has that mint,
 * goes by mainnet's name here. Every node that is asked is the sandbox's.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import {
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  generateKeyPair,
  generateKeyPairSigner,
  getAddressFromPublicKey,
} from "@solana/kit";
import { x402Facilitator } from "@x402/core/facilitator";
import { x402HTTPResourceServer, x402ResourceServer } from "@x402/core/server";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { SettlementCache, toFacilitatorSvmSigner } from "@x402/svm";
import { ExactSvmScheme as ExactOfClient } from "@x402/svm/exact/client";
import { ExactSvmScheme as ExactOfFacilitator } from "@x402/svm/exact/facilitator";
import { ExactSvmScheme as ExactOfServer } from "@x402/svm/exact/server";

const { SANDBOX_RPC_URL: rpcUrl, TRELLIS_URL: baseUrl, TRELLIS_API_KEY: apiKey, REPOSITORY: repository } = process.env;
const ours = (file) => import(pathToFileURL(`${repository}/${file}`).href);
const library = await ours("packages/sdk/dist/index.js");
const { addressOfKey, createTrellisClient, knownMints, PaymentUnconfirmedError } = library;
const { createCharge } = await ours("examples/x402-server/charge.mjs");

const trellis = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
const rpc = createSolanaRpc(rpcUrl);
const mint = knownMints("sandbox").usdc;
const network = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const path = "/weather";
const price = 20_000n;

async function call(name, action) {
  try {
    await action();
    process.stdout.write(`ok\t${name}\n`);
  } catch (error) {
    process.stdout.write(`failed\t${name}\t${String(error).replace(/\s+/g, " ").slice(0, 400)}\n`);
  }
}

const newKey = () => crypto.getRandomValues(new Uint8Array(32));
const giveUsdc = (address, amount) => trellis.sandbox.airdrop({ address, currency: "usdc", amount: String(amount) });
const giveSol = (address) => trellis.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });

/** Base units of USDC. */
async function heldBy(owner) {
  const { value } = await rpc.getTokenAccountsByOwner(owner, { mint }, { encoding: "jsonParsed" }).send();
  return BigInt(value[0].account.data.parsed.info.tokenAmount.amount);
}

/** Somebody with a token account, which can be paid. */
async function newPayee() {
  const address = addressOfKey(newKey());
  await giveUsdc(address, 1n);
  return address;
}

/** Serves the weather on a free port. `charge` gives `{status, headers}` for a request. */
async function open(charge) {
  const server = createServer(async (request, response) => {
    const { status, headers } = await charge(request);
    response.writeHead(status, { ...headers, "content-type": "application/json" });
    response.end(JSON.stringify(status === 200 ? { weather: "sunny" } : {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}${path}`, close: () => server.close() };
}

/** Their server hands on nothing that their facilitator says of smart wallets: the seller does. */
const announced = { features: { smartWalletSupported: true } };

/** Their server, with their facilitator in the same process. */
async function openTheirs({
  facilitates = { enableSmartWalletVerification: true },
  serves = {},
  extra = announced,
} = {}) {
  const payTo = await newPayee();
  const signer = await createKeyPairSignerFromPrivateKeyBytes(newKey());
  await giveSol(signer.address);
  const scheme = new ExactOfFacilitator(
    toFacilitatorSvmSigner(signer, { defaultRpcUrl: rpcUrl }),
    new SettlementCache(),
    facilitates,
  );
  const facilitator = new x402Facilitator().register(network, scheme);
  const resource = new x402ResourceServer({
    verify: (...payment) => facilitator.verify(...payment),
    settle: (...payment) => facilitator.settle(...payment),
    getSupported: async () => facilitator.getSupported(),
  }).register(network, new ExactOfServer(serves));
  const accepts = { scheme: "exact", payTo, price: { amount: String(price), asset: mint, extra }, network };
  const http = new x402HTTPResourceServer(resource, { [`GET ${path}`]: { accepts } });
  await http.initialize();
  const charge = async ({ method, headers, url }) => {
    const adapter = {
      getHeader: (name) => headers[name.toLowerCase()],
      getMethod: () => method,
      getPath: () => path,
      getUrl: () => url,
      getAcceptHeader: () => "application/json",
      getUserAgent: () => "",
    };
    const request = { adapter, path, method };
    const asked = await http.processHTTPRequest(request);
    if (asked.type === "payment-error") return asked.response;
    const { paymentPayload, paymentRequirements } = asked;
    const settled = await http.processSettlement(paymentPayload, paymentRequirements, undefined, { request });
    return settled.success ? { status: 200, headers: settled.headers } : settled.response;
  };
  return { ...(await open(charge)), payTo };
}

/** What the example charges with. */
async function openOurs() {
  const [payTo, keyPair] = [await newPayee(), await generateKeyPair()];
  const feePayer = await getAddressFromPublicKey(keyPair.publicKey);
  await giveSol(feePayer);
  const charge = await createCharge({ rpc, keyPair, feePayer, payTo, mint, amount: String(price), network, path });
  const opened = await open(async ({ headers: { "payment-signature": payment } }) => {
    const { isPaid, headers } = await charge(payment);
    return { status: isPaid ? 200 : 402, headers };
  });
  return { ...opened, payTo };
}

/** An agent with an allowance, and our client that pays with it. */
async function openAgent(amount) {
  const [owner, agent] = [newKey(), newKey()];
  const signers = [addressOfKey(owner)];
  const { address: account } = await trellis.accounts.create({ type: "signers", signers, threshold: 1 });
  await giveUsdc(account, 1_000_000n);
  const terms = { agent: addressOfKey(agent), currency: "usdc", amount, period: "day" };
  const { allowance } = await trellis.allowances.create({ account, keys: [owner], allowance: terms });
  const usual = { account, spendingLimit: allowance, key: agent, atMost: { amount: price }, network };
  return {
    pay: (url, further) => trellis.x402.fetch({ ...usual, url, ...further }),
    left: async () => BigInt((await trellis.spendingLimits.get(account, allowance)).remaining_amount),
  };
}

/** Somebody with a key and tokens, and their client that pays with them. */
async function openPayer(amount) {
  const signer = await generateKeyPairSigner();
  await giveUsdc(signer.address, amount);
  const client = new x402Client().register(network, new ExactOfClient(signer, { rpcUrl }));
  return {
    pay: (url, send = fetch) => wrapFetchWithPayment(send, client)(url),
    left: () => heldBy(signer.address),
  };
}

/** Plays with a server and somebody who pays there, and closes the server. */
async function at(opening, paying, play) {
  const [shop, payer] = [await opening, await paying];
  try {
    await play({ ...shop, ...payer });
  } finally {
    shop.close();
  }
}

const settlementOf = (response) => decodePaymentResponseHeader(response.headers.get("payment-response"));

await call("our client at their server and facilitator", () =>
  at(openTheirs(), openAgent(50_000n), async ({ url, payTo, pay, left }) => {
    const before = await heldBy(payTo);
    const { response, settlement } = await pay(url);
    assert.deepEqual(await response.json(), { weather: "sunny" });
    assert.equal(settlement.success, true);
    assert.deepEqual([(await heldBy(payTo)) - before, await left()], [price, 30_000n]);
  }),
);

await call("our client at their server, as often at once as the limit allows", () =>
  at(openTheirs(), openAgent(50_000n), async ({ url, pay, left }) => {
    const paid = await Promise.allSettled([pay(url), pay(url), pay(url)]);
    assert.equal(paid.filter(({ status }) => status === "fulfilled").length, 2);
    assert.equal(await left(), 10_000n);
    await assert.rejects(pay(url), { code: "spending_limit_exceeded" });
  }),
);

await call("our client at their server, which names a blockhash", () =>
  at(openTheirs({ serves: { rpcUrl } }), openAgent(50_000n), async ({ url, pay }) => {
    assert.equal((await pay(url)).settlement.success, true);
  }),
);

await call("our client at their server, again after a lost answer", () =>
  at(openTheirs(), openAgent(50_000n), async ({ url, payTo, pay, left }) => {
    const before = await heldBy(payTo);
    const lost = async (input, init) => {
      const response = await fetch(input, init);
      if (new Headers(init.headers).has("payment-signature")) throw new TypeError("the connection was lost");
      return response;
    };
    const error = await pay(url, { fetch: lost }).catch((thrown) => thrown);
    assert.ok(error instanceof PaymentUnconfirmedError, String(error));
    // Their server answers for a payment once. It is never made twice.
    await assert.rejects(pay(url, { payment: error.payment }), /AlreadyProcessed/);
    assert.deepEqual([(await heldBy(payTo)) - before, await left()], [price, 30_000n]);
  }),
);

await call("our client at their server, which does not speak of smart wallets", () =>
  at(openTheirs({ extra: {} }), openAgent(50_000n), async ({ url, pay, left }) => {
    await assert.rejects(pay(url), { reason: "nothing_acceptable" });
    assert.equal(await left(), 50_000n);
    assert.equal((await pay(url, { smartWallets: "assumed" })).settlement.success, true);
    assert.equal(await left(), 30_000n);
  }),
);

await call("our client at their server, whose facilitator takes no smart wallets", () =>
  at(openTheirs({ facilitates: {}, extra: {} }), openAgent(50_000n), async ({ url, pay, left }) => {
    const error = await pay(url, { smartWallets: "assumed" }).catch((thrown) => thrown);
    assert.ok(error instanceof PaymentUnconfirmedError, String(error));
    assert.equal(await left(), 50_000n);
  }),
);

await call("our client at their server, which wants a memo", () =>
  at(openTheirs({ extra: { ...announced, memo: "order 7" } }), openAgent(50_000n), async ({ url, pay, left }) => {
    await assert.rejects(pay(url), { reason: "nothing_acceptable" });
    assert.equal(await left(), 50_000n);
  }),
);

await call("their client at our server", () =>
  at(openOurs(), openPayer(50_000n), async ({ url, payTo, pay, left }) => {
    const before = await heldBy(payTo);
    const response = await pay(url);
    assert.deepEqual(await response.json(), { weather: "sunny" });
    const { success, transaction } = settlementOf(response);
    assert.equal(success, true);
    const { value } = await rpc.getSignatureStatuses([transaction]).send();
    assert.equal(value[0].err, null);
    assert.deepEqual([(await heldBy(payTo)) - before, await left()], [price, 30_000n]);
  }),
);

await call("their client at our server, twice at once", () =>
  at(openOurs(), openPayer(50_000n), async ({ url, pay, left }) => {
    const paid = await Promise.all([pay(url), pay(url)]);
    assert.deepEqual([...paid.map(({ status }) => status), await left()], [200, 200, 10_000n]);
  }),
);

await call("their client at our server, without enough", () =>
  at(openOurs(), openPayer(10_000n), async ({ url, pay, left }) => {
    const response = await pay(url);
    assert.equal(response.status, 402);
    assert.match(settlementOf(response).errorReason, /it would fail/);
    assert.equal(await left(), 10_000n);
  }),
);

await call("their client at our server, the same payment twice", () =>
  at(openOurs(), openPayer(50_000n), async ({ url, pay, left }) => {
    let payment;
    const first = await pay(url, (request) => {
      payment = request.headers.get("payment-signature");
      return fetch(request);
    });
    const again = await fetch(url, { headers: { "payment-signature": payment } });
    assert.equal(again.status, 200);
    assert.deepEqual([settlementOf(again), await left()], [settlementOf(first), 30_000n]);
  }),
);
