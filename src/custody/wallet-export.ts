import { Buffer } from "node:buffer";
import type { AccountSignerTable, DbOrTrx } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";

/** What the seal of an exported key is bound to (gap 182): the `info` of HPKE. */
export const exportInfo = (wallet: string): Uint8Array => Buffer.from(`trellis/wallet-export/1/${wallet}`, "utf8");

/**
 * Those of an account's signers whose keys are not at their custodians alone: they have left (gap 182), or were somewhere else before
 * (gap 194). In list order.
 */
export async function findExportedSigners(
  db: DbOrTrx,
  signers: readonly Pick<AccountSignerTable, "wallet_id" | "signer_address">[],
): Promise<readonly string[]> {
  const walletIds = signers.flatMap(({ wallet_id }) => (wallet_id === null ? [] : [wallet_id]));
  if (walletIds.length === 0) return [];
  const { rows } = await sql<{ wallet_id: string }>`
    select wallet_id from wallet_export where wallet_id = any(${walletIds}::text[]) and state = 'exported'
    union all select id from wallet where id = any(${walletIds}::text[]) and imported_at is not null`.execute(db);
  const exported = new Set(rows.map(({ wallet_id }) => wallet_id));
  return signers.flatMap(({ wallet_id, signer_address }) =>
    wallet_id !== null && exported.has(wallet_id) ? [signer_address] : [],
  );
}
