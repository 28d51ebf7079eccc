import { randomBytes } from "node:crypto";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { createTrellisClient, type TrellisClient } from "@trellis/sdk";
import pg from "pg";
import { afterAll, expect, it } from "vitest";
import { createLogger } from "../../src/adapters/log/pino-log.js";
import { parseConfig } from "../../src/config/config.js";
import { checkEverything } from "../../src/operator/replace-secrets.js";
import { type RunningService, startService } from "../../src/service.js";
import { type SandboxProcess, startSandboxProcess } from "../cluster/sandbox-process.js";
import { lamportsOf, openAccount, preparePayment } from "../crash/honest-client.js";
import { postgresUrl } from "../support/test-database.js";
import { use } from "../support/use.js";
import { useTestLocation } from "../support/use-database.js";
import { useDirectory } from "../support/use-directory.js";

const directory = useDirectory();
const place = useTestLocation();
// The chain goes on, whatever happens to the database.
const chain: SandboxProcess = use(startSandboxProcess);
const copies: string[] = [];
afterAll(async () => {
  for (const name of copies) await onServer(`drop database if exists ${name} with (force)`);
});

it("gives who signs up again after an older copy was restored the same wallets, and with them the money", {
  timeout: 240_000,
}, async () => {
  const first = await start({ folder: join(directory, "data"), url: place.url });
  await openAccount(clientOf(first), "grace@example.org", 1_000_000_000n);
  await first.close();
  const backup = await copyOf({ folder: join(directory, "data"), url: place.url });

  const second = await start({ folder: join(directory, "data"), url: place.url });
  const lost = await openAccount(clientOf(second), "ada@example.org", 1_000_000_000n);
  const before = await clientOf(second).accounts.get(lost.address);
  await second.close();

  const third = await start(backup);
  try {
    const client = clientOf(third);
    await expect(client.accounts.get(lost.address)).rejects.toMatchObject({ code: "account_not_found" });
    const ada = await openAccount(client, "ada@example.org", 1_000_000_000n);
    expect(ada.address).not.toBe(lost.address);
    const again = await client.accounts.get(ada.address);
    expect(again.grid_user_id).toBe(before.grid_user_id);
    expect(again.policies.signers).toEqual(before.policies.signers);
    // Its signers are wallets of the tenant's, so that nobody has to prove anything.
    expect(await client.accounts.import({ settings_address: before.settings_address })).toMatchObject({
      status: "active",
    });
    const payment = await preparePayment(client, { ...ada, address: lost.address }, ada.address, 400_000_000n);
    await client.transactions.submit(lost.address, payment.submit);
    expect(await lamportsOf(client, ada.address)).toBe(1_400_000_000n);
    const other = await openAccount(client, "eve@example.org", 1_000_000_000n);
    const signersOf = ({ policies }: typeof again) => policies.signers.map(({ address }) => address);
    const others = signersOf(await client.accounts.get(other.address));
    expect(others.filter((address) => signersOf(again).includes(address))).toEqual([]);
  } finally {
    await third.close();
  }
  const { roots, columns } = await checkEverything(configOf(backup));
  expect(roots.map(({ provider, generation, good, broken }) => [provider, generation, good, broken])).toEqual([
    ["kms_a", 1, 3, []],
    ["kms_b", 1, 3, []],
  ]);
  expect(columns.find(({ name }) => name === "wallet_root.sealed")?.opened.get("1")).toBe(2);
});

interface Place {
  readonly folder: string;
  readonly url: string | undefined;
}

/** As a backup is, which is restored elsewhere. */
async function copyOf({ folder, url }: Place): Promise<Place> {
  const target = `${folder}-copy`;
  if (url === undefined) {
    await cp(folder, target, { recursive: true });
    return { folder: target, url };
  }
  const name = new URL(url).pathname.slice(1);
  const copy = `${name}_copy`;
  copies.push(copy);
  await onServer(`create database ${copy} template ${name}`);
  const copied = new URL(url);
  copied.pathname = `/${copy}`;
  return { folder: target, url: copied.href };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
const masterKey = randomBytes(32).toString("base64");

const configOf = ({ folder, url }: Place) =>
  parseConfig({
    PORT: "0",
    TRELLIS_DATA_DIR: folder,
    TRELLIS_API_KEY: apiKey,
    TRELLIS_LOG_LEVEL: "silent",
    TRELLIS_MASTER_KEY: masterKey,
    TRELLIS_SANDBOX_RPC_URL: chain.url,
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  });

const start = (at: Place) => startService(configOf(at), createLogger("silent"));

const clientOf = ({ url }: RunningService): TrellisClient =>
  createTrellisClient({ baseUrl: url, apiKey, environment: "sandbox" });
