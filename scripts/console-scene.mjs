// What the console is shown with: a service of its own, and in its sandbox something of everything that a view lists.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { addressOfKey, createTrellisClient } from "@trellis/sdk";
import { startSandbox } from "./sandbox-process.mjs";

/** A memo that turns the direction of what stands behind it. */
export const turningMemo = "rent \u202eCDSU 5";
const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
const newKey = () => crypto.getRandomValues(new Uint8Array(32));

/** A service with an operator, whom a command alone invites: between two starts, as an embedded database has one user at a time. */
export async function startWithOperator(directory) {
  const first = await startSandbox(directory);
  await first.stop();
  const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [main, "console", "invite", "--email", "operator@example.org", "--role", "owner", "--operator"],
    { env: { ...process.env, TRELLIS_DATA_DIR: directory, TRELLIS_LOG_LEVEL: "fatal" }, encoding: "utf8" },
  );
  const [, operatorToken] = /#accept=(\S+)/.exec(stdout) ?? [];
  if (status !== 0 || operatorToken === undefined) throw new Error(`no operator: ${stdout}${stderr}`);
  return { ...(await startSandbox(directory)), operatorToken };
}

/** Fills the sandbox by the client library, and answers what the views are to name. */
export async function fill({ url, apiKey }) {
  const client = createTrellisClient({ baseUrl: url, apiKey, environment: "sandbox" });
  const key = newKey();
  const signers = [addressOfKey(key)];
  const { address: account } = await client.accounts.create({
    type: "signers",
    signers,
    threshold: 1,
    memo: turningMemo,
  });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "5000000000" });
  await client.sandbox.airdrop({ address: account, currency: "usdc", amount: "250000000" });
  const payee = addressOfKey(newKey());
  await client.transfers.send({ account, keys: [key], currency: "usdc", destination: payee, uiAmount: "12.5" });
  const order = { currency: "usdc", amount: 100_000_000n, payee, frequency: "weekly" };
  await client.standingOrders.create({ account, keys: [key], order });
  await client.labels.put({ address: payee, name: "Landlord" });
  await client.labels.put({ address: account, name: "Household" });
  const { proposalAddress: proposal, treasury } = await propose(client);
  const { id: endpoint } = await client.webhookEndpoints.create({
    url: "https://receiver.example/trellis",
    types: ["*"],
  });
  await client.auth.signIn("ada@example.org");
  const { key: weakKey } = await client.apiKeys.create({
    name: "Reads accounts",
    type: "secret",
    environments: ["sandbox"],
    scopes: ["accounts:read"],
  });
  const weak = createTrellisClient({ baseUrl: url, apiKey: weakKey, environment: "sandbox" });
  const refused = await weak.sandbox
    .airdrop({ address: account, currency: "sol", amount: "1" })
    .catch(({ code }) => code);
  if (refused !== "insufficient_scope") throw new Error(`a key that may only read: ${refused}`);
  const { intents } = await client.paymentIntents.pageOfTenant({ account });
  const { requests } = await client.requests.page({ status: "refused" });
  const virtualAccount = await useBank(client, treasury);
  return {
    client,
    account,
    treasury,
    proposal,
    endpoint,
    payment: intents[0].id,
    request: requests[0].request_id,
    virtualAccount,
  };
}

/** Somebody whom the banks' partner refuses, somebody whom it approves, and a virtual account; answers its id. */
async function useBank(client, account) {
  const verify = async (email, decision) => {
    const { id } = await client.kyc.start(account, { type: "individual", email, full_name: "Grace Hopper" });
    await client.sandbox.setKyc(id, decision);
  };
  const reason = { code: "document_expired", message: "The document has expired." };
  await verify("mallory@example.org", { status: "rejected", rejection_reasons: [reason] });
  await verify("grace@example.org", { status: "approved" });
  const { id } = await client.virtualAccounts.request(account, { currency: "usd" });
  return id;
}

/** A treasury of which two of three decide, and a payment that waits for the second. */
async function propose(client) {
  const keys = [newKey(), newKey(), newKey()];
  const signers = keys.map((key) => ({ type: "pubkey", address: addressOfKey(key), permissions: everything }));
  const { address: treasury } = await client.accounts.createCustom({ policies: { signers, threshold: 2 } });
  await client.sandbox.airdrop({ address: treasury, currency: "sol", amount: "1000000000" });
  const content = { type: "transfer", currency: "sol", destination: addressOfKey(newKey()), amount: 400_000_000n };
  return {
    treasury,
    ...(await client.proposals.create({ account: treasury, keys: [keys[0]], content, approve: true })),
  };
}

/** The one-time token of an invitation, as its answer has it. */
export async function invited(client, email, role) {
  const { invitation } = await client.members.invite({ email, role });
  return invitation.token;
}
