import type { KeyPlace } from "../adapters/key-place.js";
import { ConfigError, parseConfig } from "../config/config.js";
import { resealAndRecord, rotateMasterKey } from "../operator/rotate-master-key.js";

/**
 * `trellis keys reseal` and `trellis keys rekey`: moves every secret at rest to the first key of TRELLIS_MASTER_KEY, and prints what was
 * moved. Throws ConfigError without two keys, and `DataDirectoryInUseError` while the service runs on the embedded database.
 */
export async function rotate(
  environment: Readonly<Record<string, string | undefined>>,
  how: "rewrap" | "rekey",
): Promise<void> {
  const config = parseConfig(environment);
  const [first, ...others] = config.masterKeys ?? [];
  if (first === undefined || others.length === 0) {
    throw new ConfigError([
      "TRELLIS_MASTER_KEY must hold the new key and the ones it follows: <new id>:<base64>,<old id>:<base64>. " +
        "A generated key is called `file`; it stands in master.key in the data directory.",
    ]);
  }
  for (const [table, count] of await rotateMasterKey(config, how)) process.stdout.write(`${table}: ${count} moved\n`);
  process.stdout.write(
    `Everything is sealed under the key ${first.id} now. Once every process runs with it, TRELLIS_MASTER_KEY may be ` +
      `${first.id}:<base64> alone. Old backups still need the old keys.\n`,
  );
}

/** `trellis custodian keys reseal` and `rekey`: the same for a custodian. */
export async function resealPlace({ columns, within }: KeyPlace, how: "rewrap" | "rekey"): Promise<void> {
  const moved = await within(({ db, keyring }) => resealAndRecord({ db, background: db, keyring }, columns, how));
  for (const [table, count] of moved) process.stdout.write(`${table}: ${count} moved\n`);
  process.stdout.write(
    "Everything is sealed under the first key of TRELLIS_CUSTODIAN_MASTER_KEY now. Once the custodian runs with it, the others can be left out. " +
      "Old backups still need them.\n",
  );
}
