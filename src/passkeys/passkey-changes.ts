import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db, DbOrTrx } from "@trellis/kernel/ports/database.js";
import { isUuid } from "@trellis/kernel/wire-texts.js";
import { sql } from "kysely";
import type { PasskeyRow } from "../custody/passkey/passkey-store.js";
import { recordEvent } from "../events/record-event.js";
import type { CommandedWallet } from "./commanded-wallets.js";
import { toWirePasskey, unnamed } from "./passkey.js";
import { liftWithLast, requireFromFirst } from "./passkey-requirement.js";

/** A passkey of one of these wallets, removed or not. Throws `passkey_not_found`. */
export async function getPasskey(db: Db, wallets: readonly CommandedWallet[], id: string): Promise<PasskeyRow> {
  if (!isUuid(id)) throw new TrellisError("passkey_not_found");
  const row = await db
    .selectFrom("passkey")
    .selectAll()
    .where("id", "=", id)
    .where(sql<boolean>`wallet_id = any(${wallets.map(({ commanderId }) => commanderId)}::text[])`)
    .executeTakeFirst();
  if (row === undefined) throw new TrellisError("passkey_not_found");
  return row;
}

/** Keeps one that its custodian has added, and reports it; the row as it is. The same again changes nothing. Throws
 * `passkey_exists` where another wallet of the tenant's has it. */
export async function storePasskey(db: Db, row: PasskeyRow): Promise<PasskeyRow> {
  return db.transaction().execute(async (trx) => {
    const stored = await trx
      .insertInto("passkey")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (stored === undefined) {
      const known = await trx.selectFrom("passkey").selectAll().where("id", "=", row.id).executeTakeFirst();
      if (known === undefined) throw new TrellisError("passkey_exists");
      // A list has found it at its custodian before its name was stored.
      const isUnnamed = known.name === unnamed && known.removed_at === null;
      return isUnnamed ? ((await renamePasskey(trx, known.id, row.name)) ?? known) : known;
    }
    await requireFromFirst(trx, stored.user_id);
    await report(trx, "passkey.added", stored, Number(stored.created_at));
    return stored;
  });
}

/**
 * Lists what its custodian has and the service does not, and reports it: a passkey whose adding was broken off. One that another
 * wallet of the tenant's has is left out.
 */
export async function adoptPasskey(db: Db, row: PasskeyRow, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<PasskeyRow>`select * from passkey where id = ${row.id} for update`.execute(trx);
    const [known] = rows;
    if (known !== undefined && known.removed_at === null) return;
    const isElsewhere = await trx
      .selectFrom("passkey")
      .select("id")
      .where("tenant_id", "=", row.tenant_id)
      .where("environment", "=", row.environment)
      .where("credential_id", "=", row.credential_id)
      .where("removed_at", "is", null)
      .executeTakeFirst();
    if (isElsewhere !== undefined) return;
    const adopted =
      known === undefined
        ? await trx
            .insertInto("passkey")
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .returningAll()
            .executeTakeFirst()
        : await trx
            .updateTable("passkey")
            .set({ removed_at: null })
            .where("id", "=", row.id)
            .returningAll()
            .executeTakeFirst();
    if (adopted === undefined) return;
    await requireFromFirst(trx, adopted.user_id);
    await report(trx, "passkey.added", adopted, now);
  });
}

/** Gives it another name; undefined where it was removed. */
export async function renamePasskey(db: DbOrTrx, id: string, name: string): Promise<PasskeyRow | undefined> {
  return db
    .updateTable("passkey")
    .set({ name })
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .returningAll()
    .executeTakeFirst();
}

/** Notes that its custodian has removed it, and reports that, once. `now` is environment time in Unix milliseconds. */
export async function forgetPasskey(db: Db, id: string, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const removed = await trx
      .updateTable("passkey")
      .set({ removed_at: BigInt(now) })
      .where("id", "=", id)
      .where("removed_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (removed === undefined) return;
    await liftWithLast(trx, removed.user_id);
    await report(trx, "passkey.removed", removed, now);
  });
}

/** Keeps of one that its guardian alone had that it was removed, so that a guardian that is put back has it for nothing. */
export async function rememberRemoval(db: Db, row: PasskeyRow, now: number): Promise<void> {
  await db
    .insertInto("passkey")
    .values({ ...row, removed_at: BigInt(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function report(
  db: DbOrTrx,
  type: "passkey.added" | "passkey.removed",
  row: PasskeyRow,
  now: number,
): Promise<void> {
  const { tenant_id: tenantId, id } = row;
  await recordEvent(db, { tenantId, environment: row.environment, type, objectId: id, data: toWirePasskey(row), now });
}
