import { allOf } from "@trellis/kernel/each-of.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { decideExpired } from "./decide-expired.js";
import { decideByStatus, findStanding, type Sent, type StandingNeeds, silence } from "./find-standing.js";
import { sendSubmission } from "./send-submission.js";
import type { FinalOutcome } from "./submission.js";
import { findSubmission, recordOutcome, recordSent, toOutcome } from "./submission-store.js";

interface Needs extends StandingNeeds {
  readonly pause: Pause;
}

/** How long one call continues, how often it checks, and how often it sends, in milliseconds of real time. */
const patience = { firstWaitMs: 200, longestWaitMs: 2_000, rounds: 40, sendAgainAfterMs: 3_000 } as const;
/** Nothing is confirmed on a cluster before this. */
const clusterWaitMs = 400;

/**
 * Brings a stored submission to its end and returns what the chain decided. Sends exactly the stored bytes, as often as
 * needed; never signs anything. Any number of callers and processes may do this for the same submission, and it may be
 * broken off at any point and resumed: the outcome is the chain's, found by the signature.
 *
 * Throws `chain_unavailable` when the chain cannot be asked, `submission_in_progress` when it has not decided in time, or
 * what it decided cannot be determined; in all cases the submission stays open for the next call or the recovery pass.
 */
export async function confirmSubmission(needs: Needs, network: Network, submissionId: string): Promise<FinalOutcome> {
  const row = await findSubmission(needs.db, submissionId);
  assertOurs(row, "a submission is stored before it is sent");
  const known = toOutcome(row);
  if (known) return known;
  const outcome = await drive(needs, network, row, "check first");
  await recordOutcome(needs.db, network, { id: row.id, outcome });
  return outcome;
}

/**
 * Lands a submission that was stored a moment ago by this very call chain, sparing the look-up.
 * Same promise as confirmSubmission.
 */
export async function confirmNewSubmission(
  needs: Needs,
  network: Network,
  stored: NewSubmission,
): Promise<FinalOutcome> {
  const outcome = await decideNewSubmission(needs, network, stored);
  await recordOutcome(needs.db, network, { id: stored.id, outcome });
  return outcome;
}

/**
 * The same for a caller who writes the outcome down with what follows from it. Until then it counts as open. A caller that lands
 * several at once may have `noteSent` write down together that they were sent.
 */
export function decideNewSubmission(
  needs: Needs,
  network: Network,
  stored: NewSubmission,
  noteSent?: NoteSent,
): Promise<FinalOutcome> {
  return drive(needs, network, { ...stored, created_at: BigInt(network.clock.now()) }, "send first", noteSent);
}

/** Writes down that a submission was sent, where nothing else was yet. */
export type NoteSent = (submissionId: string) => Promise<void>;

/** A submission as it was stored just now. */
type NewSubmission = Omit<Open, "created_at">;

type Open = Sent & Pick<SubmissionTable, "wire_transaction">;

async function drive(
  needs: Needs,
  network: Network,
  row: Open,
  begin: "check first" | "send first",
  noteSent: NoteSent = (id) => recordSent(needs.db, network, id),
): Promise<FinalOutcome> {
  let waitMs: number = patience.firstWaitMs;
  let sinceSentMs = Number.POSITIVE_INFINITY;
  let marked = false;
  const sendNow = async (): Promise<void> => {
    try {
      await sendSubmission(network, row);
    } catch (error) {
      throw silence(needs.log, row.id, error);
    }
    sinceSentMs = 0;
  };
  const wait = async (ms: number): Promise<void> => {
    // Written meanwhile: no payment waits for this commit, as the cluster takes longer.
    const noting = marked ? [] : [noteSent(row.id)];
    marked = true;
    await allOf([...noting, needs.pause(ms)]);
    sinceSentMs += ms;
  };

  if (begin === "send first") {
    await sendNow();
    // The sandbox has decided by now.
    if (network.name !== "sandbox") await wait(clusterWaitMs);
  }
  for (let round = 0; round < patience.rounds; round += 1) {
    const standing = await findStanding(needs, network, row);
    if (standing.kind === "expired") {
      const outcome = await decideExpired(needs, network, row);
      if (outcome) return outcome;
      throw unprovable();
    }
    if (standing.kind === "unprovable") throw unprovable();
    if (standing.kind === "seen") {
      const outcome = await decideByStatus(network, row.signature, standing.status).catch((error: unknown) => {
        throw silence(needs.log, row.id, error);
      });
      if (outcome) return outcome;
    } else if (sinceSentMs >= patience.sendAgainAfterMs) {
      const isFirst = sinceSentMs === Number.POSITIVE_INFINITY;
      await sendNow();
      if (isFirst) continue;
    }
    await wait(waitMs);
    waitMs = Math.min(waitMs * 2, patience.longestWaitMs);
  }
  throw new TrellisError("submission_in_progress");
}

/** The same pause, for `forMs` altogether: a caller that waits longer than that is refused, `submission_in_progress`. */
export function pauseAtMost(pause: Pause, forMs: number): Pause {
  let leftMs = forMs;
  return async (ms) => {
    if (leftMs <= 0) throw new TrellisError("submission_in_progress");
    leftMs -= ms;
    await pause(ms);
  };
}

/** To whom it may concern: neither landed nor expired can be said of it. */
export function unprovable(): TrellisError {
  return new TrellisError("submission_in_progress", {
    message:
      "What became of this transaction cannot be proven at present. Do not send another one in its place; ask again later.",
  });
}
