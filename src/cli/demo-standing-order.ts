import { createTrellisClient, generateEncryptionKeyPair, openSession } from "@trellis/sdk";
import { type DemoOptions, freshEmail, requireThat, stepper } from "./demo-steps.js";

const rent = 950_000_000n;
const daySeconds = 86_400;

/**
 * Plays a year of rent against a running service: Ada signs once, the service pays twelve times on its own, and every
 * payment is listed with its day. Throws when any step ends otherwise.
 */
export async function playStandingOrderDemo({ baseUrl, apiKey, say }: DemoOptions): Promise<void> {
  const client = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
  const step = stepper(say);

  step("Ada has an account and money, her landlord has one too");
  const keyPair = generateEncryptionKeyPair();
  const email = freshEmail("Ada");
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  requireThat(mail !== undefined, "the outbox holds no mail for Ada");
  const verified = await client.accounts.verify({
    email,
    otp_code: mail.otp_code,
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const session = await openSession(verified.authentication[0], keyPair);
  const account = verified.address;
  const landlord = await client.accounts.create({
    type: "signers",
    signers: [session.wallets[0]?.address ?? ""],
    threshold: 1,
  });
  await client.sandbox.airdrop({ address: account, currency: "usdc", amount: (rent * 13n).toString() });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  say(`account      ${account}`);
  say(`landlord     ${landlord.address}`);

  step("She orders the rent for a year, 950 USDC a month, and signs once");
  const { now } = await client.sandbox.advanceClock(1);
  const start = new Date(Date.parse(now) + daySeconds * 1000);
  const end = new Date(start.getTime() + 360 * daySeconds * 1000);
  const made = await client.standingOrders.create({
    account,
    session,
    order: { currency: "usdc", amount: rent, payee: landlord.address, frequency: "monthly", start, end },
  });
  const order = await client.standingOrders.get(account, made.id);
  requireThat(order.status === "active", `the order is ${order.status}`);
  say(`order        ${order.id}, ${order.occurrences} payments of ${order.ui_amount} USDC`);
  say(`limit        ${made.spendingLimit}, for ${made.executor} alone, to the landlord alone`);

  step("A year passes: the sandbox keeps this date from now on");
  const began = Date.now();
  const year = await client.sandbox.advanceClock(366 * daySeconds);
  say(`it is ${year.now}, ${((Date.now() - began) / 1000).toFixed(1)} seconds later`);

  step("What was paid");
  const runs = await client.standingOrders.runs(account, made.id);
  for (const { due_at, state, signature } of runs) say(`${due_at}  ${state}  ${signature ?? ""}`);
  requireThat(runs.length === order.occurrences, `${runs.length} due dates have passed`);
  requireThat(
    runs.every(({ state }) => state === "paid"),
    "a rent was not paid",
  );
  const { tokens } = await client.accounts.balances(landlord.address);
  const received = tokens.find(({ symbol }) => symbol === "USDC");
  say(`the landlord holds ${received?.amount_decimal} USDC`);
  const over = await client.standingOrders.get(account, made.id);
  requireThat(over.status === "completed", `the order is ${over.status}`);
  say(`the order is ${over.status}`);
}
