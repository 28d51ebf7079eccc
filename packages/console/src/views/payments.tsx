import type { PaymentIntent } from "@trellis/sdk";
import { AddressText } from "../parts/address.js";
import { Filters } from "../parts/filters.js";
import { useLabels } from "../parts/labels.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { usePlace } from "../parts/session.js";
import { State } from "../parts/states.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";

const words = texts.payments;
type PaymentState = keyof typeof words.states;
const states = Object.keys(words.states) as PaymentState[];

/** The payments of all accounts, by state. */
export default function Payments({ query }: ViewProps) {
  const { environment } = usePlace();
  const filter = { state: query.get("state") ?? undefined, account: query.get("account") ?? undefined };
  const list = useList<PaymentIntent>("/payment-intents", filter, { everyMs: 15_000 });
  const parties = (list.rows ?? []).flatMap(({ source, destination }) => [source.account, destination.address]);
  const labels = useLabels(parties.filter((each) => each !== undefined));
  const party = (address: string | undefined) =>
    address === undefined ? words.bank : <AddressText address={address} label={labels.get(address)} />;
  return (
    <>
      <h1>{words.title}</h1>
      <Filters
        view="payments"
        query={query}
        fields={[
          { name: "state", label: texts.account.state, options: states },
          { name: "account", label: words.account },
        ]}
      />
      <ListView
        list={list}
        caption={words.caption}
        empty={words.empty}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.accounts.created, cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            title: words.from,
            cell: ({ source: { account } }) =>
              account === undefined ? (
                words.bank
              ) : (
                <>
                  {party(account)} <a href={hrefOf(environment, ["accounts", account])}>{words.open}</a>
                </>
              ),
          },
          { title: words.to, cell: ({ destination }) => party(destination.address) },
          {
            title: texts.account.amount,
            isNumber: true,
            cell: ({ amount, currency, source }) => (
              <>
                <span className="amount">{amount}</span> {currency.toUpperCase()}{" "}
                {source.account === undefined ? null : <small className="faint">{texts.limits.units}</small>}
              </>
            ),
          },
          { title: texts.account.state, cell: ({ state }) => <State value={state} tone={toneOf(state)} /> },
          { title: words.meaning, cell: (intent) => <Meaning of={intent} /> },
        ]}
      />
    </>
  );
}

function Meaning({ of: { state, error } }: { readonly of: PaymentIntent }) {
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

function toneOf(state: PaymentState): "good" | "bad" | "waiting" | "plain" {
  if (state === "payment_processed") return "good";
  if (["error", "undeliverable", "returned"].includes(state)) return "bad";
  return ["canceled", "refunded"].includes(state) ? "plain" : "waiting";
}
