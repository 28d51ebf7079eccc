import type { OwnedAccount, StandingOrders } from "@trellis/react";
import { isAddress, type StandingOrderFrequency } from "@trellis/sdk";
import { type ReactNode, useState } from "react";
import { ChoiceField } from "../../parts/fields.js";
import { texts } from "../texts.js";
import { readAmount } from "./amount-of.js";
import { CurrencyField, Money, symbolOf, useCurrencies } from "./currencies.js";
import { utcOf } from "./due-dates.js";
import { FaultyField } from "./faulty-field.js";
import { useLookAlikes } from "./look-alikes.js";
import { Named, useNames } from "./named.js";
import { utcText } from "./order-calendar.js";
import { blankOrder, draftFaults, endOf, type OrderDraft, type OrderFault, termsOf } from "./order-draft.js";
import { OrderNotice } from "./order-notice.js";

const words = texts.orders;
const frequencies = ["daily", "weekly", "monthly"] as const;

/** A standing order as a draft: all that it will pay is said before it is made. */
export function OrderForm({ orders, account }: { readonly orders: StandingOrders; readonly account: OwnedAccount }) {
  const currencies = useCurrencies();
  const [nowMs] = useState(() => Date.now());
  const [draft, setDraft] = useState(() => blankOrder(currencies, nowMs));
  const [isAsked, setAsked] = useState(false);
  const set = (fields: Partial<OrderDraft>) => {
    setAsked(false);
    if (draft !== undefined) setDraft({ ...draft, ...fields });
  };
  const payee = draft?.payee.trim() ?? "";
  const named = isAddress(payee) ? [payee] : [];
  const names = useNames(named);
  const lookAlikes = useLookAlikes(named);
  const state = orders.stateOf();
  if (draft === undefined) return null;
  if (account.policies.admin_address !== null) return <p>{texts.rules.adminOnly}</p>;
  if (!account.own.permissions.includes("CAN_INITIATE")) return <p>{texts.decisions.mayNotPropose}</p>;
  const { currency } = draft;
  const amount = readAmount(draft.amount, currency.decimals);
  const { units } = amount;
  const startMs = utcOf(draft.start);
  const faults = draftFaults(draft, { amount, startMs, nowMs, isPayee: isAddress(payee) });
  const isFaulty = Object.values(faults).some((fault) => fault !== undefined);
  const text = (fault: OrderFault | undefined) => (fault === undefined ? undefined : words.faults[fault]);
  const endMs = startMs === undefined || isFaulty ? undefined : endOf(draft, startMs);
  return (
    <div className="propose">
      <FaultyField
        label={words.payee}
        hint={words.payeeHint}
        fault={draft.payee === "" ? undefined : text(faults.payee)}
        value={draft.payee}
        onValue={(next) => set({ payee: next })}
      />
      <div className="row">
        <CurrencyField
          label={texts.pay.currency}
          value={currency}
          onValue={(next) => set({ currency: next })}
          options={currencies}
          titleOf={symbolOf}
        />
        <ChoiceField
          label={words.frequency}
          value={draft.frequency}
          onValue={(frequency) => set({ frequency: frequency as StandingOrderFrequency })}
          options={frequencies.map((frequency) => ({ value: frequency, title: words.frequencies[frequency] }))}
        />
      </div>
      <FaultyField
        label={words.amount}
        hint={texts.pay.amountHint}
        inputMode="decimal"
        fault={draft.amount === "" || faults.amount === undefined ? undefined : texts.pay.faults[faults.amount]}
        value={draft.amount}
        onValue={(next) => set({ amount: next })}
      />
      <FaultyField
        label={words.start}
        hint={words.startHint}
        type="datetime-local"
        fault={text(faults.start)}
        value={draft.start}
        onValue={(start) => set({ start })}
      />
      <ChoiceField
        label={words.endChoice}
        value={draft.ending}
        onValue={(ending) => set({ ending: ending as OrderDraft["ending"] })}
        options={words.endChoices}
      />
      {draft.ending === "count" ? (
        <FaultyField
          label={words.count}
          hint={words.countHint}
          type="number"
          min={1}
          max={3654}
          fault={text(faults.end)}
          value={draft.count}
          onValue={(count) => set({ count })}
        />
      ) : null}
      {draft.ending === "day" ? (
        <FaultyField
          label={words.lastDay}
          hint={words.lastDayHint}
          type="date"
          fault={text(faults.end)}
          value={draft.lastDay}
          onValue={(lastDay) => set({ lastDay })}
        />
      ) : null}
      {lookAlikes.notice}
      {units === undefined || startMs === undefined || isFaulty || lookAlikes.isHeld ? null : (
        <Confirm
          account={account}
          state={isAsked || state.status === "unknown" ? state : { status: "idle" }}
          onMake={() => {
            setAsked(true);
            void orders.create(termsOf(draft, units, startMs));
          }}
        >
          <p>
            {words.pays} <Money units={units} mint={currency.mint} /> {words.frequencies[draft.frequency]} {words.to}{" "}
            <Named address={payee} names={names} isWhole />
          </p>
          <p>{words.from(utcText(startMs))}</p>
          {draft.ending === "count" ? (
            <p>
              {words.inAll(Number(draft.count))} <Money units={units * BigInt(draft.count)} mint={currency.mint} />.
            </p>
          ) : (
            <p>{endMs === undefined ? words.withoutEnd : words.lastBy(utcText(endMs))}</p>
          )}
          <p className="faint">{words.byService}</p>
        </Confirm>
      )}
    </div>
  );
}

function Confirm({
  account,
  state,
  onMake,
  children,
}: {
  readonly account: OwnedAccount;
  readonly state: ReturnType<StandingOrders["stateOf"]>;
  readonly onMake: () => void;
  readonly children: ReactNode;
}) {
  return (
    <section className="notice" aria-label={words.confirm}>
      <h3>{words.confirm}</h3>
      {children}
      {account.own.way === "direct" ? null : <p>{words.proposesIt}</p>}
      {state.status === "unknown" || state.status === "done" ? null : (
        <button type="button" className="main" disabled={state.status === "acting"} onClick={onMake}>
          {words.makeIt}
        </button>
      )}
      <OrderNotice state={state} findOut={onMake} />
    </section>
  );
}
