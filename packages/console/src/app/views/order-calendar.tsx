import type { StandingOrder } from "@trellis/sdk";
import { useState } from "react";
import { mintOf } from "../../parts/currencies.js";
import { Rows } from "../../parts/list-view.js";
import { usePlace } from "../place.js";
import { texts } from "../texts.js";
import { Money } from "./currencies.js";
import { type DueSum, duesWithin, sumsOf } from "./due-dates.js";
import { useHoldings } from "./holdings.js";
import type { Names } from "./named.js";
import { Named } from "./named.js";

const words = texts.orders;
const days = 30;

/** What is due in the next days, day by day, and whether what the account holds covers it. */
export function OrderCalendar({ orders, names }: { readonly orders: readonly StandingOrder[]; readonly names: Names }) {
  const { environment } = usePlace();
  const { holdings } = useHoldings();
  const [nowMs] = useState(() => Date.now());
  const dues = duesWithin(orders, nowMs, days);
  if (dues.length === 0) return <p className="faint">{words.nothingDue}</p>;
  const held = holdings && new Map(holdings.map((holding) => [holding.currency, holding.held]));
  return (
    <>
      {held === undefined ? null : (
        <ul className="plain">
          {sumsOf(dues, held).map((sum) => (
            <li key={sum.currency}>
              <Sum sum={sum} mint={mintOf(sum.currency, environment)} />
            </li>
          ))}
        </ul>
      )}
      <Rows
        rows={dues}
        keyOf={({ atMs, order: { id } }) => `${id} ${atMs}`}
        caption={words.calendar}
        columns={[
          {
            title: words.day,
            cell: ({ atMs }) => (
              <>
                {utcText(atMs)} {atMs < nowMs ? <strong>{words.overdue}</strong> : null}
              </>
            ),
          },
          {
            title: words.due,
            cell: ({ order }) => <Money units={order.amount} mint={mintOf(order.currency, environment)} />,
          },
          {
            title: words.columns[1],
            cell: ({ order }) => <Named address={order.destination.address} names={names} isWhole />,
          },
        ]}
      />
    </>
  );
}

function Sum({ sum: { due, held, shortFromMs }, mint }: { readonly sum: DueSum; readonly mint: string | null }) {
  return (
    <p className={shortFromMs === undefined ? undefined : "notice alarm"}>
      <Money units={due} mint={mint} /> {words.areDue} <Money units={held} mint={mint} />.{" "}
      {shortFromMs === undefined ? words.covered : words.shortFrom(utcText(shortFromMs))}
    </p>
  );
}

/** `2026-01-31 09:00`, in UTC. */
export const utcText = (atMs: number): string => new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
