import { useQuery } from "@tanstack/react-query";
import type { Balances, SandboxClock } from "@trellis/sdk";
import { useState } from "react";
import { AddressText } from "../parts/address.js";
import { formatUnits } from "../parts/amount.js";
import { call } from "../parts/api.js";
import { useLabels } from "../parts/labels.js";
import { Rows } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { useRead } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { useMay, usePlace } from "../parts/session.js";
import { Card, Failure, Loading, State } from "../parts/states.js";
import { texts } from "../texts.js";
import { byDay, type DueSum, duePayments, type PlannedOrder, scaled, sumsOf, wholeDecimals } from "./due-payments.js";

const words = texts.calendar;
const daysAhead = 30;
const pagesMax = 10;
/** Rows that are shown at first. Each sum reads a balance. */
const rowsAtOnce = 50;

/** Which standing orders are due in the next days, and whether the money for them is there. */
export default function Calendar() {
  const { environment } = usePlace();
  const found = useQuery({
    queryKey: [environment, "/standing-orders", "calendar"],
    queryFn: ({ signal }) => readPlanned(environment, signal),
    refetchInterval: 60_000,
  });
  return (
    <>
      <h1>{words.title}</h1>
      <p className="faint">{words.what(daysAhead)}</p>
      {found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : null}
      {found.data === undefined ? found.error ? null : <Loading /> : <Planned {...found.data} />}
    </>
  );
}

interface PlannedOrders {
  readonly orders: readonly PlannedOrder[];
  readonly before: number;
  /** False: there are more orders than are read. */
  readonly isWhole: boolean;
}

async function readPlanned(environment: string, signal: AbortSignal): Promise<PlannedOrders> {
  const read = (query: Readonly<Record<string, string | number | undefined>>) =>
    call<readonly PlannedOrder[]>({ path: "/standing-orders", environment, query, signal });
  const now = environment === "sandbox" ? await readClock(signal) : Date.now();
  const before = now + daysAhead * 86_400_000;
  const orders: PlannedOrder[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await read({ due_before: new Date(before).toISOString(), limit: 100, cursor });
    orders.push(...answer.data);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return { orders, before, isWhole: cursor === undefined };
}

/** Of the sandbox, whose clock may have been moved ahead; Unix milliseconds. */
async function readClock(signal: AbortSignal): Promise<number> {
  const { data } = await call<SandboxClock>({ path: "/sandbox/clock", environment: "sandbox", signal });
  return Date.parse(data.now);
}

function Planned({ orders, before, isWhole }: PlannedOrders) {
  const [shown, setShown] = useState(rowsAtOnce);
  const payments = duePayments(orders, before);
  const sums = sumsOf(payments);
  const some = payments.slice(0, shown);
  const labels = useLabels([
    ...sums.slice(0, shown).map(({ account }) => account),
    ...some.flatMap(({ order }) => order.destinations),
  ]);
  if (payments.length === 0) return <p className="faint">{words.empty}</p>;
  return (
    <>
      {isWhole ? null : <p className="notice">{words.cut(orders.length)}</p>}
      <Sums sums={sums.slice(0, shown)} labels={labels} />
      {byDay(some).map(([day, ofDay]) => (
        <Card title={dayFormat.format(day)} key={day}>
          <Rows
            rows={ofDay}
            caption={words.dueOn(dayFormat.format(day))}
            keyOf={({ order, at }) => `${order.id} ${at}`}
            columns={[
              { title: texts.account.when, cell: ({ at }) => <Moment at={new Date(at).toISOString()} /> },
              { title: texts.payments.from, cell: ({ order }) => <AccountLink of={order.account} labels={labels} /> },
              {
                title: texts.payments.to,
                cell: ({ order }) =>
                  order.destinations.map((each) => <AddressText key={each} address={each} label={labels.get(each)} />),
              },
              {
                title: texts.account.amount,
                isNumber: true,
                cell: ({ order }) => `${order.ui_amount} ${order.currency.toUpperCase()}, ${order.frequency}`,
              },
            ]}
          />
        </Card>
      ))}
      {payments.length > shown || sums.length > shown ? (
        <button type="button" className="quiet" onClick={() => setShown(shown + rowsAtOnce)}>
          {texts.more}
        </button>
      ) : null}
    </>
  );
}

type Labels = ReturnType<typeof useLabels>;

function AccountLink({ of, labels }: { readonly of: string; readonly labels: Labels }) {
  const { environment } = usePlace();
  return (
    <>
      <AddressText address={of} label={labels.get(of)} />{" "}
      <a href={hrefOf(environment, ["accounts", of])}>{texts.payments.open}</a>
    </>
  );
}

function Sums({ sums, labels }: { readonly sums: readonly DueSum[]; readonly labels: Labels }) {
  return (
    <Card title={words.sums}>
      <Rows
        rows={sums}
        caption={words.sums}
        keyOf={({ account, currency }) => `${account} ${currency}`}
        columns={[
          { title: texts.payments.account, cell: ({ account }) => <AccountLink of={account} labels={labels} /> },
          { title: words.payments, isNumber: true, cell: ({ count }) => count },
          {
            title: words.due,
            isNumber: true,
            cell: ({ whole, currency }) => `${formatUnits(whole, wholeDecimals)} ${currency.toUpperCase()}`,
          },
          { title: words.held, cell: (sum) => <Held sum={sum} /> },
        ]}
      />
    </Card>
  );
}

const tokensMax = 100;

/** What the account holds of it, and whether that is enough. */
function Held({ sum: { account, currency, units } }: { readonly sum: DueSum }) {
  const mayRead = useMay("accounts:read");
  const path = `/accounts/${encodeURIComponent(account)}/balances`;
  const { data } = useRead<Balances>(path, { limit: tokensMax }, { enabled: mayRead });
  const token = data?.tokens.find(
    ({ symbol, token_address }) => symbol?.toLowerCase() === currency.toLowerCase() || token_address === currency,
  );
  // Where there are more tokens than are read, it may be among the others.
  if (data === undefined || (token === undefined && data.tokens.length >= tokensMax)) return texts.none;
  const isEnough = token !== undefined && scaled(token.amount_decimal, token.decimals) >= units;
  return (
    <>
      {token?.amount_decimal ?? "0"} {currency.toUpperCase()}{" "}
      <State value={isEnough ? words.enough : words.short} tone={isEnough ? "good" : "bad"} />
    </>
  );
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });
