import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { walkSteps } from "@trellis/kernel/steps.js";
import { sql } from "kysely";
import { type CreatedAccount, type Creation, type CreationNeeds, readPlan } from "./creation.js";
import { type ResolvedPlan, resolvePlan } from "./creation-plan.js";
import { creationSteps, stateOf } from "./creation-steps.js";
import { markUnsignedFailed } from "./creation-store.js";
import { findHeldRecoveryKey } from "./recovery-keys.js";

/** After this much real time no further attempt is begun for a caller who waits; the creation stays open. */
const patienceMs = 90_000;
/** How often the process that drives a creation says so, in milliseconds of real time: a pass leaves it alone meanwhile. */
const renewEveryMs = 5_000;

/**
 * Brings a recorded creation to its end and returns the account. It may be called any number of times, in parallel, by
 * several processes and after a crash at any point: what was signed and stored is always asked after first, and new bytes
 * are signed only once the former ones have failed or expired. `waitMs` is how long it may wait for the chain altogether,
 * in milliseconds of real time; what it has not learned by then is left open.
 *
 * Throws `account_creation_failed` when the program refuses the plan: that is for good. After everything else the creation
 * stays open and can be resumed: `sponsorship_limit_exceeded`, `creation_queue_full`, `service_unavailable` (the fee payer
 * holds too little), `submission_in_progress`, `chain_unavailable`.
 */
export async function createOnChain(
  needs: CreationNeeds,
  network: Network,
  creation: Creation,
  waitMs = Number.POSITIVE_INFINITY,
): Promise<CreatedAccount> {
  const plan = await resolvePlan(needs.custodians, network, creation.user_id, readPlan(creation));
  await requireFreeRecoveryKey(needs, creation, plan);
  const driving = { ...needs, pause: pauseOf(needs, network, creation, waitMs) };
  const giveUpAt = needs.realClock.now() + patienceMs;
  const { account } = await walkSteps(creationSteps, { needs: driving, network, plan, giveUpAt }, stateOf(creation));
  assertOurs(account, "a creation ends with its account");
  return account;
}

/**
 * Ends a creation whose recovery key a custodian here holds since it was asked for: one thief would find two of its keys. What is signed
 * already is followed to its end: nobody imports a key that a plan names. Throws `account_creation_failed`.
 */
async function requireFreeRecoveryKey({ db }: CreationNeeds, creation: Creation, plan: ResolvedPlan): Promise<void> {
  if (creation.state !== "pending" || creation.submission_id !== null) return;
  const held = await findHeldRecoveryKey(db, plan.signers);
  if (held === undefined || !(await markUnsignedFailed(db, creation))) return;
  throw new TrellisError("account_creation_failed", {
    facts: { reason: `a custodian here holds the recovery key ${held}` },
  });
}

/**
 * Waits for the process that drives a creation: says meanwhile that it is being driven, and breaks off when all its time is used
 * up. It also refuses those who wait too long for a place, as nothing else would.
 */
function pauseOf(needs: CreationNeeds, network: Network, { id }: Creation, waitMs: number): Pause {
  let leftMs = waitMs;
  let renewedAt = needs.realClock.now();
  return async (ms) => {
    if (leftMs <= 0) throw new TrellisError("submission_in_progress");
    leftMs -= ms;
    await needs.pause(ms);
    needs.creationQueue.dismissOverdue(network);
    const now = needs.realClock.now();
    if (now - renewedAt < renewEveryMs) return;
    renewedAt = now;
    await sql`update account_creation set looked_at = ${now}::int8 where id = ${id}`.execute(needs.db);
  };
}
