import type { DecisionState, ProposalActs, ProposalReview } from "@trellis/react";
import type { Policies } from "@trellis/sdk";
import { useEffect } from "react";
import { Card } from "../../parts/states.js";
import { texts } from "../texts.js";
import { spellDuration, spellExactDuration } from "./countdown.js";
import { DecisionNotice, isMismatch } from "./decision-notice.js";
import { type Choices, choicesOf } from "./proposal-groups.js";
import { useSecondsLeft } from "./use-seconds-left.js";

const words = texts.proposal;

/**
 * What its reader can do about a proposal that is displayed in full. `onMismatch`: the service prepared, or says by now, something else than
 * what was displayed; nothing was signed.
 */
export function Decision({
  review,
  policies,
  own,
  acts,
  readAtMs,
  onMismatch,
  refetch,
}: {
  readonly review: ProposalReview;
  /** When it was read, in Unix milliseconds. */
  readonly readAtMs: number | undefined;
  readonly policies: Policies;
  /** The signers that the reader signs for. */
  readonly own: readonly string[];
  readonly acts: ProposalActs;
  readonly onMismatch: () => Promise<void>;
  readonly refetch: () => Promise<void>;
}) {
  const { proposal, refusal } = review;
  const seconds = useSecondsLeft(proposal.executableInSeconds, readAtMs);
  // Whether the time lock is over is the service's to say, whose clock may be another than the page's.
  const isReleased = proposal.executableInSeconds === 0;
  const isCountedDown = seconds === 0;
  useEffect(() => {
    if (isCountedDown && !isReleased) void refetch();
  }, [isCountedDown, isReleased, refetch]);
  const choices = choicesOf(proposal, policies, own);
  const state = acts.stateOf(proposal.proposalAddress);
  const isBusy = state.status === "acting";
  const act = async (decide: () => Promise<DecisionState>) => {
    const next = await decide();
    if (isMismatch(next)) await onMismatch();
    else if (next.status !== "done") await refetch();
  };
  const approvals = refusal === undefined;
  const buttons: readonly Choice[] = [
    {
      isOffered: approvals && choices.canApproveAndExecute,
      title: words.approveAndExecute,
      className: "main",
      run: () => acts.approveAndExecute(review),
    },
    {
      isOffered: approvals && choices.canApprove,
      title: words.approve,
      className: choices.canApproveAndExecute ? "quiet" : "main",
      run: () => acts.approve(review),
    },
    {
      isOffered: approvals && choices.canExecute && isReleased,
      title: proposal.batch === undefined ? words.execute : words.executeNext,
      className: "main",
      run: () => acts.execute(review),
    },
    {
      isOffered: choices.canReject,
      title: words.reject,
      className: "danger",
      run: () => acts.reject(proposal.proposalAddress),
    },
    {
      isOffered: choices.canCancel,
      title: words.cancel,
      className: "danger",
      run: () => acts.cancel(proposal.proposalAddress),
    },
  ];
  // The same once more: of what may have taken effect, that asks for its outcome.
  const again = () => {
    switch (state.status === "unknown" ? state.action : undefined) {
      case "approve":
        return acts.approve(review);
      case "approve-and-execute":
        return acts.approveAndExecute(review);
      case "execute":
        return acts.execute(review);
      case "reject":
        return acts.reject(proposal.proposalAddress);
      case "cancel":
        return acts.cancel(proposal.proposalAddress);
      default:
        return Promise.resolve(state);
    }
  };
  const offered = state.status === "unknown" ? [] : buttons.filter(({ isOffered }) => isOffered);
  return (
    <Card title={words.decide}>
      <Consequences review={review} policies={policies} choices={choices} seconds={seconds} />
      {offered.length === 0 ? null : (
        <p className="buttons">
          {offered.map(({ title, className, run }) => (
            <button key={title} type="button" className={className} disabled={isBusy} onClick={() => void act(run)}>
              {title}
            </button>
          ))}
        </p>
      )}
      <DecisionNotice state={state} findOut={() => void act(again)} />
    </Card>
  );
}

interface Choice {
  readonly isOffered: boolean;
  readonly title: string;
  readonly className: string;
  readonly run: () => Promise<DecisionState>;
}

/** What follows from each choice, or why there is none. */
function Consequences({
  review: { proposal, refusal },
  policies: { threshold, time_lock: timeLock },
  choices,
  seconds,
}: {
  readonly review: ProposalReview;
  readonly policies: Policies;
  readonly choices: Choices;
  readonly seconds: number | undefined;
}) {
  const { status, stale, approved, votesNeeded } = proposal;
  if (status !== "Active" && status !== "Approved") return <p>{words.ended[status] ?? words.endedOtherwise}</p>;
  if (stale && status === "Active") return <p>{words.stale}</p>;
  const isBatch = proposal.batch !== undefined;
  const lastApproval = isBatch ? words.lastBatchApproval : words.lastApproval;
  const wait = timeLock === 0 ? undefined : spellExactDuration(timeLock);
  return (
    <>
      {refusal === undefined ? null : <p>{refusal}</p>}
      {choices.canApprove && refusal === undefined ? (
        <p>{votesNeeded <= 1 ? lastApproval(wait) : words.oneApproval(approved.length + 1, threshold)}</p>
      ) : null}
      {status === "Active" && !choices.canApprove ? (
        <p>{choices.canReject ? words.approvedAlready : words.mayNotVote}</p>
      ) : null}
      {choices.canReject ? <p className="faint">{words.rejecting}</p> : null}
      {status === "Approved" ? <Release seconds={seconds} choices={choices} isBatch={isBatch} /> : null}
      {choices.canCancel ? <p className="faint">{words.cancelling(threshold)}</p> : null}
    </>
  );
}

/** How long the time lock still runs, second by second. */
function Release({
  seconds,
  choices,
  isBatch,
}: {
  readonly seconds: number | undefined;
  readonly choices: Choices;
  readonly isBatch: boolean;
}) {
  if (seconds === undefined) return <p>{texts.working}</p>;
  if (seconds > 0)
    return (
      <p>
        {words.lockedFor}{" "}
        <strong role="timer" className="countdown">
          {spellDuration(seconds)}
        </strong>
      </p>
    );
  if (!choices.canExecute) return <p>{words.executableByOthers}</p>;
  return <p>{isBatch ? words.executableBatch : words.executable}</p>;
}
