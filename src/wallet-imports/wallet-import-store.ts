import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { sql } from "kysely";
import { nameHolders } from "../accounts/settings-change-signers.js";
import { recordEvent } from "../events/record-event.js";
import type { ImportScope } from "./imported-signer.js";
import { type CompletedImportRow, isCompleted, toWireWalletImport, type WalletImportRow } from "./wallet-import.js";

/** Keeps an import that its custodian has begun. */
export async function storeImport(db: Db, row: WalletImportRow): Promise<void> {
  await db.insertInto("wallet_import").values(row).execute();
}

/** An import of an account's by its user. Throws `wallet_import_not_found`. */
export async function getImport(db: Db, { account, user }: ImportScope, id: string): Promise<WalletImportRow> {
  const row = await db
    .selectFrom("wallet_import")
    .selectAll()
    .where("id", "=", id)
    .where("environment", "=", account.environment)
    .where("account_address", "=", account.address)
    .where("user_id", "=", user.id)
    .executeTakeFirst();
  if (row === undefined) throw new TrellisError("wallet_import_not_found", { field: "import_id" });
  return row;
}

/** What a custodian did of which the service has not noted it yet: a process died in between. */
export interface UnnotedImport {
  readonly id: string;
  readonly imported_wallet_id: string;
  readonly imported_at: bigint;
}

/** Up to so many, the oldest first. Only custodians inside the service take keys. */
export async function findUnnoted(
  db: Db,
  environment: EnvironmentName,
  limit: number,
): Promise<readonly UnnotedImport[]> {
  const { rows } = await sql<UnnotedImport>`
    select open.id, taken.imported_wallet_id, wallet.imported_at from wallet_import as open
    join kms_wallet_import as taken on taken.id = open.id
    join wallet on wallet.id = taken.imported_wallet_id
    -- A tenant that is frozen waits for this before it moves.
    where open.environment = ${environment}::text and open.state = 'open'
    order by open.expires_at limit ${limit}::int4`.execute(db);
  return rows;
}

/**
 * Notes that a key is a wallet now, once: the accounts of the tenant that it signs for say so, and an event does. Times in Unix
 * milliseconds: `importedAt` of the environment.
 */
export async function completeImport(
  db: Db,
  id: string,
  { importedAt, realNow }: { readonly importedAt: number; readonly realNow: number },
  walletId: string,
): Promise<CompletedImportRow> {
  return db.transaction().execute(async (trx) => {
    const completed = await trx
      .updateTable("wallet_import")
      .set({ state: "imported", imported_at: BigInt(importedAt), notice_due_at: BigInt(realNow) })
      .where("id", "=", id)
      .where("state", "=", "open")
      .returningAll()
      .executeTakeFirst();
    const row =
      completed ?? (await trx.selectFrom("wallet_import").selectAll().where("id", "=", id).executeTakeFirstOrThrow());
    assertOurs(isCompleted(row), "an import that is not open was completed");
    if (completed === undefined) return row;
    const { tenant_id: tenantId, environment } = row;
    await nameHolders(trx, { tenantId, environment }, { walletId });
    const data = toWireWalletImport(row);
    await recordEvent(trx, {
      tenantId,
      environment,
      type: "wallet_import.completed",
      objectId: id,
      data,
      now: importedAt,
    });
    return row;
  });
}
