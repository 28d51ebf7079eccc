import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTrellisClient, generateEncryptionKeyPair, verifyWebhook } from "@trellis/sdk";
import { type DemoOptions, freshEmail, requireThat, stepper } from "./demo-steps.js";

const patienceMs = 30_000;

/**
 * Plays money on its way from a bank to the chain, against a running service and its simulated partner: Ada is verified,
 * gets bank details, somebody pays in, USDC arrives, and a receiver hears of it, signed. Throws when any step comes out
 * otherwise.
 */
export async function playRailsDemo({ baseUrl, apiKey, say }: DemoOptions): Promise<void> {
  const client = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
  const step = stepper(say);

  step("Ada has an account");
  const email = freshEmail("Ada");
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  requireThat(mail !== undefined, "the outbox holds no mail for Ada");
  const { address: account } = await client.accounts.verify({
    email,
    otp_code: mail.otp_code,
    kms_provider_config: { encryption_public_key: generateEncryptionKeyPair().publicKeySpkiBase64 },
  });
  say(`account      ${account}`);

  step("A receiver of events waits on this machine");
  const heard: { type: string; state: unknown; credited: unknown }[] = [];
  let secret = "";
  let refused = 0;
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      try {
        const event = verifyWebhook({ body: Buffer.concat(chunks).toString("utf8"), headers: request.headers, secret });
        const { object } = event.data as { object: Record<string, unknown> };
        if (object.account === account)
          heard.push({ type: event.type, state: object.state, credited: object.credited });
        response.writeHead(204).end();
      } catch {
        refused += 1;
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  try {
    const endpoint = await client.webhookEndpoints.create({
      url: `http://127.0.0.1:${port}/`,
      types: ["virtual_account", "deposit"],
    });
    secret = endpoint.secret;
    say(`endpoint     ${endpoint.id}`);

    step("The partner of the sandbox verifies her");
    const kyc = await client.kyc.start(account, { type: "individual", email, full_name: "Ada Lovelace" });
    say(`she would go to ${kyc.kyc_link ?? "nowhere"}`);
    await client.sandbox.setKyc(kyc.id, { status: "approved" });
    const { status } = await client.kyc.get(account, kyc.id);
    requireThat(status === "approved", `the verification is ${status}`);

    step("She gets bank details that no bank has");
    const details = await client.virtualAccounts.request(account, { currency: "usd" });
    for (const [name, value] of Object.entries(details.source_deposit_instructions)) {
      say(`${name.padEnd(26)} ${Array.isArray(value) ? value.join(", ") : String(value)}`);
    }

    step("Somebody pays in 250 dollars");
    const deposit = await client.sandbox.deposit(details.id, { amount: "250.00" });
    say(`state        ${deposit.state}, fee ${deposit.fees?.developer_fee ?? "0"}`);
    say(`on chain     ${deposit.transaction_signature ?? "not yet"}`);
    const { tokens } = await client.accounts.balances(account);
    const held = tokens.find(({ symbol }) => symbol === "USDC")?.amount_decimal;
    requireThat(held === "248.75", `the account holds ${held ?? "no"} USDC`);
    say(`Ada holds    ${held} USDC`);

    step("The receiver was told, and could check who told it");
    const until = Date.now() + patienceMs;
    const isTold = () => heard.some(({ type, credited }) => type.startsWith("deposit.") && credited === true);
    while (!isTold() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 200));
    for (const { type, state, credited } of heard)
      say(`${type}  ${String(state ?? "")}  ${credited ? "credited" : ""}`);
    requireThat(isTold(), "nobody told of the deposit");
    requireThat(refused === 0, "an event did not verify");
    await client.webhookEndpoints.delete(endpoint.id);
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
}
