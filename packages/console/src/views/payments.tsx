import type { PaymentIntent } from "@trellis/sdk";
import { AddressText } from "../parts/address.js";
import { Filters } from "../parts/filters.js";
import { useLabels } from "../parts/labels.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { useList } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { usePlace } from "../parts/session.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";
import { PaidAmount, PaymentPage } from "./payment.js";
import { PaymentMeaning, PaymentState, paymentStates } from "./payment-state.js";

const words = texts.payments;

/** The payments of all accounts, or one of them: `payments/ACCOUNT/PAYMENT`. */
export default function Payments({ parts, query }: ViewProps) {
  const [account, id] = parts;
  if (account !== undefined && id !== undefined) return <PaymentPage account={account} id={id} key={id} />;
  return <List query={query} />;
}

function List({ query }: Pick<ViewProps, "query">) {
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
          { name: "state", label: texts.account.state, options: paymentStates },
          { name: "account", label: words.account },
        ]}
      />
      <ListView
        list={list}
        caption={words.caption}
        empty={words.empty}
        keyOf={({ id }) => id}
        columns={[
          {
            title: texts.accounts.created,
            cell: (payment) => {
              const account = accountOf(payment);
              const at = <Moment at={payment.created_at} />;
              return account === undefined ? (
                at
              ) : (
                <a href={hrefOf(environment, ["payments", account, payment.id])}>{at}</a>
              );
            },
          },
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
          { title: texts.account.amount, isNumber: true, cell: (payment) => <PaidAmount of={payment} /> },
          { title: texts.account.state, cell: ({ state }) => <PaymentState state={state} /> },
          { title: words.meaning, cell: (payment) => <PaymentMeaning of={payment} /> },
        ]}
      />
    </>
  );
}

/** Whose payment it is: the account that pays, or the one that a bank pays. */
const accountOf = ({ source, destination }: PaymentIntent): string | undefined => source.account ?? destination.address;
