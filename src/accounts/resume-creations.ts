import { eachOf } from "@trellis/kernel/each-of.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { AccountCreationTable, Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { chooseInTurns } from "@trellis/kernel/tenant-turns.js";
import { sql } from "kysely";
import { createOnChain } from "./create-on-chain.js";
import type { CreationNeeds } from "./creation.js";

/** Taken from the database at once, and how often in one pass at most. */
const batch = 64;
const batchesMax = 16;
/** Checked in parallel: one that waits for the chain holds up no other. */
const atOnce = 16;

/**
 * Checks every creation that was left open (a crash, a chain that did not answer) and that no process has checked for `idleMs` of
 * real time: tenants take turns, and of each the one that has waited longest is first. Stored bytes are asked after, new ones are
 * made only after those failed or expired. A check takes a few seconds at most; what has no end by then is due again, behind the others.
 * Several processes share the work, and each leaves alone what is being driven for a caller.
 *
 * An account of given keys for which nothing was signed is not resumed: its caller got that response, or asks again
 * with the same idempotency key.
 *
 * Reports how many ended and how many are left.
 */
export async function resumePendingCreations(
  needs: CreationNeeds,
  network: Network,
  idleMs: number,
): Promise<{ readonly ended: number; readonly left: number }> {
  const seen = new Set<string>();
  let ended = 0;
  for (let round = 0; round < batchesMax; round += 1) {
    const claimed = await claimDue(needs.db, network, needs.realClock.now(), idleMs);
    const fresh = claimed.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    ended += await refreshAtAll(needs, network, fresh);
    if (claimed.length < batch || fresh.length === 0) break;
  }
  return { ended, left: seen.size - ended };
}

/** Those that are due, in the order of choice, marked as checked: other processes take others. `now`: real time, Unix milliseconds. */
async function claimDue(
  db: Db,
  network: Network,
  now: number,
  idleMs: number,
): Promise<readonly AccountCreationTable[]> {
  const { rows } = await sql<AccountCreationTable>`
    with recursive ${chooseInTurns({
      table: "account_creation",
      turnsKey: `creations.turn.${network.name}`,
      environment: network.name,
      open: sql`state = 'pending' and (submission_id is not null or type = 'email')`,
      since: "looked_at",
      due: sql`looked_at <= ${now - idleMs}::int8 and not is_frozen(tenant_id)`,
      limit: batch,
    })}, ranked as materialized (
      select id, row_number() over () as place from chosen
    ), claimed as (
      update account_creation set looked_at = ${now}::int8 from ranked where account_creation.id = ranked.id
      returning account_creation.*, ranked.place
    )
    select * from claimed order by place`.execute(db);
  return rows;
}

/** How many of them reached their end. */
async function refreshAtAll(
  needs: CreationNeeds,
  network: Network,
  creations: readonly AccountCreationTable[],
): Promise<number> {
  let ended = 0;
  await eachOf(creations, atOnce, async (creation) => {
    if (await hasEnded(needs, network, creation)) ended += 1;
  });
  return ended;
}

async function hasEnded(needs: CreationNeeds, network: Network, creation: AccountCreationTable): Promise<boolean> {
  try {
    const account = await createOnChain(needs, network, creation, limits.creationReadMs);
    needs.log.info(
      { event: "account_creation_resumed", creation: creation.id, account: account.address },
      "account creation left open was completed",
    );
    return true;
  } catch (error) {
    // One that cannot be finished must not keep the others from their end.
    if (error instanceof TrellisError) {
      needs.log.warn(
        { event: "account_creation_incomplete", creation: creation.id, code: error.code },
        "account creation left open was not completed",
      );
      return error.code === "account_creation_failed";
    }
    needs.log.error(
      { event: "account_creation_resume_failed", err: error, creation: creation.id },
      "account creation left open could not be resumed",
    );
    return false;
  }
}
