import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { SealedColumn } from "@trellis/kernel/module.js";
import type { Db } from "@trellis/kernel/ports/database.js";
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
    return resealAndRecord({ db, background, keyring }, sealedColumns, how);
  });
}

/** The same of some columns of any database with a log, which names it before and afterwards. */
export async function resealAndRecord(
  { db, background, keyring }: { readonly db: Db; readonly background: Db; readonly keyring: Keyring },
  columns: readonly SealedColumn[],
  how: "rewrap" | "rekey",
): Promise<ReadonlyMap<string, number>> {
  const record = (kind: string, details: Readonly<Record<string, unknown>>) =>
    asActor(db, "operator", (trx) =>
      recordEntry(trx, {
        tenantId: null,
        kind,
        subject: `master_key/${keyring.activeId}`,
        details: { how, ...details },
      }),
    );
  // Before anything is moved: one that breaks off is in the log, too.
  await record("master_key.rotation_started", {});
  const moved = await resealEverything(background, keyring, columns, how);
  await record("master_key.rotated", { moved: Object.fromEntries(moved) });
  return moved;
}
