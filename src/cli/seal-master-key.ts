import { ConfigError, parseConfig } from "../config/config.js";
import { parseSealingPlace } from "../config/key-stores.js";
import { sealConfiguredMasterKey } from "../operator/seal-master-key.js";

/** What `trellis keys seal` was called with. */
export interface SealOptions {
  readonly id: string;
  readonly place: string;
  /** Whether a new key is made, under an id that is not in use. */
  readonly isNew: boolean;
}

/**
 * `trellis keys seal`: prints the entry of TRELLIS_MASTER_KEY that a key store opens. The key itself is displayed
 * nowhere. Throws ConfigError, and KeyStoreError.
 */
export async function seal(
  environment: Readonly<Record<string, string | undefined>>,
  { id, place: written, isNew }: SealOptions,
): Promise<void> {
  const config = parseConfig(environment);
  if (!/^[a-zA-Z0-9_-]{1,32}$/.test(id)) {
    throw new ConfigError(["A key's id has 1 to 32 letters, digits, hyphens and underscores."]);
  }
  const place = parseSealingPlace(written, config.keyStores);
  if ("problem" in place) throw new ConfigError([`The place ${place.problem}.`]);
  const ciphertext = await sealConfiguredMasterKey(config, { id, place, isNew });
  process.stdout.write(`${id}=${written}#${ciphertext}\n`);
  process.stderr.write(
    isNew
      ? `This is a new key. Put it in front of the others in TRELLIS_MASTER_KEY. Only the key store can open it.\n`
      : `This takes the place of the key ${id} in TRELLIS_MASTER_KEY. Old backups of the variable still open it without the key store.\n`,
  );
}
