import { limits } from "@trellis/kernel/limits.js";
import type { Pass } from "@trellis/kernel/module.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { type ModuleNeeds, modules, type OpenWorkNeeds } from "../modules.js";
import { reportPoverty } from "./report-health.js";
import { removeOutdated } from "./retention.js";

/** What the recurring passes need of the world. */
export type PassNeeds = ModuleNeeds & { readonly realClock: Clock };

/**
 * Those that take up what a crash or a silent chain can leave unfinished: a creation that waits never delays a payment, and
 * what waits to be settled neither. They take up what no process has worked on for a while.
 */
export function openWorkPasses(needs: OpenWorkNeeds, network: Network): readonly Pass[] {
  return modules.flatMap(({ openWork }) => openWork?.(needs, network) ?? []);
}

/**
 * All passes of an environment, each to be run by a timer of its own. None of them waits for its slowest item: items are
 * worked on several at a time, one that throws is logged, and one that hangs holds up its own place for as long as its port
 * lets it, and none of the others (gap 144).
 */
export function passesOf(needs: PassNeeds, network: Network): readonly Pass[] {
  return [
    ...openWorkPasses(needs, network),
    ...modules.flatMap(({ passes }) => passes?.(needs, network) ?? []),
    { name: "report_poverty", everyMs: limits.reportHealthEveryMs, run: () => reportPoverty(needs, network) },
  ];
}

/** The passes over all environments at once. */
export function sharedPasses(needs: PassNeeds, networks: readonly Network[]): readonly Pass[] {
  return [
    ...modules.flatMap((module) => module.sharedPasses?.(needs) ?? []),
    { name: "remove_outdated", everyMs: limits.sweepEveryMs, run: () => sweep(needs, networks) },
  ];
}

/** Removes what is out of date, and brings in order what earlier releases left otherwise. */
async function sweep(needs: PassNeeds, networks: readonly Network[]): Promise<void> {
  await removeOutdated(needs, networks);
  for (const { sweep: bringInOrder } of modules) await bringInOrder?.(needs);
}

/**
 * One after the other, and also what was begun a moment ago: right after a start, when nothing in this process can be at
 * it.
 */
export async function completeOpenWork(needs: OpenWorkNeeds, network: Network): Promise<void> {
  for (const { atStart } of openWorkPasses(needs, network)) await atStart?.();
}

/**
 * Lets requests that a former process was killed at be tried again with their idempotency keys at once, instead of when
 * their leases run out: a retry then resumes what was recorded (gap 6). For a database that no other process can have open.
 */
export async function endInterruptedRuns(db: Db): Promise<void> {
  await db.updateTable("idempotency_record").set({ leased_until: 0n }).where("state", "=", "running").execute();
}
