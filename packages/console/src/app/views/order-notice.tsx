import type { OrderState } from "@trellis/react";
import { hrefOf, usePlace } from "../place.js";
import { texts } from "../texts.js";

const words = texts.orders;

/** Where it stands that an order is made or cancelled. `findOut` does it again, which asks for the outcome by the same bytes. */
export function OrderNotice({ state, findOut }: { readonly state: OrderState; readonly findOut: () => void }) {
  const place = usePlace();
  switch (state.status) {
    case "idle":
      return null;
    case "acting":
      return <p role="status">{words.acting[state.action]}</p>;
    case "done":
      return (
        <div role="status" className="notice good">
          <p>{words.done[state.action]}</p>
          {state.proposal === undefined ? null : (
            <p>
              {words.proposed} <a href={hrefOf(place, ["inbox", state.proposal])}>{words.toProposal}</a>
            </p>
          )}
        </div>
      );
    case "refused":
    case "unknown":
      return (
        <div
          role="alert"
          className={state.status === "refused" ? "notice alarm" : "notice"}
          data-code={state.error.code}
        >
          <p>{state.error.code === "transaction_mismatch" ? texts.decisions.mismatch : state.error.help}</p>
          {state.error.code === "destination_unconfirmed" ? <p>{texts.pay.payAlone}</p> : null}
          {state.status === "refused" ? null : (
            <button type="button" onClick={findOut}>
              {texts.decisions.findOut}
            </button>
          )}
        </div>
      );
  }
}
