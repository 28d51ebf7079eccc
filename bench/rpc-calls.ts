/**
 * Counts what the service asks the nodes of a cluster: for a payment, and while nothing happens. A sandbox chain in a
 * process of its own stands for the cluster, a node in front of it counts. Alone: `npm run bench:calls`.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { base58 } from "@scure/base";
import { type Address, address } from "@solana/kit";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { createTrellisClient, generateEncryptionKeyPair, openSession, type TrellisClient } from "@trellis/sdk";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { type RpcProxy, startRpcProxy } from "../test/cluster/rpc-proxy.js";
import { startSandboxProcess } from "../test/cluster/sandbox-process.js";
import { startServiceProcess } from "./service-process.js";
import { sized } from "./size.js";

const script = fileURLToPath(new URL("../dist/main.js", import.meta.url));
/** The sandbox's, named as that of the devnet played here. */
const usdc = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
const payments = 20;
/** What was paid is settled by a pass that runs more often than this. */
const settlingSeconds = sized(12, 4);
const idleSeconds = sized(30, 5);

/** Prints the calls of a payment, and those of the time after the last one. Takes the idle time and a minute or two more. */
export async function measureRpcCalls(say: (line: string) => void): Promise<void> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const directory = await mkdtemp(join(tmpdir(), "trellis-bench-calls-"));
    closing.push(() => rm(directory, { recursive: true, force: true }));
    const chain = await startSandboxProcess();
    closing.push(() => chain.stop());
    const node = await startRpcProxy(chain.url);
    closing.push(() => node.close());
    const letters: string[] = [];
    const mail = await startMailServer(letters);
    closing.push(() => new Promise<void>((resolve) => mail.close(resolve)));
    const feePayer = generateEd25519KeyPair();
    await chain.airdrop(address(base58.encode(feePayer.publicKey)), 10_000_000_000n);
    const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
    const service = await startServiceProcess(script, 18_795, {
      TRELLIS_DATA_DIR: directory,
      TRELLIS_API_KEY: apiKey,
      TRELLIS_API_KEY_ENVIRONMENTS: "devnet",
      TRELLIS_LOG_LEVEL: "warn",
      TRELLIS_RATE_LIMIT: "0",
      TRELLIS_TENANT_RATE_LIMIT: "0",
      TRELLIS_TENANT_DAILY_WRITES: "0",
      TRELLIS_DEVNET_RPC_URLS: node.url,
      TRELLIS_DEVNET_FEE_PAYER: base58.encode(Buffer.concat([feePayer.seed, feePayer.publicKey])),
      TRELLIS_DEVNET_MINTS: `usdc=${usdc}`,
      TRELLIS_DEVNET_GENESIS_HASH: await chain.rpc.getGenesisHash().send(),
      TRELLIS_SMTP_URL: `smtp://127.0.0.1:${(mail.server.address() as AddressInfo).port}`,
      TRELLIS_MAIL_FROM: "bench@trellis.example",
    });
    closing.push(() => service.stop());
    const client = createTrellisClient({
      baseUrl: service.url,
      apiKey,
      environment: "devnet",
      mints: { usdc },
      maxRetries: 0,
    });
    const holder = await openHolder(client, letters);
    await chain.mint(holder.account, usdc, 1_000_000_000n);
    // Who is paid for the first time needs a token account, whose rent the service does not pay on a cluster.
    await chain.airdrop(address(holder.account), 1_000_000_000n);

    const pay = (destination: string) =>
      client.transfers.send({ ...holder, currency: "usdc", destination, amount: 1_000n });
    const payee = randomAddress();
    // The first one opens the payee's token account, and learns what is then remembered.
    await pay(payee);
    const first = node.received.length;
    say(`calls per payment           ${await countPer(node, payments, () => pay(payee))}`);
    say(`  to a payee never paid yet ${await countPer(node, payments, () => pay(randomAddress()))}`);
    const settled = await countSettling(node, first);
    say(`  settled and listed later  ${(settled / (2 * payments)).toFixed(2)} (getTransaction)`);
    const before = node.received.length;
    await wait(idleSeconds * 1_000);
    const idle = node.received.slice(before).map(({ method }) => method);
    // An account that paid a moment ago is refreshed every few seconds, and ever less after that: what an idle one costs a
    // day, test/cluster/rpc-economy.test.ts counts.
    say(`calls in ${idleSeconds} s after that     ${idle.length}${listOf(idle, (count) => count)}`);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** How often it was asked for a transaction since the request numbered `from`, when no more requests arrive. */
async function countSettling(node: RpcProxy, from: number): Promise<number> {
  const count = () => node.received.slice(from).filter(({ method }) => method === "getTransaction").length;
  for (;;) {
    const before = count();
    await wait(settlingSeconds * 1_000);
    if (count() === before) return before;
  }
}

async function countPer(node: RpcProxy, count: number, work: () => Promise<unknown>): Promise<string> {
  const before = node.received.length;
  for (let i = 0; i < count; i += 1) await work();
  const methods = node.received.slice(before).map(({ method }) => method);
  return `${(methods.length / count).toFixed(2)}${listOf(methods, (calls) => (calls / count).toFixed(2))}`;
}

function listOf(methods: readonly string[], show: (count: number) => number | string): string {
  const counts = new Map<string, number>();
  for (const method of methods) counts.set(method, (counts.get(method) ?? 0) + 1);
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([method, count]) => `${method} ${show(count)}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

async function openHolder(client: TrellisClient, letters: readonly string[]) {
  const email = "holder@example.org";
  await client.accounts.create({ type: "email", email });
  const code = /\b\d{6}\b/.exec(letters.at(-1) ?? "")?.[0];
  if (code === undefined) throw new Error("the mail holds no code");
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: code,
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  return { account: verified.address as Address, session: await openSession(verified.authentication[0], keyPair) };
}

async function startMailServer(letters: string[]): Promise<SMTPServer> {
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        PostalMime.parse(Buffer.concat(chunks)).then(({ text }) => {
          letters.push(text ?? "");
          done();
        }, done);
      });
    },
  });
  mail.listen(0, "127.0.0.1");
  await once(mail.server, "listening");
  return mail;
}

function randomAddress(): string {
  return base58.encode(generateEd25519KeyPair().publicKey);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await measureRpcCalls((line) => void process.stdout.write(`${line}\n`));
}
