import type { PaymentIntent } from "@trellis/sdk";
import { AddressText } from "../parts/address.js";
import { ApiError } from "../parts/api.js";
import { Money } from "../parts/console-money.js";
import { useLabels } from "../parts/labels.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useRead } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { useMay, usePlace } from "../parts/session.js";
import { Card, Failure, Loading } from "../parts/states.js";
import { texts } from "../texts.js";
import { EventsAbout } from "./events.js";
import { PaymentMeaning, PaymentState } from "./payment-state.js";

const words = texts.payments;

/** One payment of an account: where it stands, what it moves, and what was reported of it. */
export function PaymentPage({ account, id }: { readonly account: string; readonly id: string }) {
  const found = useRead<PaymentIntent>(
    `/accounts/${encodeURIComponent(account)}/payment-intent/${encodeURIComponent(id)}`,
    {},
    { everyMs: 10_000 },
  );
  const mayReadEvents = useMay("webhooks:read");
  const payment = found.data;
  if (payment === undefined) {
    const isMissing = found.error instanceof ApiError && found.error.status === 404;
    return (
      <>
        <h1>{words.one}</h1>
        {isMissing ? <p>{words.noPayment}</p> : null}
        {found.error && !isMissing ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : null}
        {found.error ? null : <Loading />}
      </>
    );
  }
  return (
    <>
      <h1>
        {words.one} <PaymentState state={payment.state} />
      </h1>
      {found.error ? <Failure error={found.error} /> : null}
      <Card title={words.one}>
        <Facts payment={payment} account={account} />
      </Card>
      {mayReadEvents ? <EventsAbout type="payment_intent" object={id} /> : null}
    </>
  );
}

function Facts({ payment, account }: { readonly payment: PaymentIntent; readonly account: string }) {
  const { environment } = usePlace();
  const { source, destination, transaction_signature: signature, return_details: returned } = payment;
  const parties = [account, source.account, destination.address].filter((each) => each !== undefined);
  const labels = useLabels(parties, account);
  const party = (address: string | undefined) =>
    address === undefined ? words.bank : <AddressText address={address} label={labels.get(address)} isWhole />;
  return (
    <dl className="facts">
      <dt>{texts.events.id}</dt>
      <dd>
        <code>{payment.id}</code>
      </dd>
      <dt>{texts.account.state}</dt>
      <dd>
        <PaymentMeaning of={payment} />
      </dd>
      <dt>{texts.account.amount}</dt>
      <dd>
        <PaidAmount of={payment} />
      </dd>
      <dt>{words.account}</dt>
      <dd>
        {party(account)} <a href={hrefOf(environment, ["accounts", account])}>{words.open}</a>
      </dd>
      <dt>{words.from}</dt>
      <dd>{party(source.account)}</dd>
      <dt>{words.to}</dt>
      <dd>{party(destination.address)}</dd>
      {destination.memo === undefined ? null : (
        <>
          <dt>{texts.account.memo}</dt>
          <dd>
            <OutsideText text={destination.memo} />
          </dd>
        </>
      )}
      <dt>{words.signature}</dt>
      <dd>{signature === undefined ? texts.none : <AddressText address={signature} isWhole />}</dd>
      {returned === undefined ? null : (
        <>
          <dt>{words.returned}</dt>
          <dd>
            <OutsideText text={returned.reason} />
          </dd>
        </>
      )}
      <dt>{texts.accounts.created}</dt>
      <dd>
        <Moment at={payment.created_at} />
      </dd>
      <dt>{words.moved}</dt>
      <dd>
        <Moment at={payment.updated_at} />
      </dd>
      <dt>{words.confirmed}</dt>
      <dd>
        <Moment at={payment.confirmed_at} />
      </dd>
      {payment.expires_at === undefined ? null : (
        <>
          <dt>{words.expires}</dt>
          <dd>
            <Moment at={payment.expires_at} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** What a payment moves: base units of a coin, or, where a bank pays, a decimal in its currency. */
export function PaidAmount({ of: { amount, currency, source } }: { readonly of: PaymentIntent }) {
  return source.account === undefined ? (
    <span className="amount">{`${amount} ${currency.toUpperCase()}`}</span>
  ) : (
    <Money units={amount} currency={currency} />
  );
}
