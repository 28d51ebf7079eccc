import { Buffer } from "node:buffer";
import { createKeyring, EnvelopeError, type Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { type Config, ConfigError } from "../config/config.js";
import type { MasterKey } from "../config/keys.js";
import { createStoredBook } from "./derived-secrets.js";
import { openMasterKeys } from "./keys/sealed-master-key.js";
import { readOrMakeMasterKey } from "./master-key-file.js";

/** Where the root of the derived secrets lies once the master keys were rotated, sealed under this context. */
export const derivationRootKey = "derivation_root";
export const derivationRootContext = "meta/derivation_root";

/**
 * The keyring over the configured master keys, or over the generated one in the data directory. Secrets derive from the
 * oldest key of the list, until a rotation has put that root into the database. Throws ConfigError when it was put there
 * under a key that is not in the list, and KeyStoreError when a key store does not open a sealed one.
 */
export async function openKeyring(
  config: Pick<Config, "masterKeys" | "keyStores" | "dataDirectory">,
  db: Db,
): Promise<Keyring> {
  const masterKeys = await openConfiguredMasterKeys(config);
  const [active] = masterKeys;
  const oldest = masterKeys.at(-1);
  if (!active || !oldest) throw new Error("there is no master key");
  // Stored hashes were made with the oldest key's secrets; they must not change when a newer key takes over.
  const options = { masterKeys, activeId: active.id, derivationId: oldest.id };
  const plain = createKeyring(options);
  const book = createStoredBook(db, plain.unwrap);
  const kept = await db.selectFrom("meta").select("value").where("key", "=", derivationRootKey).executeTakeFirst();
  const derivationRoot = kept === undefined ? undefined : openRoot(plain, Buffer.from(kept.value, "base64"));
  const keyring = createKeyring({ ...options, book, ...(derivationRoot === undefined ? {} : { derivationRoot }) });
  await checkDerivation(keyring, db);
  await book.load();
  return keyring;
}

/** The master keys of the configuration, sealed ones opened, or the generated one in the data directory. */
export async function openConfiguredMasterKeys(
  config: Pick<Config, "masterKeys" | "keyStores" | "dataDirectory">,
): Promise<readonly MasterKey[]> {
  if (config.masterKeys === null) return [await readOrMakeMasterKey(config.dataDirectory)];
  return openMasterKeys(config.masterKeys, config.keyStores);
}

/** Where what derives for this name is kept, to know the root by. */
const derivationCheckKey = "derivation_check";

/**
 * Requires that secrets derive from what they derived from at the first start: with the keys in another order, or with
 * others, no API key, code or session would be known any more. Throws ConfigError.
 */
async function checkDerivation(keyring: Keyring, db: Db): Promise<void> {
  const value = Buffer.from(keyring.deriveSecret(derivationCheckKey)).toString("base64");
  await db
    .insertInto("meta")
    .values({ key: derivationCheckKey, value })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  const known = await db
    .selectFrom("meta")
    .select("value")
    .where("key", "=", derivationCheckKey)
    .executeTakeFirstOrThrow();
  if (known.value === value) return;
  throw new ConfigError([
    "The last key in TRELLIS_MASTER_KEY is not the one that this database was created with. " +
      "Put new keys first, and keep the oldest key at the end.",
  ]);
}

function openRoot(keyring: Keyring, sealed: Uint8Array): Uint8Array {
  try {
    return keyring.unwrap(sealed, derivationRootContext);
  } catch (error) {
    if (!(error instanceof EnvelopeError) || error.fault !== "unknown_master_key") throw error;
    throw new ConfigError([
      `TRELLIS_MASTER_KEY lacks the key ${keyring.masterKeyIdOf(sealed)}, under which this database is sealed.`,
    ]);
  }
}
