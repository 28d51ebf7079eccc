import { sql } from "kysely";
import { TrellisError } from "../../errors.js";
import type { Db } from "../../ports/database.js";
import type { RailAccount } from "./rail-kind.js";
import { railKinds } from "./rail-kinds.js";

/**
 * Removes everything personal that is kept of an account for bank rails: all of it or, while money is on its way, nothing.
 * Says how many rows that were. What the partner keeps is the partner's. `now`:
 * environment time, Unix milliseconds. Throws `money_on_its_way`.
 */
export async function forgetRailData(db: Db, account: RailAccount, now: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // What is begun after the look below is not seen by what deletes either, and stays; what changes meanwhile ends this.
    await sql`set transaction isolation level repeatable read`.execute(trx);
    for (const kind of railKinds) {
      if (await kind.isMoving?.(trx, account, now)) throw new TrellisError("money_on_its_way");
    }
    let removed = 0;
    for (const kind of railKinds) removed += await kind.forget(trx, account);
    return removed;
  });
}
