import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import type { Lookout } from "../submissions/lookout.js";
import type { UnknownPayment } from "./find-unknown-payments.js";
import type { Verdict } from "./judge-due.js";
import type { ClaimedOrder, ClaimedRun } from "./run-store.js";

/** What paying standing orders asks of the world. */
export interface PayingNeeds {
  readonly db: Db;
  readonly log: Log;
  readonly pause: Pause;
  readonly lookout: Lookout;
  readonly realClock: Clock;
}

/** How many due dates reached their end. */
export interface RunTally {
  readonly paid: number;
  readonly missed: number;
}

/** How a pass goes about it. */
export interface PassOptions {
  /** So many batches at most, so that a stop of the service need not wait for all that is due. */
  readonly batchesMax: number;
  /** The call that moves the sandbox's time; undefined: none does. */
  readonly player?: string;
  /**
   * Before this instant nothing outside changes, because nothing but this moves time: what waits for the world is not tried
   * again earlier. Environment time, Unix milliseconds.
   */
  readonly stillUntil?: number;
}

/** A pass as a timer runs it. */
export const byTimer: PassOptions = { batchesMax: limits.standingOrderBatchesInOnePass };

/** One batch. */
export interface Batch {
  readonly needs: PayingNeeds;
  readonly network: Network;
  readonly options: PassOptions;
  /** Of the whole pass. */
  readonly tally: { paid: number; missed: number };
  /** Hands over work that no other order has to wait for: it is brought to its end before the pass ends. */
  readonly meanwhile: (work: Promise<void>) => void;
}

/** An order with the run that is to be paid. */
export interface Due {
  readonly claimed: ClaimedOrder;
  readonly run: ClaimedRun;
}

/** A verdict, or a payment that the database did not know; `isSure`: the limit's absence is believed. */
export type Judgement =
  | Exclude<Verdict, { readonly kind: "absent" }>
  | { readonly kind: "absent"; readonly isSure: boolean }
  | UnknownPayment;
/** What is not paid now. */
export type Unpaid = Exclude<Judgement, { readonly kind: "pay" }>;

/** A payment under way is polled again after this, where another pass brings it to its end: environment milliseconds. */
export const underWayApartMs = 5_000;
/** A limit that is absent is read once more after this before that is believed of a node that may lag. */
export const absentApartMs = 60_000;
/** Limits that are read together, and payments that are tried together. */
export const atOnce = 16;

export const spendingLimitMissing = "spending_limit_missing";

/** In so much environment time, and not before anything outside can have changed. */
export function laterThan({ network, options }: Pick<Batch, "network" | "options">, ms: number): number {
  return Math.max(network.clock.now() + ms, options.stillUntil ?? 0);
}

/** An instant in Unix milliseconds, as the log names it. */
export function textOf(instant: number): string {
  return new Date(instant).toISOString();
}
