import { Buffer } from "node:buffer";
import { type Config, ConfigError } from "../config/config.js";
import { createKeyring, EnvelopeError, type Keyring } from "../core/crypto/envelope.js";
import type { Db } from "../ports/database.js";
import { readOrMakeMasterKey } from "./master-key-file.js";

/** Where the root of the derived secrets lies once the master keys were rotated, sealed under this context. */
export const derivationRootKey = "derivation_root";
export const derivationRootContext = "meta/derivation_root";

/**
 * The keyring over the configured master keys, or over the generated one in the data directory. Secrets derive from the
 * oldest key of the list, until a rotation has put that root into the database. Throws ConfigError when it was put there
 * under a key that is not in the list.
 */
export async function openKeyring(config: Pick<Config, "masterKeys" | "dataDirectory">, db: Db): Promise<Keyring> {
  const masterKeys = config.masterKeys ?? [await readOrMakeMasterKey(config.dataDirectory)];
  const [active] = masterKeys;
  const oldest = masterKeys.at(-1);
  if (!active || !oldest) throw new Error("there is no master key");
  // Stored hashes were made with the oldest key's secrets; they must not change when a newer key takes over.
  const options = { masterKeys, activeId: active.id, derivationId: oldest.id };
  const keyring = createKeyring(options);
  const kept = await db.selectFrom("meta").select("value").where("key", "=", derivationRootKey).executeTakeFirst();
  if (kept === undefined) return keyring;
  const derivationRoot = openRoot(keyring, Buffer.from(kept.value, "base64"));
  return createKeyring({ ...options, derivationRoot });
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
