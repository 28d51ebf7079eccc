import { setTimeout as wait } from "node:timers/promises";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { type CheckedPlace, checkPlace, type KeyPlace, replaceSecretsIn } from "../adapters/key-place.js";
import { openKeyring } from "../adapters/keyring.js";
import type { ReplacedSecret } from "../adapters/replace-secrets.js";
import { createRealClock, systemRandom } from "../adapters/system.js";
import type { Config } from "../config/config.js";
import { replaceableSecrets, sealedColumns } from "../modules.js";
import { withDatabase } from "./with-database.js";

/** What there are secrets for. */
export const secretPurposes: readonly string[] = replaceableSecrets.map(({ purpose }) => purpose);

/** The database of a service. */
export const servicePlace = (config: Config): KeyPlace => ({
  columns: sealedColumns,
  secrets: replaceableSecrets,
  within: (work) =>
    withDatabase(config, async ({ background }) =>
      work({
        db: background,
        keyring: await openKeyring(config, background),
        random: systemRandom,
        now: createRealClock().now,
        // The embedded database belongs to this process alone.
        pause: config.databaseUrl === null ? async () => {} : async (ms) => wait(ms),
      }),
    ),
});

/** Gives these purposes new secrets. */
export const replaceSecretsOf = (
  config: Config,
  purposes: readonly string[],
  pause?: Pause,
): Promise<readonly ReplacedSecret[]> => replaceSecretsIn(servicePlace(config), purposes, pause);

/** Opens everything, holds every binding, and derives every wallet. */
export const checkEverything = (config: Config): Promise<CheckedPlace> => checkPlace(servicePlace(config));
