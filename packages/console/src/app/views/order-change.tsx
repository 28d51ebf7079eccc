import type { StandingOrders } from "@trellis/react";
import type { StandingOrder } from "@trellis/sdk";
import { useState } from "react";
import { mintOf } from "../../parts/currencies.js";
import { usePlace } from "../place.js";
import { texts } from "../texts.js";
import { Money } from "./currencies.js";
import { paymentsLeft } from "./due-dates.js";
import { Named, type Names } from "./named.js";
import { utcText } from "./order-calendar.js";
import { OrderNotice } from "./order-notice.js";

const words = texts.orders;

/** Cancelling an order and resuming a paused one: says what it does, and does it when it is asked for once more. */
export function OrderChange({
  order,
  orders,
  names,
  isDirect,
}: {
  readonly order: StandingOrder;
  readonly orders: StandingOrders;
  readonly names: Names;
  /** The reader decides alone. */
  readonly isDirect: boolean;
}) {
  const { id, status } = order;
  const [asked, setAsked] = useState<"cancel" | "resume">();
  const state = orders.stateOf(id);
  const cancel = () => void orders.cancel(id);
  const resume = () => void orders.resume(order);
  const after = (act: () => void) => () => {
    setAsked(undefined);
    act();
  };
  // What was done is not offered once more before the list says how the order stands.
  const isDone = state.status === "done" && !(state.action === "resume" && status === "active");
  const isOpen =
    ["pending", "active", "inactive"].includes(status) && !isDone && !["acting", "unknown"].includes(state.status);
  const canResume = status === "inactive" && order.reason !== "operator" && !isOfBank(order);
  const back = () => setAsked(undefined);
  return (
    <>
      {isOpen && asked === undefined ? (
        <p className="buttons">
          {canResume ? (
            <button type="button" onClick={() => setAsked("resume")}>
              {words.resume}
            </button>
          ) : null}
          <button type="button" className="danger" onClick={() => setAsked("cancel")}>
            {words.cancel}
          </button>
        </p>
      ) : null}
      {isOpen && asked === "resume" && canResume ? (
        <section className="notice" aria-label={words.resume}>
          <WillBePaid order={order} names={names} />
          {isDirect ? null : <p>{words.resumeByVote}</p>}
          <Buttons title={words.resumeNow} className="main" onDo={after(resume)} onBack={back} />
        </section>
      ) : null}
      {isOpen && asked === "cancel" ? (
        <section className="notice" aria-label={words.cancel}>
          <p>{words.cancelling}</p>
          <Buttons title={words.cancelNow} className="danger" onDo={after(cancel)} onBack={back} />
        </section>
      ) : null}
      <OrderNotice state={state} findOut={state.status === "unknown" && state.action === "resume" ? resume : cancel} />
    </>
  );
}

/** An order to a bank account is resumed by a program: a page only pays addresses on chain. */
const isOfBank = ({ destination }: StandingOrder): boolean => destination.external_account_id !== undefined;

/** What a resumed order pays, to whom and when. */
function WillBePaid({ order, names }: { readonly order: StandingOrder; readonly names: Names }) {
  const { environment } = usePlace();
  const [nowMs] = useState(() => Date.now());
  const mint = mintOf(order.currency, environment);
  const { nextMs, count } = paymentsLeft(order, nowMs);
  return (
    <>
      <p>{words.resuming}</p>
      {nextMs === undefined ? (
        <p>{words.noneLeft}</p>
      ) : (
        <>
          <p>
            {words.pays} <Money units={order.amount} mint={mint} /> {words.frequencies[order.frequency]} {words.to}{" "}
            <Named address={order.destination.address} names={names} isWhole />
          </p>
          <p>{words.next(utcText(nextMs))}</p>
          <p>
            {count === undefined ? (
              words.withoutEnd
            ) : (
              <>
                {words.left(count)} <Money units={BigInt(order.amount) * BigInt(count)} mint={mint} />.
              </>
            )}
          </p>
          <p className="faint">{words.newLimit}</p>
        </>
      )}
    </>
  );
}

function Buttons({
  title,
  className,
  onDo,
  onBack,
}: {
  readonly title: string;
  readonly className: string;
  readonly onDo: () => void;
  readonly onBack: () => void;
}) {
  return (
    <p className="buttons">
      <button type="button" className="quiet" onClick={onBack}>
        {words.back}
      </button>
      <button type="button" className={className} onClick={onDo}>
        {title}
      </button>
    </p>
  );
}
