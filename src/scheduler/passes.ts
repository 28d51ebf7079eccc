import { cancelOverdueIntents } from "../core/payment-intents/intent-states.js";
import { recoverSubmissions } from "../core/submissions/recover-submissions.js";
import { settleSubmissions } from "../core/submissions/settle-submissions.js";
import type { Clock } from "../ports/clock.js";
import type { Db } from "../ports/database.js";
import type { Log } from "../ports/log.js";
import type { Network } from "../ports/network.js";
import type { Pause } from "../ports/pause.js";
import type { CreationNeeds } from "../rooms/accounts/create-on-chain.js";
import { resumePendingCreations } from "../rooms/accounts/resume-creations.js";
import { learnDueMembers } from "../rooms/accounts/settings-change-signers.js";

/** What the recurring passes need of the world. */
export type PassNeeds = CreationNeeds & {
  readonly db: Db;
  readonly log: Log;
  readonly pause: Pause;
  readonly realClock: Clock;
};

/** A submission is left alone this long, in environment milliseconds, before a pass takes it up. */
const idleMs = 20_000;

/** A pass that takes up what a crash or a silent chain can leave unfinished. Any number of processes may run it at once. */
interface Pass {
  /** For the metrics. */
  readonly name: string;
  readonly run: (needs: PassNeeds, network: Network) => Promise<unknown>;
}

/**
 * Those passes, each to be run by a timer of its own: a creation that waits never delays a payment, and what waits to be
 * settled neither. They take up what nobody has been at for a while.
 */
export const passes: readonly Pass[] = [
  { name: "recover_submissions", run: (needs, network) => recoverSubmissions(needs, network, idleMs) },
  { name: "resume_creations", run: (needs, network) => resumePendingCreations(needs, network, idleMs) },
  { name: "settle_submissions", run: ({ db }, network) => settleSubmissions(db, network) },
  { name: "cancel_overdue_intents", run: ({ db }, network) => cancelOverdueIntents(db, network) },
  { name: "learn_members", run: learnDueMembers },
  {
    // Whoever has a place may be stuck in one call to the chain.
    name: "dismiss_waiting_creations",
    run: async ({ creationQueue }, network) => creationQueue.dismissOverdue(network),
  },
];

/**
 * One after the other, and also what was begun a moment ago: right after a start, when nobody in this process can be at
 * it.
 */
export async function finishOpenWork(needs: PassNeeds, network: Network): Promise<void> {
  await recoverSubmissions(needs, network, 0);
  await resumePendingCreations(needs, network, 0);
  await settleSubmissions(needs.db, network);
  await learnDueMembers(needs, network);
}

/**
 * Lets requests that a former process was killed at be tried again with their idempotency keys at once, instead of when
 * their leases run out: a retry then resumes what was recorded (gap 6). For a database that nobody else can have open.
 */
export async function endInterruptedRuns(db: Db): Promise<void> {
  await db.updateTable("idempotency_record").set({ leased_until: 0n }).where("state", "=", "running").execute();
}
