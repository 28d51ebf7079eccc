import type { Payment, PaymentRequest } from "@trellis/react";
import { parseUnits } from "@trellis/sdk";
import { OutsideText } from "../../parts/outside-text.js";
import { Card } from "../../parts/states.js";
import { Unhappy } from "../parts.js";
import { texts } from "../texts.js";
import { Money, useCurrencies } from "./currencies.js";
import { Facts } from "./facts.js";
import { useNames } from "./named.js";
import { Party } from "./party.js";

const words = texts.pay;

/** How the payment stands that was begun last, also before the page was loaded. Nothing where there is none. */
export function PaymentProgress({
  payment: { state, retry, reset },
  onReset,
}: {
  readonly payment: Payment;
  /** After the end of a payment: there is room for another one. */
  readonly onReset?: () => void;
}) {
  if (state.status === "idle") return null;
  const close = () => {
    reset();
    onReset?.();
  };
  if (state.status === "paying")
    return (
      <Card title={words.inProgress}>
        <p role="status">{words.steps[state.step]}</p>
        <Requested of={state.request} />
      </Card>
    );
  if (state.status === "unknown")
    return (
      <Card title={words.unknown}>
        <Unhappy error={state.error} />
        <Requested of={state.request} />
        <p className="buttons">
          <button type="button" className="main" onClick={() => void retry()}>
            {words.findOut}
          </button>
        </p>
      </Card>
    );
  return (
    <Card title={state.status === "confirmed" ? words.paid : words.refused}>
      {state.status === "refused" ? <Unhappy error={state.error} /> : null}
      <Requested of={state.request} />
      {state.status === "confirmed" ? (
        <p role="status">
          {words.signature} <code>{state.sent.signature}</code>
        </p>
      ) : null}
      <p className="buttons">
        <button type="button" className="quiet" onClick={close}>
          {onReset === undefined ? words.dismiss : words.another}
        </button>
      </p>
    </Card>
  );
}

/** What a payment was asked to be. */
function Requested({ of: request }: { readonly of: PaymentRequest }) {
  const names = useNames([request.destination]);
  const found = useCurrencies().find(({ symbol }) => symbol === request.currency.toUpperCase());
  const units = request.uiAmount === undefined ? request.amount : parseUnits(request.uiAmount, found?.decimals ?? 0);
  return (
    <Facts
      of={{
        [words.to]: <Party address={request.destination} names={names} />,
        [words.amount]: <Money units={units} mint={found === undefined ? request.currency : found.mint} />,
        ...(request.memo === undefined ? {} : { [texts.payMany.memo]: <OutsideText text={request.memo} /> }),
      }}
    />
  );
}
