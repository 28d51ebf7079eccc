import { type PaymentRequest, usePayment } from "@trellis/react";
import { isAddress } from "@trellis/sdk";
import { type FormEvent, useId, useState } from "react";
import { Card } from "../../parts/states.js";
import { usePlace } from "../place.js";
import { texts } from "../texts.js";
import { readAmount } from "./amount-of.js";
import { CurrencyField, Money, nameOf, usualOf } from "./currencies.js";
import { FaultyField } from "./faulty-field.js";
import type { Holding } from "./holdings.js";
import { useKnownAddresses } from "./known-addresses.js";
import { Named, useNames } from "./named.js";
import type { PayProps } from "./pay.js";
import { PayReview } from "./pay-review.js";
import { isMemoTooLong, resolve } from "./payee-list.js";
import { PaymentProgress } from "./payment-progress.js";
import { Step } from "./step.js";

const words = texts.pay;
const blank = { currency: "", destination: "", amount: "", memo: "" };

/** A payment as it was written and can be made. */
export interface Draft {
  readonly holding: Holding;
  readonly destination: string;
  /** Base units. */
  readonly units: bigint;
  readonly memo: string;
}

/** One payee: what to pay, then a look at all of it, then paying or proposing. */
export function PayOne({ account, holdings }: PayProps) {
  const payment = usePayment();
  const [given, setGiven] = useState(blank);
  const [draft, setDraft] = useState<Draft>();
  const restart = () => {
    setGiven(blank);
    setDraft(undefined);
  };
  const { status } = payment.state;
  if (status === "paying" || status === "unknown" || status === "confirmed")
    return (
      <Step key={status}>
        <PaymentProgress payment={payment} onReset={restart} />
      </Step>
    );
  if (draft === undefined)
    return (
      <>
        <PaymentProgress payment={payment} />
        <PayForm holdings={holdings} given={given} onGiven={setGiven} onDraft={setDraft} />
      </>
    );
  // What is in the account may be another amount by now.
  const present = holdings.find(({ currency }) => currency === draft.holding.currency) ?? {
    ...draft.holding,
    held: 0n,
  };
  return (
    <Step>
      <PayReview
        account={account}
        draft={{ ...draft, holding: present }}
        payment={payment}
        onBack={() => {
          payment.reset();
          setDraft(undefined);
        }}
        onEnd={restart}
      />
    </Step>
  );
}

/** The same request means the same payment: the hooks pay it once. */
export const requestOf = ({ holding, destination, units, memo }: Draft): PaymentRequest => ({
  currency: holding.currency,
  destination,
  amount: units,
  ...(memo === "" ? {} : { memo }),
});

function PayForm({
  holdings,
  given,
  onGiven,
  onDraft,
}: {
  readonly holdings: readonly Holding[];
  readonly given: typeof blank;
  readonly onGiven: (given: typeof blank) => void;
  readonly onDraft: (draft: Draft) => void;
}) {
  const { account } = usePlace();
  const { addressByName } = useKnownAddresses();
  const [isAsked, setAsked] = useState(false);
  const listId = useId();
  const set = (name: keyof typeof blank) => (value: string) => onGiven({ ...given, [name]: value });
  const holding = holdings.find((one) => nameOf(one) === given.currency) ?? usualHolding(holdings);
  const destination = resolve(given.destination.trim(), { isAddress, addressByName });
  const names = useNames(destination === undefined ? [] : [destination]);
  if (holding === undefined) return null;
  const amount = readAmount(given.amount, holding.decimals);
  const memo = given.memo.trim();
  const faults = {
    destination:
      destination === undefined ? words.faults.destination : destination === account ? words.faults.self : undefined,
    amount:
      amount.fault !== undefined
        ? words.faults[amount.fault]
        : amount.units > holding.held
          ? words.faults.more
          : undefined,
    memo: isMemoTooLong(memo) ? words.faults.memo_long : undefined,
  };
  const review = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    const isFaulty = Object.values(faults).some((fault) => fault !== undefined);
    if (isFaulty || destination === undefined || amount.units === undefined) return;
    onDraft({ holding, destination, units: amount.units, memo });
  };
  return (
    <Card title={words.one}>
      <form className="form" onSubmit={review} noValidate>
        <FaultyField
          label={words.destination}
          hint={words.destinationHint}
          fault={isAsked ? faults.destination : undefined}
          list={listId}
          value={given.destination}
          onValue={set("destination")}
        />
        <datalist id={listId}>
          {[...addressByName].map(([name, address]) => (
            <option key={address} value={name} label={address} />
          ))}
        </datalist>
        {destination === undefined ? null : (
          <p>
            <Named address={destination} names={names} isWhole />
          </p>
        )}
        <div className="field">
          <CurrencyField
            label={words.currency}
            value={holding}
            onValue={(next) => set("currency")(nameOf(next))}
            options={holdings}
            titleOf={titleOf}
          />
          <Held of={holding} />
        </div>
        <FaultyField
          label={words.amount}
          hint={holding.isKnown ? words.amountHint : words.baseUnitsHint}
          fault={isAsked ? faults.amount : undefined}
          inputMode="decimal"
          value={given.amount}
          onValue={set("amount")}
        />
        <FaultyField
          label={words.memo}
          hint={words.memoHint}
          fault={isAsked ? faults.memo : undefined}
          value={given.memo}
          onValue={set("memo")}
        />
        <p className="buttons">
          <button type="submit" className="main">
            {words.review}
          </button>
        </p>
      </form>
    </Card>
  );
}

/** What a currency is called where one is chosen. */
export const titleOf = ({ currency, isKnown }: Holding): string =>
  isKnown ? currency.toUpperCase() : texts.money.token(currency);

const usualHolding = (holdings: readonly Holding[]): Holding | undefined =>
  usualOf(holdings.filter(({ isKnown }) => isKnown)) ?? holdings[0];

/** How much there is of a currency. */
export function Held({ of }: { readonly of: Holding }) {
  return (
    <small className="faint">
      {words.held} <Money units={of.held} mint={of.mint} />
    </small>
  );
}
