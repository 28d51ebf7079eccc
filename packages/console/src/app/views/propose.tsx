import { type OwnPowers, usePropose } from "@trellis/react";
import type { ProposedContent } from "@trellis/sdk";
import { type ReactNode, useState } from "react";
import { hrefOf, usePlace } from "../place.js";
import { texts } from "../texts.js";
import { DecisionNotice } from "./decision-notice.js";
import { keyOf, shownOf } from "./proposed-once.js";

const words = texts.decisions;

/** What will be proposed, the button that does it, and where that stands. */
export function Propose({
  content,
  own,
  children,
}: {
  readonly content: ProposedContent;
  readonly own: OwnPowers;
  /** All that it does, in full. */
  readonly children: ReactNode;
}) {
  const place = usePlace();
  const { state, propose } = usePropose();
  // What was proposed elsewhere on these pages, or before the content became another, is not reported as this one's.
  const [asked, setAsked] = useState<string>();
  if (!own.permissions.includes("CAN_INITIATE")) return <p className="notice">{words.mayNotPropose}</p>;
  const approve = own.permissions.includes("CAN_VOTE");
  const key = keyOf(content);
  const { isOffered, isReported, isProposed } = shownOf(state, asked, key);
  const run = async () => {
    setAsked(key);
    await propose(content, { approve });
  };
  // What becomes known may be about another content: of that, the answer is a refusal.
  const findOut = async () => {
    const { status } = await propose(content, { approve });
    if (status === "done") setAsked(key);
  };
  return (
    <section className="notice" aria-label={words.whatHappens}>
      <h3>{words.whatHappens}</h3>
      {children}
      {approve ? <p className="faint">{words.approvesToo}</p> : null}
      {isOffered ? (
        <button type="button" className="main" disabled={state.status === "acting"} onClick={() => void run()}>
          {words.proposeIt}
        </button>
      ) : null}
      {isReported ? <DecisionNotice state={state} findOut={() => void findOut()} /> : null}
      {isProposed && state.status === "done" ? (
        <a href={hrefOf(place, ["inbox", ...(state.proposal === undefined ? [] : [state.proposal])])}>
          {words.toProposal}
        </a>
      ) : null}
    </section>
  );
}
