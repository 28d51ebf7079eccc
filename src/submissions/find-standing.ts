import type { Signature } from "@solana/kit";
import { AssertionFailed, TrellisError } from "@trellis/kernel/errors.js";
import type { Db, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network, TransactionStatus, UnseenTransaction, Verdict } from "@trellis/kernel/ports/network.js";
import type { Lookout } from "./lookout.js";
import type { FinalOutcome } from "./submission.js";
import { claimAlarms } from "./submission-store.js";

/** What it takes to find out how a submission stands. */
export interface StandingNeeds {
  readonly db: Db;
  readonly log: Log;
  readonly lookout: Lookout;
}

/** What identifies a submission to the chain. */
export type Sent = Pick<
  SubmissionTable,
  "id" | "signature" | "last_valid_block_height" | "recorded_slot" | "created_at"
>;

/** How a submission stands on the chain. */
export type Standing = Exclude<Verdict, { readonly kind: "untold" }>;

/**
 * Finds how a stored submission stands. Reads first: what nodes know is reported whatever else they do not report. Only for what
 * no node knows the verdict is asked for; that none can be given is an alarm. Changes nothing. Throws `chain_unavailable`.
 */
export async function findStanding(needs: StandingNeeds, network: Network, row: Sent): Promise<Standing> {
  const verdict = await refreshAndJudge(needs, network, row);
  if (verdict.kind === "unprovable") await alarmUnprovable(needs, network, [row], verdict.reason);
  return verdict;
}

async function refreshAndJudge(needs: StandingNeeds, network: Network, row: Sent): Promise<Standing> {
  try {
    const status = await needs.lookout.poll(network, row.signature as Signature);
    if (status) return { kind: "seen", status };
    const [verdict] = await network.judgeUnseen([toUnseen(row)]);
    if (verdict && verdict.kind !== "untold") return verdict;
    throw verdict?.reason ?? new Error("no verdict");
  } catch (error) {
    throw silence(needs.log, row.id, error);
  }
}

/** Turns what a question to the chain ended in into `chain_unavailable`, and logs it; our own errors stay themselves. */
export function silence(log: Log, submission: string, error: unknown): unknown {
  if (error instanceof AssertionFailed) return error;
  log.warn(
    { event: "submission_chain_silent", err: error, submission },
    "chain did not answer while a submission was open",
  );
  return new TrellisError("chain_unavailable", { cause: error });
}

/** What a verdict is asked with. */
export function toUnseen(row: Sent): UnseenTransaction {
  return {
    signature: row.signature as Signature,
    lastValidBlockHeight: row.last_valid_block_height,
    recordedAt: Number(row.created_at),
    recordedSlot: row.recorded_slot,
  };
}

/** One alarm for each submission in this time, in milliseconds of environment time. */
const alarmAgainMs = 3_600_000;
/** Named in one line of the log at most. */
const namedMax = 10;

/**
 * Reports, as one error, those submissions whose outcome cannot be determined: each once an hour, however many check how
 * often. They stay open, because whatever is said of them could be wrong.
 */
export async function alarmUnprovable(
  needs: Pick<StandingNeeds, "db" | "log">,
  network: Network,
  rows: readonly Pick<Sent, "id">[],
  reason: string,
): Promise<void> {
  const now = network.clock.now();
  const ids = rows.map(({ id }) => id);
  const due = await claimAlarms(needs.db, ids, { now, againMs: alarmAgainMs });
  if (due.length === 0) return;
  const submissions = due.slice(0, namedMax).map(({ id, signature, recorded_slot, created_at }) => ({
    submission: id,
    signature,
    recorded_slot,
    created_at: new Date(Number(created_at)).toISOString(),
  }));
  // operator: take the URL that forgot them out of the list, or add a node that knows them
  needs.log.error(
    { event: "submissions_undecided", environment: network.name, count: due.length, reason, submissions },
    "transactions stay open: no node knows their outcome",
  );
}

/** What a status says for good; undefined while the cluster may still drop the transaction. Throws as the chain does. */
export async function decideByStatus(
  network: Network,
  signature: string,
  status: TransactionStatus,
): Promise<FinalOutcome | undefined> {
  if (status.commitment === "processed") return undefined;
  if (status.error === null) {
    const blockTime = await network.blockTimeOf(status.slot, status.reportedAtSlot);
    return { state: "landed", signature, slot: status.slot, blockTime };
  }
  const found = await network.rpc
    .getTransaction(signature as Signature, {
      commitment: "confirmed",
      maxSupportedTransactionVersion: 0,
      encoding: "json",
    })
    .send();
  return {
    state: "failed",
    signature,
    failure: { error: toPlain(status.error), logs: found?.meta?.logMessages ?? [] },
  };
}

/** kit hands integers over as bigint, which JSON cannot carry. */
export function toPlain(error: unknown): unknown {
  return JSON.parse(JSON.stringify(error, (_key, value) => (typeof value === "bigint" ? Number(value) : value)));
}
