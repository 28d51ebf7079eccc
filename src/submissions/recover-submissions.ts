import { isSignature, type Signature } from "@solana/kit";
import { eachOf } from "@trellis/kernel/each-of.js";
import { AssertionFailed } from "@trellis/kernel/errors.js";
import { gathered } from "@trellis/kernel/gathered.js";
import type { Db, SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network, TransactionStatus } from "@trellis/kernel/ports/network.js";
import { readSignatureStatuses, statusesMax } from "@trellis/solana/signature-statuses.js";
import { decideExpired } from "./decide-expired.js";
import { alarmUnprovable, decideByStatus, toUnseen } from "./find-standing.js";
import { sendSubmission } from "./send-submission.js";
import type { FinalOutcome } from "./submission.js";
import { claimOpenSubmissions, type Decided, markFinal } from "./submission-store.js";

interface Needs {
  readonly db: Db;
  readonly log: Log;
}

/** Between two checks of the same submission by passes, in milliseconds of environment time: a little less than a pass. */
const refreshAgainAfterMs = 4_000;
/** Transactions sent, and outcomes asked about, at the same time. */
const atOnce = 64;

/**
 * The recovery pass: takes up every submission that was left open for longer than `idleMs`, once each, those first whose
 * last check is longest ago, and reports how many reached their end. They are checked many at a time; what can still land
 * is sent again, and nothing else. No submission is waited for: one that cannot be decided now, for whatever reason, is
 * left for the next pass and keeps none of the others from being decided. Ends early where the chain does not answer.
 */
export async function recoverSubmissions(
  needs: Needs,
  network: Network,
  idleMs: number,
): Promise<{ ended: number; left: number }> {
  const claimedIds = new Set<string>();
  let ended = 0;
  for (;;) {
    const now = network.clock.now();
    const claimed = await claimOpenSubmissions(needs.db, network.name, {
      recordedBefore: now - idleMs,
      readBefore: idleMs === 0 ? Number.MAX_SAFE_INTEGER : now - refreshAgainAfterMs,
      now,
      limit: statusesMax,
    });
    // Whatever this pass has checked goes last.
    const rows = claimed.filter(({ id }) => !claimedIds.has(id));
    if (rows.length === 0) break;
    for (const { id } of rows) claimedIds.add(id);
    const endedHere = await recoverTogether(needs, network, rows);
    if (endedHere === "silence") break;
    ended += endedHere;
  }
  return { ended, left: claimedIds.size - ended };
}

/** Returns how many have ended. */
async function recoverTogether(
  needs: Needs,
  network: Network,
  all: readonly SubmissionTable[],
): Promise<number | "silence"> {
  const rows = all.filter((row) => {
    if (isSignature(row.signature)) return true;
    needs.log.error({ event: "submission_unsigned", submission: row.id }, "submission left open has no signature");
    return false;
  });
  const seen = await refresh(needs, network, rows);
  if (!seen) return "silence";
  const unseen = rows.filter(({ id }) => !seen.has(id));
  const verdicts = unseen.length === 0 ? [] : await network.judgeUnseen(unseen.map(toUnseen));

  const expired = new Set<string>();
  const alive: SubmissionTable[] = [];
  const unprovable = new Map<string, SubmissionTable[]>();
  const untold: unknown[] = [];
  for (const [i, row] of unseen.entries()) {
    const verdict = verdicts[i];
    switch (verdict?.kind) {
      case "seen":
        seen.set(row.id, verdict.status);
        break;
      case "alive":
        alive.push(row);
        break;
      case "expired":
        expired.add(row.id);
        break;
      case "unprovable":
        unprovable.set(verdict.reason, [...(unprovable.get(verdict.reason) ?? []), row]);
        break;
      default:
        untold.push(verdict?.reason);
    }
  }
  for (const [reason, some] of unprovable) await alarmUnprovable(needs, network, some, reason);

  // What is decided waits for nothing that has still to be sent.
  const ended = await writeDown(needs, network, rows, seen, expired);
  const sent = await sendAll(needs, network, alive);
  if (untold.length > 0) {
    needs.log.warn(
      { event: "submissions_outcome_unread", err: untold[0], environment: network.name, submissions: untold.length },
      "chain did not report the outcome of submissions left open",
    );
  }
  // The sandbox has decided by now. A cluster has not, and is checked by the next pass.
  if (network.name !== "sandbox") return ended;
  return ended + (await writeDown(needs, network, sent, (await refresh(needs, network, sent)) ?? new Map(), new Set()));
}

/** What is known of these, by their ids; undefined when the chain does not answer. */
async function refresh(
  needs: Needs,
  network: Network,
  rows: readonly SubmissionTable[],
): Promise<Map<string, TransactionStatus> | undefined> {
  if (rows.length === 0) return new Map();
  const signatures = rows.map(({ signature }) => signature as Signature);
  try {
    const { statuses } = await readSignatureStatuses(network.rpc, signatures, "recent");
    return new Map(
      rows.flatMap(({ id }, i): [string, TransactionStatus][] => {
        const status = statuses[i];
        return status ? [[id, status]] : [];
      }),
    );
  } catch (error) {
    needs.log.warn(
      { event: "submissions_chain_silent", err: error, environment: network.name, submissions: rows.length },
      "chain did not answer while submissions were open",
    );
    return undefined;
  }
}

/** Gives back those that a node took. */
async function sendAll(
  needs: Needs,
  network: Network,
  rows: readonly SubmissionTable[],
): Promise<readonly SubmissionTable[]> {
  const sent: SubmissionTable[] = [];
  const lost: unknown[] = [];
  await eachOf(rows, atOnce, async (row) => {
    try {
      await sendSubmission(network, row);
      sent.push(row);
    } catch (error) {
      if (error instanceof AssertionFailed)
        needs.log.error(
          { event: "submission_recovery_failed", err: error, submission: row.id },
          "submission left open could not be recovered",
        );
      else lost.push(error);
    }
  });
  if (lost.length > 0) {
    needs.log.warn(
      { event: "submissions_send_failed", err: lost[0], environment: network.name, submissions: lost.length },
      "submissions left open could not be sent",
    );
  }
  return sent;
}

/** Records what was decided; returns of how many. */
async function writeDown(
  needs: Needs,
  network: Network,
  rows: readonly SubmissionTable[],
  seen: ReadonlyMap<string, TransactionStatus>,
  expired: ReadonlySet<string>,
): Promise<number> {
  const decided: Decided[] = [];
  const markTogether = gathered<Decided>((some) => markFinal(needs.db, some, network.clock.now()));
  await eachOf(rows, atOnce, async (row) => {
    const status = seen.get(row.id);
    const outcome = status
      ? await decide(needs, network, row, status)
      : expired.has(row.id) && (await decideExpired(needs, network, row));
    if (!outcome) return;
    await markTogether({ id: row.id, outcome });
    decided.push({ id: row.id, outcome });
  });
  for (const { id, outcome } of decided) {
    needs.log.info(
      { event: "submission_recovered", submission: id, transaction_signature: outcome.signature, state: outcome.state },
      "submission left open was completed",
    );
  }
  return decided.length;
}

async function decide(
  needs: Needs,
  network: Network,
  row: SubmissionTable,
  status: TransactionStatus,
): Promise<FinalOutcome | undefined> {
  try {
    return await decideByStatus(network, row.signature, status);
  } catch (error) {
    needs.log.warn(
      { event: "submission_chain_silent", err: error, submission: row.id },
      "chain did not answer while a submission was open",
    );
    return undefined;
  }
}
