import type { CreationNeeds } from "../accounts/create-on-chain.js";
import { resumePendingCreations } from "../accounts/resume-creations.js";
import { learnDueMembers } from "../accounts/settings-change-signers.js";
import { createDeliverer, type DeliveryNeeds } from "../events/deliver-events.js";
import { createHistoryFollower } from "../history/follow-histories.js";
import type { HistoryNeeds } from "../history/refresh-history.js";
import { limits } from "../kernel/limits.js";
import { removeEndedKeys } from "../people/remove-ended-keys.js";
import type { Db } from "../ports/database.js";
import type { Network } from "../ports/network.js";
import { closeFinishedProposals } from "../proposals/close-proposals.js";
import { chooseWatched, followProposals, noteChanges } from "../proposals/follow-proposals.js";
import { wakeWatches } from "../proposals/proposal-store.js";
import type { IndexNeeds } from "../proposals/refresh-proposals.js";
import { followRails } from "../rails/follow-rails.js";
import { sealOldPayouts } from "../rails/payouts.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { sealOldTransfers } from "../rails/transfer-store.js";
import type { ProgramNeeds } from "../solana/watch-program.js";
import { payStandingOrders } from "../standing-orders/pay-orders.js";
import { cancelOverdueIntents } from "../submissions/intent-states.js";
import { recordForgottenIntents } from "../submissions/record-forgotten.js";
import { recoverSubmissions } from "../submissions/recover-submissions.js";
import { searchSelfPaid } from "../submissions/search-self-paid.js";
import { settleSubmissions } from "../submissions/settle-submissions.js";
import { reportPoverty } from "./report-health.js";
import { removeOutdated } from "./retention.js";

/** What taking up open work needs of the world. */
export type OpenWorkNeeds = CreationNeeds;

/** What the recurring passes need of the world. */
export type PassNeeds = OpenWorkNeeds & IndexNeeds & HistoryNeeds & RailNeeds & DeliveryNeeds & ProgramNeeds;

/** A submission is left alone this long, in environment milliseconds, before a pass takes it up. */
const idleMs = 20_000;

/** Work that recurs. Any number of processes may run it at once; one process never runs it beside itself. */
export interface Pass {
  /** For the metrics, and the log. */
  readonly name: string;
  /** Real time. */
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
  /** Ends what it has begun and does not wait for, and keeps what the next process has to know. */
  readonly stop?: () => Promise<unknown>;
}

/**
 * Those that take up what a crash or a silent chain can leave unfinished: a creation that waits never delays a payment, and
 * what waits to be settled neither. They take up what nobody has been at for a while.
 */
export function openWorkPasses(needs: OpenWorkNeeds, network: Network): readonly Pass[] {
  return [
    { name: "recover_submissions", everyMs: limits.passEveryMs, run: () => recoverSubmissions(needs, network, idleMs) },
    {
      name: "resume_creations",
      everyMs: limits.passEveryMs,
      run: () => resumePendingCreations(needs, network, idleMs),
    },
    {
      name: "settle_submissions",
      everyMs: limits.passEveryMs,
      run: () => settleSubmissions(needs.db, network, needs.pause),
    },
    { name: "cancel_overdue_intents", everyMs: limits.passEveryMs, run: () => cancelOverdue(needs, network) },
    { name: "search_self_paid", everyMs: limits.passEveryMs, run: () => searchSelfPaid(needs, network) },
    { name: "learn_members", everyMs: limits.passEveryMs, run: () => learnDueMembers(needs, network) },
    {
      // Whoever has a place may be stuck in one call to the chain.
      name: "dismiss_waiting_creations",
      everyMs: limits.passEveryMs,
      run: async () => needs.creationQueue.dismissOverdue(network),
    },
  ];
}

/** Nothing is called canceled by a database that has forgotten how it was paid. */
async function cancelOverdue(needs: OpenWorkNeeds, network: Network): Promise<void> {
  const found = await recordForgottenIntents(needs, network);
  await wakeWatches(needs.db, network.name, found, network.clock.now());
  await cancelOverdueIntents(needs.db, network);
}

/**
 * All passes of an environment, each to be run by a timer of its own. None of them waits for its slowest item: items are
 * worked on several at a time, one that throws is logged, and one that hangs holds up its own place for as long as its port
 * lets it, and none of the others (gap 144).
 */
export function passesOf(needs: PassNeeds, network: Network): readonly Pass[] {
  const histories = createHistoryFollower(needs);
  const deliverer = createDeliverer(needs, network);
  const following: readonly Pass[] = [
    {
      name: "follow_proposals",
      everyMs: limits.followProposalsEveryMs,
      run: () => followProposals(needs, network),
      // What the chain has told of is looked at after the next start.
      stop: () => noteChanges(needs.db, network),
    },
    {
      name: "pay_standing_orders",
      everyMs: limits.payStandingOrdersEveryMs,
      run: () => payStandingOrders(needs, network),
    },
    { name: "follow_histories", everyMs: limits.followProposalsEveryMs, run: () => histories.tick(network) },
    { name: "choose_watched", everyMs: limits.watchAnewEveryMs, run: () => chooseWatched(needs.db, network) },
    {
      name: "close_proposals",
      everyMs: limits.closeProposalsEveryMs,
      run: () => closeFinishedProposals(needs, network),
    },
    { name: "remove_ended_keys", everyMs: limits.passEveryMs, run: () => removeEndedKeys(needs, network) },
    { name: "report_poverty", everyMs: limits.reportHealthEveryMs, run: () => reportPoverty(needs, network) },
  ];
  const rails: readonly Pass[] = needs.rails.has(network.name)
    ? [{ name: "follow_rails", everyMs: limits.followRailsEveryMs, run: () => followRails(needs, network) }]
    : [];
  // The sandbox runs the program that it was started with.
  const program: readonly Pass[] = network.sandbox
    ? []
    : [{ name: "read_program", everyMs: limits.readProgramEveryMs, run: () => needs.programs.read(network) }];
  const delivery: Pass = {
    name: "deliver_events",
    everyMs: limits.deliverEveryMs,
    run: () => deliverer.tick(),
    stop: () => deliverer.stop(),
  };
  return [...openWorkPasses(needs, network), ...following, ...rails, ...program, delivery];
}

/** The passes over all environments at once. */
export function sharedPasses(needs: PassNeeds, networks: readonly Network[]): readonly Pass[] {
  return [{ name: "remove_outdated", everyMs: limits.sweepEveryMs, run: () => sweep(needs, networks) }];
}

/** Removes what is out of date, and seals what earlier releases kept in clear. */
async function sweep(needs: PassNeeds, networks: readonly Network[]): Promise<void> {
  await removeOutdated(needs, networks);
  await sealOldTransfers(needs);
  await sealOldPayouts(needs);
}

/**
 * One after the other, and also what was begun a moment ago: right after a start, when nobody in this process can be at
 * it.
 */
export async function finishOpenWork(needs: OpenWorkNeeds, network: Network): Promise<void> {
  await recoverSubmissions(needs, network, 0);
  await resumePendingCreations(needs, network, 0);
  await settleSubmissions(needs.db, network, needs.pause);
  await learnDueMembers(needs, network);
}

/**
 * Lets requests that a former process was killed at be tried again with their idempotency keys at once, instead of when
 * their leases run out: a retry then resumes what was recorded (gap 6). For a database that nobody else can have open.
 */
export async function endInterruptedRuns(db: Db): Promise<void> {
  await db.updateTable("idempotency_record").set({ leased_until: 0n }).where("state", "=", "running").execute();
}
