import { type StandingOrders, useAccount, useStandingOrders } from "@trellis/react";
import type { StandingOrder } from "@trellis/sdk";
import { mintOf } from "../../parts/currencies.js";
import { Rows } from "../../parts/list-view.js";
import { Moment } from "../../parts/moment.js";
import { OutsideText } from "../../parts/outside-text.js";
import { Card, Loading, State } from "../../parts/states.js";
import { Unhappy } from "../parts.js";
import { hrefOf, usePlace } from "../place.js";
import { texts } from "../texts.js";
import { Money } from "./currencies.js";
import { Named, type Names, useNames } from "./named.js";
import { OrderCalendar } from "./order-calendar.js";
import { OrderChange } from "./order-change.js";
import { OrderForm } from "./order-form.js";

const words = texts.orders;
const pollMs = 30_000;

/** What the account pays again and again, when, and whether that is covered. */
export default function Page() {
  const account = useAccount();
  const orders = useStandingOrders({ limit: 100, pollMs });
  const error = orders.error ?? account.error;
  const retry = () => void Promise.all([orders.refetch(), account.refetch()]);
  const { data: found } = orders;
  const names = useNames((found ?? []).map(({ destination }) => destination.address));
  return (
    <>
      <h1>{texts.views.orders}</h1>
      {error ? <Unhappy error={error} onRetry={retry} /> : null}
      {found === undefined || account.data === undefined ? (
        error ? null : (
          <Loading />
        )
      ) : (
        <>
          <Card title={words.list}>
            {found.length === 0 ? (
              <p className="faint">{words.none}</p>
            ) : (
              <OrderTable found={found} orders={orders} names={names} isDirect={account.data.own.way === "direct"} />
            )}
            {orders.hasMore ? (
              <button type="button" className="quiet" onClick={orders.showMore}>
                {texts.inbox.more}
              </button>
            ) : null}
          </Card>
          <Card title={words.calendar}>
            <OrderCalendar orders={found} names={names} />
          </Card>
          <Card title={words.add}>
            <OrderForm orders={orders} account={account.data} />
          </Card>
        </>
      )}
    </>
  );
}

const tones = {
  pending: "waiting",
  active: "good",
  inactive: "bad",
  completed: "plain",
  cancelled: "plain",
} as const;

function OrderTable({
  found,
  orders,
  names,
  isDirect,
}: {
  readonly found: readonly StandingOrder[];
  readonly orders: StandingOrders;
  readonly names: Names;
  /** The reader decides alone. */
  readonly isDirect: boolean;
}) {
  const place = usePlace();
  return (
    <Rows
      rows={found}
      keyOf={({ id }) => id}
      caption={words.list}
      columns={[
        { title: words.columns[0], cell: (order) => <OrderAmount order={order} /> },
        {
          title: words.columns[1],
          cell: ({ destination }) => <Named address={destination.address} names={names} isWhole />,
        },
        {
          title: words.columns[2],
          cell: ({ frequency, end_date: end }) => (
            <>
              {words.frequencies[frequency]}, {end === undefined ? words.noEnd : <EndOf end={end} />}
            </>
          ),
        },
        {
          title: words.columns[3],
          cell: ({ status, next_execution_date: next }) =>
            status === "active" || status === "pending" ? <Moment at={next} /> : <span className="faint">–</span>,
        },
        {
          title: words.columns[4],
          cell: ({ status, reason, proposal_address: proposal }) => (
            <>
              <State value={words.states[status]} tone={tones[status]} />
              {reason === undefined ? null : <p>{words.reasons[reason] ?? <OutsideText text={reason} />}</p>}
              {status === "pending" && proposal !== undefined ? (
                <p>
                  <a href={hrefOf(place, ["inbox", proposal])}>{words.toProposal}</a>
                </p>
              ) : null}
            </>
          ),
        },
        {
          title: words.columns[5],
          cell: (order) => <OrderChange order={order} orders={orders} names={names} isDirect={isDirect} />,
        },
      ]}
    />
  );
}

function EndOf({ end }: { readonly end: string }) {
  return (
    <>
      {words.until} <Moment at={end} />
    </>
  );
}

function OrderAmount({ order: { amount, currency } }: { readonly order: StandingOrder }) {
  return <Money units={amount} mint={mintOf(currency, usePlace().environment)} />;
}
