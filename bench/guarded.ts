/**
 * Measures what a guarded payment costs the service beside a plain one, with a guardian in a process of its own. Alone:
 * `npm run bench:guarded`.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { addressOfBytes } from "@trellis/program-client";
import { createTrellisClient, generateEncryptionKeyPair, openSession, type TrellisClient } from "@trellis/sdk";
import { openDatabase } from "../src/adapters/db/open-database.js";
import { initCustodian } from "../src/cli/custodian.js";
import { asCustodianDb } from "../src/custodian/custodian-db.js";
import { custodianMigrations } from "../src/custodian/migrations/index.js";
import { browserWith, createSoftPasskey } from "../test/support/authenticator.js";
import { launchCustodian } from "../test/support/custodian-process.js";
import { timed } from "./http-client.js";
import { startServiceProcess } from "./service-process.js";
import { sized } from "./size.js";

const script = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const guardianPort = 18_797;
const payments = sized(120, 20);
const payers = 4;
/** What a guarded payment may cost more than a plain one. */
const bar = { calls: 1, processorMs: 10 } as const;
/** Service and guardian cosign each other's log now and then: that is nothing that a payment costs. */
const callsOfLogs = 0.1;

type Pay = (client: TrellisClient, destination: string) => Promise<unknown>;

/** Prints both, what is between them, and whether that is within the bar. */
export async function measureGuardedPayments(say: (line: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "trellis-bench-guarded-"));
  const folder = join(directory, "custodian");
  await initCustodian(folder, "both");
  const launch = () =>
    launchCustodian({
      TRELLIS_CUSTODIAN_NAME: "kms_c",
      TRELLIS_CUSTODIAN_PORT: String(guardianPort),
      TRELLIS_CUSTODIAN_KEYS: join(folder, "keys"),
      TRELLIS_CUSTODIAN_DATA_DIR: join(folder, "data"),
    });
  let guardian = await launch();
  const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
  const service = await startServiceProcess(script, 18_796, {
    TRELLIS_DATA_DIR: join(directory, "service"),
    TRELLIS_API_KEY: apiKey,
    TRELLIS_LOG_LEVEL: "warn",
    TRELLIS_RATE_LIMIT: "0",
    TRELLIS_TENANT_RATE_LIMIT: "0",
    TRELLIS_TENANT_DAILY_WRITES: "0",
    TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000000",
    TRELLIS_GUARDIAN: "kms_c",
    TRELLIS_CUSTODIAN_KMS_C_URL: guardian.url,
    TRELLIS_CUSTODIAN_KMS_C_KEYS: join(folder, "service-keys"),
  });
  try {
    const client = createTrellisClient({ baseUrl: service.url, apiKey, environment: "sandbox" });
    const plain: Pay[] = [];
    const guarded: Pay[] = [];
    for (let i = 0; i < payers; i += 1) {
      plain.push(await openPlain(client));
      guarded.push(await openGuarded(client, guardian.identity));
    }
    const payee = newAddress();
    await client.sandbox.airdrop({ address: payee, currency: "sol", amount: "1000000000" });
    const run = async (among: readonly Pay[]) => {
      const before = service.processorMs();
      const seconds = await timed(payments, payers, async (i) => void (await among[i % payers]?.(client, payee)));
      return { seconds, processorMs: (service.processorMs() - before) / payments };
    };
    await run(plain);
    await run(guarded);
    const asked = await countRequests();
    const [one, two] = [await run(plain), await run(guarded)];
    const calls = ((await countRequests()) - asked) / payments;
    const more = two.processorMs - one.processorMs;
    const rate = ({ seconds }: { readonly seconds: number }) => (payments / seconds).toFixed(0);
    say(
      `guarded payment            ${rate(two)} /s              ${(one.seconds / two.seconds).toFixed(2)} of a plain one (${rate(one)} /s)`,
    );
    say(
      `  the service's processor time: ${two.processorMs.toFixed(2)} ms each, ${(two.processorMs / one.processorMs).toFixed(2)} times that ` +
        `of a plain one (${one.processorMs.toFixed(2)} ms); calls of the guardian: ${calls.toFixed(2)}`,
    );
    say(
      `  within ${bar.processorMs} ms and ${bar.calls} call more: ${more <= bar.processorMs && calls <= bar.calls + callsOfLogs ? "yes" : "NO"}`,
    );
  } finally {
    await service.stop();
    await guardian.close();
    await rm(directory, { recursive: true, force: true });
  }

  /** Requests that the guardian has noted, which it does with each for three minutes; it is stopped meanwhile. */
  async function countRequests(): Promise<number> {
    await guardian.close();
    const place = { kind: "embedded", directory: join(folder, "data") } as const;
    const opened = await openDatabase(place, { schema: custodianMigrations });
    const nonces = await asCustodianDb(opened.db).selectFrom("custodian_nonce").select("nonce").execute();
    await opened.close();
    guardian = await launch();
    return nonces.length;
  }
}

async function openPlain(client: TrellisClient): Promise<Pay> {
  const { account, session } = await open(client, {});
  return (by, destination) => by.transfers.send({ account, session, currency: "sol", destination, amount: 1_000n });
}

async function openGuarded(client: TrellisClient, identity: string): Promise<Pay> {
  const guarded = { protection: "guarded", recovery: { address: newAddress() } } as const;
  const { account, session, signer } = await open(client, guarded);
  const credentials = browserWith(createSoftPasskey());
  const guardian = { identity };
  const passkey = await client.passkeys.add({ account, session, signer, name: "Phone", credentials, guardian });
  const passkeys = { passkeys: [passkey], credentials };
  return (by, destination) =>
    by.transfers.send({ account, session, passkeys, currency: "sol", destination, amount: 1_000n });
}

async function open(client: TrellisClient, more: object) {
  const email = `${randomBytes(8).toString("hex")}@example.org`;
  await client.accounts.create({ type: "email", email, ...more });
  const [mail] = await client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const made = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  await client.sandbox.airdrop({ address: made.address, currency: "sol", amount: "1000000000" });
  const session = await openSession(made.authentication[0], keyPair);
  return { account: made.address, session, signer: made.policies.signers[1]?.address ?? "" };
}

const newAddress = () => addressOfBytes(generateEd25519KeyPair().publicKey);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await measureGuardedPayments((line) => void process.stdout.write(`${line}\n`));
}
