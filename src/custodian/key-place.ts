import { setTimeout as wait } from "node:timers/promises";
import { adapterTables } from "../adapters/adapter-tables.js";
import type { KeyPlace } from "../adapters/key-place.js";
import { openKeyring } from "../adapters/keyring.js";
import { bindingSecrets, exportPurpose } from "../adapters/kms/bindings.js";
import { createRealClock, systemRandom } from "../adapters/system.js";
import type { CustodianConfig } from "../config/custodian.js";
import { noKeyStores } from "../config/key-stores.js";
import { openCustodianDatabase } from "./open-custodian-database.js";

const tables: readonly string[] = ["derived_secret", "wallet_root", "kms_wallet"];

/** The database of a custodian of its own process. */
export const custodianPlace = (config: CustodianConfig): KeyPlace => ({
  columns: (adapterTables.sealedColumns ?? []).filter(({ table }) => tables.includes(table)),
  // It hands no keys out, so that it has no table of exports.
  secrets: bindingSecrets.filter(({ purpose }) => purpose !== exportPurpose),
  async within(work) {
    const database = await openCustodianDatabase(config);
    try {
      return await work({
        db: database.db,
        keyring: await openKeyring({ ...config, keyStores: noKeyStores }, database.db),
        random: systemRandom,
        now: createRealClock().now,
        // The embedded database belongs to this process alone.
        pause: config.databaseUrl === null ? async () => {} : async (ms) => wait(ms),
      });
    } finally {
      await database.close();
    }
  },
});
