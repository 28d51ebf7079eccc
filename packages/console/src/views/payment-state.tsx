import type { PaymentIntent } from "@trellis/sdk";
import { OutsideText } from "../parts/outside-text.js";
import { State } from "../parts/states.js";
import { texts } from "../texts.js";

const words = texts.payments;
type Name = keyof typeof words.states;

/** The states of payments, in the order in which they are passed through. */
export const paymentStates = Object.keys(words.states) as Name[];

/** The state of a payment in a word. */
export function PaymentState({ state }: Pick<PaymentIntent, "state">) {
  return <State value={state} tone={toneOf(state)} />;
}

/** What its state means, and why nothing was paid where it was refused. */
export function PaymentMeaning({ of: { state, error } }: { readonly of: PaymentIntent }) {
  return (
    <>
      {words.states[state] ?? texts.none}
      {error === undefined ? null : (
        <div>
          <OutsideText text={error.message} /> <code>{error.code}</code>
        </div>
      )}
    </>
  );
}

function toneOf(state: Name): "good" | "bad" | "waiting" | "plain" {
  if (state === "payment_processed") return "good";
  if (["error", "undeliverable", "returned"].includes(state)) return "bad";
  return ["canceled", "refunded"].includes(state) ? "plain" : "waiting";
}
