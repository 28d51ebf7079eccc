import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Custodian, CustodianName, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { CustodianLog } from "@trellis/kernel/ports/custodian-log.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { createBuiltInCustodian } from "../adapters/kms/built-in-custodian.js";
import { type CustodianClient, createCustodianClient } from "../adapters/kms/custodian-client.js";
import { createCustodianLog } from "../adapters/kms/custodian-log.js";
import { hasGuardianFolder } from "../adapters/kms/guardian-folder.js";
import { identityText, type KeyFolder, KeyFolderError, readKeyFolder } from "../adapters/kms/key-folder.js";
import { createRemoteCustodian } from "../adapters/kms/remote-custodian.js";
import { ensureFirstRoot } from "../adapters/kms/wallet-keys.js";
import { type Config, ConfigError } from "../config/config.js";
import type { RemoteCustodianConfig } from "../config/remote-custodians.js";
import { builtInNames, custodianNames } from "../custody/custodians.js";
import { recordWallets } from "../custody/wallet-directory.js";
import { localGuardianName, openLocalGuardian } from "./open-local-guardian.js";

/** What was opened. */
interface OpenCustodians {
  /** Makes the custodians over some connections of the database. */
  readonly over: (db: Db) => Custodians;
  /** Of those that are processes of their own. */
  readonly logs: readonly CustodianLog[];
  /** The identity of the guardian beside the service; undefined: none is there. */
  readonly guardian: string | undefined;
}

interface Remote extends Pick<RemoteCustodianConfig, "isGuardian"> {
  readonly client: CustodianClient;
  readonly keys: KeyFolder;
}

interface Parts {
  readonly keyring: Keyring;
  readonly random: Random;
}

/**
 * The custodians of the configuration: in a process of their own, or inside the service. What has to be closed is added to `opened`.
 * Throws ConfigError for keys that cannot be used, and where a name had its wallets in the other place: its users could not sign any more.
 */
export async function openCustodians(
  config: Pick<Config, "remoteCustodians" | "localGuardian" | "dataDirectory" | "logLevel">,
  parts: Parts & { readonly db: Db; readonly realClock: Clock; readonly log: Log },
  opened: { close(): Promise<unknown> }[],
): Promise<OpenCustodians> {
  const remotes = new Map<CustodianName, Remote>();
  for (const { name, url, keyFolder, isGuardian } of config.remoteCustodians) {
    const keys = await readKeys(keyFolder);
    const client = createCustodianClient({ url, keys, now: () => parts.realClock.now() });
    remotes.set(name, { keys, client, isGuardian });
    opened.push({ close: async () => client.close() });
  }
  // One that would be made now knows none of the wallets that are there already.
  const isLocal = config.localGuardian && (hasGuardianFolder(config.dataDirectory) || (await hasNoWallet(parts.db)));
  const local = isLocal ? await openLocalGuardian(config, parts.log) : undefined;
  if (local !== undefined) {
    opened.push(local);
    const { keys, url } = local;
    const client = createCustodianClient({ url, keys, now: () => parts.realClock.now() });
    remotes.set(local.name, { keys, client, isGuardian: true });
    opened.push({ close: async () => client.close() });
  }
  for (const name of custodianNames) await requireSamePlace(parts.db, name, remotes.has(name));
  for (const provider of builtInNames) {
    const { db, keyring, random, realClock } = parts;
    if (!remotes.has(provider)) await ensureFirstRoot({ provider, db, keyring, random, now: () => realClock.now() });
  }
  const logs = [...remotes].map(([name, { client, keys }]) => ({
    ...createCustodianLog(name, client, keys),
    isRunning: () => name !== local?.name || local.isRunning(),
  }));
  return {
    over: (db) => makeCustodians(db, parts, remotes),
    logs,
    guardian: local && identityText(local.keys.peer),
  };
}

async function hasNoWallet(db: Db): Promise<boolean> {
  const found = await db.selectFrom("wallet").select("id").where("provider", "=", localGuardianName).limit(1).execute();
  return found.length === 0;
}

/** The custodians over a database, where each of their wallets is recorded: those of built-in ones by a trigger. */
export function makeCustodians(
  db: Db,
  parts: Parts,
  remotes: ReadonlyMap<CustodianName, Remote> = new Map(),
): Custodians {
  const made = custodianNames.flatMap((provider): [CustodianName, Custodian][] => {
    const remote = remotes.get(provider);
    if (remote !== undefined)
      return [[provider, recordWallets(db, createRemoteCustodian({ provider, db, ...remote }))]];
    if (!builtInNames.includes(provider)) return [];
    const { keyring, random } = parts;
    return [[provider, createBuiltInCustodian({ provider, db, keyring, random })]];
  });
  return new Map(made);
}

async function readKeys(folder: string): Promise<KeyFolder> {
  try {
    return await readKeyFolder(folder);
  } catch (error) {
    if (error instanceof KeyFolderError) throw new ConfigError([error.message]);
    throw error;
  }
}

/** All wallets of a custodian are in one place, so that any of them tells where. */
async function requireSamePlace(db: Db, name: CustodianName, isRemote: boolean): Promise<void> {
  const wallet = await db
    .selectFrom("wallet")
    .leftJoin("kms_wallet", "kms_wallet.id", "wallet.id")
    .select("kms_wallet.id as built_in")
    .where("wallet.provider", "=", name)
    .orderBy("wallet.created_at")
    .limit(1)
    .executeTakeFirst();
  if (wallet === undefined || (wallet.built_in === null) === isRemote) return;
  const variable = `TRELLIS_CUSTODIAN_${name.toUpperCase()}_URL`;
  throw new ConfigError([
    isRemote
      ? `${variable} cannot be set: this database has the keys of wallets of ${name}, which another process would not know.`
      : `${variable} is missing: wallets of ${name} have their keys at a custodian of its own process.`,
  ]);
}
