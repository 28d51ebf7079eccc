import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTrellisClient, generateEncryptionKeyPair, openSession, verifyWebhook } from "@trellis/sdk";
import { addBankAccount } from "./bank-stories.js";
import { type DemoOptions, freshEmail, requireThat, stepper } from "./demo-steps.js";

const patienceMs = 30_000;

/**
 * Plays money on its way from a bank to the chain, against a running service and its simulated partner: Ada is verified,
 * gets bank details, a payer pays in, USDC arrives, she pays her landlord's bank account, which does not take it, and a
 * receiver hears of all of it, signed. At last her data is deleted. Throws when any step ends otherwise.
 */
export async function playRailsDemo({ baseUrl, apiKey, say }: DemoOptions): Promise<void> {
  const client = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
  const step = stepper(say);

  step("Ada has an account");
  const email = freshEmail("Ada");
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  requireThat(mail !== undefined, "the outbox holds no mail for Ada");
  const keyPair = generateEncryptionKeyPair();
  const { address: account, authentication } = await client.accounts.verify({
    email,
    otp_code: mail.otp_code,
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const session = await openSession(authentication[0], keyPair);
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
        if (object.account === account || (object.source as { account?: unknown } | undefined)?.account === account)
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
      types: ["virtual_account", "deposit", "payment_intent"],
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

    step("A payer sends 250 dollars");
    const deposit = await client.sandbox.deposit(details.id, { amount: "250.00" });
    say(`state        ${deposit.state}, fee ${deposit.fees?.developer_fee ?? "0"}`);
    say(`on chain     ${deposit.transaction_signature ?? "not yet"}`);
    const { tokens } = await client.accounts.balances(account);
    const held = tokens.find(({ symbol }) => symbol === "USDC")?.amount_decimal;
    requireThat(held === "248.75", `the account holds ${held ?? "no"} USDC`);
    say(`Ada holds    ${held} USDC`);

    step("She pays 200.04 dollars to a bank account that takes nothing");
    const bank = await addBankAccount(client, account);
    const sent = await client.transfers.sendToBank({
      account,
      session,
      currency: "usdc",
      amount: 200_040_000n,
      to: { externalAccountId: bank.id, rail: "ach_push", currency: "usd", reference: "RENT" },
    });
    say(`signature    ${sent.signature}`);
    let payment = await client.paymentIntents.get(account, sent.id);
    const states = [payment.state];
    for (const end = Date.now() + patienceMs; payment.state !== "refunded" && Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      payment = await client.paymentIntents.get(account, sent.id);
      if (states.at(-1) !== payment.state) states.push(payment.state);
    }
    say(`states       ${states.join(", ")}`);
    requireThat(payment.state === "refunded", `the payment is ${payment.state}`);
    const after = (await client.accounts.balances(account)).tokens.find(({ symbol }) => symbol === "USDC");
    requireThat(after?.amount_decimal === "248.75", `the account holds ${after?.amount_decimal ?? "no"} USDC`);
    say(`returned     Ada holds ${after.amount_decimal} USDC again`);

    step("The receiver got the events, and checked who sent them");
    const until = Date.now() + patienceMs;
    const isReported = () =>
      heard.some(({ type, credited }) => type.startsWith("deposit.") && credited === true) &&
      heard.some(({ type, state }) => type === "payment_intent.updated" && state === "refunded");
    while (!isReported() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 200));
    for (const { type, state, credited } of heard)
      say(`${type}  ${String(state ?? "")}  ${credited ? "credited" : ""}`);
    requireThat(isReported(), "no event reported the deposit, or the refund");
    requireThat(refused === 0, "an event did not verify");
    await client.webhookEndpoints.delete(endpoint.id);

    step("Her data for banks is deleted");
    const { deleted } = await client.kyc.deleteRailData(account);
    requireThat(deleted, "it is still there");
    requireThat((await client.externalAccounts.list(account)).length === 0, "a bank account is still there");
    say("her verification, bank details and bank accounts are deleted");
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
}
