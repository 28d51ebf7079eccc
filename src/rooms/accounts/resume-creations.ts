import { TrellisError } from "../../errors.js";
import type { Network } from "../../ports/network.js";
import { type CreationNeeds, createOnChain } from "./create-on-chain.js";

/** Taken up per pass; the rest waits for the next. */
const batch = 100;

/**
 * Takes up creations that were left open for longer than `idleMs` (a crash, a chain that did not answer) and brings each
 * to its end: stored bytes first, new ones only after those failed or expired. One that cannot be finished now waits for
 * the next pass. Reports how many ended and how many are left.
 */
export async function resumePendingCreations(
  needs: CreationNeeds,
  network: Network,
  idleMs: number,
): Promise<{ readonly ended: number; readonly left: number }> {
  const open = await needs.db
    .selectFrom("account_creation")
    .selectAll()
    .where("environment", "=", network.name)
    .where("state", "=", "pending")
    .where("created_at", "<=", BigInt(network.clock.now() - idleMs))
    .orderBy("created_at")
    .limit(batch)
    .execute();
  let ended = 0;
  for (const creation of open) {
    try {
      const account = await createOnChain(needs, network, creation);
      needs.log.info({ creation: creation.id, account: account.address }, "an account creation left open was finished");
      ended += 1;
    } catch (error) {
      // One that cannot be finished must not keep the others from their end.
      if (error instanceof TrellisError) {
        needs.log.warn({ creation: creation.id, code: error.code }, "an account creation left open was not finished");
        if (error.code === "account_creation_failed") ended += 1;
      } else {
        needs.log.error({ error, creation: creation.id }, "an account creation left open could not be taken up");
      }
    }
  }
  return { ended, left: open.length - ended };
}
