import type { OwnedAccount } from "@trellis/react";
import { isAddress, type SpendingLimitPeriod } from "@trellis/sdk";
import { useState } from "react";
import { ChoiceField, linesOf } from "../../parts/fields.js";
import { texts } from "../texts.js";
import { readAmount } from "./amount-of.js";
import { CurrencyField, Money, symbolOf, useCurrencies, usualOf } from "./currencies.js";
import { dayEndOf } from "./due-dates.js";
import { FaultyField } from "./faulty-field.js";
import { useLookAlikes } from "./look-alikes.js";
import { Named, NamedList, type Names, useNames } from "./named.js";
import { Propose } from "./propose.js";

const words = texts.limits;
const payeesMax = 20;
const periods = ["day", "week", "month", "one_time"] as const satisfies readonly SpendingLimitPeriod[];

/** A spending limit as a draft: what it lets people do is said in full before it is proposed. */
export function LimitForm({ account, names }: { readonly account: OwnedAccount; readonly names: Names }) {
  const currencies = useCurrencies();
  const [draft, setDraft] = useState({
    currency: usualOf(currencies),
    amount: "",
    period: "month" as SpendingLimitPeriod,
    signers: [] as readonly string[],
    payees: "",
    end: "",
  });
  const payees = [...new Set(linesOf(draft.payees))];
  const lookAlikes = useLookAlikes(payees.filter((payee) => isAddress(payee)));
  const [nowMs] = useState(() => Date.now());
  const { policies, own } = account;
  if (policies.admin_address !== null) return <p>{texts.rules.adminOnly}</p>;
  const { currency } = draft;
  if (currency === undefined) return null;
  const { units, fault } = readAmount(draft.amount, currency.decimals);
  const badPayee = payees.find((payee) => !isAddress(payee));
  const endMs = dayEndOf(draft.end);
  const faults = {
    amount: draft.amount === "" || fault === undefined ? undefined : texts.pay.faults[fault],
    payees:
      badPayee !== undefined ? words.badPayees(badPayee) : payees.length > payeesMax ? words.tooManyPayees : undefined,
    end: draft.end !== "" && (endMs === undefined || endMs < nowMs) ? words.badEnd : undefined,
  };
  const isComplete = units !== undefined && draft.signers.length > 0 && Object.values(faults).every((one) => !one);
  return (
    <div className="propose">
      <div className="row">
        <CurrencyField
          label={texts.pay.currency}
          value={currency}
          onValue={(next) => setDraft({ ...draft, currency: next })}
          options={currencies}
          titleOf={symbolOf}
        />
        <ChoiceField
          label={words.period}
          value={draft.period}
          onValue={(period) => setDraft({ ...draft, period: period as SpendingLimitPeriod })}
          options={periods.map((period) => ({ value: period, title: words.periods[period] }))}
        />
      </div>
      <FaultyField
        label={words.amountField}
        hint={texts.pay.amountHint}
        fault={faults.amount}
        inputMode="decimal"
        value={draft.amount}
        onValue={(amount) => setDraft({ ...draft, amount })}
      />
      <fieldset>
        <legend>{words.signersField}</legend>
        {policies.signers.map(({ address }) => (
          <label className="check" key={address}>
            <input
              type="checkbox"
              checked={draft.signers.includes(address)}
              onChange={({ target }) =>
                setDraft({
                  ...draft,
                  signers: target.checked
                    ? [...draft.signers, address]
                    : draft.signers.filter((signer) => signer !== address),
                })
              }
            />
            <span>
              <Named address={address} names={names} isWhole isPlain />
            </span>
          </label>
        ))}
      </fieldset>
      <label>
        {words.payeesField}
        <textarea
          rows={3}
          spellCheck={false}
          value={draft.payees}
          aria-describedby="limit-payees-hint limit-payees-fault"
          aria-invalid={faults.payees !== undefined}
          onChange={({ target }) => setDraft({ ...draft, payees: target.value })}
        />
      </label>
      <p id="limit-payees-hint" className="faint">
        {words.payeesHint}
      </p>
      <p id="limit-payees-fault" className="fault" aria-live="polite">
        {faults.payees}
      </p>
      <FaultyField
        label={words.end}
        hint={words.endHint}
        fault={faults.end}
        type="date"
        value={draft.end}
        onValue={(end) => setDraft({ ...draft, end })}
      />
      {lookAlikes.notice}
      {isComplete && units !== undefined && !lookAlikes.isHeld ? (
        <Propose
          own={own}
          content={{
            type: "settings",
            actions: [
              {
                type: "AddSpendingLimit",
                mint: currency.mint,
                amount: units.toString(),
                period: draft.period,
                signers: draft.signers,
                destinations: payees,
                ...(endMs === undefined ? {} : { expiration: endMs / 1000 }),
              },
            ],
          }}
        >
          <NamedList addresses={draft.signers} names={names} isWhole />
          <p>
            {words.mayPay} <Money units={units} mint={currency.mint} /> {words.periods[draft.period]},{" "}
            {words.withoutVote}
          </p>
          <Payees payees={payees} />
          <p>{endMs === undefined ? words.noEnd : words.until(draft.end)}</p>
        </Propose>
      ) : null}
    </div>
  );
}

function Payees({ payees }: { readonly payees: readonly string[] }) {
  const names = useNames(payees);
  if (payees.length === 0)
    return (
      <p>
        <strong>{words.toAnybody}</strong>
      </p>
    );
  return (
    <>
      <p>{words.toThese}</p>
      <NamedList addresses={payees} names={names} isWhole />
    </>
  );
}
