import { generateKeyPairSync } from "node:crypto";
import { client } from "./client/client.gen";
import { createAccount, getBalances, readOutbox, sandboxAirdrop, verifyAccount } from "./client/sdk.gen";

// An account by e-mail, play money, and its balance: by the client that @hey-api/openapi-ts makes.
client.setConfig({ baseUrl: process.env.TRELLIS_URL, auth: process.env.TRELLIS_API_KEY });
const headers = { "x-service-environment": "sandbox" } as const;
const throwOnError = true as const;
const email = "typescript@example.org";

const created = await createAccount({ headers, throwOnError, body: { type: "email", email } });
if (created.data.data.type !== "email") throw new Error("An account by e-mail was asked for.");
const mails = await readOutbox({ headers, throwOnError, query: { email } });
const code = mails.data.data[0]?.otp_code;
if (!code) throw new Error("No code was sent.");
const { publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const encryptionPublicKey = publicKey.export({ type: "spki", format: "der" }).toString("base64");
const verified = await verifyAccount({
  headers,
  throwOnError,
  body: { email, otp_code: code, kms_provider_config: { encryption_public_key: encryptionPublicKey } },
});
const { address } = verified.data.data;
await sandboxAirdrop({ headers, throwOnError, body: { address, currency: "usdc", amount: "2500000" } });
const balances = await getBalances({ headers, throwOnError, path: { address } });
const usdc = balances.data.data.tokens.find(({ symbol }) => symbol === "USDC");
if (usdc?.amount_decimal !== "2.5") throw new Error(`The balance is ${JSON.stringify(balances.data.data)}.`);
console.log(`${address} holds ${usdc.amount_decimal} USDC`);
