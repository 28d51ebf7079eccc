import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Custodian, CustodianName, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { createBuiltInCustodian } from "../adapters/kms/built-in-custodian.js";
import { type CustodianClient, createCustodianClient } from "../adapters/kms/custodian-client.js";
import { type KeyFolder, KeyFolderError, readKeyFolder } from "../adapters/kms/key-folder.js";
import { createRemoteCustodian } from "../adapters/kms/remote-custodian.js";
import { type Config, ConfigError } from "../config/config.js";
import { builtInNames, custodianNames } from "../custody/custodians.js";

/** Makes the custodians over some connections of the database. */
export type OpenCustodians = (db: Db) => Custodians;

interface Remote {
  readonly client: CustodianClient;
  readonly keys: KeyFolder;
}

/**
 * The custodians of the configuration: in a process of their own, or inside the service. What has to be closed is added to `opened`.
 * Throws ConfigError for keys that cannot be used, and where a name had its wallets in the other place: its users could not sign any more.
 */
export async function openCustodians(
  config: Pick<Config, "remoteCustodians">,
  parts: { readonly db: Db; readonly keyring: Keyring; readonly random: Random; readonly realClock: Clock },
  opened: { close(): Promise<unknown> }[],
): Promise<OpenCustodians> {
  const { keyring, random, realClock } = parts;
  const remotes = new Map<CustodianName, Remote>();
  for (const { name, url, keyFolder } of config.remoteCustodians) {
    const keys = await readKeys(keyFolder);
    const client = createCustodianClient({ url, keys, now: () => realClock.now() });
    remotes.set(name, { keys, client });
    opened.push({ close: async () => client.close() });
  }
  for (const name of custodianNames) await requireSamePlace(parts.db, name, remotes.has(name));
  return (db) =>
    new Map(
      custodianNames.flatMap((provider): [CustodianName, Custodian][] => {
        const remote = remotes.get(provider);
        if (remote !== undefined) return [[provider, createRemoteCustodian({ provider, db, ...remote })]];
        if (!builtInNames.includes(provider)) return [];
        return [[provider, createBuiltInCustodian({ provider, db, keyring, random })]];
      }),
    );
}

async function readKeys(folder: string): Promise<KeyFolder> {
  try {
    return await readKeyFolder(folder);
  } catch (error) {
    if (error instanceof KeyFolderError) throw new ConfigError([error.message]);
    throw error;
  }
}

async function requireSamePlace(db: Db, name: CustodianName, isRemote: boolean): Promise<void> {
  const elsewhere = await db
    .selectFrom("kms_wallet")
    .select("id")
    .where("provider", "=", name)
    .where("secret", isRemote ? "is not" : "is", null)
    .limit(1)
    .executeTakeFirst();
  if (elsewhere === undefined) return;
  const variable = `TRELLIS_CUSTODIAN_${name.toUpperCase()}_URL`;
  throw new ConfigError([
    isRemote
      ? `${variable} cannot be set: this database has the keys of wallets of ${name}, which another process would not know.`
      : `${variable} is missing: wallets of ${name} have their keys at a custodian of its own process.`,
  ]);
}
