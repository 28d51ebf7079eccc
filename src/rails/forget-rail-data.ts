import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { RailAccount } from "./rail-kind.js";
import { railKinds } from "./rail-kinds.js";

/**
 * Removes everything personal that is kept of an account for bank rails: all of it or, while money is on its way, nothing.
 * Says how many rows that were. What the partner keeps is the partner's. `now`:
 * environment time, Unix milliseconds. Throws `money_on_its_way`.
 */
export async function forgetRailData(db: Db, account: RailAccount, now: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await holdWhatIsRecordedUnder(trx, account);
    for (const kind of railKinds) {
      if (await kind.isMoving?.(trx, account, now)) throw new TrellisError("money_on_its_way");
    }
    let removed = 0;
    for (const kind of railKinds) removed += await kind.forget(trx, account, now);
    return removed;
  });
}

/**
 * What records something with the partner holds the verification it hangs on (`whileVerified`), and what makes a
 * standing order the payout address that it pays (`insertOrder`): what was begun before is seen by the read that follows,
 * which reads what is committed then, and what begins later finds neither. Bank accounts are held before the orders that pay
 * them, and orders by their ids, as everywhere: so no processes wait in a circle.
 */
async function holdWhatIsRecordedUnder(trx: DbOrTrx, { tenantId, environment, address }: RailAccount): Promise<void> {
  for (const table of [
    "rail_verification",
    "rail_payout_address",
    "rail_external_account",
    "standing_order",
  ] as const) {
    await trx
      .selectFrom(table)
      .select("id")
      .where("environment", "=", environment)
      .where("account_address", "=", address)
      .where("tenant_id", "=", tenantId)
      .orderBy("id")
      .forUpdate()
      .execute();
  }
}
