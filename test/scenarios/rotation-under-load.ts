import { randomBytes } from "node:crypto";
import { createKeyring, type Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import {
  createTrellisClient,
  generateEncryptionKeyPair,
  openSession,
  type TrellisClient,
  type TrellisSession,
} from "@trellis/sdk";
import { type CheckedKeys, checkKeys } from "../../src/adapters/check-keys.js";
import { openKeyring } from "../../src/adapters/keyring.js";
import { walletContext } from "../../src/adapters/kms/wallet-keys.js";
import { createLogger } from "../../src/adapters/log/pino-log.js";
import { replaceSecrets } from "../../src/adapters/replace-secrets.js";
import { resealEverything } from "../../src/adapters/reseal.js";
import { systemRandom } from "../../src/adapters/system.js";
import { parseConfig } from "../../src/config/config.js";
import { noKeyStores } from "../../src/config/key-stores.js";
import { replaceableSecrets, sealedColumns } from "../../src/modules.js";
import { type RunningService, startService } from "../../src/service.js";

/** What came of it. */
export interface RotationUnderLoad {
  /** Values that were moved, by the run that died and by the one after it. */
  readonly movedBefore: number;
  readonly movedAfter: number;
  readonly seconds: number;
  readonly requests: number;
  readonly failures: readonly string[];
  /** Milliseconds of a request. */
  readonly p50: number;
  readonly p99: number;
  /** With the new key alone, at the end. */
  readonly checked: CheckedKeys;
  /** Whether a service that has the new key alone makes a payment with the session of before. */
  readonly paysAfterwards: boolean;
}

/**
 * Seals `count` wallets under an old master key, and moves everything to a new one while the service signs payments, opens mails, seals
 * secrets and hashes codes. The move dies half-way and is begun again; the secrets of hashes are replaced meanwhile, without the wait.
 * At the end the old key is removed.
 */
export async function playRotationUnderLoad(place: {
  readonly count: number;
  readonly directory: string;
  readonly databaseUrl: string | undefined;
}): Promise<RotationUnderLoad> {
  const keys = { old: randomBytes(32), new: randomBytes(32) };
  const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
  const start = (masterKey: string) =>
    startService(
      parseConfig({
        PORT: "0",
        TRELLIS_DATA_DIR: place.directory,
        TRELLIS_API_KEY: apiKey,
        TRELLIS_RATE_LIMIT: "0",
        TRELLIS_TENANT_RATE_LIMIT: "0",
        TRELLIS_LOG_LEVEL: "silent",
        TRELLIS_MASTER_KEY: masterKey,
        ...(place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl }),
      }),
      createLogger("silent"),
    );
  const written = { old: `old:${keys.old.toString("base64")}`, new: `new:${keys.new.toString("base64")}` };
  const clientOf = ({ url }: RunningService) =>
    createTrellisClient({ baseUrl: url, apiKey, environment: "sandbox", maxRetries: 0 });

  const former = await start(written.old);
  const holder = await signUp(clientOf(former));
  await former.close();

  const service = await start(`${written.new},${written.old}`);
  const masterKeys = [
    { id: "new", key: new Uint8Array(keys.new) },
    { id: "old", key: new Uint8Array(keys.old) },
  ];
  await fillWallets(service.db, createKeyring({ masterKeys, activeId: "old" }), place.count);
  const keyring = await openKeyring({ masterKeys, keyStores: noKeyStores, dataDirectory: place.directory }, service.db);
  const load = startLoad(clientOf(service), holder);
  const began = performance.now();
  const movedBefore = await moveUntilDeath(service.db, keyring, Math.floor(place.count / 2));
  const replace = { db: service.db, keyring, random: systemRandom, now: Date.now, pause: async () => {} };
  await replaceSecrets(replace, replaceableSecrets);
  const moved = await resealEverything(service.db, keyring, sealedColumns, "rekey");
  const seconds = (performance.now() - began) / 1000;
  const { durations, failures } = await load.stop();
  await service.close();

  const later = await start(written.new);
  try {
    const alone = await openKeyring(
      { masterKeys: masterKeys.slice(0, 1), keyStores: noKeyStores, dataDirectory: place.directory },
      later.db,
    );
    return {
      movedBefore,
      movedAfter: moved.get("kms_wallet") ?? 0,
      seconds,
      requests: durations.length + failures.length,
      failures,
      p50: quantile(durations, 0.5),
      p99: quantile(durations, 0.99),
      checked: await checkKeys({ db: later.db, keyring: alone }, sealedColumns, replaceableSecrets),
      paysAfterwards: await pay(clientOf(later), holder).then(
        () => true,
        () => false,
      ),
    };
  } finally {
    await later.close();
  }
}

const email = "ada@example.org";

interface Holder {
  readonly account: string;
  readonly session: TrellisSession;
}

async function signUp(client: TrellisClient): Promise<Holder> {
  await client.accounts.create({ type: "email", email });
  const [mail] = await client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const session = await openSession(verified.authentication[0], keyPair);
  await client.sandbox.airdrop({ address: verified.address, currency: "sol", amount: "1000000000" });
  const holder = { account: verified.address, session };
  // The payee exists from here on.
  await pay(client, holder, 5_000_000n);
  return holder;
}

/** Little, as an hour of payments has to be paid from one airdrop. */
const pay = (client: TrellisClient, { account, session }: Holder, amount = 1_000n) =>
  client.transfers.send({
    account,
    session,
    currency: "sol",
    destination: "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
    amount,
  });

async function fillWallets(db: Db, keyring: Keyring, count: number): Promise<void> {
  const chunk = 1_000;
  for (let from = 0; from < count; from += chunk) {
    const rows = Array.from({ length: Math.min(chunk, count - from) }, (_, i) => {
      const id = `filled-${from + i}`;
      const secret = keyring.wrap(randomBytes(32), walletContext(id));
      return { id, provider: "kms_a", owner_id: id, environment: "sandbox", address: id, secret, created_at: 0n };
    });
    await db.insertInto("kms_wallet").values(rows).execute();
  }
}

/** Moves values until the process dies, after so many. */
async function moveUntilDeath(db: Db, keyring: Keyring, count: number): Promise<number> {
  let moved = 0;
  const dying: Keyring = {
    ...keyring,
    rekey: (envelope, context) => {
      if (moved === count) throw new Error("the process dies");
      moved += 1;
      return keyring.rekey(envelope, context);
    },
  };
  await resealEverything(db, dying, sealedColumns, "rekey").catch((error: Error) => {
    if (error.message !== "the process dies") throw error;
  });
  return moved;
}

/** Asks for something after another until it is stopped: what opens, seals, signs and hashes. */
function startLoad(client: TrellisClient, holder: Holder) {
  const durations: number[] = [];
  const failures: string[] = [];
  let isOver = false;
  let number = 0;
  const asks: readonly (() => Promise<unknown>)[] = [
    () => pay(client, holder),
    () => client.sandbox.outbox(email),
    () => client.webhookEndpoints.list(),
    () => {
      number += 1;
      return client.accounts.create({ type: "email", email: `user-${number}@example.org` });
    },
    () => client.accounts.balances(holder.account),
  ];
  const run = async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const began = performance.now();
      try {
        await asks[turn % asks.length]?.();
        durations.push(performance.now() - began);
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  const running = [run(), run()];
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(running);
      return { durations, failures };
    },
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
