import { Buffer } from "node:buffer";
import type { AccountSignerTable, DbOrTrx } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";

/** What the seal of an exported key is bound to (gap 182): the `info` of HPKE. */
export const exportInfo = (wallet: string): Uint8Array => Buffer.from(`trellis/wallet-export/1/${wallet}`, "utf8");

/** Those of an account's signers whose keys have left their custodians (gap 182), in list order. */
export async function findExportedSigners(
  db: DbOrTrx,
  signers: readonly Pick<AccountSignerTable, "wallet_id" | "signer_address">[],
): Promise<readonly string[]> {
  const walletIds = signers.flatMap(({ wallet_id }) => (wallet_id === null ? [] : [wallet_id]));
  if (walletIds.length === 0) return [];
  const rows = await db
    .selectFrom("wallet_export")
    .select("wallet_id")
    .where(sql<boolean>`wallet_id = any(${walletIds}::text[])`)
    .where("state", "=", "exported")
    .execute();
  const exported = new Set(rows.map(({ wallet_id }) => wallet_id));
  return signers.flatMap(({ wallet_id, signer_address }) =>
    wallet_id !== null && exported.has(wallet_id) ? [signer_address] : [],
  );
}
