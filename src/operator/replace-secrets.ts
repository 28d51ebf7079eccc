import { setTimeout as wait } from "node:timers/promises";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { type CheckedKeys, checkKeys } from "../adapters/check-keys.js";
import { openKeyring } from "../adapters/keyring.js";
import { type CheckedRoot, checkWallets } from "../adapters/kms/check-wallets.js";
import {
  type ReplacedSecret,
  type ReplaceNeeds,
  type RetiredSecret,
  replaceSecrets,
  retireSecrets,
} from "../adapters/replace-secrets.js";
import { createRealClock, systemRandom } from "../adapters/system.js";
import type { Config } from "../config/config.js";
import { replaceableSecrets, sealedColumns } from "../modules.js";
import { withDatabase } from "./with-database.js";

/** What there are secrets for. */
export const secretPurposes: readonly string[] = replaceableSecrets.map(({ purpose }) => purpose);

/** Gives these purposes new secrets. */
export function replaceSecretsOf(
  config: Config,
  purposes: readonly string[],
  pause?: Pause,
): Promise<readonly ReplacedSecret[]> {
  const wanted = replaceableSecrets.filter(({ purpose }) => purposes.includes(purpose));
  return withNeeds(config, (needs) => replaceSecrets({ ...needs, ...(pause ? { pause } : {}) }, wanted));
}

/** Brings bindings under the newest secrets, which an earlier run may not have got to, and retires what nothing needs. */
export function retireUnused(config: Config): Promise<readonly RetiredSecret[]> {
  return withNeeds(config, async (needs) => {
    for (const { rebind } of replaceableSecrets) await rebind?.(needs);
    return retireSecrets(needs, replaceableSecrets);
  });
}

/** What `trellis keys check` has found. */
export interface CheckedEverything extends CheckedKeys {
  readonly roots: readonly CheckedRoot[];
}

/** Opens everything, holds every binding, and derives every wallet. */
export function checkEverything(config: Config): Promise<CheckedEverything> {
  return withNeeds(config, async (needs) => ({
    ...(await checkKeys(needs, sealedColumns, replaceableSecrets)),
    roots: await checkWallets(needs),
  }));
}

function withNeeds<T>(config: Config, work: (needs: ReplaceNeeds) => Promise<T>): Promise<T> {
  return withDatabase(config, async ({ background }) =>
    work({
      db: background,
      keyring: await openKeyring(config, background),
      random: systemRandom,
      now: createRealClock().now,
      // The embedded database belongs to this process alone.
      pause: config.databaseUrl === null ? async () => {} : async (ms) => wait(ms),
    }),
  );
}
