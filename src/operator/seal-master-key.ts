import { openConfiguredMasterKeys } from "../adapters/keyring.js";
import { sealMasterKey } from "../adapters/keys/sealed-master-key.js";
import { systemRandom } from "../adapters/system.js";
import { type Config, ConfigError } from "../config/config.js";
import type { SealingPlace } from "../config/key-stores.js";

/**
 * Has a key store seal a configured master key, or a new one, and gives the ciphertext. Throws ConfigError for an id that is
 * not there, or is in use, and KeyStoreError.
 */
export async function sealConfiguredMasterKey(
  config: Config,
  { id, place, isNew }: { readonly id: string; readonly place: SealingPlace; readonly isNew: boolean },
): Promise<string> {
  const isInUse = (config.masterKeys ?? [{ id: "file" }]).some((key) => key.id === id);
  if (isNew && isInUse) throw new ConfigError([`A key ${id} is in use: give the new one another id.`]);
  if (!isNew && !isInUse) {
    throw new ConfigError([`TRELLIS_MASTER_KEY has no key ${id}. With --new, a new one is made.`]);
  }
  const key = isNew
    ? { id, key: systemRandom.bytes(32) }
    : (await openConfiguredMasterKeys(config)).find((one) => one.id === id);
  if (key === undefined) throw new ConfigError([`There is no master key ${id}.`]);
  return sealMasterKey(key, place, config.keyStores);
}
