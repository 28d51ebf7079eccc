import type { DecisionState } from "@trellis/react";
import { Card } from "../../parts/states.js";
import { Unhappy } from "../parts.js";
import { hrefOf, usePlace } from "../place.js";
import { texts } from "../texts.js";
import { NotApproved } from "./decision-notice.js";
import { Step } from "./step.js";

const words = texts.pay;

/** What became of a proposal that was made here. */
export function ProposalOutcome({
  state,
  next,
  onRetry,
  onEnd,
}: {
  readonly state: Extract<DecisionState, { status: "done" | "unknown" }>;
  /** What has to be done about it next, where that is known. */
  readonly next?: string;
  /** Finds out, by the very bytes that were signed. */
  readonly onRetry: () => void;
  readonly onEnd: () => void;
}) {
  const place = usePlace();
  if (state.status === "unknown")
    return (
      <Step>
        <Card title={words.proposalUnknown}>
          <Unhappy error={state.error} />
          <p className="buttons">
            <button type="button" className="main" onClick={onRetry}>
              {words.findOut}
            </button>
          </p>
        </Card>
      </Step>
    );
  return (
    <Step>
      <Card title={words.proposed}>
        <p role="status">{next ?? words.proposedWhat}</p>
        <NotApproved state={state} />
        <p>
          {words.signature} <code>{state.signature}</code>
        </p>
        <p className="buttons">
          <a href={hrefOf(place, ["inbox", ...(state.proposal === undefined ? [] : [state.proposal])])}>
            {texts.decisions.toProposal}
          </a>
          <button type="button" className="quiet" onClick={onEnd}>
            {words.another}
          </button>
        </p>
      </Card>
    </Step>
  );
}
