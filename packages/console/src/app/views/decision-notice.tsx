import type { DecisionState } from "@trellis/react";
import { texts } from "../texts.js";

const words = texts.decisions;

/** Where it stands that something is decided or proposed. `findOut` does it again, which asks for the outcome by the same bytes. */
export function DecisionNotice({ state, findOut }: { readonly state: DecisionState; readonly findOut: () => void }) {
  switch (state.status) {
    case "idle":
      return null;
    case "acting":
      return <p role="status">{words.acting[state.action]}</p>;
    case "done":
      return (
        <>
          <p role="status" className="notice good">
            {words.done[state.action]}
          </p>
          <NotApproved state={state} />
        </>
      );
    case "refused":
      return (
        <div role="alert" className="notice alarm" data-code={state.error.code}>
          <p>{isMismatch(state) ? words.mismatch : state.error.help}</p>
        </div>
      );
    case "unknown":
      return (
        <div role="alert" className="notice" data-code={state.error.code}>
          <p>{state.error.help}</p>
          <button type="button" onClick={findOut}>
            {words.findOut}
          </button>
        </div>
      );
  }
}

/** That it was proposed, and the approval that was to go with it has not happened. */
export function NotApproved({ state }: { readonly state: DecisionState }) {
  if (state.status !== "done" || state.notApproved === undefined) return null;
  const { code, help } = state.notApproved;
  return (
    <div role="alert" className="notice alarm" data-code={code}>
      <p>{words.notApproved}</p>
      <p>{code === "transaction_mismatch" ? words.mismatch : help}</p>
    </div>
  );
}

/** Whether the service prepared, or says by now, something else than what was displayed. */
export const isMismatch = (state: DecisionState): boolean =>
  state.status === "refused" && state.error.code === "transaction_mismatch";
