// A server that charges for an answer, and takes what agents pay out of their allowances.
//   TRELLIS_API_KEY=sk_test_… node examples/x402-server/server.mjs
import { once } from "node:events";
import { createServer } from "node:http";
import { address, createSolanaRpc, generateKeyPair, getAddressFromPublicKey } from "@solana/kit";
import { createTrellisClient } from "@trellis/sdk";
import { createCharge } from "./charge.mjs";

const { TRELLIS_API_KEY: apiKey, TRELLIS_URL: baseUrl = "http://127.0.0.1:8080", PORT = "8788" } = process.env;
if (!apiKey) throw new Error("Set TRELLIS_API_KEY to the key that the service printed at its first start.");

// In earnest: a node of yours, a key of yours that pays the fees, and the address that is to be paid.
const rpc = createSolanaRpc(`${baseUrl}/api/service/v1/sandbox/rpc?api-key=${apiKey}`);
const keyPair = await generateKeyPair();
const feePayer = await getAddressFromPublicKey(keyPair.publicKey);
const payTo = await getAddressFromPublicKey((await generateKeyPair()).publicKey);
const mint = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");

// The fees need SOL, and the payee a token account: the first USDC opens it.
const { sandbox } = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
await sandbox.airdrop({ address: feePayer, currency: "sol", amount: "1000000000" });
await sandbox.airdrop({ address: payTo, currency: "usdc", amount: "1" });

const genesis = await rpc.getGenesisHash().send();
const network = `solana:${genesis.slice(0, 32)}`;
const path = "/weather";
const charge = await createCharge({ rpc, keyPair, feePayer, payTo, mint, amount: "20000", network, path });

const server = createServer(async (request, response) => {
  const answer = (status, headers, body) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
  try {
    if (request.url?.split("?")[0] !== path) return answer(404, {}, { message: "There is nothing here." });
    const { isPaid, headers } = await charge(request.headers["payment-signature"]);
    if (isPaid) answer(200, headers, { weather: "sunny", celsius: 21 });
    else answer(402, headers, { message: "This costs 0.02 USDC." });
  } catch (error) {
    // Nothing is known of the payment: the payer sends the same one again, and it is taken once.
    console.error(error);
    answer(500, {}, { message: "That did not work." });
  }
});

server.listen(Number(PORT), "127.0.0.1");
await once(server, "listening");
/** Where the answer is sold, and on which network. */
export const shop = { url: `http://127.0.0.1:${server.address().port}${path}`, network, close: () => server.close() };
console.log(`0.02 USDC for the weather at ${shop.url}, on ${network}`);
