import type { Db, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import type { FoundMessage } from "./find-message.js";
import { moveIntents, movesOfSubmissions } from "./intent-states.js";
import { markFinal, storeSigned } from "./submission-store.js";

/** Whose transaction was found, and what was known of it before. */
export interface FoundFor
  extends Pick<SubmissionTable, "id" | "environment" | "last_valid_block_height" | "recorded_slot"> {
  readonly tenant_id: string;
  readonly account_address: string;
  /** Whether it may change the account's settings. */
  readonly changesSettings: boolean;
}

/**
 * Records a transaction that others have sent as a submission with the chain's own bytes, signature and outcome, and moves
 * its payment intent. The service has paid nothing for it. Does nothing, and returns false, where it was submitted here as
 * well, or its signature was counted as another one's in this very moment. What breaks off in between is an open submission,
 * which the recovery pass brings to the same end.
 */
export async function recordFound(
  db: Db,
  network: Pick<Network, "clock">,
  of: FoundFor,
  found: FoundMessage,
): Promise<boolean> {
  const now = network.clock.now();
  const stored = storeSigned(
    [
      {
        id: of.id,
        tenantId: of.tenant_id,
        environment: of.environment,
        accountAddress: of.account_address,
        purpose: "transaction",
        signature: found.signature,
        carried: found.carried,
        wireTransaction: found.wireTransaction,
        lastValidBlockHeight: of.last_valid_block_height,
        recordedSlot: of.recorded_slot ?? found.slot - 1n,
        reservedLamports: 0n,
        reservedOn: 0,
        changesSettings: of.changesSettings,
      },
    ],
    now,
  );
  const isRecorded = await db.transaction().execute(async (trx) => {
    // Of a frozen tenant, too (see `refuse_frozen`).
    await sql`select set_config('trellis.found', 'yes', true)`.execute(trx);
    const { rows } = await sql<{ recorded: boolean }>`
    with recorded as (${stored}), moves as (${sql.raw(movesOfSubmissions("recorded"))}),
      moved as (${sql.raw(moveIntents())})
    select exists (select 1 from recorded) as recorded`.execute(trx);
    return rows[0]?.recorded === true;
  });
  if (!isRecorded) return false;
  await markFinal(db, [{ id: of.id, outcome: found.outcome }], now);
  return true;
}
