import type { Signature } from "@solana/kit";
import { askChain } from "../chain/ask-chain.js";
import type { Network } from "../environment.js";
import { TrellisError } from "../errors.js";
import type { Db, SubmissionTable } from "../ports/database.js";
import { releaseSponsorship } from "../sponsorship/sponsorship.js";

/** Submissions settled in one pass at most. */
const batch = 200;

/**
 * Settles what the service paid: for every submission with a reservation whose outcome is known, records what its fee
 * payer really lost and gives the rest of the reservation back (gap 31). Each is settled once, however many processes do
 * this; one that the chain cannot tell about yet stays for the next pass, for a day, after which the reservation counts as
 * spent: nodes forget old transactions. Returns how many were settled.
 */
export async function settleSubmissions(db: Db, network: Network): Promise<number> {
  const rows = await db
    .selectFrom("submission")
    .selectAll()
    .where("environment", "=", network.name)
    .where("state", "in", ["landed", "failed", "expired"])
    .where("spent_lamports", "is", null)
    .where("reserved_lamports", ">", 0n)
    .orderBy("updated_at")
    .limit(batch)
    .execute();
  let settled = 0;
  for (const row of rows) {
    const spent = row.state === "expired" ? 0n : await readSpent(network, row);
    if (spent !== undefined && (await settle(db, row, spent))) settled += 1;
  }
  return settled;
}

/** How long the chain is asked, in milliseconds of environment time. */
const askedForMs = 86_400_000;

/** The fee payer is the first account of every transaction, and its loss is what was paid. */
async function readSpent(network: Network, row: SubmissionTable): Promise<bigint | undefined> {
  try {
    const found = await askChain(
      network.rpc.getTransaction(row.signature as Signature, {
        commitment: "confirmed",
        encoding: "base64",
        maxSupportedTransactionVersion: 0,
      }),
    );
    const before = found?.meta?.preBalances[0];
    const after = found?.meta?.postBalances[0];
    if (before !== undefined && after !== undefined) return before - after;
  } catch (error) {
    // A silent chain is asked again at the next pass.
    if (!(error instanceof TrellisError)) throw error;
  }
  return network.clock.now() - Number(row.updated_at) > askedForMs ? row.reserved_lamports : undefined;
}

async function settle(db: Db, row: SubmissionTable, spent: bigint): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable("submission")
      .set({ spent_lamports: spent })
      .where("id", "=", row.id)
      .where("spent_lamports", "is", null)
      .executeTakeFirst();
    if (updated.numUpdatedRows !== 1n) return false;
    const rest = row.reserved_lamports - spent;
    // Less than nothing left is taken from the budgets: what was paid counts, reserved or not.
    if (rest !== 0n && row.tenant_id !== null) {
      await releaseSponsorship(trx, row.environment, {
        tenantId: row.tenant_id,
        accountAddress: row.account_address,
        lamports: rest,
        reservedOn: row.reserved_on ?? 0,
      });
    }
    return true;
  });
}
