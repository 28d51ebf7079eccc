import { openKeyring } from "../adapters/keyring.js";
import { resealEverything } from "../adapters/reseal.js";
import { asActor, recordEntry } from "../audit/actor.js";
import type { Config } from "../config/config.js";
import { sealedColumns } from "../modules.js";
import { withDatabase } from "./with-database.js";

/**
 * Moves everything that is sealed to the first master key of the configuration, and reports how many values of each table
 * were moved: with "rekey" to new data keys, too. Afterwards the other keys can be left out. Throws `EnvelopeError` when a key is missing.
 */
export function rotateMasterKey(
  config: Config,
  how: "rewrap" | "rekey" = "rewrap",
): Promise<ReadonlyMap<string, number>> {
  return withDatabase(config, async ({ db, background }) => {
    const keyring = await openKeyring(config, db);
    const moved = await resealEverything(background, keyring, sealedColumns, how);
    await asActor(db, "operator", (trx) =>
      recordEntry(trx, {
        tenantId: null,
        kind: "master_key.rotated",
        subject: `master_key/${keyring.activeId}`,
        details: { moved: Object.fromEntries(moved) },
      }),
    );
    return moved;
  });
}
