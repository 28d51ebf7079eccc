import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { asActor, recordEntry } from "./actor.js";

/** Where the last one that was recorded stands in `meta`. */
const key = "audited_configuration";

/** Writes an entry where what the configuration says of keys and custodians is not what it said when a process last started. */
export function recordConfiguration(db: Db, configuration: Readonly<Record<string, unknown>>): Promise<boolean> {
  return asActor(db, "configuration", async (trx) => {
    const value = canonicalJson(configuration);
    await trx
      .insertInto("meta")
      .values({ key, value: "null" })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .execute();
    const former = await trx
      .selectFrom("meta")
      .select("value")
      .where("key", "=", key)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (former.value === value) return false;
    await trx.updateTable("meta").set({ value }).where("key", "=", key).execute();
    const before = JSON.parse(former.value) as unknown;
    await recordEntry(trx, {
      tenantId: null,
      kind: "configuration.changed",
      subject: "configuration",
      details: { ...configuration, ...(before === null ? {} : { before }) },
    });
    return true;
  });
}
