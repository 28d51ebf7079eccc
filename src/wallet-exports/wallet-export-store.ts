import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db, DbOrTrx, Trx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { isUuid } from "@trellis/kernel/wire-texts.js";
import { type RawBuilder, sql } from "kysely";
import { heldAccountAddress } from "../accounts/account-store.js";
import { recordEvent } from "../events/record-event.js";
import type { CommandedWallet } from "../passkeys/commanded-wallets.js";
import { toWireWalletExport, type WalletExportRow } from "./wallet-export.js";

/** What a tenant's exports wait, in seconds. */
export async function findExportDelay(db: DbOrTrx, tenantId: string): Promise<number> {
  const { wallet_export_delay_seconds: seconds } = await db
    .selectFrom("tenant")
    .select("wallet_export_delay_seconds")
    .where("id", "=", tenantId)
    .executeTakeFirstOrThrow();
  return seconds ?? limits.walletExportDelaySeconds;
}

/** Sets it, for exports that are asked for from now on. */
export async function setExportDelay(db: DbOrTrx, tenantId: string, seconds: number): Promise<void> {
  await db.updateTable("tenant").set({ wallet_export_delay_seconds: seconds }).where("id", "=", tenantId).execute();
}

/** The delay as an environment has it: outside of the sandbox there is a least one. */
export function delayIn(environment: EnvironmentName, seconds: number): number {
  return environment === "sandbox" ? seconds : Math.max(seconds, limits.walletExportDelayMinSeconds);
}

/** The exports of wallets, newest first, as many as anyone reads. */
export async function findExports(db: Db, wallets: readonly CommandedWallet[]): Promise<readonly WalletExportRow[]> {
  return db
    .selectFrom("wallet_export")
    .selectAll()
    .where(ofWallets(wallets))
    .orderBy("requested_at", "desc")
    .orderBy("id")
    .limit(exportsListed)
    .execute();
}

const exportsListed = 100;

/** An export of one of these wallets. Throws `wallet_export_not_found`. */
export async function getExport(db: Db, wallets: readonly CommandedWallet[], id: string): Promise<WalletExportRow> {
  const row = isUuid(id)
    ? await db.selectFrom("wallet_export").selectAll().where("id", "=", id).where(ofWallets(wallets)).executeTakeFirst()
    : undefined;
  if (row === undefined) throw new TrellisError("wallet_export_not_found");
  return row;
}

const ofWallets = (wallets: readonly CommandedWallet[]) =>
  sql<boolean>`wallet_id = any(${wallets.map(({ walletId }) => walletId)}::text[])`;

/** Whether an export of a wallet is open as far as the service knows. `now` is environment time in Unix milliseconds. */
export async function hasOpenExport(db: Db, walletId: string, now: number): Promise<boolean> {
  const open = db
    .selectFrom("wallet_export")
    .select("id")
    .where("wallet_id", "=", walletId)
    .where("state", "=", "waiting")
    .where("expires_at", ">", BigInt(now));
  return (await open.executeTakeFirst()) !== undefined;
}

/**
 * Keeps an export that its custodian has begun, spends the code that goes with it, and reports it; undefined where the code was
 * spent before, unless that was for this export.
 */
export async function storeExport(
  db: Db,
  row: WalletExportRow,
  spendCode: RawBuilder<unknown>,
): Promise<WalletExportRow | undefined> {
  return db.transaction().execute(async (trx) => {
    const { rows: spent } = await spendCode.execute(trx);
    if (spent.length === 0) {
      return trx.selectFrom("wallet_export").selectAll().where("id", "=", row.id).executeTakeFirst();
    }
    const account_address = heldAccountAddress({
      tenantId: row.tenant_id,
      environment: row.environment,
      address: row.account_address,
    });
    await trx
      .insertInto("wallet_export")
      .values({ ...row, account_address })
      .execute();
    await report(trx, "wallet_export.requested", row, Number(row.requested_at));
    return row;
  });
}

/** Notes that its key was read or that it was cancelled, and reports that, once; the row as it is. `now` is environment time. */
export async function endExport(
  db: Db,
  id: string,
  state: "exported" | "cancelled",
  { now, realNow }: { readonly now: number; readonly realNow: number },
): Promise<WalletExportRow> {
  return db.transaction().execute(async (trx) => {
    const ended = await trx
      .updateTable("wallet_export")
      .set({
        state,
        notice_due_at: BigInt(realNow),
        notice_tries: 0,
        ...(state === "exported" ? { exported_at: BigInt(now) } : { cancelled_at: BigInt(now) }),
      })
      .where("id", "=", id)
      .where("state", "=", "waiting")
      .returningAll()
      .executeTakeFirst();
    if (ended === undefined) {
      return trx.selectFrom("wallet_export").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    }
    const type = state === "exported" ? "wallet_export.completed" : "wallet_export.cancelled";
    await report(trx, type, ended, now);
    return ended;
  });
}

async function report(
  trx: Trx,
  type: "wallet_export.requested" | "wallet_export.cancelled" | "wallet_export.completed",
  row: WalletExportRow,
  now: number,
): Promise<void> {
  const { tenant_id: tenantId, environment, id } = row;
  await recordEvent(trx, { tenantId, environment, type, objectId: id, data: toWireWalletExport(row, now), now });
}
