import { parseArgs } from "node:util";
import { address, createSolanaRpc, type Signature, signature as toSignature } from "@solana/kit";
import {
  createTrellisClient,
  generateEncryptionKeyPair,
  openSession,
  TransactionMismatchError,
  TrellisApiError,
  type TrellisClient,
  TrellisNetworkError,
} from "@trellis/sdk";
import { playAgentDemo } from "./demo-agent.js";
import { playGuardedDemo } from "./demo-guarded.js";
import { playProposalsDemo } from "./demo-proposals.js";
import { playRailsDemo } from "./demo-rails.js";
import { playStandingOrderDemo } from "./demo-standing-order.js";
import { type DemoOptions, freshEmail, stepper } from "./demo-steps.js";
import { isStarted } from "./is-started.js";
import { whyOf } from "./why.js";

/** The stories by the name they are asked for. */
const stories: Readonly<Record<string, (options: DemoOptions) => Promise<void>>> = {
  main: playDemo,
  agent: playAgentDemo,
  guarded: playGuardedDemo,
  proposals: playProposalsDemo,
  "standing-order": playStandingOrderDemo,
  rails: playRailsDemo,
};

/**
 * Plays the main story against a running service, as a stranger's app would: an account by e-mail code, play money, a
 * payment that the holder's own key signs, and a read of what the chain recorded. Throws when any step fails.
 */
export async function playDemo({ baseUrl, apiKey, say }: DemoOptions): Promise<void> {
  const client = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
  const step = stepper(say);

  step("Ada asks for an account by e-mail");
  const ada = await openAccount(client, "Ada", say);
  step("Grace gets one too");
  const grace = await openAccount(client, "Grace", say);

  step("The sandbox's faucet funds Ada");
  await client.sandbox.airdrop({ address: ada.address, currency: "sol", amount: "1000000000" });
  await client.sandbox.airdrop({ address: ada.address, currency: "usdc", amount: "250000000" });
  await sayBalances(client, "Ada", ada.address, say);

  step("Ada pays Grace 12.5 USDC; her client checks the bytes before her key signs them");
  const paid = await client.transfers.send({
    account: ada.address,
    session: ada.session,
    currency: "usdc",
    destination: grace.address,
    amount: 12_500_000n,
  });
  say(`confirmed at ${paid.confirmedAt}`);
  say(`signature    ${paid.signature}`);

  step("And 0.1 SOL");
  const tip = await client.transfers.send({
    account: ada.address,
    session: ada.session,
    currency: "sol",
    destination: grace.address,
    amount: 100_000_000n,
  });
  say(`signature    ${tip.signature}`);

  step("What they hold now");
  await sayBalances(client, "Ada", ada.address, say);
  await sayBalances(client, "Grace", grace.address, say);

  step("What the chain recorded, read by an unmodified Solana client");
  await sayTransaction(baseUrl, apiKey, toSignature(paid.signature), say);
  say("");
  say("Done. Everything above used HTTP and the on-chain program.");
}

async function openAccount(client: TrellisClient, name: string, say: (line: string) => void) {
  const email = freshEmail(name);
  const pending = await client.accounts.create({ type: "email", email });
  say(`${email}: ${pending.status}, code valid until ${pending.expires_at}`);
  const [mail] = await client.sandbox.outbox(email);
  if (!mail) throw new Error(`The outbox holds no mail for ${email}.`);
  say(`the mail says: ${mail.subject}`);
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: mail.otp_code,
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const session = await openSession(verified.authentication[0], keyPair);
  say(`account      ${verified.address}`);
  const wallet = session.wallets[0]?.address;
  say(`signs with   ${wallet} (held by ${session.provider}, commanded by ${name}'s session key only)`);
  return { address: verified.address, session };
}

async function sayBalances(client: TrellisClient, name: string, account: string, say: (line: string) => void) {
  const { tokens } = await client.accounts.balances(account);
  say(`${name}: ${tokens.map(({ amount_decimal: amount, symbol }) => `${amount} ${symbol ?? ""}`.trim()).join(", ")}`);
}

async function sayTransaction(baseUrl: string, apiKey: string, signature: Signature, say: (line: string) => void) {
  const rpc = createSolanaRpc(`${baseUrl}/api/service/v1/sandbox/rpc?api-key=${encodeURIComponent(apiKey)}`);
  const found = await rpc.getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 }).send();
  if (!found?.meta) throw new Error(`The chain does not know ${signature}.`);
  const { meta, transaction, slot } = found;
  say(
    `slot ${slot}, ${meta.err === null ? "success" : "failed"}, fee ${meta.fee} lamports, ${meta.computeUnitsConsumed} compute units`,
  );
  say(`fee payer ${transaction.message.accountKeys[0] ?? ""} (the service)`);
  for (const line of meta.logMessages ?? []) say(`  ${line}`);
  const config = await rpc
    .getAccountInfo(address("GmY9kVi3FhrCUn2MJkzzpE6C5618YoHuGsgqHU78cKus"), { encoding: "base64" })
    .send();
  say(`program configuration owned by ${config.value?.owner ?? "no account"}`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { url: { type: "string" }, "api-key": { type: "string" } },
  });
  const [name = "main", identity] = positionals;
  const play = Object.hasOwn(stories, name) ? stories[name] : undefined;
  if (play === undefined) {
    throw new Error(`There is no story ${name}. There are: ${Object.keys(stories).join(", ")}.`);
  }
  const baseUrl = values.url ?? process.env.TRELLIS_URL ?? "http://127.0.0.1:8080";
  const apiKey = values["api-key"] ?? process.env.TRELLIS_API_KEY;
  if (apiKey === undefined || apiKey === "") {
    throw new Error(
      "The demo needs the API key that the service printed at its first start:\n\n" +
        "  TRELLIS_API_KEY=sk_test_… npm run demo\n",
    );
  }
  await play({ baseUrl, apiKey, identity, say: (line) => process.stdout.write(line === "" ? "\n" : `   ${line}\n`) });
}

function explain(error: unknown): string {
  if (error instanceof TrellisApiError)
    return `The service refused a step: ${error.message} (${error.code}, request ${error.requestId})`;
  if (error instanceof TrellisNetworkError)
    return `The service does not answer. Is it running? Start it with: npm start\n${whyOf(error)}`;
  if (error instanceof TransactionMismatchError)
    return `The client library signed nothing, as the service answered something else: ${error.message}. Is the identity the one that the service printed?`;
  return error instanceof Error ? error.message : String(error);
}

if (isStarted(import.meta.url)) {
  main().catch((error: unknown) => {
    process.stderr.write(`\n${explain(error)}\n`);
    process.exitCode = 1;
  });
}
